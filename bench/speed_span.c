// SPDX-License-Identifier: Apache-2.0
// How many times as fast more cores could make `exact` on task graphs: of twenty graphs of 200 to
// 5,000 tasks, work by span in two counted rounds and, where asked, with sixteen threads under a
// time limit, whatever the cores.
#include "bench/speed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <duet/duet.h>

#include "bench/run/measure.h"
#include "console/print.h"
#include "core/number/minmax.h"
#include "core/system/try.h"

enum { THREADS = 16, SECONDS = 5 };

typedef struct span_case {
    const char *family;
    int64_t size;
    uint64_t seed;
    const char *options;
} span_case;

static const span_case cases[] = {
    {"layered", 200, 51200, ""},
    {"layered", 800, 51800, ""},
    {"layered", 2000, 512000, ""},
    {"layered", 5000, 515000, ""},
    {"chol", 10, 0, "edges=true row=sirocco-single-960"},
    {"chol", 16, 0, "edges=true row=hopper-double-960"},
    {"chol", 22, 0, "edges=true row=sirocco-single-960"},
    {"chol", 30, 0, "edges=true row=sirocco-single-960"},
    {"lu", 8, 0, "edges=true"},
    {"lu", 12, 0, "edges=true"},
    {"lu", 18, 0, "edges=true"},
    {"lu", 24, 0, "edges=true"},
    {"qr", 8, 0, "edges=true"},
    {"qr", 12, 0, "edges=true"},
    {"qr", 18, 0, "edges=true"},
    {"qr", 24, 0, "edges=true"},
    {"mixed-graph", 250, 7250, "structure=daggen n-min=250 n-max=250"},
    {"mixed-graph", 900, 7900, "structure=series-parallel n-min=900 n-max=900"},
    {"mixed-graph", 1800, 71800, "structure=fork-join n-min=1800 n-max=1800"},
    {"mixed-graph", 4500, 74500, "structure=layered n-min=4500 n-max=4500"},
};
enum { CASES = sizeof cases / sizeof *cases };

static const struct {
    int64_t cpus, gpus;
} platforms[] = {{20, 4}, {20, 2}, {15, 1}};
enum { PLATFORMS = sizeof platforms / sizeof *platforms };

// Work by span; 0: all was proven before the searches began.
static duet_code find_ratio(const duet_instance *graph, bool counted, double *gap, double *ratio,
                            duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    duet_options *options = NULL;
    duet_solution *solution = NULL;
    duet_code code = duet_bench_options(counted ? "rounds=2" : "", &options, error);
    params.options = options;
    params.threads = counted ? 1 : THREADS; // counted rounds are the same for any number
    params.time_limit = counted ? 0.0 : SECONDS;
    DUET_THEN(code, duet_solve(graph, "exact", &params, &solution, error));
    if (code == DUET_OK) {
        int64_t bound = duet_max(duet_solution_lower_bound(solution), 1);
        int64_t span = duet_speed_counter(solution, "span");
        *gap = (double)(duet_solution_makespan(solution) - bound) / (double)bound;
        *ratio = span > 0 ? (double)duet_speed_counter(solution, "work") / (double)span : 0.0;
    }
    duet_solution_free(solution);
    duet_options_free(options);
    return code;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

// Of an even number the mean of the middle two.
static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return count == 0 ? 0.0 : (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static duet_code time_case(const span_case *of, size_t index, double ratio[2], duet_error *error)
{
    duet_instance *graph = NULL;
    double gap[2] = {0, 0};
    int64_t cpus = platforms[index % PLATFORMS].cpus;
    int64_t gpus = platforms[index % PLATFORMS].gpus;
    duet_code code =
        duet_bench_generate(of->family, of->size, cpus, gpus, of->seed, of->options, &graph, error);
    for (int timed = 0; timed < 2; timed++) {
        DUET_THEN(code, find_ratio(graph, timed == 0, &gap[timed], &ratio[timed], error));
    }
    if (code == DUET_OK) {
        duet_cli_print(stdout,
                       "%-12s %5" PRId64 " %3" PRId64 " + %" PRId64 " %6" PRId64
                       " %8.2f %% %9.2f %8.2f %% %9.2f\n",
                       of->family, of->size, cpus, gpus, duet_instance_tasks(graph), 100 * gap[0],
                       ratio[0], 100 * gap[1], ratio[1]);
    }
    duet_instance_free(graph);
    return code;
}

duet_code duet_speed_time_span(duet_error *error)
{
    double found[2][CASES];
    size_t count[2] = {0, 0};
    duet_code code = DUET_OK;
    duet_cli_print(stdout,
                   "\nexact on graphs: two counted rounds, and %d threads for %d s\n\n"
                   "%-12s %5s %7s %6s %10s %9s %10s %9s\n",
                   THREADS, SECONDS, "family", "size", "m + k", "tasks", "gap", "work/span", "gap",
                   "work/span");
    for (size_t i = 0; i < CASES && code == DUET_OK; i++) {
        double ratio[2] = {0, 0};
        code = time_case(&cases[i], i, ratio, error);
        for (int timed = 0; timed < 2; timed++) {
            if (ratio[timed] > 0) {
                found[timed][count[timed]++] = ratio[timed];
            }
        }
    }
    if (code == DUET_OK) {
        duet_cli_print(stdout, "%-44s %12.2f %20.2f\n", "median", median(found[0], count[0]),
                       median(found[1], count[1]));
    }
    return code;
}
