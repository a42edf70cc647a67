// SPDX-License-Identifier: Apache-2.0
// Bleuse, Kedad-Sidhoum, Monna, Mounié, Trystram, CCPE 27(6), 2015, section 5.3: Cholesky graphs of
// which the algorithms for independent tasks divide the ready tasks, as in the paper's xKaapi.
//
// Method: figure 4 has one matrix in more and more blocks, on 3 CPUs and a GPU. The paper's times
// are those of its machine, a laptop; ours are the kernel times of RR-9150 for blocks of 960, times
// the cube of a block's side, for a matrix of 8 such blocks a side. What the scheduling takes is
// counted in cells of the tables, which no machine changes; cell_seconds makes seconds of
// them. Table 2 has 4 CPUs and 8 GPUs. What moves is a block for each task that reads what another
// memory has; the CPUs share one, each GPU has its own, and what came once stays.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "bench/papers/papers.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { BLOCKS = 8, MOST_BLOCKS = 16, SIDE = 960, TYPES = 2, FIGURE_4 = 0, TABLE_2, SETS };
enum { TIMES = TYPES * DUET_PAPER_KERNELS };
enum { HEFT, DP, DUAL_4_3, RUNS };
static const double cell_seconds = 1e-9;
static const double block_bytes = 8.0 * SIDE * SIDE; // of doubles

static const char *const labels[RUNS] = {"HEFT", "DP", "4/3"};
static const char *const sets[SETS] = {"figure4", "table2"};
static const duet_paper_run runs[RUNS] = {
    {"heft", ""}, {"dual-2", "table=collapsed"}, {"dual-4-3", "table=collapsed grid=1"}};

// --- instances -----------------------------------------------------------------------------------

static duet_code list(duet_paper_study *study, duet_error *error)
{
    static const int64_t tiles[] = {4, 6, 8, 10, 12};
    const duet_paper_settings *s = study->settings;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles && code == DUET_OK; i++) {
        if (duet_paper_is_wanted(s->tile, s->tile_count, tiles[i])) {
            duet_paper_case c = {.set = FIGURE_4, .n = tiles[i], .m = 3, .k = 1};
            c.x = (double)BLOCKS * SIDE / (double)c.n;
            snprintf(c.name, sizeof c.name, "cholesky-%" PRId64 "-of-%d", c.n, BLOCKS * SIDE);
            code = duet_paper_add_case(study, &c, error);
        }
    }
    for (int64_t n = BLOCKS; n <= MOST_BLOCKS && code == DUET_OK; n += BLOCKS / 2) {
        if (duet_paper_is_wanted(s->tile, s->tile_count, n)) {
            duet_paper_case c = {.set = TABLE_2, .n = n, .m = 4, .k = 8, .x = (double)n};
            snprintf(c.name, sizeof c.name, "cholesky-%" PRId64, n);
            code = duet_paper_add_case(study, &c, error);
        }
    }
    return code;
}

// In 10^-6 ms, times (BLOCKS / n)^3.
static duet_code make(const duet_paper_case *c, duet_instance **out, duet_error *error)
{
    static const int64_t whole[TIMES] = {33000000, 15600000, 88000000,  8110000,
                                         95000000, 3650000,  170000000, 5950000};
    int64_t times[TIMES];
    int64_t cube = c->n * c->n * c->n;
    for (size_t i = 0; i < TIMES; i++) {
        times[i] = c->set == FIGURE_4 ? whole[i] * BLOCKS * BLOCKS * BLOCKS / cube : whole[i];
    }
    return duet_paper_cholesky(c, c->name, "ms", times, NULL, out, error);
}

// --- what moves ----------------------------------------------------------------------------------

// The memory of a processor: 0 is that of the CPUs.
static size_t memory_of(duet_placement at)
{
    return at.type == 0 ? 0 : 1 + (size_t)at.processor;
}

