// SPDX-License-Identifier: Apache-2.0
// One run of a custom algorithm: what its functions share.
#ifndef DUET_SOLVERS_CUSTOM_WORK_H
#define DUET_SOLVERS_CUSTOM_WORK_H

#include <duet/custom.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "core/system/context.h"

struct duet_work {
    const duet_instance *instance;
    const duet_context *context;
    duet_solution *solution;
    int64_t *free_at;              // of each processor, type by type; NULL until duet_work_start()
    int64_t first[DUET_MAX_TYPES]; // processor of a type there
};

// Whether a task may be placed there. DUET_E_USAGE.
duet_code duet_work_check(const duet_work *work, int64_t task, size_t type, int64_t processor,
                          int64_t start, duet_error *error);
// When a task that has its place ends.
static inline int64_t duet_work_end(const duet_work *work, int64_t task)
{
    const duet_placement *place = &work->solution->placement[task];
    size_t kind = duet_instance_kind_of(work->instance, task);
    return place->start + duet_time(work->instance, kind, (size_t)place->type);
}
// Takes a task that has its place into `free_at`, if that is there.
void duet_work_occupy(duet_work *work, int64_t task);

#endif
