// SPDX-License-Identifier: Apache-2.0
// A few tasks of a schedule that follow each other, placed anew as well as can be, all others being
// where they are.
//
// Method:    what is before the stretch says when processors are free and tasks are ready. Behind
//            it processors go on with the same rows of tasks as before; these say how much time
//            there must be behind a processor and behind a task. That is all that the stretch's
//            tasks have to do with the others. Which processor goes on with which row is free
//            within a type: the one that is free first has the longest. A stretch costs what its
//            tasks and the rows end later than a target just below the makespan, in all; nothing
//            may end later than the makespan. Branch and bound over the next task to start and its
//            type, each on the processor that is free last before it is ready (best fit), or else
//            first: where data take no time, that is complete. What is placed costs what it costs;
//            of what is left, each task costs at least what it costs on the type where it ends
//            first.
// Guarantee: the least cost of the stretch, unless there are more nodes than are allowed.
// Cost:      O(processors + n (n + types)) a node for n tasks; at most types^n n! nodes.
// Memory:    O(processors x tasks of the stretch).
// Reference: Pisinger, Ropke, "Large neighborhood search", Handbook of Metaheuristics, 2019. The
//            cost is like that of graph_search/anneal.h, with rows for all tasks behind.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_STRETCH_H
#define DUET_HEURISTICS_GRAPH_SEARCH_STRETCH_H

#include "heuristics/graph_search/model.h"

enum { DUET_STRETCH_TASKS = 16 };

// Tasks are numbered within the stretch, in a topological order.
typedef struct duet_graph_search_stretch {
    // Inputs. Where the schedule ends later than `target` it costs; `most` is its makespan.
    const duet_graph_search_model *model;
    int64_t target;
    int64_t most;
    int64_t most_nodes;
    int64_t most_late; // no task or row costs more
    int32_t count;
    int32_t task[DUET_STRETCH_TASKS];
    uint32_t before[DUET_STRETCH_TASKS]; // bits: tasks of the stretch that it waits for
    int64_t ready[DUET_STRETCH_TASKS];   // ends of the others that it waits for
    int64_t rest[DUET_STRETCH_TASKS];    // time behind its end, by tasks behind the stretch
    int64_t *free_at;                    // by processor, least first within each type
    int64_t *wait; // time behind the stretch, longest first; 0: nothing follows

    // Inputs and outputs: what the stretch costs as it is, and less where that was found; then also
    // the tasks in the order of their starts and their types.
    int64_t cost;
    bool improved;
    int32_t sequence[DUET_STRETCH_TASKS];
    uint8_t type[DUET_STRETCH_TASKS];
    int64_t nodes; // of all stretches so far

    // Search: where it is.
    int64_t last_node;
    int64_t after[DUET_STRETCH_TASKS]; // as `rest`, by tasks of the stretch, too
    int64_t end[DUET_STRETCH_TASKS];
    int32_t placed[DUET_STRETCH_TASKS];
    uint8_t placed_type[DUET_STRETCH_TASKS];
} duet_graph_search_stretch;

// Of a model without costs: data take no time. Free with duet_graph_search_stretch_free(), also
// after an error. DUET_E_MEMORY.
duet_code duet_graph_search_stretch_create(const duet_graph_search_model *model,
                                           duet_graph_search_stretch *stretch, duet_error *error);
void duet_graph_search_stretch_free(duet_graph_search_stretch *stretch);

// What it costs to end at `end`, which is no later than `most`: nothing by the target. Costs of
// all tasks and rows add up without overflow.
int64_t duet_graph_search_stretch_late(const duet_graph_search_stretch *stretch, int64_t end);

// Looks for a lower cost; `improved` says whether one was found.
void duet_graph_search_stretch_solve(duet_graph_search_stretch *stretch);

#endif
