// SPDX-License-Identifier: Apache-2.0
// `duet bench parts`: auto against the best of what it consists of, in the same time. Each instance
// is given to auto and to each part by itself; a part whose schedule is shorter by more than a
// thousandth, or whose bound is higher by that, is a loss. Of several draws the means count.
#include <stdio.h>

#include <duet/duet.h>

#include "bench/bench.h"
#include "bench/run/columns.h"
#include "bench/run/measure.h"
#include "bench/run/study.h"
#include "console/options.h"
#include "console/print.h"
#include "core/number/minmax.h"
#include "core/system/try.h"
#include "solvers/features.h"
#include "solvers/registry.h"
#include "solvers/run.h"
#include "solvers/solvers.h"

enum { TIMES = 4, THOUSAND = 1000 };
static const char *const time_names[] = {"0.02", "0.1", "1", "10", NULL};
static const double time_limits[TIMES] = {0.02, 0.1, 1, 10};

typedef struct parts_args {
    duet_cli_args shared;
    uint64_t graphs;
    uint64_t sets;
    uint64_t seed;
    uint64_t draws;
    size_t time[DUET_CLI_MAX_LIST];
    size_t time_count;
} parts_args;

// The means of all draws of a row; the longest time of one.
typedef struct mean {
    int64_t makespan;
    int64_t lower_bound;
    double seconds;
} mean;

// The best that any part has.
typedef struct best {
    int64_t value;
    const char *part;
} best;

// What came of a time limit on one kind of instances.
typedef struct tally {
    int64_t instances;
    int64_t longer; // schedules
    int64_t lower;  // bounds
    double worst_schedule;
    double worst_bound;
} tally;

// The parts: all that solves such an instance, but auto itself and the integer program.
static bool is_part(const duet_algorithm *row, const duet_instance *instance)
{
    return row != &duet_algorithm_auto && row != &duet_algorithm_ilp &&
           (row->pace.searches || duet_is_fast(row, instance)) &&
           duet_handles(&row->entry, duet_demand_of(instance));
}

static duet_code run_draws(const duet_instance *instance, const char *name, double limit,
                           uint64_t draws, mean *to, duet_error *error)
{
    duet_int128 makespans = 0;
    duet_int128 bounds = 0;
    *to = (mean){.seconds = 0};
    for (uint64_t seed = 0; seed < draws; seed++) {
        duet_solution *solution = NULL;
        double seconds = 0;
        DUET_TRY(duet_bench_run_drawn(instance, name, limit, seed, &seconds, &solution, error));
        makespans += duet_solution_makespan(solution);
        bounds += duet_solution_lower_bound(solution);
        to->seconds = duet_max(seconds, to->seconds);
        duet_solution_free(solution);
    }
    to->makespan = (int64_t)(makespans / (duet_int128)draws);
    to->lower_bound = (int64_t)(bounds / (duet_int128)draws);
    return DUET_OK;
}

// What takes longer than the time is no part in it: it would be worth more there than by itself.
static duet_code run_parts(const duet_instance *instance, double limit, uint64_t draws,
                           best *schedule, best *bound, duet_error *error)
{
    static const double late = 1.1;
    const duet_algorithm *row;
    for (size_t i = 0; (row = duet_algorithm_at(i)) != NULL; i++) {
        mean of;
        if (!is_part(row, instance)) {
            continue;
        }
        // Rules draw nothing.
        uint64_t times = row->pace.searches ? draws : 1;
        duet_code code = run_draws(instance, row->entry.name, limit, times, &of, error);
        if (code != DUET_OK && code != DUET_E_UNSUPPORTED && code != DUET_E_LIMIT) {
            return code;
        }
        if (code != DUET_OK || of.seconds > late * limit) {
            continue;
        }
        if (of.makespan < schedule->value) {
            *schedule = (best){of.makespan, row->entry.name};
        }
        if (of.lower_bound > bound->value) {
            *bound = (best){of.lower_bound, row->entry.name};
        }
    }
    return DUET_OK;
}

// By how much one is above the other, in percent of that.
static double percent(int64_t value, int64_t of)
{
    return of > 0 ? 100.0 * ((double)value / (double)of - 1) : 0;
}

