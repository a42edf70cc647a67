// SPDX-License-Identifier: Apache-2.0
// Inside of the time-indexed Lagrangian. A file calls only those before it in this order:
//   reduction   which edges need prices
//   grid        the cells, and prices carried over from one grid to another
//   placing     where each task is cheapest
//   line        the line of integers and its value
//   steps       means of the places, and moves of the prices along them
//   timed       life, and when to end
#ifndef DUET_LP_GRAPH_TIMED_TIMED_STATE_H
#define DUET_LP_GRAPH_TIMED_TIMED_STATE_H

#include "core/number/minmax.h"
#include "core/system/arena.h"
#include "core/system/watch.h"
#include "lp/graph/timed/timed.h"
#include "lp/graph/timed/tuning.h"

// An edge that no other path implies. It may have a price from the first cell in which its head may
// have started to the last one in which its tail may not have ended.
typedef struct duet_timed_edge {
    int32_t edge;  // The number of the edge in the graph.
    int32_t tail;  // The task that it leaves.
    int32_t head;  // The task that it enters.
    int32_t first; // The first cell in which it may have a price.
    int32_t last;  // The last such cell; below `first` if there is none.
} duet_timed_edge;

// The price of a mixing row, which is the same in all cells.
typedef struct duet_timed_mix {
    double price; // The price of the row, summed over the ticks of a whole cell.
    // The row's component of the direction: by how many cells the running means violate it, scaled;
    // 0 if its price is 0 and they do not violate it.
    double slope;
} duet_timed_mix;

// Where a task is cheapest.
typedef struct duet_timed_place {
    int32_t type;  // The type on which it is cheapest.
    int64_t start; // When it starts there.
    int64_t end;   // When it ends there.
} duet_timed_place;

// The cells in which a task's window lies.
typedef struct duet_timed_span {
    int32_t first; // The first cell in which the task may start.
    int32_t last;  // The last cell in which it may run.
} duet_timed_span;

// How the steps of one grid go.
typedef struct duet_timed_ascent {
    int step;         // The steps taken on this grid.
    double best;      // The highest value.
    double checked;   // The highest value at the last check of the gain.
    double factor;    // The factor of Polyak's length.
    double try_above; // A rounding is tried when the value exceeds this.
    int stalled;      // The steps since the last gain or shortening of the step.
} duet_timed_ascent;

struct duet_timed {
    duet_arena arena;        // It holds the arrays.
    const duet_network *net; // borrowed
    size_t types;
    int64_t tasks;
    duet_timed_edge *edge; // The edges that have prices.
    size_t edges;          // Their number.
    duet_mixing_row *row;  // The mixing rows, measured at the guess.
    duet_timed_mix *mix;   // Per mixing row, its price and direction.
    size_t rows;           // The number of mixing rows.

    // The guess.
    int64_t guess;
    const duet_window *window;     // The windows of the tasks, borrowed.
    duet_window_of_task *narrowed; // The tasks whose windows the last line narrowed, and to what.
    size_t narrowed_count;         // Their number.

    // The grid.
    size_t most_cells; // The limit of cells of the last grid.
    size_t grid_limit; // The limit of cells of the present grid.
    size_t stride;     // The length of a row of an array by cells, which is more than the cells.
    int64_t width;     // The ticks of a cell.
    int32_t cells;     // The number of cells.

    // Prices, as shares of the right side, which is 1.
    float *price;   // Per edge and cell, the price of all ticks of the cell.
    double *weight; // Per type and cell, the price of all processors; the sum of all is 1.
    double *tick;   // Per type and cell, the price of a tick of one processor.
    double *paid;   // Per type and cell, the price of a processor from 0 to the cell's beginning.

    // Tasks and types in the steps.
    float *in;             // Per task and cell, the prices of edges and mixing rows into the task.
    float *out;            // Per task and cell, the prices of edges and mixing rows out of it.
    float *has_started;    // Per task and cell, the mean share of the cell after its start.
    float *has_ended;      // Per task and cell, the mean share of the cell after its end.
    duet_timed_span *span; // Per task, the cells of its window.
    duet_timed_place *place; // Per task, where it is cheapest.
    double *longer;          // Per task and type, what mixing rows add to its cost there.
    double fixed;            // What mixing rows add to the dual value, whatever the places are.
    double *share;           // Per task and type, the mean of whether it is placed there.
    double *used;            // Per type and cell, the mean utilisation.
    double *slope;           // Per type and cell, the direction of `weight`.

