// SPDX-License-Identifier: Apache-2.0
// What the papers say of their runs, held against ours.
#include <inttypes.h>
#include <stdio.h>

#include "bench/papers/papers.h"

enum { FIRST = 10, STEP = 10, LAST = FIRST + STEP * (DUET_PAPERS_SIZES - 1) };

// Of the sizes from `first` on: at how many `a` has the smaller value.
typedef struct comparison {
    int sizes, smaller;
} comparison;

static comparison compare_means(const duet_papers *papers, size_t a, size_t b, int64_t first)
{
    comparison result = {0, 0};
    for (int64_t n = first; n <= LAST; n += STEP) {
        duet_papers_figures left;
        duet_papers_figures right;
        duet_papers_figures_of(papers, a, DUET_PAPERS_FROM_SEARCH, n, &left);
        duet_papers_figures_of(papers, b, DUET_PAPERS_FROM_SEARCH, n, &right);
        result.sizes += left.runs > 0;
        result.smaller += left.runs > 0 && left.mean < right.mean;
    }
    return result;
}

static comparison compare_maxima(const duet_papers *papers, size_t a, size_t b)
{
    comparison result = {0, 0};
    for (int64_t n = FIRST; n <= LAST; n += STEP) {
        duet_papers_figures left;
        duet_papers_figures right;
        duet_papers_figures_of(papers, a, DUET_PAPERS_FROM_SEARCH, n, &left);
        duet_papers_figures_of(papers, b, DUET_PAPERS_FROM_SEARCH, n, &right);
        if (left.runs > 0) {
            result.sizes++;
            result.smaller += duet_fraction_compare(left.largest, right.largest) < 0;
        }
    }
    return result;
}

static void judge(duet_papers_claim *claim, bool any, bool holds)
{
    claim->verdict = !any ? "-" : holds ? "holds" : "does not hold";
}

// "usually", "large instances" and "slightly above" are not defined there: more than half, more
// than 500 tasks, and at most twice the mean deviation.
static const double slightly = 2;

size_t duet_papers_table1_claims(const duet_papers *papers, duet_papers_claim *claims)
{
    duet_papers_figures dp;
    duet_papers_figures heft;
    duet_papers_figures accel;
    duet_papers_figures_of(papers, DUET_PAPERS_DP, DUET_PAPERS_FROM_SEARCH, 0, &dp);
    duet_papers_figures_of(papers, DUET_PAPERS_HEFT, DUET_PAPERS_FROM_SEARCH, 0, &heft);
    duet_papers_figures_of(papers, DUET_PAPERS_ACCEL, DUET_PAPERS_FROM_SEARCH, 0, &accel);
    size_t count = 0;
    enum { text = sizeof claims->found, large = 510 };
    comparison c = compare_maxima(papers, DUET_PAPERS_DP, DUET_PAPERS_HEFT);
    duet_papers_claim *claim = &claims[count++];
    claim->statement = "the maximal deviations of DP are usually below those of HEFT";
    snprintf(claim->found, text, "below at %d of %d sizes", c.smaller, c.sizes);
    judge(claim, c.sizes > 0, 2 * c.smaller > c.sizes);

    claim = &claims[count++];
    claim->statement = "those of DP stay below 100 %";
    snprintf(claim->found, text, "at most %.2f %%", duet_papers_largest(&dp));
    judge(claim, dp.runs > 0, dp.above_one == 0);

    claim = &claims[count++];
    claim->statement = "those of HEFT sometimes go over 100 %";
    snprintf(claim->found, text, "%zu of %zu runs, at most %.2f %%", heft.above_one, heft.runs,
             duet_papers_largest(&heft));
    judge(claim, heft.runs > 0, heft.above_one > 0);

    claim = &claims[count++];
    claim->statement = "those of Accel stay below 50 %";
    snprintf(claim->found, text, "%zu of %zu runs are above, at most %.2f %%", accel.above_half,
             accel.runs, duet_papers_largest(&accel));
    judge(claim, accel.runs > 0, accel.above_half == 0);

    c = compare_means(papers, DUET_PAPERS_DP, DUET_PAPERS_HEFT, large);
    claim = &claims[count++];
    claim->statement = "in the mean DP outperforms HEFT for large instances";
    snprintf(claim->found, text, "at %d of %d sizes above 500", c.smaller, c.sizes);
    judge(claim, c.sizes > 0, 2 * c.smaller > c.sizes);

    c = compare_means(papers, DUET_PAPERS_HEFT, DUET_PAPERS_ACCEL, FIRST);
    claim = &claims[count++];
    claim->statement = "in the mean Accel remains slightly above HEFT";
    snprintf(claim->found, text, "above at %d of %d sizes; %.2f %% against %.2f %% over all",
             c.smaller, c.sizes, accel.mean, heft.mean);
    judge(claim, c.sizes > 0, 2 * c.smaller > c.sizes);
    if (c.sizes > 0 && 2 * c.smaller > c.sizes && accel.mean > slightly * heft.mean) {
        claim->verdict = "above, but not slightly";
    }
    return count;
}

// "Close to optimal" is not defined there; small values of N are those below 20.
static const double close_to = 1.05;
enum { SMALL = 20 };

