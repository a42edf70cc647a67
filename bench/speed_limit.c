// SPDX-License-Identifier: Apache-2.0
// Time over the limit: each round solves an instance once; the median counts, since a machine that
// does something else for some milliseconds makes any call late.
#include "bench/speed.h"

#include <stdio.h>

#include <duet/duet.h>

#include "console/print.h"

#include "bench/run/measure.h"
#include "bench/run/statistics.h"
#include "core/system/context.h"

static const double LIMIT = 0.005; // seconds
static const double LATE = 0.002;  // at most, up to FEW tasks
enum { FEW = 10000, MOST_TYPES = 3, SIZES = 3 };

// Distinct tasks on 20 CPUs and 4 GPUs, or on pools of 10, 4 and 2 processors.
static duet_code make_instance(int64_t tasks, size_t types, duet_instance **out, duet_error *error)
{
    static const int64_t counts[MOST_TYPES] = {10, 4, 2};
    static const uint64_t seed = 1;
    if (types == 2) {
        return duet_bench_distinct_tasks((size_t)tasks, seed, out, error);
    }
    char kinds[32];
    duet_options *options;
    *out = NULL;
    snprintf(kinds, sizeof kinds, "kinds=%lld", (long long)tasks);
    duet_code code = duet_bench_options(kinds, &options, error);
    if (code == DUET_OK) {
        const duet_generate_params params = {sizeof params, tasks, types, counts, seed, options};
        code = duet_generate("mixed", &params, out, error);
    }
    duet_options_free(options);
    return code;
}

// One instance: its line of the table.
static duet_code measure(int64_t tasks, size_t types, int rounds, bool *kept, duet_error *error)
{
    double seconds[DUET_BENCH_MAX_ROUNDS];
    double gap = 0;
    duet_instance *instance;
    duet_code code = make_instance(tasks, types, &instance, error);
    for (int round = 0; round < rounds && code == DUET_OK; round++) {
        duet_params params = DUET_PARAMS_INIT;
        duet_solution *solution;
        params.time_limit = LIMIT;
        params.threads = 1;
        int64_t start = duet_clock_ns();
        code = duet_solve(instance, NULL, &params, &solution, error);
        seconds[round] = duet_bench_since(start);
        if (code == DUET_OK) {
            double bound = (double)duet_solution_lower_bound(solution);
            gap = bound > 0 ? (double)duet_solution_makespan(solution) / bound - 1 : 0;
            duet_solution_free(solution);
        }
    }
    duet_instance_free(instance);
    if (code == DUET_OK) {
        double late = duet_bench_median(seconds, rounds) - LIMIT;
        bool in_time = tasks > FEW || late <= LATE;
        *kept = *kept && in_time;
        duet_cli_print(stdout, "%8lld %6zu %11.2f %9.2f %9.4f %%  %s\n", (long long)tasks, types,
                       (late + LIMIT) * 1e3, late > 0 ? late * 1e3 : 0, gap * 100,
                       in_time ? "ok" : "OVER");
    }
    return code;
}

duet_code duet_speed_time_limits(int rounds, bool *kept, duet_error *error)
{
    static const int64_t sizes[SIZES] = {1000, 10000, 100000};
    printf("\nduet_solve() within %g ms (at most %g ms over up to %d tasks), one thread\n\n",
           LIMIT * 1e3, LATE * 1e3, FEW);
    duet_cli_print(stdout, "%8s %6s %11s %9s %11s\n", "tasks", "types", "ms", "ms over", "gap");
    duet_code code = DUET_OK;
    for (size_t types = 2; types <= MOST_TYPES && code == DUET_OK; types++) {
        for (int i = 0; i < SIZES && code == DUET_OK; i++) {
            code = measure(sizes[i], types, rounds, kept, error);
        }
    }
    return code;
}
