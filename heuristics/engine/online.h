// SPDX-License-Identifier: Apache-2.0
// Online scheduling by a rule: tasks are revealed while others run.
//
// Method:    simulation by events. At each instant come first all completions of this instant, then
//            the tasks that they reveal, one by one in the order of the ready queue; each decision
//            sees those before it. A task of zero time that completes at once makes another round
//            at the same instant. The rule chooses the type of each task. Its processor is chosen
//            - at once (DUET_BIND_QUEUE): the task goes to the end of the queue of the processor of
//              that type where it starts first, the lowest index where several do, or
//            - when one is idle (DUET_BIND_IDLE): at each instant the tasks that wait are placed in
//              order on a copy of the processors, and those that start at this instant do start.
//            On a reality (core/instance/reality.h) the rule sees planned times: a processor counts
//            as busy until its tasks are planned to end, or until now if that has passed. The tasks
//            of a processor that goes are ready again, and asked for anew.
// Cost:      O((n + e) log n) time beside the rule's own with queues, and when idle where the rule
//            does not look at the processors; else when idle O(log n) for every task that waits at
//            every instant. O(n + m) memory.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018.
#ifndef DUET_HEURISTICS_ENGINE_ONLINE_H
#define DUET_HEURISTICS_ENGINE_ONLINE_H

#include "core/instance/available.h"
#include "heuristics/engine/list.h"
#include "heuristics/engine/ready.h"

typedef enum duet_bind { DUET_BIND_QUEUE, DUET_BIND_IDLE } duet_bind;

typedef struct duet_online {
    duet_bind bind;
    const int32_t *place; // per task: the lowest comes first of those revealed together, then the
                          // lowest index; NULL: as the rule's priority says
    const void *given;    // what the rule finds in duet_list.given
    const duet_task_source *source; // NULL: the edges of the instance say what is revealed
} duet_online;

// Schedules every task that the source reveals, each once. DUET_E_UNSUPPORTED: data take time and
// tasks are bound to idle processors. DUET_E_LIMIT, DUET_E_CANCELLED: `context` ended a run where
// tasks wait for idle processors. DUET_E_USAGE: the rule chose a type where a task may not run.
duet_code duet_online_run(const duet_rule *rule, const duet_instance *instance,
                          const duet_context *context, const duet_online *how,
                          duet_solution *solution, duet_error *error);

// The options of rules on task graphs, for their tables: "bind" and "order". Without edges they
// change nothing.
#define DUET_OPTIONS_ONLINE                                                                        \
    {.name = "bind",                                                                               \
     .type = DUET_OPTION_CHOICE,                                                                   \
     .fallback = "queue",                                                                          \
     .choices = "queue|idle",                                                                      \
     .unit = "",                                                                                   \
     .text = "on task graphs: a task's processor is chosen at once, or when one is idle"},         \
    {                                                                                              \
        .name = "order", .type = DUET_OPTION_CHOICE, .fallback = "index",                          \
        .choices = "index|bottom", .unit = "",                                                     \
        .text = "on task graphs, of tasks revealed together: by index, or highest bottom level "   \
                "first"                                                                            \
    }

// Runs a rule on the edges of an instance, as these options say. `given`: for duet_list.given.
duet_code duet_online_solve(const duet_rule *rule, const duet_instance *instance,
                            const duet_context *context, const void *given, duet_solution *solution,
                            duet_error *error);
// Their table.
extern const duet_option_spec duet_online_options[];

// Runs a rule: on independent tasks as a list, compiled for the rule, else online.
static inline duet_code duet_rule_run(const duet_rule *rule, const duet_instance *instance,
                                      const duet_context *context, duet_solution *solution,
                                      duet_error *error)
{
    return instance->graph == NULL && context->reality == NULL && duet_is_available(instance)
               ? duet_list_run(rule, instance, context, solution, error)
               : duet_online_solve(rule, instance, context, NULL, solution, error);
}

#endif
