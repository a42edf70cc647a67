// SPDX-License-Identifier: Apache-2.0
// A run as a row: which pair of platform and graph, makespan and bound, and what the schedule uses.
#include "bench/papers/ntakpe2006/ntakpe2006.h"
#include "core/system/try.h"
#include "report/metrics.h"

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

// Adds what a task uses.
static void add_task(const duet_instance *instance, const duet_solution *solution, int64_t task,
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
}

// Peak power is the speed in use: that of a processor for its power at work, nothing while idle.
duet_code duet_ntakpe_measure(const duet_paper_settings *settings, const duet_instance *instance,
                              const duet_solution *solution, duet_paper_result *result,
                              duet_error *error)
{
    (void)settings;
    double speed[DUET_MAX_TYPES] = {0};
    const double idle[DUET_MAX_TYPES] = {0};
    const duet_watts watts = {speed, idle};
    duet_metrics metrics;
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        speed[t] = (double)speed_of(instance, t);
    }
    DUET_TRY(duet_metrics_create(instance, solution, &watts, &metrics, error));
    result->peak = (int64_t)metrics.peak_power;
    for (int64_t j = 0; j < result->tasks; j++) {
        add_task(instance, solution, j, result);
    }
    return DUET_OK;
}
