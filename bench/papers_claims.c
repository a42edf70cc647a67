// SPDX-License-Identifier: Apache-2.0
// What Bleuse et al. 2015 say of their runs, held against ours.
#include <stdio.h>

#include "bench/papers.h"
#include "cli/table.h"

enum { FIRST = 10, STEP = 10, LAST = FIRST + STEP * (DUET_PAPERS_SIZES - 1) };

// Of the sizes from `first` on: at how many `a` has the smaller value, or both the same.
typedef struct comparison {
    int sizes, smaller, not_larger;
} comparison;

static comparison compare_means(const duet_papers *papers, size_t a, size_t b, int64_t first)
{
    comparison result = {0, 0, 0};
    for (int64_t n = first; n <= LAST; n += STEP) {
        duet_papers_figures left;
        duet_papers_figures right;
        duet_papers_figures_of(papers, a, DUET_PAPERS_FROM_SEARCH, n, &left);
        duet_papers_figures_of(papers, b, DUET_PAPERS_FROM_SEARCH, n, &right);
        result.sizes += left.runs > 0;
        result.smaller += left.runs > 0 && left.mean < right.mean;
        result.not_larger += left.runs > 0 && left.mean <= right.mean;
    }
    return result;
}

static comparison compare_maxima(const duet_papers *papers, size_t a, size_t b)
{
    comparison result = {0, 0, 0};
    for (int64_t n = FIRST; n <= LAST; n += STEP) {
        duet_papers_figures left;
        duet_papers_figures right;
        duet_papers_figures_of(papers, a, DUET_PAPERS_FROM_SEARCH, n, &left);
        duet_papers_figures_of(papers, b, DUET_PAPERS_FROM_SEARCH, n, &right);
        if (left.runs > 0) {
            int order = duet_fraction_compare(left.largest, right.largest);
            result.sizes++;
            result.smaller += order < 0;
            result.not_larger += order <= 0;
        }
    }
    return result;
}

static void judge(duet_papers_claim *claim, bool any, bool holds)
{
    claim->verdict = !any ? "-" : holds ? "holds" : "does not hold";
}

// "usually" and "large instances" are not defined there: more than half, and more than 500 tasks.
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
    return count;
}

void duet_papers_print_claims(const duet_papers_claim *claims, size_t count, FILE *stream)
{
    duet_cli_table table;
    duet_cli_table_init(&table, "lll");
    duet_cli_table_add(&table, "the paper says");
    duet_cli_table_add(&table, "these runs");
    duet_cli_table_add(&table, "");
    for (size_t i = 0; i < count; i++) {
        duet_cli_table_add(&table, claims[i].statement);
        duet_cli_table_add(&table, claims[i].found);
        duet_cli_table_add(&table, claims[i].verdict);
    }
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
}
