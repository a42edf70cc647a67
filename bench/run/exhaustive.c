// SPDX-License-Identifier: Apache-2.0
// Depth-first over all assignments of tasks to processors. The only cuts are plain ones: a load at
// or above the best makespan, and one of several equally loaded processors of a type. It shares
// nothing with the library but the instance's accessors.
#include "bench/run/exhaustive.h"

#include <assert.h>

#include <duet/graph.h>

#include "core/number/minmax.h"

enum { MAX_TASKS = 16, MAX_PROCESSORS = 64 };

typedef struct search {
    const duet_instance *instance;
    int64_t tasks;
    int processors;
    size_t type[MAX_PROCESSORS];
    int64_t load[MAX_PROCESSORS];
    int64_t best;
} search;

static void descend(search *state, int64_t task, int64_t makespan)
{
    if (task == state->tasks) {
        state->best = makespan;
        return;
    }
    size_t kind = duet_instance_kind_of(state->instance, task);
    for (int i = 0; i < state->processors; i++) {
        int64_t time = duet_instance_time(state->instance, kind, state->type[i]);
        bool seen = false;
        for (int other = 0; other < i; other++) {
            seen = seen ||
                   (state->type[other] == state->type[i] && state->load[other] == state->load[i]);
        }
        if (seen || time == DUET_FORBIDDEN || state->load[i] + time >= state->best) {
            continue;
        }
        state->load[i] += time;
        descend(state, task + 1, duet_max(state->load[i], makespan));
        state->load[i] -= time;
    }
}

int64_t duet_exhaustive_optimum(const duet_instance *instance)
{
    if (duet_instance_edges(instance) > 0 ||
        (duet_instance_features(instance) & DUET_FEATURE_MOLDABLE) != 0) {
        return duet_exhaustive_within(instance, DUET_MAX_WORK, INT64_MAX);
    }
    search state = {.instance = instance, .tasks = duet_instance_tasks(instance)};
    assert(state.tasks <= MAX_TASKS);
    state.best = DUET_MAX_WORK + 1;
    state.processors =
        duet_exhaustive_processors(instance, state.tasks, state.type, MAX_PROCESSORS);
    descend(&state, 0, 0);
    return state.best;
}