// The smallest number of tiles from which on the ratio to the area bound stays within `close_to`;
// 0 where it is not at the end either.
static int64_t close_from(const duet_papers *papers, size_t family, size_t algorithm)
{
    int64_t from = 0;
    for (int64_t n = DUET_PAPERS_MOST_TILES; n >= DUET_PAPERS_FEWEST_TILES; n--) {
        const duet_papers_case *c = duet_papers_find(papers, family, n);
        double ratio = c == NULL ? 1 : duet_papers_to_area(papers, c, algorithm);
        if (ratio <= 0 || ratio > close_to) {
            break;
        }
        from = c == NULL ? from : n;
    }
    return from;
}

static void add_text(duet_papers_claim *claim, size_t *used, const char *text)
{
    int more = snprintf(claim->found + *used, sizeof claim->found - *used, "%s%s",
                        *used == 0 ? "" : ", ", text);
    *used += more > 0 && *used + (size_t)more < sizeof claim->found ? (size_t)more : 0;
}

static void claim_close(const duet_papers *papers, size_t algorithm, const char *statement,
                        duet_papers_claim *claim)
{
    size_t used = 0;
    int known = 0;
    int close = 0;
    claim->found[0] = '\0';
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES; f++) {
        char text[64];
        const char *family = duet_papers_family[f];
        if (duet_papers_find(papers, f, DUET_PAPERS_MOST_TILES) == NULL) {
            continue;
        }
        int64_t from = close_from(papers, f, algorithm);
        known++;
        close += from > 0;
        if (from > 0) {
            snprintf(text, sizeof text, "%s from N = %" PRId64 " on", family, from);
        } else {
            snprintf(text, sizeof text, "%s not", family);
        }
        add_text(claim, &used, text);
    }
    claim->statement = statement;
    claim->verdict = known == 0 ? "-" : (close == known ? "holds" : "does not hold");
}

// HeteroPrio against DualHP below 20 tiles, in exact times.
static void claim_small(const duet_papers *papers, duet_papers_claim *claim)
{
    size_t used = 0;
    int known = 0;
    int better = 0;
    claim->found[0] = '\0';
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES; f++) {
        int shorter = 0;
        int longer = 0;
        int runs = 0;
        for (int64_t n = DUET_PAPERS_FEWEST_TILES; n < SMALL; n++) {
            const duet_papers_case *c = duet_papers_find(papers, f, n);
            if (c != NULL) {
                size_t place = (size_t)(c - papers->cases);
                int64_t left = duet_papers_makespan(papers, place, DUET_PAPERS_HETEROPRIO);
                int64_t right = duet_papers_makespan(papers, place, DUET_PAPERS_DUALHP);
                bool both = left >= 0 && right >= 0;
                shorter += both && left < right;
                longer += both && left > right;
                runs += both;
            }
        }
        if (runs > 0) {
            char text[64];
            snprintf(text, sizeof text, "%s better at %d, worse at %d of %d", duet_papers_family[f],
                     shorter, longer, runs);
            add_text(claim, &used, text);
            known++;
            better += shorter > longer;
        }
    }
    claim->statement = "HeteroPrio is better than DualHP below 20 tiles";
    claim->verdict = known == 0 ? "-" : (better == known ? "holds" : "does not hold");
}

static double mean_of(const duet_papers *papers, size_t family, size_t algorithm)
{
    double sum = 0;
    double count = 0;
    for (int64_t n = DUET_PAPERS_FEWEST_TILES; n <= DUET_PAPERS_MOST_TILES; n++) {
        const duet_papers_case *c = duet_papers_find(papers, family, n);
        double ratio = c == NULL ? 0 : duet_papers_to_area(papers, c, algorithm);
        sum += ratio;
        count += ratio > 0;
    }
    return count == 0 ? 0 : sum / count;
}

static void claim_heft(const duet_papers *papers, duet_papers_claim *claim)
{
    size_t used = 0;
    int known = 0;
    int worst = 0;
    claim->found[0] = '\0';
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES; f++) {
        char text[64];
        double heft = mean_of(papers, f, DUET_PAPERS_HEFT);
        double other = mean_of(papers, f, DUET_PAPERS_HETEROPRIO);
        double third = mean_of(papers, f, DUET_PAPERS_DUALHP);
        if (heft > 0) {
            snprintf(text, sizeof text, "%s %.3f (others %.3f, %.3f)", duet_papers_family[f], heft,
                     other, third);
            add_text(claim, &used, text);
            known++;
            worst += heft > other && heft > third;
        }
    }
    claim->statement = "HEFT performs rather poorly (mean ratio)";
    claim->verdict = known == 0 ? "-" : (worst == known ? "holds" : "does not hold");
}

size_t duet_papers_figure6_claims(const duet_papers *papers, duet_papers_claim *claims)
{
    claim_close(papers, DUET_PAPERS_HETEROPRIO,
                "HeteroPrio is close to optimal for many tiles (within 5 %)", &claims[0]);
    claim_close(papers, DUET_PAPERS_DUALHP, "DualHP is, too (within 5 %)", &claims[1]);
    claim_small(papers, &claims[2]);
    claim_heft(papers, &claims[3]);
    return 4;
}
