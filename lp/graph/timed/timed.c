// SPDX-License-Identifier: Apache-2.0
// The time-indexed Lagrangian; timed.h has the inequality.
// Method:    Lagrangian relaxation of edges and processors at every tick, with prices that change
//            from cell to cell of a grid. The dual is raised by steps along a running mean of its
//            subgradients, as long as Polyak's rule says for a dual value just above the right
//            side. The first guess begins with few cells and the duals of the linear program, and
//            halves the cells when the steps gain little.
// Guarantee: floating point only proposes. A guess is refuted by a line of integers (line.c).
// Cost:      O(edges x cells) a step, some hundred steps a guess.
// Memory:    for each cell 4 bytes an edge that no path implies, and 32 a task.
// Reference: Pritsker, Watters, Wolfe, "Multiproject scheduling with limited resources: a zero-one
//            programming approach", Management Science 16, 1969, and Christofides, Alvarez-Valdes,
//            Tamarit, "Project scheduling with resource constraints: a branch and bound approach",
//            EJOR 29, 1987, for the relaxation with precedence at every instant; Barahona, Anbil,
//            "The volume algorithm: producing primal solutions with a subgradient method",
//            Mathematical Programming 87, 2000, for steps along means.
#include "lp/graph/timed/timed.h"

#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "lp/graph/timed/state.h"
#include "lp/graph/timed/tuning.h"

static duet_code allocate(duet_timed *timed, duet_error *error)
{
    size_t tasks = (size_t)timed->tasks;
    size_t stride = timed->stride;
    timed->price = duet_alloc(timed->edges * stride + 1, sizeof *timed->price, error);
    timed->in = duet_alloc(4 * tasks * stride, sizeof *timed->in, error);
    timed->weight = duet_alloc((5 * timed->types + 5) * stride, sizeof *timed->weight, error);
    timed->span = duet_alloc(tasks, sizeof *timed->span, error);
    timed->place = duet_alloc(tasks, sizeof *timed->place, error);
    timed->narrowed = duet_alloc_raw(tasks, sizeof *timed->narrowed, error);
    timed->share = duet_alloc(tasks * timed->types, sizeof *timed->share, error);
    timed->longer = duet_alloc(tasks * timed->types, sizeof *timed->longer, error);
    timed->line.tick = duet_alloc(timed->types * stride, sizeof *timed->line.tick, error);
    if (timed->price == NULL || timed->in == NULL || timed->weight == NULL || timed->span == NULL ||
        timed->place == NULL || timed->narrowed == NULL || timed->share == NULL ||
        timed->longer == NULL || timed->line.tick == NULL) {
        return DUET_E_MEMORY;
    }
    timed->out = timed->in + tasks * stride;
    timed->has_started = timed->out + tasks * stride;
    timed->has_ended = timed->has_started + tasks * stride;
    double **rows[] = {&timed->tick, &timed->paid, &timed->used, &timed->slope};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i] = timed->weight + (i + 1) * timed->types * stride;
    }
    timed->after = timed->weight + 5 * timed->types * stride;
    timed->after_tick = timed->after + stride;
    timed->before = timed->after_tick + stride;
    timed->before_tick = timed->before + stride;
    timed->cost = timed->before_tick + stride;
    return DUET_OK;
}

// The mixing rows of a line.
static duet_code take_rows(duet_timed *timed, const duet_interval_line *line, duet_error *error)
{
    timed->rows = line->mixings;
    timed->row = duet_alloc(timed->rows, sizeof *timed->row, error);
    timed->mix = duet_alloc(timed->rows, sizeof *timed->mix, error);
    timed->line.mixing_price = duet_alloc(timed->rows, sizeof *timed->line.mixing_price, error);
    if (timed->row == NULL || timed->mix == NULL || timed->line.mixing_price == NULL) {
        return DUET_E_MEMORY;
    }
    if (timed->rows > 0) {
        memcpy(timed->row, line->mixing, timed->rows * sizeof *timed->row);
    }
    return DUET_OK;
}

