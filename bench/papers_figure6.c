// SPDX-License-Identifier: Apache-2.0
// Figure 6 of Beaumont et al. 2017 as text, and what the paper says of it.
#include <inttypes.h>
#include <stdio.h>

#include "bench/papers.h"
#include "cli/table.h"

// "Close to optimal" and "small values" are not defined there but for the 20 of the latter.
static const double close_to = 1.05;
enum { SMALL = 20 };

static bool is_shown(const duet_papers *papers, int64_t tiles)
{
    enum { sparse = 8 };
    return papers->settings.tile_count > 0 || tiles % sparse == 0 ||
           (tiles <= SMALL && tiles % 2 == 0) || tiles % (2 * SMALL) == 0;
}

static void add_number(duet_cli_table *table, const char *format, double value)
{
    char text[48];
    snprintf(text, sizeof text, format, value);
    duet_cli_table_add(table, text);
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
    double count = 0;
    for (int64_t n = DUET_PAPERS_FEWEST_TILES; n <= DUET_PAPERS_MOST_TILES; n++) {
        const duet_papers_case *c = duet_papers_find(papers, family, n);
        if (c == NULL) {
            continue;
        }
        bool shown = is_shown(papers, n);
        if (shown) {
            add_number(&table, "%.0f", (double)n);
            add_number(&table, "%.0f", (double)c->tasks);
        }
        for (size_t i = 0; i < COLUMNS; i++) {
            double value = ratio(papers, c, columns[i]);
            sum[i] += value;
            if (shown) {
                add_number(&table, "%.4f", value);
            }
        }
        count++;
    }
    duet_cli_table_add(&table, "mean");
    add_number(&table, "of %.0f", count);
    for (size_t i = 0; i < COLUMNS; i++) {
        add_number(&table, "%.4f", sum[i] / count);
    }
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
}

// The smallest number of tiles from which on the ratio to the area bound stays within `close_to`;
// 0 where it is not at the end either.
static int64_t close_from(const duet_papers *papers, size_t family, size_t algorithm)
{
    int64_t from = 0;
    for (int64_t n = DUET_PAPERS_MOST_TILES; n >= DUET_PAPERS_FEWEST_TILES; n--) {
        const duet_papers_case *c = duet_papers_find(papers, family, n);
        if (c != NULL && duet_papers_to_area(papers, c, algorithm) > close_to) {
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
                int64_t left = duet_papers_at(papers, place, DUET_PAPERS_HETEROPRIO)->makespan;
                int64_t right = duet_papers_at(papers, place, DUET_PAPERS_DUALHP)->makespan;
                shorter += left < right;
                longer += left > right;
                runs++;
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
        sum += c == NULL ? 0 : duet_papers_to_area(papers, c, algorithm);
        count += c != NULL;
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