// Blocks that come to a memory: each task's result once to each other memory that reads it.
static duet_code measure(const duet_paper_settings *settings, const duet_instance *instance,
                         const duet_solution *solution, duet_paper_result *result,
                         duet_error *error)
{
    (void)settings;
    const duet_placement *placement = duet_solution_placements(solution);
    size_t memories = 1 + (size_t)duet_instance_type_count(instance, 1);
    bool *there = duet_alloc((size_t)result->tasks * memories, sizeof *there, error);
    DUET_NEED(there);
    for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
        duet_edge edge = duet_instance_edge(instance, e);
        size_t to = memory_of(placement[edge.to]);
        bool *has = &there[(size_t)edge.from * memories + to];
        result->area += !*has && memory_of(placement[edge.from]) != to;
        *has = true;
    }
    duet_free(there);
    return DUET_OK;
}

#define RESULT(member, kind) DUET_RESULT_OF(duet_paper_result, member, kind)
static const duet_column columns[] = {
    DUET_RUN_KEYS("m", "k"),
    {"options", DUET_KEY_OF(duet_run_key, options, TEXT)},
    {"status", .role = DUET_COLUMN_RESULT, DUET_CHARS_OF(duet_paper_result, status)},
    {"decimals", RESULT(decimals, INT), .most = 18},
    {"tasks", RESULT(tasks, INTEGER)},
    {"makespan", RESULT(makespan, TICKS), .decimals = offsetof(duet_paper_result, decimals),
     DUET_COLUMN_WHERE(duet_paper_result, makespan, 0)},
    {"lower_bound", RESULT(bound, TICKS), .decimals = offsetof(duet_paper_result, decimals),
     DUET_COLUMN_WHERE(duet_paper_result, bound, 1)},
    {"blocks_moved", RESULT(area, INTEGER)},
    {"cells", RESULT(counted, INTEGER)},
    {"seconds", .role = DUET_COLUMN_SECONDS, .format = "%.9f"},
    {"settings", .role = DUET_COLUMN_STAMP},
    {.name = NULL}};

// --- figures -------------------------------------------------------------------------------------

static double seconds_of(const duet_paper_study *study, size_t c, size_t run)
{
    const duet_paper_result *result = duet_paper_at(study, c, run);
    double unit = 1000 * pow(10, result->decimals);
    return (double)duet_paper_makespan(study, c, run) / unit;
}

static double with_scheduling(const duet_paper_study *study, size_t c, size_t run)
{
    double seconds = seconds_of(study, c, run);
    double cells = (double)duet_paper_at(study, c, run)->counted;
    return seconds > 0 ? seconds + cells * cell_seconds : 0;
}

static double gigabytes(const duet_paper_study *study, size_t c, size_t run)
{
    return (double)duet_paper_at(study, c, run)->area * block_bytes / 1e9;
}

static bool in_set(const duet_paper_case *c, size_t set)
{
    return c->set == set;
}

static void print_figure_4(const duet_paper_study *study, FILE *stream)
{
    duet_cli_table table;
    fputs("Figure 4: seconds of a Cholesky factorisation on 3 CPUs and a GPU, and with its\n"
          "scheduling at 10^9 cells a second\n\n",
          stream);
    duet_cells_begin(&table, "rrrrrrr", "block\ttasks\tHEFT\tDP\t4/3\tDP, both\t4/3, both");
    for (size_t c = 0; c < study->case_count; c++) {
        if (in_set(&study->cases[c], FIGURE_4)) {
            duet_cells_addf(&table, "%.0f\t%" PRId64, study->cases[c].x,
                            duet_paper_at(study, c, HEFT)->tasks);
            for (size_t r = 0; r < RUNS; r++) {
                duet_cells_add_positive(&table, "%.3f", seconds_of(study, c, r));
            }
            duet_cells_add_positive(&table, "%.3f", with_scheduling(study, c, DP));
            duet_cells_add_positive(&table, "%.3f", with_scheduling(study, c, DUAL_4_3));
        }
    }
    duet_cells_end(&table, 0, stream);
}

