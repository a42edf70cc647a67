// SPDX-License-Identifier: Apache-2.0
// Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling independent tasks on multi-cores with
// GPU accelerators", CCPE 27(6), 2015: its instances, what it prints and what it says of its runs.
// bleuse2015/view.c shows them.
#include "bench/papers/bag.h"
#include "core/system/try.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Table 1: maximal deviations (%) of DP, HEFT and Accel. Figure 3 (mean deviations of DP and HEFT)
// is a picture without numbers.
const duet_bag_printed duet_bag_table1[DUET_BAG_PRINTED] = {
    {120, {76.88, 123.53, 46.15}}, {160, {72.73, 98.44, 42.86}},  {220, {70.37, 92.55, 50.00}},
    {260, {69.14, 91.90, 41.18}},  {360, {70.00, 110.37, 37.82}}, {380, {70.00, 91.78, 43.59}},
    {660, {67.42, 113.48, 36.36}}, {700, {50.82, 98.10, 40.91}},  {760, {42.77, 98.77, 32.52}},
    {780, {54.47, 103.15, 37.04}}, {920, {91.77, 116.46, 48.24}}, {940, {63.07, 96.31, 34.65}}};

// The instances of the whole sweep are numbered, the repeats running fastest, then the GPUs, then
// the CPUs; one of `every` of them is taken. So an instance has the same number, and the same seed,
// in every part of the sweep.
duet_code duet_bleuse2015_list(duet_paper_study *study, duet_error *error)
{
    static const uint64_t of_one_size = (uint64_t)DUET_BAG_GPUS * DUET_BAG_CPUS;
    const duet_paper_settings *s = study->settings;
    bool usual = s->parts_per_unit == 1 && strcmp(s->round, "none") == 0;
    for (uint64_t index = 0; index < DUET_BAG_WHOLE; index += s->every) {
        uint64_t group = index / DUET_BAG_REPEATS;
        duet_paper_case c = {.set = DUET_BAG_BLEUSE,
                             .n = DUET_BAG_STEP * (1 + (int64_t)(group / of_one_size)),
                             .m = INT64_C(1) << group / DUET_BAG_GPUS % DUET_BAG_CPUS,
                             .k = INT64_C(1) << group % DUET_BAG_GPUS,
                             .seed = s->first_seed + index};
        c.tasks = c.n;
        // Where times are not the default, the name says how they are.
        snprintf(c.name, sizeof c.name, "bleuse-%" PRId64 "-%" PRIu64, c.n, c.seed);
        if (!usual) {
            duet_bench_append(c.name, sizeof c.name, "+parts=%" PRIu64 "+round=%s",
                              s->parts_per_unit, s->round);
        }
        if (s->parts_per_unit != 1) {
            snprintf(c.from, sizeof c.from, "parts=%" PRIu64, s->parts_per_unit);
        }
        if (strcmp(s->round, "none") != 0) {
            duet_bench_append(c.from, sizeof c.from, "%sround=%s", c.from[0] == '\0' ? "" : " ",
                              s->round);
        }
        if (duet_paper_is_wanted(s->size, s->size_count, c.n)) {
            DUET_TRY(duet_paper_add_case(study, &c, error));
        }
    }
    return DUET_OK;
}

enum { FIRST = DUET_BAG_STEP, STEP = FIRST, LAST = DUET_BAG_LAST };

// Of the sizes from `first` on: at how many `a` has the smaller mean or maximum.
typedef struct comparison {
    int sizes, smaller;
} comparison;

static comparison compare(const duet_paper_study *study, size_t a, size_t b, int64_t first,
                          bool maxima)
{
    comparison result = {0, 0};
    for (int64_t n = first; n <= LAST; n += STEP) {
        duet_bag_figures left;
        duet_bag_figures right;
        duet_bag_figures_of(study, a, DUET_BAG_FROM_SEARCH, n, &left);
        duet_bag_figures_of(study, b, DUET_BAG_FROM_SEARCH, n, &right);
        bool smaller = maxima ? duet_fraction_compare(left.ratio.largest, right.ratio.largest) < 0
                              : left.mean < right.mean;
        result.sizes += left.ratio.count > 0;
        result.smaller += left.ratio.count > 0 && smaller;
    }
    return result;
}

// "usually", "large instances" and "slightly above" are not defined there: more than half, more
// than 500 tasks, and at most twice the mean deviation.
static const double slightly = 2;

static const char *usually(comparison c)
{
    return duet_paper_verdict(c.sizes > 0, 2 * c.smaller > c.sizes);
}

