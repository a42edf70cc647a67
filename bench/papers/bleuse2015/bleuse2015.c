// SPDX-License-Identifier: Apache-2.0
// Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling independent tasks on multi-cores with
// GPU accelerators", CCPE 27(6), 2015: its instances, what it prints and what it says of its runs.
// bleuse2015/view.c shows them.
#include "bench/papers/bleuse2015/bleuse2015.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Table 1: maximal deviations (%) of DP, HEFT and Accel. Figure 3 (mean deviations of DP and HEFT)
// is a picture without numbers.
const duet_papers_printed duet_papers_table1[DUET_PAPERS_PRINTED] = {
    {120, {76.88, 123.53, 46.15}}, {160, {72.73, 98.44, 42.86}},  {220, {70.37, 92.55, 50.00}},
    {260, {69.14, 91.90, 41.18}},  {360, {70.00, 110.37, 37.82}}, {380, {70.00, 91.78, 43.59}},
    {660, {67.42, 113.48, 36.36}}, {700, {50.82, 98.10, 40.91}},  {760, {42.77, 98.77, 32.52}},
    {780, {54.47, 103.15, 37.04}}, {920, {91.77, 116.46, 48.24}}, {940, {63.07, 96.31, 34.65}}};

// The instances of the whole sweep are numbered, the repeats running fastest, then the GPUs, then
// the CPUs; one of `every` of them is taken. So an instance has the same number, and the same seed,
// in every part of the sweep.
static void list(duet_papers *papers)
{
    static const uint64_t of_one_size = (uint64_t)DUET_PAPERS_GPUS * DUET_PAPERS_CPUS;
    const duet_papers_settings *s = &papers->settings;
    for (uint64_t index = 0; index < DUET_PAPERS_WHOLE; index += s->every) {
        uint64_t group = index / DUET_PAPERS_REPEATS;
        int64_t n = 10 + 10 * (int64_t)(group / of_one_size);
        if (duet_papers_is_wanted(s->size, s->size_count, n)) {
            papers->cases[papers->case_count++] =
                (duet_papers_case){.paper = &duet_bleuse2015,
                                   .n = n,
                                   .m = INT64_C(1) << group / DUET_PAPERS_GPUS % DUET_PAPERS_CPUS,
                                   .k = INT64_C(1) << group % DUET_PAPERS_GPUS,
                                   .seed = s->first_seed + index,
                                   .tasks = n};
        }
    }
}

static const char *family_of(const duet_papers_case *c)
{
    (void)c;
    return "bleuse";
}

// Where times are not the default, the name says how they are.
static void name_case(const duet_papers *papers, const duet_papers_case *c, char *buffer)
{
    const duet_papers_settings *s = &papers->settings;
    snprintf(buffer, DUET_PAPERS_NAME, "bleuse-%" PRId64 "-%" PRIu64, c->n, c->seed);
    if (s->parts_per_unit != 1 || strcmp(s->round, "none") != 0) {
        duet_bench_append(buffer, DUET_PAPERS_NAME, "+parts=%" PRIu64 "+round=%s",
                          s->parts_per_unit, s->round);
    }
}

static duet_code make_options(const duet_papers *papers, duet_options *options, duet_error *error)
{
    char parts[48];
    char round[48];
    snprintf(parts, sizeof parts, "parts=%" PRIu64, papers->settings.parts_per_unit);
    snprintf(round, sizeof round, "round=%s", papers->settings.round);
    duet_code code = duet_options_add(options, parts, error);
    return code == DUET_OK ? duet_options_add(options, round, error) : code;
}

// The options of `duet generate` that make the instance.
static void print_options(const duet_papers *papers, const duet_papers_case *c, FILE *stream)
{
    const duet_papers_settings *s = &papers->settings;
    fprintf(stream, " --seed %" PRIu64, c->seed);
    if (s->parts_per_unit != 1) {
        fprintf(stream, " -O parts=%" PRIu64, s->parts_per_unit);
    }
    if (strcmp(s->round, "none") != 0) {
        fprintf(stream, " -O round=%s", s->round);
    }
}

enum { FIRST = DUET_BLEUSE2015_STEP, STEP = FIRST, LAST = DUET_BLEUSE2015_LAST };

// Of the sizes from `first` on: at how many `a` has the smaller mean or maximum.
typedef struct comparison {
    int sizes, smaller;
} comparison;

