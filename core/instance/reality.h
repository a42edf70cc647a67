// SPDX-License-Identifier: Apache-2.0
// What really happens when a schedule or a rule runs: real times that differ from the planned ones,
// and processors that become slow or are gone from an instant on.
//
// Engines that run on a reality (duet_context.reality) know the planned times of all tasks, and of
// the real ones only what has completed.
#ifndef DUET_CORE_INSTANCE_REALITY_H
#define DUET_CORE_INSTANCE_REALITY_H

#include "core/instance/instance.h"
#include "core/system/watch.h"

// From an instant on a processor takes `thousandths` of 1/1000 of the real times; 0: it is gone,
// and what ran there starts anew.
typedef struct duet_disturbance {
    int64_t at; // ticks
    size_t type;
    int64_t processor;
    int64_t thousandths;
} duet_disturbance;

typedef struct duet_reality {
    // The instance as rules see it: with planned times, on the processors that are not gone.
    duet_instance platform;
    // The real times, a kind for each task; and the same with the time that each task really took
    // where it ran, which makes the simulated schedule one of this instance.
    duet_instance real;
    duet_instance executed;
    const duet_disturbance *disturbance; // by instant; borrowed
    size_t disturbances;
    int64_t used[DUET_MAX_TYPES]; // processors of a type that a plan needs
} duet_reality;

// The real times are the planned ones. Borrows the instance. Free with duet_reality_free(), also
// after an error. DUET_E_MEMORY.
duet_code duet_reality_create(const duet_instance *instance, duet_reality *reality,
                              duet_watch *watch, duet_error *error);
void duet_reality_free(duet_reality *reality);
// Once the real times have been set: all processors are there, and nothing has run.
void duet_reality_reset(duet_reality *reality, const duet_instance *instance);

// When a task ends that starts there at `start`, if the processor stays; notes in `executed` how
// long it takes.
int64_t duet_reality_run(duet_reality *reality, int64_t task, size_t type, int64_t processor,
                         int64_t start);

// The first processor that goes, of those from `from` in `disturbance` on; `disturbances` if none
// goes.
static inline size_t duet_reality_next_gone(const duet_reality *reality, size_t from)
{
    while (from < reality->disturbances && reality->disturbance[from].thousandths != 0) {
        from++;
    }
    return from;
}

// How many processors of a type a schedule may use: no more than tasks, and those that go; and
// those that the plan uses. `reality` may be NULL.
size_t duet_useful_processors(const duet_instance *instance, const duet_reality *reality,
                              size_t type);
// Takes a processor of a type from the platform. Where it was the last one, `completed` (per task)
// says which tasks need none any more; DUET_E_INFEASIBLE where one that does may run nowhere.
duet_code duet_reality_lose(duet_reality *reality, const duet_disturbance *gone,
                            const bool *completed, duet_error *error);

// The type that a task goes to where its own has no processors left: the one of those that it may
// run on where it is planned to take least, the first of several.
size_t duet_reality_refuge(const duet_reality *reality, size_t kind);

#endif
