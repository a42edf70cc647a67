// SPDX-License-Identifier: Apache-2.0
// Table 1 and Figure 3 of Bleuse et al. 2015 as text, and what the paper says of them.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/papers.h"
#include "cli/table.h"

enum { FIRST = 10, STEP = 10, LAST = FIRST + STEP * (DUET_PAPERS_SIZES - 1) };

static void add_number(duet_cli_table *table, const char *format, double value)
{
    char text[48];
    snprintf(text, sizeof text, format, value);
    duet_cli_table_add(table, text);
}

static void add_count(duet_cli_table *table, size_t count)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", count);
    duet_cli_table_add(table, text);
}

static void add_size(duet_cli_table *table, int64_t n)
{
    char text[32];
    snprintf(text, sizeof text, n == 0 ? "all" : "%" PRId64, n);
    duet_cli_table_add(table, text);
}

static void print_heading(const duet_papers *papers, const char *what, FILE *stream)
{
    const duet_papers_settings *s = &papers->settings;
    duet_papers_count count;
    duet_papers_count_of(papers, false, &count);
    fprintf(stream,
            "%s\n%zu of the whole sweep's %d instances (10, 20, ... 1000 tasks; 1, 2, ... 64 CPUs; "
            "1, 2, 4, 8 GPUs; 30 of each)",
            what, count.cases, DUET_PAPERS_WHOLE);
    if (s->every > 1) {
        fprintf(stream, ": one in %" PRIu64, s->every);
    }
    fprintf(stream, "%s\nCPU times: multiples of 1/%" PRIu64 "; GPU times: %s\n",
            s->size_count > 0 ? ", of the sizes asked for" : "", s->parts_per_unit,
            strcmp(s->round, "none") == 0 ? "exactly a 15th or a 35th" : s->round);
    fprintf(stream,
            "optimum proven on %zu of %zu; elsewhere, the best bound stands for it (widest "
            "gap %.4f %%)\n\n",
            count.proven, count.cases, count.widest);
}

// Maximal deviations beside the paper's.
static void print_beside(const duet_papers *papers, FILE *stream)
{
    static const char *const heads[] = {"n",           "runs", "DP, paper",    "dual-2",
                                        "HEFT, paper", "heft", "Accel, paper", "accel-published"};
    duet_cli_table table;
    duet_cli_table_init(&table, "rrrrrrrr");
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        duet_cli_table_add(&table, heads[h]);
    }
    for (size_t i = 0; i <= DUET_PAPERS_PRINTED; i++) {
        bool all = i == DUET_PAPERS_PRINTED;
        int64_t n = all ? 0 : duet_papers_table1[i].n;
        duet_papers_figures figures;
        duet_papers_figures_of(papers, DUET_PAPERS_DP, DUET_PAPERS_FROM_SEARCH, n, &figures);
        if (figures.runs == 0) {
            continue;
        }
        add_size(&table, n);
        add_count(&table, figures.runs);
        for (size_t a = 0; a < DUET_PAPERS_PRINTED_ALGORITHMS; a++) {
            duet_papers_figures_of(papers, a, DUET_PAPERS_FROM_SEARCH, n, &figures);
            if (all) {
                duet_cli_table_add(&table, "");
            } else {
                add_number(&table, "%.2f", duet_papers_table1[i].deviation[a]);
            }
            add_number(&table, "%.2f", duet_papers_largest(&figures));
        }
    }
    fputs("Maximal deviation in % from the bound of dual-2's binary search, as in the paper\n\n",
          stream);
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
}

// Figures of every algorithm for the sizes of `sizes`, which 0 ends and stands for all.
static void print_sizes(const duet_papers *papers, duet_papers_base base, bool mean,
                        const int64_t *sizes, FILE *stream)
{
    duet_cli_table table;
    duet_cli_table_init(&table, "rrrrrrrrr");
    duet_cli_table_add(&table, "n");
    for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
        duet_cli_table_add(&table, duet_papers_name[a]);
    }
    bool more = true;
    for (size_t i = 0; more; i++) {
        more = sizes[i] != 0;
        duet_papers_figures figures;
        duet_papers_figures_of(papers, DUET_PAPERS_DP, base, sizes[i], &figures);
        if (figures.runs == 0) {
            continue;
        }
        add_size(&table, sizes[i]);
        for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
            duet_papers_figures_of(papers, a, base, sizes[i], &figures);
            add_number(&table, "%.2f", mean ? figures.mean : duet_papers_largest(&figures));
        }
    }
    fprintf(stream, "%s deviation in %% from %s\n\n", mean ? "Mean" : "Maximal",
            base == DUET_PAPERS_FROM_SEARCH ? "the bound of dual-2's binary search"
                                            : "the optimum");
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
}

