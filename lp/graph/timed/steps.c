// SPDX-License-Identifier: Apache-2.0
// A step of the time-indexed Lagrangian: running means of the places, the direction of the prices
// along them, and a move in that direction.
#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "lp/graph/timed/timed_state.h"

// --- means ---------------------------------------------------------------------------------------

// Mixes in that something is from a time on.
static void mix_row(const duet_timed *timed, float *row, const duet_timed_span *span, int64_t time,
                    float part)
{
    int32_t cell = (int32_t)(time / timed->width);
    for (int32_t k = span->first; k <= span->last; k++) {
        row[k] = (1 - part) * row[k] + (k > cell ? part : 0);
    }
    if (cell <= span->last) {
        int64_t length = duet_timed_length(timed, cell);
        row[cell] += part * (float)(length - time % timed->width) / (float)length;
    }
}

// How full the places make the cells.
static void mix_used(duet_timed *timed, double part)
{
    for (size_t i = 0; i < timed->types * timed->stride; i++) {
        timed->used[i] *= 1 - part;
    }
    for (int64_t j = 0; j < timed->tasks; j++) {
        const duet_timed_place *place = &timed->place[j];
        double count = (double)timed->net->instance->processors[place->type];
        double *row = timed->used + (size_t)place->type * timed->stride;
        for (int64_t k = place->start / timed->width; k < timed->cells && count > 0; k++) {
            int64_t begin = k * timed->width;
            int64_t end = begin + duet_timed_length(timed, k);
            if (begin >= place->end) {
                break;
            }
            int64_t from = duet_max(place->start, begin);
            int64_t to = duet_min(place->end, end);
            row[k] += part * (double)(to - from) / (count * (double)(end - begin));
        }
    }
}

// Work of all cells of an edge or a task. True: stop; what is left undone only guides.
static bool spend_cells(duet_timed *timed)
{
    return duet_watch_spend(&timed->watch, 2 * (int64_t)timed->cells);
}

void duet_timed_average(duet_timed *timed, double part)
{
    for (int64_t j = 0; j < timed->tasks && !spend_cells(timed); j++) {
        const duet_timed_place *place = &timed->place[j];
        const duet_timed_span *span = &timed->span[j];
        size_t row = (size_t)j * timed->stride;
        mix_row(timed, timed->has_started + row, span, place->start, (float)part);
        mix_row(timed, timed->has_ended + row, span, place->end, (float)part);
        for (size_t t = 0; t < timed->types; t++) {
            double *share = &timed->share[(size_t)j * timed->types + t];
            *share = (1 - part) * *share + ((size_t)place->type == t ? part : 0);
        }
        timed->work += (span->last - span->first) / 2 + 4;
    }
    mix_used(timed, part);
}

// --- a step --------------------------------------------------------------------------------------

// The direction of the weights, into `slope`: within the plane of those that add up to 1. Its
// squared length.
static double find_slope(duet_timed *timed)
{
    double mean = 0;
    double squares = 0;
    double count = 0;
    for (size_t t = 0; t < timed->types; t++) {
        for (int32_t k = 0; k < timed->cells && timed->net->instance->processors[t] > 0; k++) {
            mean += timed->used[t * timed->stride + (size_t)k];
            count++;
        }
    }
    mean /= count;
    for (size_t t = 0; t < timed->types; t++) {
        for (int32_t k = 0; k < timed->cells; k++) {
            size_t at = t * timed->stride + (size_t)k;
            timed->slope[at] = timed->net->instance->processors[t] > 0 ? timed->used[at] - mean : 0;
            squares += timed->slope[at] * timed->slope[at];
        }
    }
    return squares;
}

// The squared length of an edge's part of the direction: where prices are 0 they do not fall. Lanes
// and plain loops let the compiler take several at a time.
static float edge_square(const float *price, const float *head, const float *tail, int32_t count)
{
    enum { lanes = 8 };
    float kept[DUET_TIMED_MOST_CELLS + lanes];
    float lane[lanes] = {0};
    float sum = 0;
    for (int32_t k = 0; k < count; k++) {
        float slope = head[k] - tail[k];
        kept[k] = ((price[k] > 0) | (slope > 0)) != 0 ? slope : 0;
    }
    for (int32_t k = count; k < count + lanes; k++) {
        kept[k] = 0;
    }
    for (int32_t k = 0; k < count; k += lanes) {
        for (int i = 0; i < lanes; i++) {
            lane[i] += kept[k + i] * kept[k + i];
        }
    }
    for (int i = 0; i < lanes; i++) {
        sum += lane[i];
    }
    return sum;
}

