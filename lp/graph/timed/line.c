// SPDX-License-Identifier: Apache-2.0
// The line of integers: prices are rounded, coarsely first, since a short line is as good a proof
// as a long one, and the line is evaluated by itself. Where it is no contradiction, a task may only
// be where it costs at most as much more than at its cheapest place as all processors' time costs
// more than all cheapest places.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/graph/timed/timed_state.h"
#include "lp/graph/timed/tuning.h"

static double total_price(const duet_timed *timed)
{
    double total = 0;
    for (size_t e = 0; e < timed->edges; e++) {
        const float *row = timed->price + e * timed->stride;
        for (int32_t k = timed->edge[e].first; k <= timed->edge[e].last; k++) {
            total += row[k];
        }
    }
    for (size_t r = 0; r < timed->rows; r++) {
        total += timed->mix[r].price * (timed->cells + 1);
    }
    return total;
}

// Rounds what an edge's prices add up to, from the last cell on, so that errors do not add up.
static duet_code round_edges(duet_timed *timed, double scale, duet_error *error)
{
    duet_timed_line *line = &timed->line;
    duet_code code = DUET_OK;
    line->entries = 0;
    for (size_t e = 0; e < timed->edges; e++) {
        const duet_timed_edge *edge = &timed->edge[e];
        const float *row = timed->price + e * timed->stride;
        double owed = 0;
        for (int32_t k = edge->last; k >= edge->first; k--) {
            double length = (double)duet_timed_length(timed, k);
            owed += row[k];
            int64_t price = (int64_t)(owed * scale / length + 0.5);
            if (price <= 0) {
                continue;
            }
            owed -= (double)price * length / scale;
            DUET_TRY(duet_vec_push(line->entry, line->entries, error,
                                   (duet_timed_entry){edge->edge, k, price}));
        }
    }
    return code;
}

static void round_rows(duet_timed *timed, double scale)
{
    duet_timed_line *line = &timed->line;
    line->mixing = timed->row;
    line->mixings = timed->rows;
    for (size_t r = 0; r < timed->rows; r++) {
        line->mixing_price[r] = (int64_t)(timed->mix[r].price / (double)timed->width * scale + 0.5);
    }
}

static void round_ticks(duet_timed *timed, double scale)
{
    size_t cells = (size_t)timed->cells;
    timed->line.width = timed->width;
    timed->line.cells = cells;
    for (size_t t = 0; t < timed->types; t++) {
        for (size_t k = 0; k < cells; k++) {
            timed->line.tick[t * cells + k] = (int64_t)(timed->tick[t * timed->stride + k] * scale);
        }
    }
}

// The integer evaluation of one line. Rows by cells have one entry more.
typedef struct evaluation {
    duet_timed *timed;
    size_t row;
    int64_t *paid;               // types x row: of a processor from 0 to the beginning of a cell
    int64_t *in, *out;           // tasks x row: prices of a tick of its edges
    int64_t *in_from, *out_from; // of one task: of all ticks from the beginning of a cell on
    int64_t *least;              // of each task
    int64_t *longer;             // tasks x types: what mixing rows cost it there
    duet_watch *watch;
} evaluation;

static int64_t paid_by(const evaluation *sum, size_t type, int64_t time)
{
    const duet_timed_line *line = &sum->timed->line;
    size_t at = (size_t)(time / line->width);
    int64_t past = time % line->width;
    return sum->paid[type * sum->row + at] +
           (past > 0 ? line->tick[type * line->cells + at] * past : 0);
}

// What edges with those prices of a tick are worth from a time on.
static int64_t worth_from(const evaluation *sum, const int64_t *all, const int64_t *tick,
                          int64_t time)
{
    int64_t width = sum->timed->line.width;
    return all[time / width] - tick[time / width] * (time % width);
}

static int64_t cost_at(const evaluation *sum, int64_t task, size_t type, int64_t start)
{
    int64_t end = start + duet_timed_time(sum->timed, task, type);
    const int64_t *in = sum->in + (size_t)task * sum->row;
    const int64_t *out = sum->out + (size_t)task * sum->row;
    return sum->longer[(size_t)task * sum->timed->types + type] + paid_by(sum, type, end) -
           paid_by(sum, type, start) + worth_from(sum, sum->in_from, in, start) -
           worth_from(sum, sum->out_from, out, end);
}

// The last start of those from one on with which neither start nor end has passed another cell:
// between them a cost is linear.
static int64_t linear_until(const evaluation *sum, int64_t start, int64_t time, int64_t hi)
{
    int64_t width = sum->timed->line.width;
    int64_t step = width - start % width;
    int64_t other = width - (start + time) % width;
    step = duet_min(other, step);
    return step < hi - start ? start + step : hi;
}

