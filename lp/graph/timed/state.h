// SPDX-License-Identifier: Apache-2.0
// Inside of the time-indexed Lagrangian. A file calls only those before it in this order:
//   reduction   which edges need prices
//   grid        the cells, and prices carried over from one grid to another
//   placing     where each task is cheapest
//   line        the line of integers and its value
//   steps       means of the places, and moves of the prices along them
//   timed       life, and when to end
#ifndef DUET_LP_GRAPH_TIMED_STATE_H
#define DUET_LP_GRAPH_TIMED_STATE_H

#include "core/number/minmax.h"
#include "core/system/arena.h"
#include "core/system/watch.h"
#include "lp/graph/timed/timed.h"
#include "lp/graph/timed/tuning.h"

// An edge that no other path implies. It may have a price from the first cell in which its head may
// have started to the last one in which its tail may not have ended.
typedef struct duet_timed_edge {
    int32_t edge; // number in the graph
    int32_t tail, head;
    int32_t first, last; // no cells where first > last
} duet_timed_edge;

// The price of a mixing row, which is the same in all cells.
typedef struct duet_timed_mix {
    double price; // of all ticks of a whole cell
    double slope; // by how many cells the means violate it
} duet_timed_mix;

// Where a task is cheapest.
typedef struct duet_timed_place {
    int32_t type;
    int64_t start, end;
} duet_timed_place;

// The cells in which a task's window lies.
typedef struct duet_timed_span {
    int32_t first; // the first cell in which it may start
    int32_t last;  // the last cell in which it may run
} duet_timed_span;

// How the steps of one grid go.
typedef struct duet_timed_ascent {
    int step;       // the steps that were taken
    double best;    // the highest value
    double seen;    // the highest value at the last look
    double factor;  // the factor of Polyak's length
    double hopeful; // above this value a line is tried
    int patience;   // the steps since the last gain
} duet_timed_ascent;

struct duet_timed {
    duet_arena arena;        // It holds the arrays.
    const duet_network *net; // borrowed
    size_t types;
    int64_t tasks;
    duet_timed_edge *edge;
    size_t edges;
    duet_mixing_row *row; // measured by the guess
    duet_timed_mix *mix;  // the price of each row
    size_t rows;

    // The guess.
    int64_t guess;
    const duet_window *window;     // borrowed
    duet_window_of_task *narrowed; // what the last line has left of windows
    size_t narrowed_count;

    // The grid. Arrays by cells have `stride` entries a row, which is more than there are cells.
    size_t most_cells; // the limit of cells of the last grid
    size_t level;      // the limit of cells of the grid under way
    size_t stride;
    int64_t width;
    int32_t cells;

    // Prices, as shares of the right side, which is 1.
    float *price;   // edges x stride: the price of all ticks of a cell
    double *weight; // types x stride: the price of a cell on all processors; all add up to 1
    double *tick;   // types x stride: the price of a tick of one processor
    double *paid;   // types x stride: the price of a processor from 0 to the beginning of a cell

    // Tasks and types in the steps.
    float *in, *out;         // tasks x stride: the prices of the edges into and out of a task
    float *has_started;      // tasks x stride: in the mean, the share of a cell after its start
    float *has_ended;        // tasks x stride: in the mean, the share of a cell after its end
    duet_timed_span *span;   // per task
    duet_timed_place *place; // per task: where it is cheapest
    double *longer;          // tasks x types: what mixing rows add to its cost there
    double fixed;            // what mixing rows add to the sum whatever the places are
    double *share;           // tasks x types: in the mean, whether it is there
    double *used;            // types x stride: in the mean, the share of a cell that is busy
    double *slope;           // types x stride: the direction of the weights

    // Workspace of one task, per cell.
    double *after, *before;           // the prices of its edges in and out, from the cell on
    double *after_tick, *before_tick; // the prices of a tick of the cell
    double *cost;                     // of its places

    // The call under way.
    duet_timed_ascent up;
    duet_watch watch; // of the context
    int steps;        // the steps that are left
    int64_t work_end; // the work at which it pauses
    bool paused;
    int64_t work; // the operations of all calls, about
    duet_timed_line line;
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
// Makes a grid of at most `cells` cells for a guess, with the prices that there were.
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

// --- steps.c -------------------------------------------------------------------------------------

// Takes the places of a step into the means, with a share of `part`.
void duet_timed_average(duet_timed *timed, double part);
// The direction in which the means raise the value, of types and mixing rows into `slope`; that of
// edges is read off the means. Returns its squared length.
double duet_timed_find_direction(duet_timed *timed);
// Moves the prices along the direction by `length`, and adds up the prices of each task's edges.
void duet_timed_move(duet_timed *timed, double length);

#endif
