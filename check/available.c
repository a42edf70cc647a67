// SPDX-License-Identifier: Apache-2.0
// The checker of releases and busy processors; for schedules alone.
#include "check/schedules.h"

#include "core/number/minmax.h"

duet_code duet_check_available(const duet_instance *instance, const duet_solution *solution,
                               int64_t task, int64_t start, duet_processor_range range,
                               duet_error *error)
{
    int64_t busy_count = instance->busy_count[range.type];
    bool free = instance->release == NULL && busy_count == 0;
    if (free || duet_check_begun(instance, task)) {
        return DUET_OK;
    }
    duet_int128 tick = duet_check_tick(solution);
    int64_t release = duet_release(instance, duet_instance_kind_of(instance, task));
    int64_t busy = 0;
    for (int64_t p = range.first; p <= range.last && p < busy_count; p++) {
        busy = duet_max(instance->busy[range.type][p], busy);
    }
    if (start >= tick * release && start >= tick * busy) {
        return DUET_OK;
    }
    char id[128];
    char started[32];
    char expected[32];
    duet_instance_task_id(instance, task, id, sizeof id);
    duet_check_format(instance, solution, start, started);
    bool early = start < tick * release;
    duet_instance_format_time(instance, early ? release : busy, expected);
    return duet_error_set(error, DUET_E_INPUT,
                          early ? "task '%s' starts at %s, before its release at %s"
                                : "task '%s' starts at %s: its processor is busy until %s",
                          id, started, expected);
}
