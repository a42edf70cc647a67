// SPDX-License-Identifier: Apache-2.0
// Schedules a task graph by asking, whenever a processor is idle, what it should run so that a
// target is met.
//
// Method:    a task is at home on the type where it is shortest. Tasks that are ready wait at home
//            by priority, highest first. On another type, which would take longer, the one that
//            loses least there is taken, as long as it and the least time behind it still end by
//            the target. So the faster type has what is urgent, and the slower one what can wait.
//            Priorities are the least time behind a task at first. Then the graph is scheduled in
//            the other direction, by the ends of the schedule before (justification), and so on.
// Cost:      O((n + e) log n) a schedule, O(n + e) memory.
// Reference: the target is that of dual approximation; justification: Valls, Ballestin,
//            Quintanilla, "Justification and RCPSP: a technique that pays", EJOR 165, 2005. The
//            rule is ours.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_DISPATCH_H
#define DUET_HEURISTICS_GRAPH_SEARCH_DISPATCH_H

#include "core/number/random.h"
#include "heuristics/graph_search/model.h"

typedef struct duet_graph_search_dispatch_heap {
    struct duet_graph_search_dispatch_entry *entry;
    size_t count;
} duet_graph_search_dispatch_heap;

// Workspace.
typedef struct duet_graph_search_dispatcher {
    int32_t tasks;
    size_t types;
    uint8_t *home;  // the type where a task is shortest
    int32_t *left;  // predecessors of a task that have not ended
    int64_t *end;   // of a task, by the last schedule
    int32_t *order; // tasks by their starts there
    uint8_t *type;  // of a task there
    duet_graph_search_dispatch_heap at_home[DUET_MAX_TYPES];
    duet_graph_search_dispatch_heap away[DUET_MAX_TYPES];
    duet_graph_search_dispatch_heap events;
} duet_graph_search_dispatcher;

// How a schedule is made.
typedef struct duet_graph_search_dispatch {
    int64_t target;
    const int64_t *priority; // of each task
    const int64_t *behind;   // of each task: what is taken to be behind its end
    double tail_weight;      // the factor of what is behind a task
    double noise;            // by what share orders are disturbed
    double penalty;          // share of the target by which tasks that other types run well wait
    bool late_first; // of tasks that lose as much elsewhere those with most behind them go there
} duet_graph_search_dispatch;

// Free with duet_graph_search_dispatcher_free(), also after an error. DUET_E_MEMORY.
duet_code duet_graph_search_dispatcher_create(const duet_graph_search_model *model,
                                              duet_graph_search_dispatcher *dispatcher,
                                              duet_error *error);
void duet_graph_search_dispatcher_free(duet_graph_search_dispatcher *dispatcher);

// Makes a schedule of the model, which may be mirrored: ends, types and order by starts are in the
// dispatcher afterwards, and *makespan is its length. Errors: DUET_E_MEMORY.
duet_code duet_graph_search_dispatch_run(duet_graph_search_dispatcher *dispatcher,
                                         const duet_graph_search_model *model,
                                         const duet_graph_search_dispatch *how, duet_random *random,
                                         int64_t *makespan, duet_error *error);

#endif
