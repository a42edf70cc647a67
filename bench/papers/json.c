// SPDX-License-Identifier: Apache-2.0
// Tables and charts of `duet bench papers` for programs.
#include <inttypes.h>

#include "bench/papers/papers.h"
#include "console/json.h"

static void write_claims(const duet_papers_claim *claims, size_t count, duet_cli_json *json)
{
    duet_cli_json_open(json, "statements", '[');
    for (size_t i = 0; i < count; i++) {
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_string(json, "statement", claims[i].statement);
        duet_cli_json_string(json, "found", claims[i].found);
        duet_cli_json_string(json, "verdict", claims[i].verdict);
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
}

static void write_count(const duet_papers *papers, bool figure6, duet_cli_json *json)
{
    duet_papers_count count;
    duet_papers_count_of(papers, figure6, &count);
    duet_cli_json_integer(json, "instances", (int64_t)count.cases);
    duet_cli_json_integer(json, "proven", (int64_t)count.proven);
    duet_cli_json_decimal(json, "widest_gap_percent", count.widest, 6);
    duet_cli_json_integer(json, "failed_runs", (int64_t)count.failed);
    duet_cli_json_integer(json, "faults", (int64_t)count.faults);
    duet_cli_json_integer(json, "ratios_exceeded", (int64_t)count.broken);
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
        duet_cli_json_open(json, duet_papers_name[a], '{');
        duet_cli_json_integer(json, "runs", (int64_t)search.runs);
        duet_cli_json_decimal(json, "mean_from_search", search.mean, 6);
        duet_cli_json_decimal(json, "max_from_search", duet_papers_largest(&search), 6);
        duet_cli_json_decimal(json, "mean_from_optimum", best.mean, 6);
        duet_cli_json_decimal(json, "max_from_optimum", duet_papers_largest(&best), 6);
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, '}');
}

static void write_bleuse(const duet_papers *papers, duet_cli_json *json)
{
    static const int64_t step = 10;
    duet_papers_claim claims[DUET_PAPERS_MAX_CLAIMS];
    duet_cli_json_open(json, "bleuse2015", '{');
    write_count(papers, false, json);
    duet_cli_json_open(json, "sizes", '[');
    for (int64_t n = step; n <= step * DUET_PAPERS_SIZES; n += step) {
        duet_papers_figures figures;
        duet_papers_figures_of(papers, DUET_PAPERS_DP, DUET_PAPERS_FROM_SEARCH, n, &figures);
        if (figures.runs > 0) {
            write_size(papers, n, json);
        }
    }
    duet_cli_json_close(json, ']');
    duet_cli_json_open(json, "printed", '[');
    for (size_t i = 0; i < DUET_PAPERS_PRINTED; i++) {
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_integer(json, "n", duet_papers_table1[i].n);
        duet_cli_json_decimal(json, "DP", duet_papers_table1[i].deviation[0], 2);
        duet_cli_json_decimal(json, "HEFT", duet_papers_table1[i].deviation[1], 2);
        duet_cli_json_decimal(json, "Accel", duet_papers_table1[i].deviation[2], 2);
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
    write_claims(claims, duet_papers_table1_claims(papers, claims), json);
    duet_cli_json_close(json, '}');
}

// Null where there is none.
static double some(double ratio)
{
    return ratio > 0 ? ratio : -1;
}

static void write_figure6(const duet_papers *papers, duet_cli_json *json)
{
    duet_papers_claim claims[DUET_PAPERS_MAX_CLAIMS];
    duet_cli_json_open(json, "beaumont2017", '{');
    write_count(papers, true, json);
    duet_cli_json_open(json, "runs", '[');
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES; f++) {
        for (int64_t n = DUET_PAPERS_FEWEST_TILES; n <= DUET_PAPERS_MOST_TILES; n++) {
            const duet_papers_case *c = duet_papers_find(papers, f, n);
            if (c == NULL) {
                continue;
            }
            duet_cli_json_open(json, NULL, '{');
            duet_cli_json_string(json, "family", duet_papers_family[f]);
            duet_cli_json_integer(json, "tiles", n);
            duet_cli_json_integer(json, "tasks", c->tasks);
            for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
                duet_cli_json_open(json, duet_papers_name[a], '{');
                duet_cli_json_decimal(json, "to_area", some(duet_papers_to_area(papers, c, a)), 9);
                duet_cli_json_decimal(json, "to_optimum", some(duet_papers_to_best(papers, c, a)),
                                      9);
                duet_cli_json_close(json, '}');
            }
            duet_cli_json_close(json, '}');
        }
    }
    duet_cli_json_close(json, ']');
    write_claims(claims, duet_papers_figure6_claims(papers, claims), json);
    duet_cli_json_close(json, '}');
}

void duet_papers_json(const duet_papers *papers, FILE *stream)
{
    duet_cli_json json = {stream, 0, true};
    char digest[32];
    snprintf(digest, sizeof digest, "%016" PRIx64, papers->summary.digest);
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_integer(&json, "every", (int64_t)papers->settings.every);
    duet_cli_json_boolean(&json, "interrupted", papers->summary.interrupted);
    duet_cli_json_string(&json, "digest", digest);
    if ((papers->settings.parts & DUET_PAPERS_BLEUSE) != 0) {
        write_bleuse(papers, &json);
    }
    if ((papers->settings.parts & DUET_PAPERS_FIGURE6) != 0) {
        write_figure6(papers, &json);
    }
    duet_cli_json_close(&json, '}');
}
