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

// Workspace, and the last schedule.
typedef struct duet_graph_search_dispatcher {
    int32_t tasks;
    size_t types;
    uint8_t *home;  // Per task, the type on which it is shortest; the last of equal ones.
    int32_t *left;  // Per task, its predecessors that have not ended.
    int64_t *end;   // Per task, its end in the last schedule.
    int32_t *order; // The tasks by their starts in the last schedule.
    uint8_t *type;  // Per task, its type in the last schedule.
    // Per type, the ready tasks that are at home there, by priority.
    duet_graph_search_dispatch_heap at_home[DUET_MAX_TYPES];
    // Per type, the ready tasks that are not at home there, by what they lose there.
    duet_graph_search_dispatch_heap away[DUET_MAX_TYPES];
    duet_graph_search_dispatch_heap events; // The completions and arrivals to come, by time.
} duet_graph_search_dispatcher;

// The parameters of a dispatch.
typedef struct duet_graph_search_dispatch {
    int64_t target;          // The makespan that is aimed at.
    const int64_t *priority; // Per task, its priority: at home the highest one goes first.
    const int64_t *behind;   // Per task, the time assumed between its end and the makespan.
    double tail_weight;      // `behind` times this decides if a task away from home is in time.
    double noise;            // Each key is multiplied by a random factor from 1 to 1 + noise.
    // The priority of a task is reduced by the penalty times the target times the ratio of its time
    // at home to its least time elsewhere.
    double penalty;
    // Of tasks that lose equally much elsewhere, those with the longest `behind` go there first.
    bool longest_tail_first;
} duet_graph_search_dispatch;

// Free with duet_graph_search_dispatcher_free(), also after an error. DUET_E_MEMORY.
duet_code duet_graph_search_dispatcher_create(const duet_graph_search_model *model,
                                              duet_graph_search_dispatcher *dispatcher,
                                              duet_error *error);
void duet_graph_search_dispatcher_free(duet_graph_search_dispatcher *dispatcher);

// Makes a schedule of the model, which may be mirrored. Its ends, its types and its order by starts
// are in the dispatcher afterwards, and its makespan in `*makespan`. DUET_E_MEMORY.
duet_code duet_graph_search_dispatch_run(duet_graph_search_dispatcher *dispatcher,
                                         const duet_graph_search_model *model,
                                         const duet_graph_search_dispatch *how, duet_random *random,
                                         int64_t *makespan, duet_error *error);

#endif