static int64_t least_on(const evaluation *sum, int64_t task, size_t type, duet_timed_starts range)
{
    int64_t time = duet_timed_time(sum->timed, task, type);
    int64_t best = cost_at(sum, task, type, range.lo);
    for (int64_t start = range.lo; start < range.hi;) {
        start = linear_until(sum, start, time, range.hi);
        int64_t cost = cost_at(sum, task, type, start);
        best = duet_min(cost, best);
    }
    return best;
}

static void sum_cells(const evaluation *sum, int64_t task)
{
    const duet_timed *timed = sum->timed;
    size_t row = (size_t)task * sum->row;
    sum->in_from[timed->line.cells] = sum->out_from[timed->line.cells] = 0;
    for (size_t k = timed->line.cells; k-- > 0;) {
        int64_t length = duet_timed_length(timed, (int64_t)k);
        sum->in_from[k] = sum->in_from[k + 1] + sum->in[row + k] * length;
        sum->out_from[k] = sum->out_from[k + 1] + sum->out[row + k] * length;
    }
}

static int64_t least_cost(const evaluation *sum, int64_t task)
{
    int64_t best = INT64_MAX;
    sum_cells(sum, task);
    for (size_t t = 0; t < sum->timed->types; t++) {
        duet_timed_starts range = duet_timed_starts_of(sum->timed, task, t);
        if (range.lo <= range.hi) {
            int64_t least = least_on(sum, task, t, range);
            best = duet_min(least, best);
        }
    }
    return best;
}

// What all processors' time costs.
static duet_int128 sum_supply(const evaluation *sum)
{
    const duet_timed *timed = sum->timed;
    const duet_timed_line *line = &timed->line;
    duet_int128 supply = 0;
    for (size_t t = 0; t < timed->types; t++) {
        int64_t *paid = sum->paid + t * sum->row;
        paid[0] = 0;
        for (size_t k = 0; k < line->cells; k++) {
            paid[k + 1] =
                paid[k] + line->tick[t * line->cells + k] * duet_timed_length(timed, (int64_t)k);
        }
        supply += (duet_int128)paid[line->cells] * timed->net->instance->processors[t];
    }
    return supply;
}

// Of the starts of a task on a type, from the first to the last that cost at most so much; none
// where the first one is behind the last.
static duet_timed_starts affordable(const evaluation *sum, int64_t task, size_t type, int64_t most)
{
    duet_timed_starts range = duet_timed_starts_of(sum->timed, task, type);
    duet_timed_starts left = {INT64_MAX, -1};
    int64_t time = range.lo <= range.hi ? duet_timed_time(sum->timed, task, type) : 0;
    for (int64_t start = range.lo; start <= range.hi;) {
        int64_t end = linear_until(sum, start, time, range.hi);
        int64_t here = cost_at(sum, task, type, start);
        int64_t there = cost_at(sum, task, type, end);
        int64_t tick = end > start ? (there - here) / (end - start) : 0; // exactly
        if (here <= most || there <= most) {
            int64_t first =
                here <= most || tick == 0 ? start : start + (here - most + -tick - 1) / -tick;
            int64_t last = there <= most || tick == 0 ? end : start + (most - here) / tick;
            left.lo = duet_min(first, left.lo);
            left.hi = last;
        }
        start = end < range.hi ? end : range.hi + 1;
    }
    return left;
}

// Narrows the window of a task to where it costs at most so much more than at its cheapest place.
// Whether that is less than it was.
static bool narrow_task(const evaluation *sum, int64_t task, int64_t slack)
{
    duet_timed *timed = sum->timed;
    const duet_window *window = &timed->window[task];
    int64_t guess = timed->guess;
    duet_window left = {.start = INT64_MAX, .tail = INT64_MAX};
    sum_cells(sum, task);
    for (size_t t = 0; t < sum->timed->types; t++) {
        duet_timed_starts range = affordable(sum, task, t, sum->least[task] + slack);
        if (range.lo <= range.hi) {
            int64_t tail = guess - range.hi - duet_timed_time(sum->timed, task, t);
            left.types |= UINT64_C(1) << t;
            left.start = duet_min(range.lo, left.start);
            left.tail = duet_min(tail, left.tail);
        }
    }
    bool any =
        left.types != window->types || left.start > window->start || left.tail > window->tail;
    left.start = duet_max(left.start, window->start);
    left.tail = duet_max(left.tail, window->tail);
    if (any) {
        timed->narrowed[timed->narrowed_count++] = (duet_window_of_task){(int32_t)task, left};
    }
    return any;
}

// Work of a task in all cells. True: stop.
static bool spend_task(const evaluation *sum)
{
    enum { CELL = 32 };
    return duet_watch_spend(sum->watch, CELL * (int64_t)(sum->row * sum->timed->types));
}

static void narrow_all(const evaluation *sum, duet_int128 slack, duet_timed_result *result)
{
    static const int64_t most = INT64_C(1) << 61;
    sum->timed->narrowed_count = 0;
    for (int64_t j = 0; j < sum->timed->tasks && slack < most && !spend_task(sum); j++) {
        if (narrow_task(sum, j, (int64_t)slack)) {
            *result = DUET_TIMED_NARROWED;
        }
    }
}

