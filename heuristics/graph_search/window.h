// SPDX-License-Identifier: Apache-2.0
// A few tasks of a schedule that follow each other, placed anew as well as can be, all others being
// where they are.
//
// Method:    what is before the window says when processors are free and tasks are ready; what is
//            behind it, on which the processors go on in the same order, says how much time there
//            must be behind a processor and behind a task. That is all that the window's tasks have
//            to do with the others. Which processor goes on with which row of tasks is free within
//            a type: the one that is free first has the longest row. A window costs what its tasks
//            and rows end later than a target just below the makespan, in all; nothing may end
//            later than the makespan.
//            Branch and bound over the next task to start and its type, each on the processor that
//            is free last before it is ready (best fit), or else first: where data take no time,
//            that is complete. What is placed costs what it costs; of what is left, each task costs
//            at least what it costs on the type where it ends first.
// Guarantee: the least cost of the window, unless there are more nodes than are allowed.
// Cost:      O(processors + tasks of the window x types) a node; at most types^n n! nodes.
// Memory:    O(processors x tasks of the window).
// Reference: Pisinger, Ropke, "Large neighborhood search", Handbook of Metaheuristics, 2019, for
// the
//            use of it. The cost is that of graph_search/anneal.h.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_WINDOW_H
#define DUET_HEURISTICS_GRAPH_SEARCH_WINDOW_H

#include "heuristics/graph_search/model.h"

enum { DUET_WINDOW_TASKS = 16 };

// Tasks are numbered within the window, in a topological order.
typedef struct duet_graph_window {
    // Inputs. Where the schedule ends later than `target` it costs; `most` is its makespan.
    const duet_graph_model *model;
    int64_t target;
    int64_t most;
    int64_t most_nodes;
    int32_t count;
    int32_t task[DUET_WINDOW_TASKS];
    uint32_t before[DUET_WINDOW_TASKS]; // bits: tasks of the window that it waits for
    int64_t ready[DUET_WINDOW_TASKS];   // ends of the others that it waits for
    int64_t rest[DUET_WINDOW_TASKS];    // time behind its end, by tasks behind the window
    int64_t *free_at;                   // by processor, least first within each type
    int64_t *wait;                      // time behind the window, longest first; 0: nothing follows

    // Inputs and outputs: what the window costs as it is, and less where that was found; then also
    // the tasks in the order of their starts and their types.
    int64_t cost;
    bool improved;
    int32_t sequence[DUET_WINDOW_TASKS];
    uint8_t type[DUET_WINDOW_TASKS];
    int64_t nodes; // of all windows so far

    // Search: where it is.
    int64_t last_node;
    int64_t after[DUET_WINDOW_TASKS]; // as `rest`, by tasks of the window, too
    int64_t end[DUET_WINDOW_TASKS];
    int32_t placed[DUET_WINDOW_TASKS];
    uint8_t placed_type[DUET_WINDOW_TASKS];
} duet_graph_window;

// Of a model without costs: data take no time. Free with duet_graph_window_free(), also after an
// error. DUET_E_MEMORY.
duet_code duet_graph_window_create(const duet_graph_model *model, duet_graph_window *window,
                                   duet_error *error);
void duet_graph_window_free(duet_graph_window *window);

// What it costs to end at `end`: nothing by the target, and more than anything else beyond `most`.
int64_t duet_graph_window_late(const duet_graph_window *window, int64_t end);

// Looks for a lower cost; `improved` says whether one was found.
void duet_graph_window_solve(duet_graph_window *window);

#endif
