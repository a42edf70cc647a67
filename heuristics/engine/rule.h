// SPDX-License-Identifier: Apache-2.0
// What a list scheduler is: a rule says which task is next and which type it goes to; the engine
// owns time and processors.
//
// A rule is a constant of its file in heuristics/rules/. The engine runs it in two ways, with the
// same schedules where both apply (tests/unit/heuristics/engine/test_engine.c):
//   duet_list_run()    list.h    independent tasks, kind by kind, compiled anew for each rule
//   duet_online_run()  online.h  task by task through a ready queue, tasks revealed by edges or by
//                                a source
#ifndef DUET_HEURISTICS_ENGINE_RULE_H
#define DUET_HEURISTICS_ENGINE_RULE_H

#include <duet/custom.h>

#include "core/instance/order.h"
#include "core/system/assert.h"
#include "heuristics/engine/processors.h"
#include "heuristics/engine/queues.h"

// A schedule in the making: all that a rule sees.
typedef struct duet_list {
    const duet_instance *instance;
    duet_all_processors all; // of independent tasks
    bool later_first;        // of types where a task ends at the same time (option ties)
    void *own;               // what the rule keeps from task to task

    // Online: the task at hand, and where it would start on each type where it may run.
    const duet_spot *spot; // NULL on independent tasks
    int64_t task;
    int64_t now;
    bool idle;                  // tasks wait for idle processors (DUET_BIND_IDLE)
    const int32_t *kind;        // of a task
    const void *given;          // what the caller of the engine handed over
    const int64_t *bottom;      // what the rule's information says, else NULL: of a task, its
    const int64_t *descendants; // bottom level and the work of its descendants, in least times
} duet_list;

// When the task at hand would start on a type where it may run.
static inline int64_t duet_list_start(const duet_list *list, size_t type)
{
    return list->spot == NULL ? duet_processors_least(&list->all.of[type]) : list->spot[type].start;
}

// The type of every task of a kind, whatever has been scheduled.
typedef size_t duet_allocation_rule(const duet_instance *instance, size_t kind);

typedef struct duet_rule {
    const char *name;
    // The tasks of kinds of larger value come first; equal values, and NULL: in list order.
    duet_kind_value *priority;
    // Exactly one of the two: the type of a kind, or of the next task, which is of that kind and
    // goes to the processor of the type where it starts first.
    duet_allocation_rule *allocate;
    size_t (*choose)(duet_list *list, size_t kind);
    bool fixed;                        // `choose` does not ask when the task would start
    enum duet_information information; // what it is told of what is behind a task
    bool anew;    // a task that waits for an idle processor is asked for again at each instant
    bool at_once; // a task is asked for first when it is revealed, whatever is idle
    // Sets `later_first` and `own`. NULL: nothing to set.
    duet_code (*begin)(duet_list *list, const duet_context *context, duet_error *error);
    // Frees `own`, also after an error, and adds counters. NULL: nothing to free.
    void (*end)(duet_list *list, duet_solution *solution);
} duet_rule;

#endif
