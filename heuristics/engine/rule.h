// SPDX-License-Identifier: Apache-2.0
// What a list scheduler is: a rule says which task is next and which type it goes to; the engine
// owns time and processors.
//
// A rule is a constant of its file in heuristics/rules/. The engine runs it in two ways, with the
// same schedules where both apply (tests/unit/test_engine.c):
//   duet_list_run()    list.h    independent tasks, kind by kind, compiled anew for each rule
//   duet_online_run()  online.h  task by task through a ready queue, tasks revealed by a source
#ifndef DUET_HEURISTICS_ENGINE_RULE_H
#define DUET_HEURISTICS_ENGINE_RULE_H

#include "core/assert.h"
#include "core/order.h"
#include "heuristics/engine/processors.h"

// A schedule in the making: all that a rule sees. The loads of the processors say when each is
// free; none is below the instant at which the rule is asked.
typedef struct duet_list {
    const duet_instance *instance;
    duet_all_processors all;
    bool later_first; // of types where a task ends at the same time (option ties)
    void *own;        // what the rule keeps from task to task
} duet_list;

// The type of every task of a kind, whatever has been scheduled.
typedef size_t duet_allocation_rule(const duet_instance *instance, size_t kind);

typedef struct duet_rule {
    const char *name;
    // The tasks of kinds of larger value come first; equal values, and NULL: in list order.
    duet_kind_value *priority;
    // Exactly one of the two: the type of a kind, or of the next task, which is of that kind and
    // starts at once on the least loaded processor of the type.
    duet_allocation_rule *allocate;
    size_t (*choose)(duet_list *list, size_t kind);
    // Sets `later_first` and `own`. NULL: nothing to set.
    duet_code (*begin)(duet_list *list, const duet_context *context, duet_error *error);
    // Frees `own`, also after an error, and adds counters. NULL: nothing to free.
    void (*end)(duet_list *list, duet_solution *solution);
} duet_rule;

// What both ways begin and end with. End also after an error.
static inline duet_code duet_list_begin(const duet_rule *rule, const duet_instance *instance,
                                        const duet_context *context, duet_list *list,
                                        duet_error *error)
{
    DUET_ASSERT((rule->allocate == NULL) != (rule->choose == NULL));
    *list = (duet_list){.instance = instance};
    duet_code code = duet_all_processors_create(instance, &list->all, error);
    if (code == DUET_OK && rule->begin != NULL) {
        code = rule->begin(list, context, error);
    }
    return code;
}

static inline void duet_list_end(const duet_rule *rule, duet_list *list, duet_solution *solution)
{
    if (rule->end != NULL) {
        rule->end(list, solution);
    }
    duet_all_processors_free(&list->all);
}

#endif