void duet_bleuse2015_claims(const duet_paper_study *study, duet_claims *claims)
{
    duet_bag_figures dp;
    duet_bag_figures heft;
    duet_bag_figures accel;
    duet_bag_figures_of(study, DUET_BAG_DP, DUET_BAG_FROM_SEARCH, 0, &dp);
    duet_bag_figures_of(study, DUET_BAG_HEFT, DUET_BAG_FROM_SEARCH, 0, &heft);
    duet_bag_figures_of(study, DUET_BAG_ACCEL, DUET_BAG_FROM_SEARCH, 0, &accel);
    enum { large = 510 };
    claims->count = 0;
    comparison c = compare(study, DUET_BAG_DP, DUET_BAG_HEFT, FIRST, true);
    duet_claims_add(claims, usually(c),
                    "the maximal deviations of DP are usually below those of HEFT",
                    "below at %d of %d sizes", c.smaller, c.sizes);
    duet_claims_hold(claims, "more than half");
    duet_paper_claim(claims, dp.ratio.count > 0, dp.ratio.above_one == 0,
                     "those of DP stay below 100 %", "none above", "at most %.2f %%",
                     duet_bag_largest(&dp));
    duet_claims_by_one(claims);
    duet_paper_claim(claims, heft.ratio.count > 0, heft.ratio.above_one > 0,
                     "those of HEFT sometimes go over 100 %", "at least one",
                     "%zu of %zu runs, at most %.2f %%", heft.ratio.above_one, heft.ratio.count,
                     duet_bag_largest(&heft));
    duet_paper_claim(claims, accel.ratio.count > 0, accel.ratio.above_half == 0,
                     "those of Accel stay below 50 %", "none above",
                     "%zu of %zu runs are above, at most %.2f %%", accel.ratio.above_half,
                     accel.ratio.count, duet_bag_largest(&accel));
    duet_claims_by_one(claims);
    c = compare(study, DUET_BAG_DP, DUET_BAG_HEFT, large, false);
    duet_claims_add(claims, usually(c), "in the mean DP outperforms HEFT for large instances",
                    "at %d of %d sizes above 500", c.smaller, c.sizes);
    duet_claims_hold(claims, "more than half");
    c = compare(study, DUET_BAG_HEFT, DUET_BAG_ACCEL, FIRST, false);
    bool above = c.sizes > 0 && 2 * c.smaller > c.sizes;
    duet_claims_add(
        claims, above && accel.mean > slightly * heft.mean ? "above, but not slightly" : usually(c),
        "in the mean Accel remains slightly above HEFT",
        "above at %d of %d sizes; %.2f %% against %.2f %% over all", c.smaller, c.sizes, accel.mean,
        heft.mean);
    duet_claims_hold(claims, "more than half, <= twice HEFT's");
    duet_paper_limit_claims(
        study, study->settings->size_count > 0 || study->settings->every > DUET_BAG_EVERY, claims);
}

static void write_size(const duet_paper_study *study, int64_t n, duet_cli_json *json)
{
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_integer(json, "n", n);
    for (size_t a = 0; a < DUET_BAG_ALGORITHMS; a++) {
        duet_bag_figures search;
        duet_bag_figures best;
        duet_bag_figures_of(study, a, DUET_BAG_FROM_SEARCH, n, &search);
        duet_bag_figures_of(study, a, DUET_BAG_FROM_BEST, n, &best);
        duet_cli_json_object(json, duet_bag_name[a],
                             "runs:%zu mean_from_search:%.6f max_from_search:%.6f "
                             "mean_from_optimum:%.6f max_from_optimum:%.6f",
                             search.ratio.count, search.mean, duet_bag_largest(&search), best.mean,
                             duet_bag_largest(&best));
    }
    duet_cli_json_close(json, '}');
}

void duet_bleuse2015_write_json(const duet_paper_study *study, duet_cli_json *json)
{
    duet_claims claims;
    duet_cli_json_open(json, "sizes", '[');
    for (int64_t n = FIRST; n <= LAST; n += STEP) {
        duet_bag_figures figures;
        duet_bag_figures_of(study, DUET_BAG_DP, DUET_BAG_FROM_SEARCH, n, &figures);
        if (figures.ratio.count > 0) {
            write_size(study, n, json);
        }
    }
    duet_cli_json_close(json, ']');
    duet_cli_json_open(json, "printed", '[');
    for (size_t i = 0; i < DUET_BAG_PRINTED; i++) {
        const duet_bag_printed *p = &duet_bag_table1[i];
        duet_cli_json_object(json, NULL, "n:%" PRId64 " DP:%.2f HEFT:%.2f Accel:%.2f", p->n,
                             p->deviation[0], p->deviation[1], p->deviation[2]);
    }
    duet_cli_json_close(json, ']');
    duet_bleuse2015_claims(study, &claims);
    duet_claims_json(&claims, "statements", "statement", json);
}
