// SPDX-License-Identifier: Apache-2.0
// Window re-optimisation: a few tasks of a schedule that start one after the other are scheduled
// anew by branch and bound, all others being where they are.
//
// Method:    the schedule before the window says when processors are free and tasks are ready. The
//            schedule behind it says how much time must be left behind each task of the window, and
//            behind each processor: processors go on with the same sequences of tasks as before.
//            Processors of a type may exchange their sequences. The one that is free first gets the
//            longest. A window costs what its tasks and the sequences end later than a target just
//            below the makespan, in all, and nothing may end later than the makespan. Branch and
//            bound branches on the next task to start and on its type. The task gets the processor
//            that is free last before the task is ready (best fit), or else the one that is free
//            first. That is complete where data take no time. The bound of a node is the cost of
//            what is placed, and for each other task its cost on the type where it ends first.
// Guarantee: the least cost of the window, unless there are more nodes than are allowed.
// Cost:      O(processors + n (n + types)) a node for n tasks; at most types^n n! nodes.
// Memory:    O(processors x tasks of the window).
// Reference: Pisinger, Ropke, "Large neighborhood search", Handbook of Metaheuristics, 2019. The
//            cost is that of graph_search/anneal.h, with all sequences behind the window.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_WINDOW_H
#define DUET_HEURISTICS_GRAPH_SEARCH_WINDOW_H

#include "heuristics/graph_search/model.h"

// The most tasks of a window.
enum { DUET_GRAPH_SEARCH_WINDOW_ROOM = 16 };

// Tasks are numbered within the window, in a topological order.
typedef struct duet_graph_search_window {
    // Inputs.
    const duet_graph_search_model *model;
    int64_t target;     // A task or sequence that ends later costs the difference.
    int64_t most;       // The makespan: nothing may end later.
    int64_t most_nodes; // The limit of nodes of one search.
    int64_t most_late;  // The cost of a task or sequence is cut to this, so that sums fit.
    int32_t count;      // The number of tasks of the window.
    int32_t task[DUET_GRAPH_SEARCH_WINDOW_ROOM]; // Their numbers in the graph.
    // Per task, its predecessors within the window, a bit each.
    uint32_t before[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    // Per task, the last end of its predecessors before the window.
    int64_t ready[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    // Per task, the time that tasks behind the window need after its end.
    int64_t rest[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    // Per depth of the search and processor, when it is free, rising within each type; row 0 is the
    // input.
    int64_t *free_at;
    // Per processor of a type, the length of the sequences behind the window, longest first; 0: the
    // sequence is empty.
    int64_t *wait;

    // Inputs and outputs.
    int64_t cost;  // The cost of the window as it is; then the least cost found.
    bool improved; // A lower cost was found.
    int32_t order[DUET_GRAPH_SEARCH_WINDOW_ROOM]; // If improved, the tasks by their starts.
    uint8_t type[DUET_GRAPH_SEARCH_WINDOW_ROOM];  // If improved, per task, its type.
    int64_t nodes;                                // The nodes of all searches so far.

    // The search.
    int64_t last_node; // It ends when `nodes` reaches this.
    // Per task, the time that all tasks, also those of the window, need after its end.
    int64_t after[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    int64_t end[DUET_GRAPH_SEARCH_WINDOW_ROOM];         // Per placed task, its end.
    int32_t placed[DUET_GRAPH_SEARCH_WINDOW_ROOM];      // The placed tasks by their starts.
    uint8_t placed_type[DUET_GRAPH_SEARCH_WINDOW_ROOM]; // Per placed task, its type.
} duet_graph_search_window;

// The model must have no costs: data take no time. Free with duet_graph_search_window_free(), also
// after an error. DUET_E_MEMORY.
duet_code duet_graph_search_window_create(const duet_graph_search_model *model,
                                          duet_graph_search_window *window, duet_error *error);
void duet_graph_search_window_free(duet_graph_search_window *window);

// Returns the cost of ending at `end`, which is no later than `most`; 0 up to the target. The costs
// of all tasks and sequences add up without overflow.
int64_t duet_graph_search_window_late(const duet_graph_search_window *window, int64_t end);

// Looks for a lower cost by branch and bound, and sets `improved`.
void duet_graph_search_window_solve(duet_graph_search_window *window);

#endif
