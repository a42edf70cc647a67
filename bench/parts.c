// SPDX-License-Identifier: Apache-2.0
// `duet bench parts`: auto against the best of what it consists of, in the same time. Each instance
// is given to auto and to each part by itself; a part whose schedule is shorter by more than a
// thousandth, or whose bound is higher by that, is a loss.
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
    size_t time[DUET_CLI_MAX_LIST];
    size_t time_count;
} parts_args;

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

// What takes longer than the time is no part in it: it would be worth more there than by itself.
static duet_code run_parts(const duet_instance *instance, double limit, best *schedule, best *bound,
                           duet_error *error)
{
    static const double late = 1.1;
    const duet_algorithm *row;
    for (size_t i = 0; (row = duet_algorithm_at(i)) != NULL; i++) {
        duet_solution *solution = NULL;
        double seconds = 0;
        if (!is_part(row, instance)) {
            continue;
        }
        duet_code code =
            duet_bench_run(instance, row->entry.name, limit, &seconds, &solution, error);
        if (code != DUET_OK && code != DUET_E_UNSUPPORTED && code != DUET_E_LIMIT) {
            return code;
        }
        if (code != DUET_OK) {
            continue;
        }
        if (seconds <= late * limit && duet_solution_makespan(solution) < schedule->value) {
            *schedule = (best){duet_solution_makespan(solution), row->entry.name};
        }
        if (seconds <= late * limit && duet_solution_lower_bound(solution) > bound->value) {
            *bound = (best){duet_solution_lower_bound(solution), row->entry.name};
        }
        duet_solution_free(solution);
    }
    return DUET_OK;
}

// By how much one is above the other, in percent of that.
static double percent(int64_t value, int64_t of)
{
    return of > 0 ? 100.0 * ((double)value / (double)of - 1) : 0;
}

static void judge(const char *name, const char *time, const duet_solution *solution,
                  const best *schedule, const best *bound, tally *to)
{
    int64_t makespan = duet_solution_makespan(solution);
    int64_t lower = duet_solution_lower_bound(solution);
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

static duet_code compare(const char *family, uint64_t seed, size_t time, tally *to,
                         duet_error *error)
{
    best schedule = {INT64_MAX, ""};
    best bound = {0, ""};
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    double seconds;
    DUET_TRY(duet_bench_generate(family, 0, -1, -1, seed, "", &instance, error));
    duet_code code =
        duet_bench_run(instance, "auto", time_limits[time], &seconds, &solution, error);
    DUET_THEN(code, run_parts(instance, time_limits[time], &schedule, &bound, error));
    if (code == DUET_OK && schedule.value < INT64_MAX) {
        judge(duet_instance_name(instance), time_names[time], solution, &schedule, &bound, to);
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
    return code;
}

static duet_code compare_all(const char *family, uint64_t count, const parts_args *args,
                             size_t time, duet_cli_table *table, bool *kept, duet_error *error)
{
    tally of = {.instances = 0};
    for (uint64_t i = 0; i < count; i++) {
        DUET_TRY(compare(family, args->seed + i, time, &of, error));
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
    "code is 1. A part that comes too late does not count."
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
