// SPDX-License-Identifier: Apache-2.0
// A run as a row: which pair of platform and graph, makespan and bound, and what the schedule uses.
#include <stdlib.h>

#include "bench/papers/ntakpe2006/ntakpe2006.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// All instances have microseconds for ticks.
enum { DECIMALS = 6 };

#define RESULT(member, kind) DUET_RESULT_OF(duet_paper_result, member, kind)
#define TICKS(member)                                                                              \
    RESULT(member, TICKS), .decimals = offsetof(duet_paper_result, decimals),                      \
                           DUET_COLUMN_WHERE(duet_paper_result, makespan, 0)

#define COLUMNS                                                                                    \
    DUET_RUN_KEYS("platform", "sample"),                                                           \
        {"status", .role = DUET_COLUMN_RESULT, DUET_CHARS_OF(duet_paper_result, status)},          \
        {"decimals", RESULT(decimals, INT), .least = DECIMALS, .most = DECIMALS},                  \
        {"tasks", RESULT(tasks, INTEGER)}, {"makespan", TICKS(makespan)},                          \
        {"lower_bound", TICKS(bound)}, {"area", TICKS(area)}, {"peak", RESULT(peak, INTEGER)},     \
        {"power", RESULT(power, INTEGER)},                                                         \
    {                                                                                              \
        "mixed", RESULT(mixed, INTEGER)                                                            \
    }
#define STAMPS                                                                                     \
    {"seconds", .role = DUET_COLUMN_SECONDS, .format = "%.9f"},                                    \
        {"settings", .role = DUET_COLUMN_STAMP},                                                   \
    {                                                                                              \
        .name = NULL                                                                               \
    }
const duet_column duet_ntakpe_columns[] = {COLUMNS, STAMPS};
const duet_column duet_ntakpe_simulated_columns[] = {
    COLUMNS, {"simulated", TICKS(simulated)}, STAMPS};

// --- what a schedule uses ------------------------------------------------------------------------

// Processors that are taken or given back.
typedef struct event {
    int64_t time;
    int64_t power; // below 0: given back
} event;

// Those that are given back at a time are so before others are taken.
static int by_time(const void *left, const void *right)
{
    const event *a = left;
    const event *b = right;
    int order = duet_order(a->time, b->time);
    return order != 0 ? order : duet_order(a->power, b->power);
}

// The speed of a processor in operations per second, of which the family has whole ones.
static int64_t speed_of(const duet_instance *instance, size_t type)
{
    enum { TEN = 10 };
    duet_number speed = duet_instance_speed(instance, type);
    int64_t whole = speed.mantissa;
    for (int i = 0; i < speed.places; i++) {
        whole /= TEN;
    }
    return whole;
}

// Adds what a task uses. Returns its power.
static int64_t add_task(const duet_instance *instance, const duet_solution *solution, int64_t task,
                        duet_paper_result *result)
{
    size_t count = 0;
    int64_t power = 0;
    int64_t size = 0;
    const duet_processor_range *range = duet_solution_processors(solution, task, &count);
    for (size_t i = 0; i < count; i++) {
        int64_t here = range[i].last - range[i].first + 1;
        size += here;
        power += here * speed_of(instance, (size_t)range[i].type);
    }
    int64_t start = duet_solution_placements(solution)[task].start;
    result->area += size * (duet_solution_end(solution, instance, task) - start);
    result->power += power;
    result->mixed += count > 0 && range[0].type != range[count - 1].type;
    return power;
}

duet_code duet_ntakpe_measure(const duet_paper_settings *settings, const duet_instance *instance,
                              const duet_solution *solution, duet_paper_result *result,
                              duet_error *error)
{
    (void)settings;
    size_t tasks = (size_t)result->tasks;
    event *events = duet_alloc(2 * tasks, sizeof *events, error);
    DUET_NEED(events);
    for (size_t j = 0; j < tasks; j++) {
        int64_t power = add_task(instance, solution, (int64_t)j, result);
        int64_t start = duet_solution_placements(solution)[j].start;
        int64_t end = duet_solution_end(solution, instance, (int64_t)j);
        events[2 * j] = (event){start, power};
        events[2 * j + 1] = (event){end, -power};
    }
    qsort(events, 2 * tasks, sizeof *events, by_time);
    int64_t used = 0;
    for (size_t i = 0; i < 2 * tasks; i++) {
        used += events[i].power;
        result->peak = duet_max(used, result->peak);
    }
    duet_free(events);
    return DUET_OK;
}
