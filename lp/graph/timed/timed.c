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
#include "core/system/try.h"
#include "lp/graph/timed/timed_state.h"
#include "lp/graph/timed/tuning.h"

// A cell takes four bytes an edge, and 32 a task with those of its line.
enum { BYTES = 36 };

static duet_code allocate(duet_timed *timed, duet_error *error)
{
    size_t tasks = (size_t)timed->tasks;
    size_t stride = timed->stride;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(timed->price, timed->edges * stride + 1),
        DUET_ARENA_ARRAY(timed->in, 4 * tasks * stride),
        DUET_ARENA_ARRAY(timed->weight, (5 * timed->types + 5) * stride),
        DUET_ARENA_ARRAY(timed->span, tasks),
        DUET_ARENA_ARRAY(timed->place, tasks),
        DUET_ARENA_ARRAY(timed->narrowed, tasks),
        DUET_ARENA_ARRAY(timed->share, tasks * timed->types),
        DUET_ARENA_ARRAY(timed->longer, tasks * timed->types),
        DUET_ARENA_ARRAY(timed->line.tick, timed->types * stride)};
    DUET_TRY(duet_arena_create(&timed->arena, arrays, sizeof arrays / sizeof *arrays, error));
    timed->out = timed->in + tasks * stride;
    timed->has_started = timed->out + tasks * stride;
    timed->has_ended = timed->has_started + tasks * stride;
    double **rows[] = {&timed->tick, &timed->paid, &timed->used, &timed->slope};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i] = timed->weight + (i + 1) * timed->types * stride;
    }
    timed->in_from = timed->weight + 5 * timed->types * stride;
    timed->in_tick = timed->in_from + stride;
    timed->out_from = timed->in_tick + stride;
    timed->out_tick = timed->out_from + stride;
    timed->cost = timed->out_tick + stride;
    return DUET_OK;
}

// The mixing rows of a line.
static duet_code take_rows(duet_timed *timed, const duet_interval_line *line, duet_error *error)
{
    timed->rows = line->mixings;
    timed->row = duet_alloc(timed->rows, sizeof *timed->row, error);
    timed->mix = duet_alloc(timed->rows, sizeof *timed->mix, error);
    timed->line.mixing_price = duet_alloc(timed->rows, sizeof *timed->line.mixing_price, error);
    DUET_NEED(timed->row != NULL && timed->mix != NULL && timed->line.mixing_price != NULL);
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
    DUET_NEED(timed);
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
    for (timed->grid_limit = timed->most_cells; timed->grid_limit / 2 >= DUET_TIMED_FIRST_CELLS;
         timed->grid_limit /= 2) {
        halvings++;
    }
    timed->most_cells = timed->grid_limit << halvings;
    timed->stride = timed->most_cells + 2;
    DUET_THEN(code, duet_memory_check(timed->stride * (timed->edges + (size_t)timed->tasks), BYTES,
                                      context->memory_limit, "prices over time", error));
    DUET_THEN(code, allocate(timed, error));
    DUET_THEN(code, take_rows(timed, line, error));
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
        duet_arena_free(&timed->arena);
        duet_free(timed->row);
        duet_free(timed->mix);
        duet_free(timed->line.mixing_price);
        duet_free(timed->line.entry);
        duet_free(timed);
    }
}

// --- a guess -------------------------------------------------------------------------------------

static void adapt(duet_timed_ascent *up, double value)
{
    if (value > up->best + DUET_TIMED_LEAST_GAIN) {
        up->stalled = 0;
        up->factor = fmin(up->factor * DUET_TIMED_LONGER, DUET_TIMED_LONGEST_STEP);
    } else if (++up->stalled >= DUET_TIMED_PATIENCE) {
        up->stalled = 0;
        up->factor *= DUET_TIMED_SHORTER;
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

// Begins on the grid of the present limit.
static void begin_ascent(duet_timed *timed)
{
    timed->up = (duet_timed_ascent){
        .best = -1, .checked = -1, .factor = DUET_TIMED_FIRST_STEP, .try_above = 1};
    duet_timed_set_grid(timed, timed->guess, timed->grid_limit);
    duet_timed_set_spans(timed);
    duet_timed_move(timed, 0);
}

// Whether the steps no longer seem to lead to a refutation or, where finer cells follow, gain
// little: asked once in a while.
static bool gains_little(duet_timed_ascent *up, bool finer)
{
    if (up->step % DUET_TIMED_LOOK != DUET_TIMED_LOOK - 1) {
        return false;
    }
    double gain = up->best - up->checked;
    up->checked = up->best;
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
    for (; timed->steps_left > 0 && !duet_context_stop(context); up->step++, timed->steps_left--) {
        if (timed->work >= timed->work_end) {
            timed->paused = true;
            break;
        }
        double value = duet_timed_place_all(timed);
        if (value > up->try_above) {
            code = duet_timed_certify(timed, false, result, error);
            up->try_above = value + 10 * DUET_TIMED_LEAST_GAIN;
        }
        if (*result == DUET_TIMED_REFUTED || code != DUET_OK) {
            break;
        }
        adapt(up, value);
        if (gains_little(up, finer)) {
            break;
        }
        duet_timed_average(timed, up->step == 0 ? 1 : DUET_TIMED_RECENT);
        double squares = duet_timed_find_direction(timed);
        if (squares <= 0) {
            break; // no prices are better
        }
        duet_timed_move(timed, step_of(up, value) / squares);
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
    while (code == DUET_OK && *result == DUET_TIMED_NOTHING && timed->steps_left > 0) {
        bool finer = timed->grid_limit < timed->most_cells;
        code = climb(timed, finer, context, result, error);
        if (timed->paused) {
            *result = DUET_TIMED_PAUSED;
            return code;
        }
        if (!finer) {
            break;
        }
        timed->grid_limit *= 2;
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
    timed->steps_left = effort->steps;
    timed->paused = false;
    measure_rows(timed, mixing);
    duet_timed_set_grid(timed, guess, timed->grid_limit);
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
