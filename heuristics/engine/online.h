// SPDX-License-Identifier: Apache-2.0
// Online scheduling by a rule: tasks are revealed while others run.
//
// Method:    simulation by events. At each instant come first all completions of this instant, then
//            the tasks that they reveal, one by one in the order of the ready queue. The rule
//            chooses the type of each, and the engine puts it at the end of the queue of the
//            processor of that type where it starts first, the lowest index where several do. A
//            task of zero time that completes at once makes another round at the same instant.
// Cost:      O(n log n) time beside the rule's own, and O(log m) at each instant for every
//            processor that is idle then; O(n + m) memory.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018.
#ifndef DUET_HEURISTICS_ENGINE_ONLINE_H
#define DUET_HEURISTICS_ENGINE_ONLINE_H

#include "heuristics/engine/ready.h"
#include "heuristics/engine/rule.h"

// Where tasks come from. `reveal` tells the engine which tasks have become ready: with
// `completed` < 0 those that are ready at time 0, else those that only waited for that task. It
// adds them with duet_ready_add().
typedef struct duet_task_source {
    duet_code (*reveal)(void *user, int64_t completed, duet_ready *ready, duet_error *error);
    void *user;
} duet_task_source;

// Schedules every task that the source reveals, each once. `source` NULL: all tasks are ready at
// time 0.
duet_code duet_online_run(const duet_rule *rule, const duet_instance *instance,
                          const duet_context *context, const duet_task_source *source,
                          duet_solution *solution, duet_error *error);

#endif
