// SPDX-License-Identifier: Apache-2.0
// List scheduling of task graphs with communication and insertion: a rule says in which order and
// where, the engine owns time.
//
// Method:    each task in turn goes to the earliest idle interval that is long enough, once its
//            data are there: of all processors (duet_graph_list_earliest()), or of those that the
//            rule prefers. Of the processors of a type all get the data at the same time, but for
//            the one that runs the predecessor whose data come last: so only this one and the first
//            of the type are looked at.
// Cost:      O(tasks (Q log m + log gaps) + edges Q) time beside the rule's own, for processors
//            whose late gaps are few (insertion.h); O(tasks + edges) memory.
// Reference: Topcuoglu, Hariri, Wu, "Performance-effective and low-complexity task scheduling for
//            heterogeneous computing", IEEE TPDS 13(3), 2002.
#ifndef DUET_HEURISTICS_ENGINE_GRAPH_LIST_H
#define DUET_HEURISTICS_ENGINE_GRAPH_LIST_H

#include "core/algorithm.h"
#include "heuristics/engine/insertion.h"
#include "heuristics/engine/ranks.h"

// A task that has its place.
typedef struct duet_placed {
    int64_t end;
    int32_t processor;
    int32_t type; // -1: it has none yet, and `end` is 0
} duet_placed;

// When the data of a task are on the processors of a type.
typedef struct duet_arrival {
    int64_t all; // on every processor
    // The processor that runs the predecessor whose data come last has all of them already at
    // `there`; -1: it is of another type, or none.
    int32_t last;
    int64_t there;
} duet_arrival;

// Where a task would run.
typedef struct duet_choice {
    int64_t start;
    int64_t end;
    int32_t processor;
    int32_t type; // -1: nowhere
} duet_choice;

// A schedule in the making.
typedef struct duet_graph_list {
    // The problem.
    const duet_instance *instance;
    const duet_graph *graph; // one without edges where the tasks are independent
    int32_t *kind;           // of each task
    const duet_context *context;

    // The list. Ranks are there until it is sorted.
    int32_t *order;  // topological, then by falling rank
    duet_rank *rank; // of each task

    // The schedule.
    bool later_first; // of types where a task ends at the same time (option ties)
    duet_insertion machine[DUET_MAX_TYPES];
    duet_placed *placed;                  // of each task
    duet_arrival arrival[DUET_MAX_TYPES]; // of the task whose turn it is

    int64_t counted;  // what the rule counts (duet_graph_rule.counter)
    bool interrupted; // it was asked to stop before the rule was done with its method
    void *own;        // the rule's
} duet_graph_list;

typedef struct duet_graph_rule {
    // Fills list->rank, by list->order, which is topological. May set `own`.
    duet_code (*rank)(duet_graph_list *list, duet_error *error);
    // Where the task whose data come at list->arrival goes. NULL: duet_graph_list_earliest().
    duet_code (*choose)(duet_graph_list *list, int32_t task, duet_choice *choice,
                        duet_error *error);
    // Before the first task: ranks are gone, the order is by rank. NULL: nothing to do.
    duet_code (*begin)(duet_graph_list *list, duet_error *error);
    // Frees `own`, also after an error. NULL: nothing to free.
    void (*end)(duet_graph_list *list);
    // What list->counted is called in the solution. NULL: nothing is counted.
    const char *counter;
    // Ranks may rise along edges: the next task is the first of the order whose predecessors have
    // their places. Else it is the next of the order.
    bool ready_first;
} duet_graph_rule;

// The options of all of these.
#define DUET_OPTION_GRAPH_TIES                                                                     \
    {                                                                                              \
        .name = "ties", .type = DUET_OPTION_CHOICE, .fallback = "gpu", .choices = "gpu|cpu",       \
        .unit = "",                                                                                \
        .text = "type that wins when a task would finish at the same time on several; of graphs "  \
                "on three and more types the first one without the option"                         \
    }
#define DUET_OPTION_TOPO                                                                           \
    {                                                                                              \
        .name = "topo", .type = DUET_OPTION_CHOICE, .fallback = "smallest",                        \
        .choices = "smallest|stack", .unit = "",                                                   \
        .text = "order of tasks of equal rank: the topological one that takes the smallest index " \
                "first, or the task found last"                                                    \
    }
extern const duet_option_spec duet_graph_list_options[]; // ties and topo

// The rule on an instance. `options` of the context are of duet_graph_list_options. DUET_E_LIMIT
// (more than 2^31 - 1 tasks, memory), DUET_E_MEMORY. It takes about as long as reading the
// instance: only rules that search look at the clock.
duet_code duet_graph_list_run(const duet_graph_rule *rule, const duet_instance *instance,
                              const duet_context *context, duet_solution *solution,
                              duet_error *error);

// --- for rules -----------------------------------------------------------------------------------

// The mean time of every task.
void duet_graph_list_weigh(const duet_graph_list *list, const duet_means *means, duet_rank *weight);
// Upward ranks from the means of times and costs: what heft and others share.
duet_code duet_graph_list_rank_mean(duet_graph_list *list, duet_mean which, duet_error *error);
// The i-th type in the order in which ties are broken.
size_t duet_graph_list_type(const duet_graph_list *list, size_t i);
// Where the task would end first on the processors of a type where it may run.
duet_choice duet_graph_list_earliest_on(const duet_graph_list *list, int32_t task, size_t type);
// Where it would end first of all; ties by type, then the lowest processor.
duet_choice duet_graph_list_earliest(const duet_graph_list *list, int32_t task);
// Where it would run on that very processor.
duet_choice duet_graph_list_choice_on(const duet_graph_list *list, int32_t task, size_t type,
                                      int32_t processor);
// Whether a rule that searches shall end that. What it places from then on goes where it ends
// first.
bool duet_graph_list_stops(duet_graph_list *list);
// Sets list->arrival from the predecessors that have their places.
void duet_graph_list_await(duet_graph_list *list, int32_t task);
// Gives a task its place.
duet_code duet_graph_list_place(duet_graph_list *list, int32_t task, const duet_choice *choice,
                                duet_error *error);

#endif