static void print_table_2(const duet_paper_study *study, FILE *stream)
{
    duet_cli_table table;
    fputs("\nTable 2: 4 CPUs and 8 GPUs, blocks of 960 doubles a side; seconds, GB moved\n\n",
          stream);
    duet_cells_begin(&table, "rrrrrrr", "N\tHEFT\tDP\t4/3\tHEFT\tDP\t4/3");
    for (size_t c = 0; c < study->case_count; c++) {
        if (in_set(&study->cases[c], TABLE_2)) {
            duet_cells_addf(&table, "%" PRId64, study->cases[c].n);
            for (size_t r = 0; r < RUNS; r++) {
                duet_cells_add_positive(&table, "%.3f", seconds_of(study, c, r));
            }
            for (size_t r = 0; r < RUNS; r++) {
                duet_cells_add_positive(&table, "%.2f", gigabytes(study, c, r));
            }
        }
    }
    duet_cells_end(&table, 0, stream);
}

// --- what the paper says -------------------------------------------------------------------------

// By which power of the number of tasks the cells grow, from the fewest to the most blocks.
static double growth(const duet_paper_study *study, size_t run)
{
    size_t first = study->case_count;
    size_t last = study->case_count;
    for (size_t c = 0; c < study->case_count; c++) {
        if (in_set(&study->cases[c], FIGURE_4) && duet_paper_at(study, c, run)->counted > 0) {
            first = first == study->case_count ? c : first;
            last = c;
        }
    }
    if (first == last) {
        return 0;
    }
    const duet_paper_result *a = duet_paper_at(study, first, run);
    const duet_paper_result *b = duet_paper_at(study, last, run);
    return log((double)b->counted / (double)a->counted) / log((double)b->tasks / (double)a->tasks);
}

static void claim_growth(const duet_paper_study *study, duet_claims *claims)
{
    static const double least = 2;
    double power = growth(study, DUAL_4_3);
    duet_paper_claim(claims, power > 0, power >= least,
                     "4/3: the scheduling grows with the square of the tasks",
                     "power 2 or more over all sets",
                     "of n ready tasks n (2m+1)(2k+1)(3kn+1) cells; of a graph power %.2f, DP %.2f",
                     power, growth(study, DP));
}

static void claim_domination(const duet_paper_study *study, duet_claims *claims)
{
    size_t largest = study->case_count;
    for (size_t c = 0; c < study->case_count; c++) {
        bool more = in_set(&study->cases[c], FIGURE_4) && seconds_of(study, c, DUAL_4_3) > 0 &&
                    (largest == study->case_count || study->cases[c].n > study->cases[largest].n);
        largest = more ? c : largest;
    }
    if (largest == study->case_count) {
        return;
    }
    double saved = seconds_of(study, largest, HEFT) - seconds_of(study, largest, DUAL_4_3);
    double spent = with_scheduling(study, largest, DUAL_4_3) - seconds_of(study, largest, DUAL_4_3);
    duet_paper_claim(claims, true, spent > saved,
                     "4/3: scheduling takes more than it saves, on many small blocks", "",
                     "%.3f s to schedule %" PRId64 " tasks, which saves %.3f s", spent,
                     duet_paper_at(study, largest, HEFT)->tasks, saved);
}

