// SPDX-License-Identifier: Apache-2.0
// Where each task is cheapest. Its cost is linear in its start as long as neither the start nor the
// end passes from a cell to the next: starts and ends at the beginnings of cells are tried, and the
// ends of the window.
#include "core/number/minmax.h"
#include "lp/graph/timed/timed_state.h"

// A task on a type, under way.
typedef struct trial {
    const duet_timed *timed;
    const double *tick, *paid;
    int64_t time;
    int64_t lo, hi; // starts
    double best;
    duet_timed_place place;
} trial;

static void take(trial *on, double cost, int64_t start)
{
    if (cost < on->best) {
        on->best = cost;
        on->place.start = start;
        on->place.end = start + on->time;
    }
}

static void try_start(trial *on, int64_t start)
{
    const duet_timed *timed = on->timed;
    int64_t end = start + on->time;
    int64_t at = start / timed->width;
    int64_t to = end / timed->width;
    double past = (double)(start % timed->width);
    double beyond = (double)(end % timed->width);
    take(on,
         on->paid[to] + on->tick[to] * beyond - on->paid[at] - on->tick[at] * past +
             timed->in_from[at] - timed->in_tick[at] * past - timed->out_from[to] +
             timed->out_tick[to] * beyond,
         start);
}

// Of costs from `first` to `last`, the least. Lanes let the compiler look at several at a time.
static int64_t least_at(const double *cost, int64_t first, int64_t last)
{
    enum { lanes = 8 };
    double lane[lanes];
    double least = cost[first];
    int64_t k = first;
    for (int i = 0; i < lanes; i++) {
        lane[i] = least;
    }
    for (; k + lanes <= last + 1; k += lanes) {
        for (int i = 0; i < lanes; i++) {
            lane[i] = duet_min(cost[k + i], lane[i]);
        }
    }
    for (; k <= last; k++) {
        least = duet_min(cost[k], least);
    }
    for (int i = 0; i < lanes; i++) {
        least = duet_min(lane[i], least);
    }
    for (k = first; cost[k] > least; k++) {
    }
    return k;
}

// Arrays of a processor's prices and of the edges', from some cell on.
typedef struct price_rows {
    const double *paid, *tick, *edge, *edge_tick;
} price_rows;

// What starts at the beginnings of `count` cells cost, with `rest` ticks in the cells of the ends.
static void add_starts(double *restrict cost, int64_t count, price_rows start, price_rows end,
                       double rest)
{
    for (int64_t k = 0; k < count; k++) {
        cost[k] = end.paid[k] - start.paid[k] + start.edge[k] - end.edge[k] +
                  (end.tick[k] + end.edge_tick[k]) * rest;
    }
}

// What ends at the beginnings of `count` cells cost, with `rest` ticks in the cells of the starts.
static void add_ends(double *restrict cost, int64_t count, price_rows start, price_rows end,
                     double rest)
{
    for (int64_t k = 0; k < count; k++) {
        cost[k] = end.paid[k] - start.paid[k] + start.edge[k] - end.edge[k] +
                  (start.tick[k] + start.edge_tick[k]) * rest;
    }
}

// Starts at the beginning of each cell.
static void try_starts(trial *on)
{
    const duet_timed *timed = on->timed;
    int64_t first = (on->lo + timed->width - 1) / timed->width;
    int64_t last = on->hi / timed->width;
    int64_t to = first + on->time / timed->width;
    if (first <= last) {
        add_starts(
            timed->cost + first, last - first + 1,
            (price_rows){on->paid + first, NULL, timed->in_from + first, NULL},
            (price_rows){on->paid + to, on->tick + to, timed->out_from + to, timed->out_tick + to},
            (double)(on->time % timed->width));
        int64_t k = least_at(timed->cost, first, last);
        take(on, timed->cost[k], k * timed->width);
    }
}

