// SPDX-License-Identifier: Apache-2.0
// The checker of what is given of tasks beforehand; for schedules alone.
#include "check/schedules.h"

#include <inttypes.h>

static bool same_sets(duet_processor_set a, duet_processor_set b)
{
    bool same = a.count == b.count;
    for (size_t i = 0; i < a.count && same; i++) {
        same = a.range[i].type == b.range[i].type && a.range[i].first == b.range[i].first &&
               a.range[i].last == b.range[i].last;
    }
    return same;
}

// I6 of one task.
static duet_code check_pin(const duet_instance *instance, const duet_solution *solution,
                           int64_t task, const duet_pin *pin, duet_error *error)
{
    duet_processor_range one;
    duet_processor_set set = duet_solution_set(solution, task, &one);
    size_t at = 0;
    int64_t start = duet_solution_place(solution, task, &at).start;
    char id[128];
    duet_instance_task_id(instance, task, id, sizeof id);
    if (pin->set_count > 0 && !same_sets(set, duet_pin_set(instance, pin))) {
        return duet_error_set(error, DUET_E_INPUT,
                              "task '%s' runs on other processors than those that are fixed", id);
    }
    if (pin->start == DUET_FORBIDDEN ||
        start == (duet_int128)pin->start * duet_check_tick(solution)) {
        return DUET_OK;
    }
    char found[32];
    char expected[32];
    duet_check_format(instance, solution, start, found);
    duet_instance_format_time(instance, pin->start, expected);
    return duet_error_set(error, DUET_E_INPUT, "task '%s' starts at %s: its start is fixed at %s",
                          id, found, expected);
}

// I7 of one task that has not begun.
static duet_code check_lost(const duet_instance *instance, const duet_solution *solution,
                            int64_t task, duet_error *error)
{
    duet_processor_range one;
    duet_processor_set set = duet_solution_set(solution, task, &one);
    for (size_t i = 0; i < set.count; i++) {
        size_t type = (size_t)set.range[i].type;
        const int64_t *lost = instance->pins->lost[type];
        size_t at = (size_t)duet_lost_below(instance, type, set.range[i].first);
        if (at < instance->pins->lost_count[type] && lost[at] <= set.range[i].last) {
            char id[128];
            duet_instance_task_id(instance, task, id, sizeof id);
            return duet_error_set(error, DUET_E_INPUT,
                                  "task '%s' runs on processor %" PRId64
                                  " of type %s, which is not there any more",
                                  id, lost[at], instance->type_names[type]);
        }
    }
    return DUET_OK;
}

duet_code duet_check_given(const duet_instance *instance, const duet_solution *solution,
                           duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; instance->pins != NULL && i < instance->kinds && code == DUET_OK; i++) {
        const duet_pin *pin = duet_pin_of(instance, i);
        if (pin != NULL) {
            code = check_pin(instance, solution, instance->first[i], pin, error);
        }
        for (int64_t j = instance->first[i];
             j < instance->first[i + 1] && !duet_is_run(pin) && code == DUET_OK; j++) {
            code = check_lost(instance, solution, j, error);
        }
    }
    return code;
}