static void claim_table_2(const duet_paper_study *study, duet_claims *claims)
{
    int cases = 0;
    int less = 0;
    int close = 0;
    double share = 0;
    double apart = 1;
    for (size_t c = 0; c < study->case_count; c++) {
        double ratio = duet_paper_ratio(study, c, DP, HEFT);
        if (in_set(&study->cases[c], TABLE_2) && ratio > 0) {
            double moved = gigabytes(study, c, DP) / gigabytes(study, c, HEFT);
            cases++;
            less += moved < 1;
            close += fabs(ratio - 1) <= 0.1;
            share = fmax(share, moved);
            apart = fabs(ratio - 1) > fabs(apart - 1) ? ratio : apart;
        }
    }
    // The paper's DP also maps tasks so that less moves, by a method that it only cites.
    static const char without[] = "not without their mapping";
    duet_claims_add(claims,
                    cases == 0      ? "-"
                    : less == cases ? "holds"
                                    : without,
                    "DP moves less data than HEFT: 1.91 of 2.62 GB",
                    "less on %d of %d; at most %.2f times as much", less, cases, share);
    duet_claims_hold(claims, "less on all");
    duet_claims_add(claims,
                    cases == 0       ? "-"
                    : close == cases ? "holds"
                                     : without,
                    "the execution times of DP and HEFT are close: 565 and 535 Gflops",
                    "on %d of %d; at most %.3f times HEFT", close, cases, apart);
    duet_claims_hold(claims, "within 10 %");
}

static void make_claims(const duet_paper_study *study, duet_claims *claims)
{
    *claims = (duet_claims){.count = 0};
    claim_growth(study, claims);
    claim_domination(study, claims);
    claim_table_2(study, claims);
    duet_paper_limit_claims(study, study->settings->tile_count > 0, claims);
}

static void print(const duet_paper_study *study, FILE *stream)
{
    duet_claims claims;
    make_claims(study, &claims);
    print_figure_4(study, stream);
    print_table_2(study, stream);
    fputc('\n', stream);
    duet_paper_print_claims(&claims, stream);
}

static void write_json(const duet_paper_study *study, duet_cli_json *json)
{
    duet_claims claims;
    make_claims(study, &claims);
    for (size_t set = 0; set < SETS; set++) {
        duet_cli_json_open(json, sets[set], '[');
        for (size_t c = 0; c < study->case_count; c++) {
            for (size_t r = 0; r < RUNS && study->cases[c].set == set; r++) {
                const duet_paper_result *result = duet_paper_at(study, c, r);
                duet_cli_json_open(json, NULL, '{');
                duet_cli_json_members(json,
                                      "tiles:%" PRId64 " algorithm:%s seconds:%.6f cells:%" PRId64
                                      " gigabytes:%.6f",
                                      study->cases[c].n, runs[r].algorithm, seconds_of(study, c, r),
                                      result->counted, gigabytes(study, c, r));
                duet_cli_json_close(json, '}');
            }
        }
        duet_cli_json_close(json, ']');
    }
    duet_claims_json(&claims, "statements", "statement", json);
}

#define OVER_BLOCKS(name, text, value)                                                             \
    {                                                                                              \
        name, text,                                                                                \
            {.title = "Cholesky, 3 CPUs and a GPU (Bleuse et al., figure 4), " text,               \
             .x_label = "block size",                                                              \
             .y_label = "seconds",                                                                 \
             .linear_x = true,                                                                     \
             .linear_y = true},                                                                    \
            labels, 0, RUNS, in_set, FIGURE_4, NULL, value                                         \
    }
static const duet_paper_chart charts[] = {
    OVER_BLOCKS("figure4", "without scheduling", seconds_of),
    OVER_BLOCKS("figure4-scheduling", "with scheduling", with_scheduling),
    {.what = NULL}};

const duet_paper duet_paper_bleuse2015 = {
    .name = "bleuse2015",
    .title = "Bleuse, Kedad-Sidhoum, Monna, Mounié, Trystram, CCPE 27(6), 2015, section 5.3",
    .runs = runs,
    .run_count = RUNS,
    .counter = "cells",
    .sets = sets,
    .columns = columns,
    .measure = measure,
    .list = list,
    .make = make,
    .print = print,
    .write_json = write_json,
    .charts = charts,
    .about =
        "DP and 4/3 divide the ready tasks of a Cholesky graph, as xKaapi has them do. The paper "
        "measures on machines of its\n"
        "own; ours are simulated, with the kernel times of RR-9150.\n"};
