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
    int64_t target;     // what ends later costs something
    int64_t most;       // nothing may end later: the makespan
    int64_t most_nodes; // the limit of nodes of one search
    int64_t most_late;  // the cost of a task or sequence is cut to this, so that sums fit
    int32_t count;      // the tasks of the window
    int32_t task[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    // Of each task, the tasks of the window that it waits for, a bit each.
    uint32_t before[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    // Of each task, the last end of the tasks before the window that it waits for.
    int64_t ready[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    // Of each task, the time that tasks behind the window need behind its end.
    int64_t rest[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    int64_t *free_at; // when each processor is free, least first within each type
    int64_t *wait;    // the time that each sequence needs, longest first; 0: it is empty

    // Inputs and outputs: the cost of the window as it is becomes the least that was found. If it
    // is less, `sequence` has the tasks in the order of their starts, and `type` their types.
    int64_t cost;
    bool improved;
    int32_t sequence[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    uint8_t type[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    int64_t nodes; // of all windows so far

    // The search.
    int64_t last_node; // the value of `nodes` at which it ends
    // Of each task, the time that all tasks need behind its end.
    int64_t after[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    int64_t end[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    int32_t placed[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    uint8_t placed_type[DUET_GRAPH_SEARCH_WINDOW_ROOM];
} duet_graph_search_window;

// Of a model without costs: data take no time. Free with duet_graph_search_window_free(), also
// after an error. DUET_E_MEMORY.
duet_code duet_graph_search_window_create(const duet_graph_search_model *model,
                                          duet_graph_search_window *window, duet_error *error);
void duet_graph_search_window_free(duet_graph_search_window *window);

// The cost of ending at `end`, which is no later than `most`; 0 up to the target. The costs of all
// tasks and sequences add up without overflow.
int64_t duet_graph_search_window_late(const duet_graph_search_window *window, int64_t end);

// Looks for a lower cost; `improved` says whether one was found.
void duet_graph_search_window_solve(duet_graph_search_window *window);

#endif