duet_code duet_timed_create(const duet_network *network, const duet_context *context, int64_t guess,
                            const duet_interval_line *line, duet_timed **out, duet_error *error)
{
    duet_timed *timed = duet_alloc(1, sizeof *timed, error);
    *out = NULL;
    if (timed == NULL) {
        return DUET_E_MEMORY;
    }
    timed->net = network;
    timed->tasks = network->tasks;
    timed->types = network->instance->types;
    duet_code code = duet_timed_reduce(timed, line->flow, error);
    size_t cells = code == DUET_OK ? DUET_TIMED_PRICES / (timed->edges + 1) : 0;
    cells = duet_max(cells, DUET_TIMED_LEAST_CELLS);
    cells = cells < DUET_TIMED_CELLS_A_TASK * (size_t)timed->tasks
                ? cells
                : DUET_TIMED_CELLS_A_TASK * (size_t)timed->tasks + 1;
    timed->most_cells = duet_min(cells, DUET_TIMED_MOST_CELLS);
    size_t halvings = 0;
    for (timed->level = timed->most_cells; timed->level / 2 >= DUET_TIMED_FIRST_CELLS;
         timed->level /= 2) {
        halvings++;
    }
    timed->most_cells = timed->level << halvings;
    timed->stride = timed->most_cells + 2;
    if (code == DUET_OK) {
        code = duet_memory_check(timed->stride * (timed->edges + (size_t)timed->tasks),
                                 DUET_TIMED_BYTES_A_PRICE + DUET_TIMED_BYTES_A_TASK,
                                 context->memory_limit, "prices over time", error);
    }
    if (code == DUET_OK) {
        code = allocate(timed, error);
    }
    if (code == DUET_OK) {
        code = take_rows(timed, line, error);
    }
    if (code != DUET_OK) {
        duet_timed_free(timed);
        return code;
    }
    duet_timed_begin(timed, guess, line);
    *out = timed;
    return DUET_OK;
}

void duet_timed_free(duet_timed *timed)
{
    if (timed != NULL) {
        duet_free(timed->edge);
        duet_free(timed->price);
        duet_free(timed->in);
        duet_free(timed->weight);
        duet_free(timed->span);
        duet_free(timed->place);
        duet_free(timed->narrowed);
        duet_free(timed->share);
        duet_free(timed->longer);
        duet_free(timed->row);
        duet_free(timed->mix);
        duet_free(timed->line.mixing_price);
        duet_free(timed->line.tick);
        duet_free(timed->line.entry);
        duet_free(timed);
    }
}

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

// Takes the places of a step into the means.
static void mix(duet_timed *timed, double part)
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

// Goes along the means, and adds up what each task's edges cost.
static void move(duet_timed *timed, double length)
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

// --- a guess -------------------------------------------------------------------------------------

static void adapt(duet_timed_ascent *up, double value)
{
    if (value > up->best + DUET_TIMED_LEAST_GAIN) {
        up->patience = 0;
        up->factor = fmin(up->factor * DUET_TIMED_LONGER, DUET_TIMED_LONGEST_STEP);
    } else if (++up->patience >= DUET_TIMED_PATIENCE) {
        up->patience = 0;
        up->factor = up->factor * DUET_TIMED_SHORTER > DUET_TIMED_LEAST_STEP
                         ? up->factor * DUET_TIMED_SHORTER
                         : DUET_TIMED_FIRST_STEP / 10;
    }
    up->best = duet_max(value, up->best);
}

// Of a step by Polyak's rule, what is divided by the squared length of the direction. A value far
// below the best one says little.
static double step_of(const duet_timed_ascent *up, double value)
{
    double goal = fmax(1, up->best) + DUET_TIMED_GOAL_MARGIN;
    return up->factor * DUET_TIMED_RECENT * fmin(goal - value, 2 * (goal - up->best));
}

// Begins on the grid of the level.
static void begin_ascent(duet_timed *timed)
{
    timed->up =
        (duet_timed_ascent){.best = -1, .seen = -1, .factor = DUET_TIMED_FIRST_STEP, .hopeful = 1};
    duet_timed_set_grid(timed, timed->guess, timed->level);
    duet_timed_set_spans(timed);
    move(timed, 0);
}

// Whether the steps no longer seem to lead to a refutation or, where finer cells follow, gain
// little: asked once in a while.
static bool gains_little(duet_timed_ascent *up, bool finer)
{
    if (up->step % DUET_TIMED_LOOK != DUET_TIMED_LOOK - 1) {
        return false;
    }
    double gain = up->best - up->seen;
    up->seen = up->best;
    return gain * (finer ? DUET_TIMED_FINER_HORIZON : DUET_TIMED_HORIZON) < 1 - up->best;
}