static double squared_length(duet_timed *timed)
{
    double squares = 0;
    for (size_t e = 0; e < timed->edges && !spend_cells(timed); e++) {
        const duet_timed_edge *edge = &timed->edge[e];
        if (edge->first > edge->last) {
            continue;
        }
        size_t head = (size_t)edge->head * timed->stride + (size_t)edge->first;
        size_t tail = (size_t)edge->tail * timed->stride + (size_t)edge->first;
        squares +=
            edge_square(timed->price + e * timed->stride + edge->first, timed->has_started + head,
                        timed->has_ended + tail, edge->last - edge->first + 1);
    }
    return squares;
}

// --- mixing rows ---------------------------------------------------------------------------------

// The share of a task on types where it takes at least as long as an item says.
static double share_of(const duet_timed *timed, const duet_mixing_item *item)
{
    int64_t least = duet_timed_time(timed, item->task, item->type);
    double share = 0;
    for (size_t t = 0; t < timed->types; t++) {
        int64_t time = duet_timed_time(timed, item->task, t);
        share += time >= least ? timed->share[(size_t)item->task * timed->types + t] : 0;
    }
    return share;
}

// Ticks of a task's span at which it has started, or ended, in the mean.
static double ticks_of(const duet_timed *timed, const float *mean, int64_t task)
{
    const duet_timed_span *span = &timed->span[task];
    const float *row = mean + (size_t)task * timed->stride;
    double sum = 0;
    for (int32_t k = span->first; k <= span->last; k++) {
        sum += (double)row[k] * (double)duet_timed_length(timed, k);
    }
    return sum;
}

// By how many ticks a row is violated in the mean.
static double violation_of(const duet_timed *timed, const duet_mixing_row *row)
{
    double more = (double)row->length;
    for (int32_t i = 0; i < row->items; i++) {
        more += (double)row->item[i].more * share_of(timed, &row->item[i]);
    }
    double end = row->from == DUET_MIXING_OUTSIDE
                     ? 0
                     : (double)duet_timed_span_end(timed, row->from) -
                           ticks_of(timed, timed->has_ended, row->from);
    double start = row->to == DUET_MIXING_OUTSIDE
                       ? (double)timed->guess
                       : (double)duet_timed_span_end(timed, row->to) -
                             ticks_of(timed, timed->has_started, row->to);
    return end + more - start;
}

// The cells of the spans of a row's ends.
static int64_t cells_of(const duet_timed *timed, const duet_mixing_row *row)
{
    enum { outside = 2 };
    int64_t cells = outside;
    if (row->from != DUET_MIXING_OUTSIDE) {
        cells += timed->span[row->from].last - timed->span[row->from].first;
    }
    if (row->to != DUET_MIXING_OUTSIDE) {
        cells += timed->span[row->to].last - timed->span[row->to].first;
    }
    return cells;
}

// The rows' part of the direction. Its squared length.
static double find_violations(duet_timed *timed)
{
    double squares = 0;
    for (size_t r = 0; r < timed->rows; r++) {
        duet_timed_mix *mix = &timed->mix[r];
        mix->slope =
            DUET_TIMED_ROW_SCALE * violation_of(timed, &timed->row[r]) / (double)timed->width;
        mix->slope = mix->price > 0 || mix->slope > 0 ? mix->slope : 0;
        squares += mix->slope * mix->slope;
        timed->work += cells_of(timed, &timed->row[r]);
    }
    return squares;
}

double duet_timed_find_direction(duet_timed *timed)
{
    return find_slope(timed) + squared_length(timed) + find_violations(timed);
}

// Adds a price to all cells of a task's span.
static void add_span(const duet_timed *timed, float *prices, int64_t task, double price)
{
    const duet_timed_span *span = &timed->span[task];
    float *row = prices + (size_t)task * timed->stride;
    for (int32_t k = span->first; k <= span->last; k++) {
        row[k] += (float)(price * (double)duet_timed_length(timed, k));
    }
}