    // Workspace of one task.
    double *in_from;  // Per cell, the prices of the edges in, from its beginning to the guess.
    double *out_from; // Per cell, the prices of the edges out, from its beginning to the guess.
    double *in_tick;  // Per cell, the price of a tick of the edges in.
    double *out_tick; // Per cell, the price of a tick of the edges out.
    double *cost;     // Per cell, the cost of starting, or of ending, at its beginning.

    // The call under way.
    duet_timed_ascent up; // How the steps of the present grid go.
    duet_watch watch;     // It watches the context.
    int steps_left;       // The steps that are left.
    int64_t work_end;     // The call pauses when `work` reaches this.
    bool paused;          // The last call paused.
    int64_t work;         // About the operations of all calls.
    duet_timed_line line; // The last rounded dual solution.
};

// Returns the ticks of a cell.
static inline int64_t duet_timed_length(const duet_timed *timed, int64_t cell)
{
    return cell + 1 < timed->cells ? timed->width : timed->guess - cell * timed->width;
}

static inline int64_t duet_timed_time(const duet_timed *timed, int64_t task, size_t type)
{
    return timed->net->instance->times[(size_t)timed->net->kind[task] * timed->types + type];
}

// The starts of a task on a type that its window allows.
typedef struct duet_timed_starts {
    int64_t lo; // The earliest start.
    int64_t hi; // The latest start; below `lo` if there is none.
} duet_timed_starts;

static inline duet_timed_starts duet_timed_starts_of(const duet_timed *timed, int64_t task,
                                                     size_t type)
{
    const duet_window *window = &timed->window[task];
    if ((window->types >> type & 1U) == 0) {
        return (duet_timed_starts){0, -1};
    }
    int64_t time = duet_timed_time(timed, task, type);
    int64_t lo = duet_max(window->start, window->end - time);
    int64_t rest = duet_max(window->rest, window->tail + time);
    return (duet_timed_starts){lo, timed->guess - rest};
}

// Returns the end of the last cell of a task's span.
static inline int64_t duet_timed_span_end(const duet_timed *timed, int64_t task)
{
    int64_t last = timed->span[task].last;
    return last * timed->width + duet_timed_length(timed, last);
}

// --- reduction.c ---------------------------------------------------------------------------------

// Fills timed->edge with the edges of the transitive reduction and those with a flow, or with all
// edges if there are more than 8,000 tasks. O(tasks x edges / 64). DUET_E_MEMORY.
duet_code duet_timed_reduce(duet_timed *timed, const int64_t *flow, duet_error *error);

// --- grid.c --------------------------------------------------------------------------------------

// Makes the first grid, with the prices of a line.
void duet_timed_begin(duet_timed *timed, int64_t guess, const duet_interval_line *line);
// Makes a grid of at most `cells` cells for a guess, and carries the prices over to it.
void duet_timed_set_grid(duet_timed *timed, int64_t guess, size_t cells);
// Sets the spans by the windows. Prices beyond them stay for guesses and nodes with wider windows.
void duet_timed_set_spans(duet_timed *timed);

// --- placing.c -----------------------------------------------------------------------------------

// Places every task where it is cheapest at the present prices. Returns the dual value: the sum of
// the costs, and `fixed`.
double duet_timed_place_all(duet_timed *timed);

// --- line.c --------------------------------------------------------------------------------------

// Rounds the prices to a line of integers and evaluates whether that refutes the guess. With
// `narrows`, one rounding of medium fineness is evaluated, and windows may be narrowed
// (reduced-cost fixing); without it, ever finer roundings are tried until one refutes the guess. If
// the watch stops it, the result is nothing, or only some windows are narrowed. DUET_E_MEMORY.
duet_code duet_timed_certify(duet_timed *timed, bool narrows, duet_timed_result *result,
                             duet_error *error);

// --- steps.c -------------------------------------------------------------------------------------

// Adds the places of a step to the running means, with the weight `part`.
void duet_timed_average(duet_timed *timed, double part);
// Finds the direction in which the means raise the value: of types and mixing rows in `slope`; that
// of edges is read off the means. Returns its squared length.
double duet_timed_find_direction(duet_timed *timed);
// Moves the prices along the direction by `length`, and sums the prices of each task's edges.
void duet_timed_move(duet_timed *timed, double length);

#endif
