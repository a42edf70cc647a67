// SPDX-License-Identifier: Apache-2.0
// Figure 6 of Beaumont et al. 2017 as text.
#include <inttypes.h>
#include <stdio.h>

#include "bench/papers/papers.h"
#include "console/table.h"

static bool is_shown(const duet_papers *papers, int64_t tiles)
{
    enum { sparse = 8, small = 20 };
    return papers->settings.tile_count > 0 || tiles % sparse == 0 ||
           (tiles <= small && tiles % 2 == 0);
}

// The paper's three, then ours.
static const duet_papers_algorithm columns[] = {
    DUET_PAPERS_HETEROPRIO, DUET_PAPERS_DUALHP, DUET_PAPERS_HEFT, DUET_PAPERS_DP,
    DUET_PAPERS_DUAL_4_3,   DUET_PAPERS_SHELF,  DUET_PAPERS_EXACT};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef double ratio_function(const duet_papers *papers, const duet_papers_case *c,
                              size_t algorithm);

static void print_ratios(const duet_papers *papers, size_t family, ratio_function *ratio,
                         FILE *stream)
{
    duet_cli_table table;
    duet_cli_table_init(&table, "rrrrrrrrr");
    duet_cli_table_add(&table, "N");
    duet_cli_table_add(&table, "tasks");
    for (size_t i = 0; i < COLUMNS; i++) {
        duet_cli_table_add(&table, duet_papers_name[columns[i]]);
    }
    double sum[COLUMNS] = {0};
    size_t count[COLUMNS] = {0};
    double cases = 0;
    for (int64_t n = DUET_PAPERS_FEWEST_TILES; n <= DUET_PAPERS_MOST_TILES; n++) {
        const duet_papers_case *c = duet_papers_find(papers, family, n);
        if (c == NULL) {
            continue;
        }
        bool shown = is_shown(papers, n);
        if (shown) {
            duet_papers_add_number(&table, "%.0f", (double)n);
            duet_papers_add_number(&table, "%.0f", (double)c->tasks);
        }
        for (size_t i = 0; i < COLUMNS; i++) {
            double value = ratio(papers, c, columns[i]);
            sum[i] += value;
            count[i] += value > 0;
            if (shown) {
                duet_papers_add_number(&table, value > 0 ? "%.4f" : "-", value);
            }
        }
        cases++;
    }
    duet_cli_table_add(&table, "mean");
    duet_papers_add_number(&table, "of %.0f", cases);
    for (size_t i = 0; i < COLUMNS; i++) {
        duet_papers_add_number(&table, count[i] > 0 ? "%.4f" : "-", sum[i] / (double)count[i]);
    }
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
}

void duet_papers_print_figure6(const duet_papers *papers, FILE *stream)
{
    duet_papers_claim claims[DUET_PAPERS_MAX_CLAIMS];
    duet_papers_count count;
    duet_papers_count_of(papers, true, &count);
    fprintf(stream,
            "Beaumont et al. 2017, Figure 6: %d CPUs and %d GPUs, N tiles of a side\n"
            "kernel timings: %s; optimum proven on %zu of %zu; elsewhere, the best bound "
            "stands for it (widest gap %.4f %%)\n",
            DUET_PAPERS_FIGURE6_CPUS, DUET_PAPERS_FIGURE6_GPUS,
            papers->settings.row == NULL ? "each family's default" : papers->settings.row,
            count.proven, count.cases, count.widest);
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES; f++) {
        if (!duet_papers_has_family(f)) {
            fprintf(stream, "\n%s: this build has no such family\n", duet_papers_family[f]);
            continue;
        }
        fprintf(stream, "\n%s, makespan / area bound\n\n", duet_papers_family[f]);
        print_ratios(papers, f, duet_papers_to_area, stream);
        fprintf(stream, "\n%s, makespan / optimum\n\n", duet_papers_family[f]);
        print_ratios(papers, f, duet_papers_to_best, stream);
    }
    fputc('\n', stream);
    size_t claimed = duet_papers_figure6_claims(papers, claims);
    duet_papers_print_claims(claims, claimed, stream);
}