// The proven ratio as it is on most of these platforms.
static const char *proven_text(size_t algorithm)
{
    static const char *const text[DUET_PAPERS_ALGORITHMS] = {"100", "-",   "-",        "33.33",
                                                             "50",  "100", "241.42 *", "0"};
    return text[algorithm];
}

static void print_summary(const duet_papers *papers, FILE *stream)
{
    static const char *const heads[] = {"",    "proven", "mean",   "maximal", "at n",
                                        "m,k", "seed",   "> 50 %", "> 100 %", "of"};
    duet_cli_table table;
    duet_cli_table_init(&table, "lrrrrrrrrr");
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        duet_cli_table_add(&table, heads[h]);
    }
    for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
        duet_papers_figures figures;
        duet_papers_figures_of(papers, a, DUET_PAPERS_FROM_BEST, 0, &figures);
        if (figures.runs == 0) {
            continue;
        }
        const duet_papers_case *worst = &papers->cases[figures.where];
        char platform[64];
        char seed[32];
        snprintf(platform, sizeof platform, "%" PRId64 ",%" PRId64, worst->m, worst->k);
        snprintf(seed, sizeof seed, "%" PRIu64, worst->seed);
        bool any = figures.largest.num > 0;
        duet_cli_table_add(&table, duet_papers_name[a]);
        duet_cli_table_add(&table, proven_text(a));
        add_number(&table, "%.3f", figures.mean);
        add_number(&table, "%.3f", duet_papers_largest(&figures));
        add_number(&table, any ? "%.0f" : "-", (double)worst->n);
        duet_cli_table_add(&table, any ? platform : "-");
        duet_cli_table_add(&table, any ? seed : "-");
        add_count(&table, figures.above_half);
        add_count(&table, figures.above_one);
        add_count(&table, figures.runs);
    }
    fputs("All sizes, deviation in % from the optimum; proven: the deviation that the proven ratio "
          "allows\n(*: 161.80 with one GPU, 61.80 with one CPU beside it)\n\n",
          stream);
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
}

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

void duet_papers_print_table1(const duet_papers *papers, FILE *stream)
{
    int64_t sizes[DUET_PAPERS_PRINTED + 1];
    for (size_t i = 0; i < DUET_PAPERS_PRINTED; i++) {
        sizes[i] = duet_papers_table1[i].n;
    }
    sizes[DUET_PAPERS_PRINTED] = 0;
    duet_papers_claim claims[DUET_PAPERS_MAX_CLAIMS];
    size_t count = duet_papers_table1_claims(papers, claims);
    print_heading(papers, "Bleuse et al. 2015, Table 1", stream);
    print_beside(papers, stream);
    fputc('\n', stream);
    print_sizes(papers, DUET_PAPERS_FROM_SEARCH, false, sizes, stream);
    fputc('\n', stream);
    print_sizes(papers, DUET_PAPERS_FROM_BEST, false, sizes, stream);
    fputc('\n', stream);
    print_summary(papers, stream);
    fputc('\n', stream);
    duet_papers_print_claims(claims, count, stream);
}

void duet_papers_print_figure3(const duet_papers *papers, FILE *stream)
{
    static const int64_t sizes[] = {10,  20,  30,  50,  70,  100, 150,  200, 300,
                                    400, 500, 600, 700, 800, 900, 1000, 0};
    print_heading(papers, "Bleuse et al. 2015, Figure 3", stream);
    print_sizes(papers, DUET_PAPERS_FROM_SEARCH, true, sizes, stream);
    fputc('\n', stream);
    print_sizes(papers, DUET_PAPERS_FROM_BEST, true, sizes, stream);
}
