// SPDX-License-Identifier: Apache-2.0
// What both kinds of algorithms of the caller's own check and note of a placement.
#include "solvers/custom_work.h"

#include "core/number/minmax.h"

duet_code duet_work_check(const duet_work *work, int64_t task, size_t type, int64_t processor,
                          int64_t start, duet_error *error)
{
    const duet_instance *instance = work->instance;
    if (task < 0 || task >= duet_tasks(instance)) {
        return duet_error_set(error, DUET_E_USAGE, "task %lld: expected 0 to %lld", (long long)task,
                              (long long)duet_tasks(instance) - 1);
    }
    if (type >= instance->types ||
        !duet_allowed(instance, duet_instance_kind_of(instance, task), type) || processor < 0 ||
        processor >= instance->processors[type] || start < 0 || start > DUET_MAX_WORK) {
        return duet_error_set(error, DUET_E_USAGE,
                              "task %lld on processor %lld of type %zu from %lld: expected a type "
                              "it may run on, a processor of it, and a start from 0",
                              (long long)task, (long long)processor, type, (long long)start);
    }
    return DUET_OK;
}

void duet_work_occupy(duet_work *work, int64_t task)
{
    const duet_placement *place = &work->solution->placement[task];
    if (work->free_at != NULL) {
        int64_t *at = &work->free_at[work->first[place->type] + place->processor];
        int64_t end = duet_work_end(work, task);
        *at = duet_max(end, *at);
    }
}