// Ends at the beginning of each cell. Without a rest their starts are beginnings of cells, too.
static void try_ends(trial *on)
{
    const duet_timed *timed = on->timed;
    int64_t first = (on->lo + on->time + timed->width - 1) / timed->width;
    int64_t last = (on->hi + on->time) / timed->width;
    int64_t at = first - on->time / timed->width; // so much of the cell before it
    double rest = (double)(on->time % timed->width);
    if (first <= last && rest > 0) {
        add_ends(timed->cost + first, last - first + 1,
                 (price_rows){on->paid + at, on->tick + at - 1, timed->in_from + at,
                              timed->in_tick + at - 1},
                 (price_rows){on->paid + first, NULL, timed->out_from + first, NULL}, rest);
        int64_t k = least_at(timed->cost, first, last);
        take(on, timed->cost[k], k * timed->width - on->time);
    }
}

// What prices of edges in cells are worth from the beginning of each cell on, and a tick of each.
static void sum_prices(const duet_timed *timed, duet_timed_span span, const float *price,
                       double *restrict all, double *restrict tick)
{
    double part = 1.0 / (double)timed->width;
    all[span.last + 1] = tick[span.last + 1] = 0;
    for (int32_t k = span.first; k <= span.last; k++) {
        tick[k] = price[k] * part;
    }
    if (span.last + 1 == timed->cells) {
        tick[span.last] = price[span.last] / (double)duet_timed_length(timed, span.last);
    }
    for (int32_t k = span.last; k >= span.first; k--) {
        all[k] = all[k + 1] + price[k];
    }
}

// A task's cheapest place of all. Its cost.
static double place_task(duet_timed *timed, int64_t task)
{
    static const double most = 1e300;
    double best = most;
    size_t row = (size_t)task * timed->stride;
    sum_prices(timed, timed->span[task], timed->in + row, timed->in_from, timed->in_tick);
    sum_prices(timed, timed->span[task], timed->out + row, timed->out_from, timed->out_tick);
    for (size_t t = 0; t < timed->types; t++) {
        duet_timed_starts starts = duet_timed_starts_of(timed, task, t);
        trial on = {.timed = timed,
                    .tick = timed->tick + t * timed->stride,
                    .paid = timed->paid + t * timed->stride,
                    .time = duet_timed_time(timed, task, t),
                    .lo = starts.lo,
                    .hi = starts.hi,
                    .best = most,
                    .place = {.type = (int32_t)t}};
        if (on.lo > on.hi) {
            continue;
        }
        try_start(&on, on.lo);
        try_start(&on, on.hi);
        try_starts(&on);
        try_ends(&on);
        double cost = on.best + timed->longer[(size_t)task * timed->types + t];
        if (cost < best) {
            best = cost;
            timed->place[task] = on.place;
        }
    }
    timed->work += 4 * ((int64_t)timed->span[task].last - timed->span[task].first + 4);
    return best;
}

// Prices of ticks by those of cells.
static void set_ticks(duet_timed *timed)
{
    for (size_t t = 0; t < timed->types; t++) {
        double *tick = timed->tick + t * timed->stride;
        double *paid = timed->paid + t * timed->stride;
        int64_t count = timed->net->instance->processors[t];
        paid[0] = 0;
        for (int32_t k = 0; k < timed->cells; k++) {
            double length = (double)duet_timed_length(timed, k);
            tick[k] = count > 0
                          ? timed->weight[t * timed->stride + (size_t)k] / ((double)count * length)
                          : 1.0 / (double)timed->guess;
            paid[k + 1] = paid[k] + tick[k] * length;
        }
        tick[timed->cells] = 0;
    }
}

double duet_timed_place_all(duet_timed *timed)
{
    double sum = timed->fixed;
    set_ticks(timed);
    for (int64_t j = 0; j < timed->tasks; j++) {
        if (duet_watch_spend(&timed->watch, 8 * (int64_t)timed->cells)) {
            break; // what is left undone only guides
        }
        sum += place_task(timed, j);
    }
    return sum;
}