// Moves the rows' prices, and adds up what they cost.
static void move_rows(duet_timed *timed, double length)
{
    memset(timed->longer, 0, (size_t)timed->tasks * timed->types * sizeof *timed->longer);
    timed->fixed = 0;
    for (size_t r = 0; r < timed->rows; r++) {
        const duet_mixing_row *row = &timed->row[r];
        duet_timed_mix *mix = &timed->mix[r];
        mix->price = fmax(0, mix->price + DUET_TIMED_ROW_SCALE * length * mix->slope);
        if (mix->price <= 0) {
            continue;
        }
        double tick = mix->price / (double)timed->width;
        timed->work += cells_of(timed, row);
        int64_t end = 0;
        int64_t start = timed->guess;
        if (row->from != DUET_MIXING_OUTSIDE) {
            end = duet_timed_span_end(timed, row->from);
            add_span(timed, timed->out, row->from, tick);
        }
        if (row->to != DUET_MIXING_OUTSIDE) {
            start = duet_timed_span_end(timed, row->to);
            add_span(timed, timed->in, row->to, tick);
        }
        timed->fixed += tick * (double)(row->length + end - start);
        for (int32_t i = 0; i < row->items; i++) {
            const duet_mixing_item *item = &row->item[i];
            int64_t least = duet_timed_time(timed, item->task, item->type);
            for (size_t t = 0; t < timed->types; t++) {
                if (duet_timed_time(timed, item->task, t) >= least) {
                    timed->longer[(size_t)item->task * timed->types + t] +=
                        tick * (double)item->more;
                }
            }
        }
    }
}

// The nearest weights that are none below 0 and add up to 1.
static void project(duet_timed *timed)
{
    for (bool again = true; again;) {
        double sum = 0;
        double count = 0;
        for (size_t t = 0; t < timed->types; t++) {
            for (int32_t k = 0; k < timed->cells; k++) {
                double weight = timed->weight[t * timed->stride + (size_t)k];
                sum += weight;
                count += weight > 0 ? 1 : 0;
            }
        }
        double over = count > 0 ? (sum - 1) / count : 0;
        again = false;
        for (size_t t = 0; t < timed->types; t++) {
            for (int32_t k = 0; k < timed->cells; k++) {
                double *weight = &timed->weight[t * timed->stride + (size_t)k];
                if (*weight > 0) {
                    *weight -= over;
                    again = again || *weight < 0;
                    *weight = duet_max(*weight, 0);
                }
            }
        }
    }
}

// Moves an edge's prices, and adds them to what its tasks' edges cost.
static void move_edge(float *restrict price, float *restrict in, float *restrict out,
                      const float *restrict started, const float *restrict ended, int32_t count,
                      float step)
{
    for (int32_t k = 0; k < count; k++) {
        float moved = price[k] + step * (started[k] - ended[k]);
        moved = duet_max(moved, 0);
        price[k] = moved;
        in[k] += moved;
        out[k] += moved;
    }
}

void duet_timed_move(duet_timed *timed, double length)
{
    size_t stride = timed->stride;
    memset(timed->in, 0, 2 * (size_t)timed->tasks * stride * sizeof *timed->in);
    for (size_t e = 0; e < timed->edges && !spend_cells(timed); e++) {
        const duet_timed_edge *edge = &timed->edge[e];
        size_t head = (size_t)edge->head * stride + (size_t)edge->first;
        size_t tail = (size_t)edge->tail * stride + (size_t)edge->first;
        move_edge(timed->price + e * stride + edge->first, timed->in + head, timed->out + tail,
                  timed->has_started + head, timed->has_ended + tail, edge->last - edge->first + 1,
                  (float)length);
        timed->work += edge->last > edge->first ? edge->last - edge->first + 4 : 4;
    }
    move_rows(timed, length);
    for (size_t t = 0; t < timed->types; t++) {
        for (int32_t k = 0; k < timed->cells && length > 0; k++) {
            size_t at = t * stride + (size_t)k;
            timed->weight[at] += length * timed->slope[at];
            timed->weight[at] = duet_max(timed->weight[at], 0);
        }
    }
    if (length > 0) {
        project(timed);
    }
}