static void judge(const char *name, const char *time, const mean *of, const best *schedule,
                  const best *bound, tally *to)
{
    int64_t makespan = of->makespan;
    int64_t lower = of->lower_bound;
    double longer = percent(makespan, schedule->value);
    double less = percent(bound->value, duet_max(lower, 1));
    to->instances++;
    to->worst_schedule = duet_max(longer, to->worst_schedule);
    to->worst_bound = duet_max(less, to->worst_bound);
    if (makespan - schedule->value > schedule->value / THOUSAND) {
        to->longer++;
        duet_cli_print(stdout, "%s, %s s: schedule %lld, %s %lld (%.2f %%)\n", name, time,
                       (long long)makespan, schedule->part, (long long)schedule->value, longer);
    }
    if (bound->value - lower > lower / THOUSAND) {
        to->lower++;
        duet_cli_print(stdout, "%s, %s s: bound %lld, %s %lld (%.2f %%)\n", name, time,
                       (long long)lower, bound->part, (long long)bound->value, less);
    }
}

static duet_code compare(const char *family, const parts_args *args, uint64_t seed, size_t time,
                         tally *to, duet_error *error)
{
    best schedule = {INT64_MAX, ""};
    best bound = {0, ""};
    duet_instance *instance = NULL;
    mean of;
    DUET_TRY(duet_bench_generate(family, 0, -1, -1, seed, "", &instance, error));
    double limit = time_limits[time];
    duet_code code = run_draws(instance, "auto", limit, args->draws, &of, error);
    DUET_THEN(code, run_parts(instance, limit, args->draws, &schedule, &bound, error));
    if (code == DUET_OK && schedule.value < INT64_MAX) {
        judge(duet_instance_name(instance), time_names[time], &of, &schedule, &bound, to);
    }
    duet_instance_free(instance);
    return code;
}

static duet_code compare_all(const char *family, uint64_t count, const parts_args *args,
                             size_t time, duet_cli_table *table, bool *kept, duet_error *error)
{
    tally of = {.instances = 0};
    for (uint64_t i = 0; i < count; i++) {
        DUET_TRY(compare(family, args, args->seed + i, time, &of, error));
        fflush(stdout);
    }
    duet_cells_addf(table, "%s\t%s\t%lld\t%lld\t%.3f\t%lld\t%.3f", family, time_names[time],
                    (long long)of.instances, (long long)of.longer, of.worst_schedule,
                    (long long)of.lower, of.worst_bound);
    *kept = *kept && of.longer == 0 && of.lower == 0;
    return DUET_OK;
}

static const duet_cli_option options[] = {
    {"graphs", 0, "N", DUET_CLI_WHOLE(parts_args, graphs, 0, 100000), .preset = "20",
     .text = "task graphs of the family mixed-graph"},
    {"sets", 0, "N", DUET_CLI_WHOLE(parts_args, sets, 0, 100000), .preset = "20",
     .text = "sets of independent tasks of the family mixed"},
    {"seed", 0, "S", DUET_CLI_WHOLE(parts_args, seed, 0, UINT64_MAX), .preset = "1",
     .text = "seed of the first of each; the others follow"},
    {"draws", 0, "N", DUET_CLI_WHOLE(parts_args, draws, 1, 1000), .preset = "1",
     .text = "runs of each search, with other seeds: their means are compared"},
    {"times", 0, "LIST", DUET_CLI_INDICES(parts_args, time, time_count, time_names),
     .text = "seconds for each run: 0.02, 0.1, 1, 10 (default: all but the last)"},
    {0}};
static const duet_cli_syntax syntax = {
    "bench parts",
    NULL,
    0,
    "Runs auto and each of its parts by itself, exact, graph-search, local-search and the rules, "
    "one thread and the same time each. Where a part ends with a schedule that is shorter by more "
    "than 0.1 %, or with a bound that is higher by more than that, a line says so, and the exit "
    "code is 1. A part that comes too late does not count. Searches draw at random: one that is "
    "run again with another seed ends as far apart, and several draws tell what is luck."
    "\vExamples:\n"
    "  duet bench parts\n"
    "  duet bench parts --graphs 60 --sets 0 --times 1\n",
    {options, duet_cli_help_options, NULL}};

static duet_code run(void *input, bool *kept, duet_error *error)
{
    const parts_args *args = input;
    duet_cli_table table;
    duet_code code = DUET_OK;
    duet_cells_begin(&table, "lrrrrrr", "family\ts\tinstances\tlonger\tby %\tlower\tby %");
    for (size_t i = 0; i < args->time_count; i++) {
        DUET_THEN(code, compare_all("mixed-graph", args->graphs, args, args->time[i], &table, kept,
                                    error));
        DUET_THEN(code, compare_all("mixed", args->sets, args, args->time[i], &table, kept, error));
    }
    duet_cells_end(&table, 0, stdout);
    return code;
}

int duet_bench_parts(int argc, char **argv)
{
    parts_args args = {.time = {0, 1, 2}, .time_count = TIMES - 1};
    return duet_study_measure(&syntax, argc, argv, &args, run);
}
