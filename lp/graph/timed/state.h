// SPDX-License-Identifier: Apache-2.0
// Inside of prices over time. A file calls only those before it in this order:
//   reduction   which edges need prices
//   grid        the cells, and prices carried over from one grid to another
//   placing     where each task is cheapest
//   line        the line of integers and its value
//   timed       steps, and when to end
#ifndef DUET_LP_GRAPH_TIMED_STATE_H
#define DUET_LP_GRAPH_TIMED_STATE_H

#include "core/number/minmax.h"
#include "core/system/watch.h"
#include "lp/graph/timed/timed.h"

enum { DUET_TIMED_MOST_CELLS = 160 };

// An edge that no other path implies, and the cells in which it may have a price: its head may have
// started in the first, and its tail need not have ended in the last.
typedef struct duet_timed_edge {
    int32_t edge; // number in the graph
    int32_t tail, head;
    int32_t first, last; // no cells where first > last
} duet_timed_edge;

// A mixing row with a price of all ticks of a whole cell, the same in each, and how far the means
// of the steps violate it, in cells.
typedef struct duet_timed_mix {
    double price;
    double slope;
} duet_timed_mix;

// Where a task is cheapest.
typedef struct duet_timed_place {
    int32_t type;
    int64_t start, end;
} duet_timed_place;

// The cells in which a task's window lies.
typedef struct duet_timed_span {
    int32_t first; // it may start in it
    int32_t last;  // it may end in it, or at its end
} duet_timed_span;

// How the steps of one grid go.
typedef struct duet_timed_ascent {
    int step; // so many were taken
    double best;
    double seen;    // the best at the last look
    double factor;  // of the steps' length
    double hopeful; // from this value on a line is tried
    int patience;
} duet_timed_ascent;

struct duet_timed {
    const duet_network *net; // borrowed
    size_t types;
    int64_t tasks;
    duet_timed_edge *edge;
    size_t edges;
    duet_mixing_row *row; // measured by the guess
    duet_timed_mix *mix;  // of each row
    size_t rows;
    // The guess:
    int64_t guess;
    const duet_window *window;     // borrowed
    duet_window_of_task *narrowed; // what the last line has left of windows
    size_t narrowed_count;
    // The grid; arrays by cells have `stride` entries a row, more than there are cells:
    size_t most_cells;
    size_t level; // so many cells at most for now
    size_t stride;
    int64_t width;
    int32_t cells;
    // Prices, in parts of the right side, which is 1:
    float *price;   // edges x stride: of all ticks in a cell
    double *weight; // types x stride: of all processors in a cell; they add up to 1
    double *tick;   // types x stride: of a tick of one processor
    double *paid;   // types x stride: of a processor from 0 to the beginning of a cell
    // Of each task:
    float *in, *out;    // tasks x stride: prices of its edges
    float *has_started; // tasks x stride: a running mean of the steps, in parts of a cell
    float *has_ended;   // tasks x stride
    duet_timed_span *span;
    duet_timed_place *place;
    double *longer; // tasks x types: what mixing rows cost it there
    double fixed;   // what they cost whatever the places
    double *share;  // tasks x types: a running mean
    double *used;   // types x stride: a running mean of how full each cell is
    double *slope;  // types x stride: room for a direction
    // Of the task under way: prices of its edges from the beginning of a cell to the end, and of a
    // tick in a cell; costs.
    double *after, *after_tick, *before, *before_tick, *cost;
    // The call under way:
    duet_timed_ascent up;
    duet_watch watch; // of the context
    int steps;        // that are left
    int64_t work_end; // work at which it pauses
    bool paused;
    int64_t work;
    duet_timed_line line;
    size_t entry_room;
};

// The ticks of a cell.
static inline int64_t duet_timed_length(const duet_timed *timed, int64_t cell)
{
    return cell + 1 < timed->cells ? timed->width : timed->guess - cell * timed->width;
}

static inline int64_t duet_timed_time(const duet_timed *timed, int64_t task, size_t type)
{
    return timed->net->instance->times[(size_t)timed->net->kind[task] * timed->types + type];
}

// The starts of a task on a type within its window, none where the first is behind the last.
typedef struct duet_timed_starts {
    int64_t lo, hi;
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

// The end of the last cell of a task's span.
static inline int64_t duet_timed_span_end(const duet_timed *timed, int64_t task)
{
    int64_t last = timed->span[task].last;
    return last * timed->width + duet_timed_length(timed, last);
}

// --- reduction.c ---------------------------------------------------------------------------------

// Fills `timed->edge`, also with edges that have a flow. O(tasks x edges / 64). DUET_E_MEMORY.
duet_code duet_timed_reduce(duet_timed *timed, const int64_t *flow, duet_error *error);

// --- grid.c --------------------------------------------------------------------------------------

// Makes the first grid, with the prices of a line.
void duet_timed_begin(duet_timed *timed, int64_t guess, const duet_interval_line *line);
// Makes a grid of at most so many cells for a guess, with the prices that there were.
void duet_timed_set_grid(duet_timed *timed, int64_t guess, size_t cells);
// The spans of the windows. Prices beyond them are left for guesses and nodes with wider windows.
void duet_timed_set_spans(duet_timed *timed);

// --- placing.c -----------------------------------------------------------------------------------

// Places every task where it is cheapest at the prices there are. The sum of the costs.
double duet_timed_place_all(duet_timed *timed);

// --- line.c --------------------------------------------------------------------------------------

// Rounds the prices to a line and evaluates it: whether it is a contradiction. With `narrows`, as
// finely as may be, and it may narrow windows. Where the watch stops it, it says nothing, or has
// narrowed some of the windows. DUET_E_MEMORY.
duet_code duet_timed_certify(duet_timed *timed, bool narrows, duet_timed_result *result,
                             duet_error *error);

#endif