static comparison compare(const duet_papers *papers, size_t a, size_t b, int64_t first, bool maxima)
{
    comparison result = {0, 0};
    for (int64_t n = first; n <= LAST; n += STEP) {
        duet_papers_figures left;
        duet_papers_figures right;
        duet_papers_figures_of(papers, a, DUET_PAPERS_FROM_SEARCH, n, &left);
        duet_papers_figures_of(papers, b, DUET_PAPERS_FROM_SEARCH, n, &right);
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
    return duet_papers_verdict(c.sizes > 0, 2 * c.smaller > c.sizes);
}

void duet_papers_table1_claims(const duet_papers *papers, duet_claims *claims)
{
    duet_papers_figures dp;
    duet_papers_figures heft;
    duet_papers_figures accel;
    duet_papers_figures_of(papers, DUET_PAPERS_DP, DUET_PAPERS_FROM_SEARCH, 0, &dp);
    duet_papers_figures_of(papers, DUET_PAPERS_HEFT, DUET_PAPERS_FROM_SEARCH, 0, &heft);
    duet_papers_figures_of(papers, DUET_PAPERS_ACCEL, DUET_PAPERS_FROM_SEARCH, 0, &accel);
    enum { large = 510 };
    claims->count = 0;
    comparison c = compare(papers, DUET_PAPERS_DP, DUET_PAPERS_HEFT, FIRST, true);
    duet_claims_add(claims, usually(c),
                    "the maximal deviations of DP are usually below those of HEFT",
                    "below at %d of %d sizes", c.smaller, c.sizes);
    duet_papers_claim(claims, dp.ratio.count > 0, dp.ratio.above_one == 0,
                      "those of DP stay below 100 %", "at most %.2f %%", duet_papers_largest(&dp));
    duet_papers_claim(claims, heft.ratio.count > 0, heft.ratio.above_one > 0,
                      "those of HEFT sometimes go over 100 %", "%zu of %zu runs, at most %.2f %%",
                      heft.ratio.above_one, heft.ratio.count, duet_papers_largest(&heft));
    duet_papers_claim(claims, accel.ratio.count > 0, accel.ratio.above_half == 0,
                      "those of Accel stay below 50 %",
                      "%zu of %zu runs are above, at most %.2f %%", accel.ratio.above_half,
                      accel.ratio.count, duet_papers_largest(&accel));
    c = compare(papers, DUET_PAPERS_DP, DUET_PAPERS_HEFT, large, false);
    duet_claims_add(claims, usually(c), "in the mean DP outperforms HEFT for large instances",
                    "at %d of %d sizes above 500", c.smaller, c.sizes);
    c = compare(papers, DUET_PAPERS_HEFT, DUET_PAPERS_ACCEL, FIRST, false);
    bool above = c.sizes > 0 && 2 * c.smaller > c.sizes;
    duet_claims_add(
        claims, above && accel.mean > slightly * heft.mean ? "above, but not slightly" : usually(c),
        "in the mean Accel remains slightly above HEFT",
        "above at %d of %d sizes; %.2f %% against %.2f %% over all", c.smaller, c.sizes, accel.mean,
        heft.mean);
}

static void write_size(const duet_papers *papers, int64_t n, duet_cli_json *json)
{
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_integer(json, "n", n);
    for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
        duet_papers_figures search;
        duet_papers_figures best;
        duet_papers_figures_of(papers, a, DUET_PAPERS_FROM_SEARCH, n, &search);
        duet_papers_figures_of(papers, a, DUET_PAPERS_FROM_BEST, n, &best);
        duet_cli_json_object(json, duet_papers_name[a],
                             "runs:%zu mean_from_search:%.6f max_from_search:%.6f "
                             "mean_from_optimum:%.6f max_from_optimum:%.6f",
                             search.ratio.count, search.mean, duet_papers_largest(&search),
                             best.mean, duet_papers_largest(&best));
    }
    duet_cli_json_close(json, '}');
}

static void write_json(const duet_papers *papers, duet_cli_json *json)
{
    duet_claims claims;
    duet_cli_json_open(json, "sizes", '[');
    for (int64_t n = FIRST; n <= LAST; n += STEP) {
        duet_papers_figures figures;
        duet_papers_figures_of(papers, DUET_PAPERS_DP, DUET_PAPERS_FROM_SEARCH, n, &figures);
        if (figures.ratio.count > 0) {
            write_size(papers, n, json);
        }
    }
    duet_cli_json_close(json, ']');
    duet_cli_json_open(json, "printed", '[');
    for (size_t i = 0; i < DUET_PAPERS_PRINTED; i++) {
        const duet_papers_printed *p = &duet_papers_table1[i];
        duet_cli_json_object(json, NULL, "n:%" PRId64 " DP:%.2f HEFT:%.2f Accel:%.2f", p->n,
                             p->deviation[0], p->deviation[1], p->deviation[2]);
    }
    duet_cli_json_close(json, ']');
    duet_papers_table1_claims(papers, &claims);
    duet_claims_json(&claims, "statements", "statement", json);
}

const duet_paper duet_bleuse2015 = {.key = "bleuse2015",
                                    .options = make_options,
                                    .list = list,
                                    .family_of = family_of,
                                    .name_case = name_case,
                                    .print_options = print_options,
                                    .write_json = write_json,
                                    .parts = {{.name = "table1",
                                               .print = duet_bleuse2015_print_table1,
                                               .write_section = duet_bleuse2015_write_table1},
                                              {.name = "figure3",
                                               .print = duet_bleuse2015_print_figure3,
                                               .write_section = duet_bleuse2015_write_figure3,
                                               .draw = duet_bleuse2015_draw_figure3}}};
