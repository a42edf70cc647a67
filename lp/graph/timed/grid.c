// SPDX-License-Identifier: Apache-2.0
// The grid of cells. The first prices come from the duals of the linear program, constant over
// time. Another grid takes over the prices of the one before: each is spread evenly over its cell,
// and a new cell gets what lies in it, so that the price of every edge and type stays the same in
// sum. The cells of a task or an edge are those that its window leaves.
#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "lp/graph/timed/timed_state.h"

// Spreads prices of the cells of one grid over those of another, both in parts of the guess.
static void spread(const double *from, int64_t from_count, double from_width, double *to,
                   int64_t to_count, double to_width)
{
    int64_t k = 0;
    for (int64_t i = 0; i < to_count; i++) {
        to[i] = 0;
    }
    for (int64_t i = 0; i < from_count; i++) {
        double begin = (double)i * from_width;
        double end = i + 1 < from_count ? begin + from_width : 1;
        double at = begin;
        double border = 0;
        while (border < end) {
            border = k + 1 < to_count ? (double)(k + 1) * to_width : 2;
            double next = duet_min(border, end);
            to[k] += next > at ? from[i] * (next - at) / (end - begin) : 0;
            at = duet_max(next, at);
            k += border < end ? 1 : 0;
        }
    }
}

// Carries the prices over to `cells` cells of another width. Where the watch stops it, the other
// edges keep the prices of the old cells, which are as valid, and less good.
static void carry(duet_timed *timed, int32_t cells, double old_width, double new_width)
{
    enum { CELL = 8 };
    int64_t each = CELL * ((int64_t)timed->cells + cells);
    for (size_t e = 0; e < timed->edges && !duet_watch_spend(&timed->watch, each); e++) {
        float *row = timed->price + e * timed->stride;
        for (int32_t k = 0; k < timed->cells; k++) {
            timed->in_from[k] = row[k];
        }
        spread(timed->in_from, timed->cells, old_width, timed->out_from, cells, new_width);
        for (int32_t k = 0; k < cells; k++) {
            row[k] = (float)timed->out_from[k];
        }
    }
    for (size_t t = 0; t < timed->types; t++) {
        double *row = timed->weight + t * timed->stride;
        memcpy(timed->in_from, row, timed->stride * sizeof *row);
        memset(row, 0, timed->stride * sizeof *row);
        spread(timed->in_from, timed->cells, old_width, row, cells, new_width);
    }
}

// Prices of mixing rows are of a whole cell, whose width has changed by a factor.
static void carry_rows(duet_timed *timed, double factor)
{
    for (size_t r = 0; r < timed->rows; r++) {
        timed->mix[r].price *= factor;
    }
}

static void set_size(duet_timed *timed, int64_t guess, size_t cells, int64_t *width, int32_t *count)
{
    int64_t most = (int64_t)duet_min(cells, timed->most_cells);
    *width = guess / most + (guess % most > 0 ? 1 : 0);
    *count = (int32_t)(guess / *width + (guess % *width > 0 ? 1 : 0));
}

void duet_timed_set_grid(duet_timed *timed, int64_t guess, size_t cells)
{
    int64_t width;
    int32_t count;
    set_size(timed, guess, cells, &width, &count);
    if (count != timed->cells) {
        carry(timed, count, (double)timed->width / (double)timed->guess,
              (double)width / (double)guess);
        carry_rows(timed,
                   (double)width / (double)guess * (double)timed->guess / (double)timed->width);
    }
    timed->guess = guess;
    timed->width = width;
    timed->cells = count;
}

// What a type's ticks in a cell are worth by the intervals of a line.
static double weigh_cell(const duet_timed *timed, const duet_interval_line *line, size_t type,
                         int64_t cell)
{
    double sum = 0;
    double begin = (double)(cell * timed->width);
    double end = begin + (double)duet_timed_length(timed, cell);
    for (size_t i = 0; i < line->intervals; i++) {
        const duet_lp_interval *interval = &line->interval[i];
        double from = fmax(begin, (double)interval->after);
        double to = fmin(end, (double)(timed->guess - interval->before));
        sum += to > from ? (to - from) * (double)interval->price[type] : 0;
    }
    return sum * (double)timed->net->instance->processors[type];
}

// Constant prices of processors.
static void weigh_equally(duet_timed *timed)
{
    double priced = 0;
    for (size_t t = 0; t < timed->types; t++) {
        priced += timed->net->instance->processors[t] > 0 ? 1 : 0;
    }
    for (size_t t = 0; t < timed->types; t++) {
        for (int32_t k = 0; k < timed->cells && timed->net->instance->processors[t] > 0; k++) {
            timed->weight[t * timed->stride + (size_t)k] =
                (double)duet_timed_length(timed, k) / (double)timed->guess / priced;
        }
    }
}

void duet_timed_begin(duet_timed *timed, int64_t guess, const duet_interval_line *line)
{
    double sum = 0;
    timed->guess = guess;
    set_size(timed, guess, timed->grid_limit, &timed->width, &timed->cells);
    for (size_t t = 0; t < timed->types; t++) {
        for (int32_t k = 0; k < timed->cells; k++) {
            double *weight = &timed->weight[t * timed->stride + (size_t)k];
            *weight = weigh_cell(timed, line, t, k);
            sum += *weight;
        }
    }
    if (sum <= 0) { // the line was about a path alone
        weigh_equally(timed);
        return;
    }
    for (size_t i = 0; i < timed->types * timed->stride; i++) {
        timed->weight[i] /= sum;
    }
    for (size_t r = 0; r < timed->rows; r++) {
        timed->mix[r].price = (double)line->mixing_price[r] / sum * (double)timed->width;
    }
    for (size_t e = 0; e < timed->edges; e++) {
        double flow = (double)line->flow[timed->edge[e].edge] / sum;
        for (int32_t k = 0; k < timed->cells; k++) {
            timed->price[e * timed->stride + (size_t)k] =
                (float)(flow * (double)duet_timed_length(timed, k));
        }
    }
}

static int32_t cell_of(const duet_timed *timed, int64_t time)
{
    int64_t cell = time / timed->width;
    return (int32_t)(cell < timed->cells ? cell : timed->cells - 1);
}

// The last cell before a time.
static int32_t cell_before(const duet_timed *timed, int64_t time)
{
    return cell_of(timed, time > 0 ? time - 1 : 0);
}

void duet_timed_set_spans(duet_timed *timed)
{
    for (int64_t j = 0; j < timed->tasks; j++) {
        const duet_window *window = &timed->window[j];
        timed->span[j] = (duet_timed_span){cell_of(timed, window->start),
                                           cell_before(timed, timed->guess - window->tail)};
    }
    for (size_t e = 0; e < timed->edges; e++) {
        duet_timed_edge *edge = &timed->edge[e];
        const duet_window *tail = &timed->window[edge->tail];
        const duet_window *head = &timed->window[edge->head];
        edge->first = cell_of(timed, duet_max(head->start, tail->end));
        edge->last = cell_before(timed, timed->guess - duet_max(head->rest, tail->tail));
    }
}
