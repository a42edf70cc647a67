// SPDX-License-Identifier: Apache-2.0
// One task of a plan is run on a machine with a bus.
#include "heuristics/bus/carried.h"

#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/system/try.h"

duet_code duet_carried_run(duet_carried *c, int64_t task, size_t processor, int64_t could,
                           duet_error *error)
{
    size_t type = (size_t)c->plan[task].type;
    size_t node = (size_t)c->bus->node_of[processor];
    int64_t data;
    DUET_TRY(duet_copies_bring(&c->copies, task, node, &data, error));
    int64_t start = duet_max(could, data);
    int64_t time = duet_time(c->instance, duet_instance_kind_of(c->instance, task), type);
    c->waiting += start - could;
    c->placed[task] =
        (duet_placement){start, (int32_t)(processor - c->bus->first_of[type]), (int32_t)type};
    c->end[task] = c->free_at[processor] = start + time;
    duet_copies_end(&c->copies, task, node, start + time);
    return DUET_OK;
}