// Steps on one grid, from where they paused if they did.
static duet_code climb(duet_timed *timed, bool finer, const duet_context *context,
                       duet_timed_result *result, duet_error *error)
{
    duet_timed_ascent *up = &timed->up;
    duet_code code = DUET_OK;
    if (!timed->paused) {
        begin_ascent(timed);
    }
    timed->paused = false;
    for (; timed->steps > 0 && !duet_context_stop(context); up->step++, timed->steps--) {
        if (timed->work >= timed->work_end) {
            timed->paused = true;
            break;
        }
        double value = duet_timed_place_all(timed);
        if (value > up->hopeful) {
            code = duet_timed_certify(timed, false, result, error);
            up->hopeful = value + 10 * DUET_TIMED_LEAST_GAIN;
        }
        if (*result == DUET_TIMED_REFUTED || code != DUET_OK) {
            break;
        }
        adapt(up, value);
        if (gains_little(up, finer)) {
            break;
        }
        mix(timed, up->step == 0 ? 1 : DUET_TIMED_RECENT);
        double squares = find_slope(timed) + squared_length(timed) + find_violations(timed);
        if (squares <= 0) {
            break; // no prices are better
        }
        move(timed, step_of(up, value) / squares);
    }
    return code;
}

duet_code duet_timed_refute_on(duet_timed *timed, int64_t work, const duet_context *context,
                               duet_timed_result *result, duet_error *error)
{
    duet_code code = DUET_OK;
    *result = DUET_TIMED_NOTHING;
    timed->watch = (duet_watch){.context = context, .left = DUET_WATCH_UNITS};
    timed->work_end = work < INT64_MAX - timed->work ? timed->work + work : INT64_MAX;
    while (code == DUET_OK && *result == DUET_TIMED_NOTHING && timed->steps > 0) {
        bool finer = timed->level < timed->most_cells;
        code = climb(timed, finer, context, result, error);
        if (timed->paused) {
            *result = DUET_TIMED_PAUSED;
            return code;
        }
        if (!finer) {
            break;
        }
        timed->level *= 2;
    }
    if (code == DUET_OK && *result == DUET_TIMED_NOTHING && !duet_context_stop(context)) {
        duet_timed_place_all(timed);
        code = duet_timed_certify(timed, true, result, error);
    }
    return code;
}

// Without paths there are no rows from now on.
static void measure_rows(duet_timed *timed, const duet_mixing *mixing)
{
    timed->rows = mixing == NULL ? 0 : timed->rows;
    for (size_t r = 0; r < timed->rows; r++) {
        duet_mixing_measure(mixing, &timed->row[r]);
    }
}

duet_code duet_timed_refute(duet_timed *timed, int64_t guess, const duet_window *window,
                            const duet_mixing *mixing, const duet_timed_effort *effort,
                            const duet_context *context, duet_timed_result *result,
                            duet_error *error)
{
    DUET_ASSERT(guess > 0);
    timed->window = window;
    timed->watch = (duet_watch){.context = context, .left = DUET_WATCH_UNITS};
    timed->steps = effort->steps;
    timed->paused = false;
    measure_rows(timed, mixing);
    duet_timed_set_grid(timed, guess, timed->level);
    return duet_timed_refute_on(timed, effort->work, context, result, error);
}

bool duet_timed_has_rows(const duet_timed *timed)
{
    return timed->rows > 0;
}

const duet_window_of_task *duet_timed_narrowed(const duet_timed *timed, size_t *count)
{
    *count = timed->narrowed_count;
    return timed->narrowed;
}

const duet_timed_line *duet_timed_line_of(const duet_timed *timed)
{
    return &timed->line;
}

int64_t duet_timed_work(const duet_timed *timed)
{
    return timed->work;
}

double duet_timed_share(const duet_timed *timed, int64_t task, size_t type)
{
    return timed->share[(size_t)task * timed->types + type];
}

double duet_timed_through(const duet_timed *timed, int64_t task)
{
    const duet_timed_span *span = &timed->span[task];
    size_t row = (size_t)task * timed->stride;
    double sum = 0;
    for (int32_t k = span->first; k <= span->last; k++) {
        sum += timed->in[row + (size_t)k] + timed->out[row + (size_t)k];
    }
    return sum;
}
