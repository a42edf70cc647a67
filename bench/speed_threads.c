// SPDX-License-Identifier: Apache-2.0
// What more threads give the search for schedules of task graphs: 1, 2, 4, ... of them search a
// graph for some times, each run from the beginning. The gap is that above the best bound of all
// runs. Work is what all searches did, span what the longest of each round did, so that work by
// span is how many times as fast a round could be.
#include "bench/speed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <duet/duet.h>

#include "bench/run/measure.h"
#include "console/print.h"
#include "core/number/minmax.h"
#include "core/system/try.h"

enum { TIMES = 3, MOST_THREADS = 64, MOST_RUNS = 8 };
static const double times[TIMES] = {1, 2, 4}; // seconds

typedef struct threads_row {
    int threads;
    int64_t makespan[TIMES];
    int64_t work; // of the longest run
    int64_t span;
} threads_row;

int64_t duet_speed_counter(const duet_solution *solution, const char *name)
{
    size_t count;
    const duet_counter *counters = duet_solution_counters(solution, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(counters[i].name, name) == 0) {
            return counters[i].value;
        }
    }
    return 0;
}

static duet_code search(const duet_instance *graph, threads_row *row, int64_t *bound,
                        duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < TIMES && code == DUET_OK; i++) {
        duet_solution *solution = NULL;
        duet_params params = DUET_PARAMS_INIT;
        params.threads = row->threads;
        params.time_limit = times[i];
        code = duet_solve(graph, "graph-search", &params, &solution, error);
        if (code == DUET_OK) {
            int64_t lower = duet_solution_lower_bound(solution);
            *bound = duet_max(lower, *bound);
            row->makespan[i] = duet_solution_makespan(solution);
            row->work = duet_speed_counter(solution, "work");
            row->span = duet_speed_counter(solution, "span");
        }
        duet_solution_free(solution);
    }
    return code;
}

static void print_row(const threads_row *row, int64_t bound)
{
    duet_cli_print(stdout, "%7d", row->threads);
    for (size_t i = 0; i < TIMES; i++) {
        double gap = (double)(row->makespan[i] - bound) / (double)duet_max(bound, 1);
        duet_cli_print(stdout, " %8.2f %%", 100 * gap);
    }
    double gain = row->span > 0 ? (double)row->work / (double)row->span : 1.0;
    duet_cli_print(stdout, " %12" PRId64 " %12" PRId64 " %9.2f\n", row->work, row->span, gain);
}

duet_code duet_speed_time_threads(int64_t tiles, int most, duet_error *error)
{
    enum { cpus = 20, gpus = 4 };
    threads_row rows[MOST_RUNS] = {{0}};
    duet_instance *graph = NULL;
    size_t count = 0;
    int64_t bound = 0;
    duet_code code = duet_bench_generate("chol", tiles, cpus, gpus, 0,
                                         "edges=true row=canon2018-960", &graph, error);
    for (int t = 1; t <= duet_min(most, MOST_THREADS) && code == DUET_OK; t *= 2) {
        rows[count].threads = t;
        code = search(graph, &rows[count++], &bound, error);
    }
    if (code == DUET_OK) {
        duet_cli_print(stdout,
                       "graph-search on Cholesky of %" PRId64 " tiles a side, %d + %d: gap after "
                       "so many seconds\n\n%7s %8g s %8g s %8g s %12s %12s %9s\n",
                       tiles, cpus, gpus, "threads", times[0], times[1], times[2], "work", "span",
                       "work/span");
    }
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        print_row(&rows[i], bound);
    }
    duet_instance_free(graph);
    return code;
}