static void share_room(evaluation *sum, int64_t *room)
{
    size_t tasks = (size_t)sum->timed->tasks;
    sum->paid = room;
    sum->in_from = sum->paid + sum->timed->types * sum->row;
    sum->out_from = sum->in_from + sum->row;
    sum->in = sum->out_from + sum->row;
    sum->out = sum->in + tasks * sum->row;
    sum->least = sum->out + tasks * sum->row;
    sum->longer = sum->least + tasks;
}

static void sum_entries(const evaluation *sum)
{
    const duet_timed_line *line = &sum->timed->line;
    const duet_graph *graph = sum->timed->net->graph;
    for (size_t i = 0; i < line->entries; i++) {
        const duet_timed_entry *entry = &line->entry[i];
        int64_t price = entry->price * line->unit;
        sum->in[(size_t)graph->head[entry->edge] * sum->row + (size_t)entry->cell] += price;
        sum->out[(size_t)graph->tail[entry->edge] * sum->row + (size_t)entry->cell] += price;
    }
}

static void add_price(int64_t *prices, const evaluation *sum, int64_t task, int64_t price)
{
    for (size_t k = 0; k < sum->timed->line.cells; k++) {
        prices[(size_t)task * sum->row + k] += price;
    }
}

// The prices of mixing rows. What they cost whatever the places.
static duet_int128 sum_rows(const evaluation *sum)
{
    const duet_timed *timed = sum->timed;
    const duet_timed_line *line = &timed->line;
    duet_int128 fixed = 0;
    for (size_t r = 0; r < line->mixings; r++) {
        const duet_mixing_row *row = &line->mixing[r];
        int64_t price = line->mixing_price[r];
        if (price == 0) {
            continue;
        }
        fixed += (duet_int128)price * row->length;
        if (row->from == DUET_MIXING_OUTSIDE) {
            fixed -= (duet_int128)price * timed->guess;
        } else {
            add_price(sum->out, sum, row->from, price);
        }
        if (row->to != DUET_MIXING_OUTSIDE) {
            add_price(sum->in, sum, row->to, price);
        }
        for (int32_t i = 0; i < row->items; i++) {
            const duet_mixing_item *item = &row->item[i];
            int64_t least = duet_timed_time(timed, item->task, item->type);
            for (size_t t = 0; t < timed->types; t++) {
                int64_t *longer = &sum->longer[(size_t)item->task * timed->types + t];
                *longer += duet_timed_time(timed, item->task, t) >= least ? price * item->more : 0;
            }
        }
    }
    return fixed;
}

static duet_code evaluate(duet_timed *timed, bool narrows, duet_timed_result *result,
                          duet_error *error)
{
    size_t tasks = (size_t)timed->tasks;
    evaluation sum = {.timed = timed, .row = timed->line.cells + 1, .watch = &timed->watch};
    int64_t *room = duet_alloc(
        (timed->types + 2 + 2 * tasks) * sum.row + tasks * (timed->types + 1), sizeof *room, error);
    DUET_NEED(room);
    share_room(&sum, room);
    sum_entries(&sum);
    duet_int128 slack = sum_supply(&sum) - sum_rows(&sum);
    for (int64_t j = 0; j < timed->tasks; j++) {
        if (spend_task(&sum)) {
            duet_free(room);
            return DUET_OK;
        }
        sum.least[j] = least_cost(&sum, j);
        slack -= sum.least[j];
    }
    if (slack < 0) {
        *result = DUET_TIMED_REFUTED;
    } else if (narrows) {
        narrow_all(&sum, slack, result);
    }
    duet_free(room);
    return DUET_OK;
}

duet_code duet_timed_certify(duet_timed *timed, bool narrows, duet_timed_result *result,
                             duet_error *error)
{
    // A unit, for a tick of each cell, in parts of all processors' time.
    static const double parts[] = {0x1p-14, 0x1p-18, 0x1p-24};
    double scale = DUET_TIMED_MOST_PRICE / (total_price(timed) + (double)timed->types + 1);
    duet_code code = DUET_OK;
    *result = DUET_TIMED_NOTHING;
    round_ticks(timed, scale);
    round_rows(timed, scale);
    for (size_t i = narrows ? 1 : 0; i < (narrows ? 2 : 3) && code == DUET_OK; i++) {
        timed->line.unit = (int64_t)(scale * parts[i] / (double)timed->width) + 1;
        code = round_edges(timed, scale / (double)timed->line.unit, error);
        DUET_THEN(code, evaluate(timed, narrows, result, error));
        timed->work += (narrows ? 32 : 16) * timed->tasks * timed->cells;
        if (*result == DUET_TIMED_REFUTED) {
            break;
        }
    }
    return code;
}
