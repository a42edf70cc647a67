// SPDX-License-Identifier: Apache-2.0
// Strong branching: which branching row to add, or whether to branch on the type of a class's
// tasks.
//
// Method:    the rows that the solution divides most are tried, both sides by some steps of the
//            dual simplex method without new columns; the greatest product of what the program
//            loses decides. Once all types are decided the program mostly loses nothing on either
//            side: then the rows are of two long tasks that are together in a part of the patterns
//            only.
// Cost:      two short linear programs for each of at most eight rows.
// Reference: strong branching: Applegate, Bixby, Chvatal, Cook, "Finding cuts in the TSP", DIMACS
//            Technical Report 95-05, 1995; pairs of tasks: Ryan, Foster, "An integer programming
//            approach to scheduling", Computer Scheduling of Public Transport, North-Holland 1981.
#include <math.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/exact/pool/pool_state.h"

// A branching row that the solution divides: it counts between `most` and 1 more.
typedef struct choice {
    duet_pool_row row;
    int64_t most;
    double key; // how promising it looks
} choice;

// A pattern that the solution takes, and how often.
typedef struct taken {
    uint32_t pattern;
    double value;
} taken;

// The choice of rows to try.
typedef struct selection {
    const duet_pool *pool;
    taken *taken;
    size_t count;
    choice best[DUET_POOL_CHOICES]; // the most promising first
    size_t choices;
} selection;

static duet_code read_solution(selection *s, duet_error *error)
{
    const double least = 1e-9;
    const duet_pool *pool = s->pool;
    s->taken = duet_alloc(pool->columns, sizeof *s->taken, error);
    DUET_NEED(s->taken);
    for (size_t i = 0; i < pool->columns; i++) {
        double value = duet_lp_value(pool->lp, pool->column[i].lp_column);
        if (value > least) {
            s->taken[s->count++] = (taken){pool->column[i].pattern, value};
        }
    }
    return DUET_OK;
}

// How much of a row the solution has.
static double activity(const selection *s, const duet_pool_row *row)
{
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        sum += s->taken[i].value * (double)duet_pool_coefficient(s->pool, row, s->taken[i].pattern);
    }
    return sum;
}

// Whether an open bound leaves one side of a choice alone. The solution may fall short of the
// bound.
static bool is_bounded(const duet_pool *pool, const choice *made)
{
    for (size_t i = 0; i < pool->opened; i++) {
        const duet_pool_bound *open = &pool->open[i];
        bool bounds = open->at_least ? open->bound > made->most : open->bound <= made->most;
        if (bounds && duet_branching_count_same(&pool->row[open->row].count, &made->row.count)) {
            return true;
        }
    }
    return false;
}

static void offer(selection *s, const choice *made)
{
    if (is_bounded(s->pool, made)) {
        return;
    }
    for (size_t i = 0; i < s->choices; i++) {
        if (duet_branching_count_same(&s->best[i].row.count, &made->row.count)) {
            return;
        }
    }
    size_t at = s->choices;
    if (s->choices < DUET_POOL_CHOICES) {
        ++s->choices;
    } else if (s->best[--at].key >= made->key) {
        return;
    }
    for (; at > 0 && s->best[at - 1].key < made->key; at--) {
        s->best[at] = s->best[at - 1];
    }
    s->best[at] = *made;
}

// The rows of tasks of at least `time`. The next shorter tasks should be well below: else one task
// is exchanged for the other at next to no cost.
static void offer_time(selection *s, int64_t time, int64_t shorter)
{
    const duet_pool *pool = s->pool;
    double gap = (double)(time - shorter) / (double)pool->classes->capacity[pool->type];
    uint32_t items = duet_pool_items(pool, time);
    for (int64_t tasks = 0; tasks <= DUET_POOL_COUNTED; tasks++) {
        choice made = {.row = {.count = {tasks, time, {SIZE_MAX, SIZE_MAX}}, .items = items}};
        double sum = activity(s, &made.row);
        made.most = (int64_t)floor(sum);
        double part = fmin(sum - floor(sum), floor(sum) + 1 - sum);
        made.key = part * fmin(gap, DUET_POOL_WIDE_GAP);
        if (part > DUET_POOL_DIVIDED) {
            offer(s, &made);
        }
    }
}

// The rows of each time that live patterns have.
static void offer_times(selection *s)
{
    const duet_pool *pool = s->pool;
    const int64_t *time = pool->classes->time[pool->type];
    int64_t last = INT64_MAX; // time
    for (size_t i = 0; i < pool->items; i++) {
        size_t c = pool->item_class[i]; // the longest first
        if (!pool->class_present[c]) {
            continue;
        }
        DUET_ASSERT(time[c] <= last);
        if (last != INT64_MAX && time[c] < last) {
            offer_time(s, last, time[c]);
        }
        last = time[c];
    }
    if (last != INT64_MAX) {
        offer_time(s, last, 0);
    }
}

// The row of two tasks, each of one of two classes, that are together in a part of the patterns
// only. The longest pair leaves the least choice of what else is with it.
static void offer_pair(selection *s, size_t one, size_t two)
{
    const duet_pool *pool = s->pool;
    const int64_t *time = pool->classes->time[pool->type];
    double length = (double)(time[one] + time[two]) / (double)pool->classes->capacity[pool->type];
    choice made = {.row = {.count = {2, 0, {one, two}}}};
    double sum = activity(s, &made.row);
    made.most = (int64_t)floor(sum + 1e-6);
    double part = fmin(fabs(sum - (double)made.most), (double)made.most + 1 - sum);
    made.key = length * part;
    if (part > 1e-4) {
        offer(s, &made);
    }
}

// The rows of each pair in a pattern that the solution takes in part.
static void offer_pairs(selection *s)
{
    const duet_patterns *all = &s->pool->patterns;
    for (size_t i = 0; i < s->count; i++) {
        size_t begin = all->begin[s->taken[i].pattern];
        size_t end = all->begin[s->taken[i].pattern + 1];
        if (s->taken[i].value > 1 - 1e-4) {
            continue;
        }
        for (size_t p = begin; p < end; p++) {
            for (size_t q = p; q < end; q++) {
                if (q > p || all->part[p].tasks > 1) {
                    offer_pair(s, all->part[p].class, all->part[q].class);
                }
            }
        }
    }
}

// Selects the rows to try. No class is divided at `whole`.
static duet_code select_rows(selection *s, bool whole, duet_error *error)
{
    duet_code code = read_solution(s, error);
    if (code == DUET_OK) {
        if (!s->pool->fitting) {
            offer_times(s);
        }
        if (whole && s->choices == 0) {
            offer_pairs(s);
            s->choices = duet_min(s->choices, DUET_POOL_PAIRS);
        }
    }
    duet_free(s->taken);
    return code;
}

// Where trials start from, and what they are measured by.
typedef struct trial {
    duet_pool *pool;
    duet_lp_position at;
    double saved; // what the solution saves
    double gap;   // a loss of that much refutes the state
} trial;

// How much less the program saves once a row has other bounds, without new columns.
static duet_code try_bounds(const trial *t, size_t lp_row, double low, double high, double *loss,
                            duet_error *error)
{
    duet_pool *pool = t->pool;
    double objective;
    duet_lp_bound_row(pool->lp, lp_row, low, high);
    duet_code code =
        duet_lp_try(pool->lp, pool->fitting ? DUET_POOL_PAIR_STEPS : DUET_POOL_TRIAL_STEPS,
                    pool->context, &objective, error);
    *loss = fmax(0, t->saved + objective); // what cannot be solved promises nothing
    return code;
}

// The product of the losses of both sides. A side that is refuted counts as the whole gap and half
// of it more.
static double score_of(const trial *t, const double loss[2])
{
    const double least = 1e-6;
    return (fmin(loss[0], 1.5 * t->gap) + least * t->gap) *
           (fmin(loss[1], 1.5 * t->gap) + least * t->gap);
}

static duet_code score_row(const trial *t, const choice *made, double *score, duet_error *error)
{
    duet_pool *pool = t->pool;
    size_t rows = duet_lp_rows(pool->lp);
    size_t columns = duet_lp_columns(pool->lp);
    duet_pool_row tried = made->row;
    double loss[2] = {0, 0};
    duet_code code = duet_pool_add_row(pool, &tried, error);
    for (int side = 0; side < 2 && code == DUET_OK; side++) {
        double low = side == 0 ? -INFINITY : (double)made->most + 1;
        double high = side == 0 ? (double)made->most : INFINITY;
        duet_lp_take_position(pool->lp, &t->at);
        code = try_bounds(t, rows, low, high, &loss[side], error);
    }
    duet_lp_cut(pool->lp, rows, columns);
    duet_lp_take_position(pool->lp, &t->at);
    *score = score_of(t, loss);
    *pool->programs += 2;
    return code;
}

// The same for branching on the type of a class's tasks.
static duet_code score_class(const trial *t, const duet_residual *state, size_t class, double share,
                             double *score, duet_error *error)
{
    duet_pool *pool = t->pool;
    size_t row = pool->class_row[class];
    double low = (double)duet_residual_least(state, class, pool->type);
    double high = (double)duet_residual_most(state, class, pool->type);
    double loss[2];
    duet_code code = try_bounds(t, row, low, floor(share), &loss[0], error);
    duet_lp_take_position(pool->lp, &t->at);
    DUET_THEN(code, try_bounds(t, row, floor(share) + 1, high, &loss[1], error));
    if (code == DUET_OK) {
        *score = score_of(t, loss);
    }
    duet_lp_bound_row(pool->lp, row, low, high);
    duet_lp_take_position(pool->lp, &t->at);
    *pool->programs += 2;
    return code;
}

duet_code duet_pool_choose_row(duet_pool *pool, const duet_residual *state, size_t class,
                               double share, duet_pool_division *division, duet_error *error)
{
    selection s = {.pool = pool};
    trial t = {.pool = pool, .saved = -duet_lp_objective(pool->lp)};
    t.gap = fmax(0, t.saved - duet_pool_required_saving(pool, state));
    *division = (duet_pool_division){.found = false};
    duet_code code = select_rows(&s, class == SIZE_MAX, error);
    if (code != DUET_OK || s.choices == 0) {
        return code;
    }
    code = duet_lp_note_position(pool->lp, &t.at, error);
    double most = -1;
    if (code == DUET_OK && class != SIZE_MAX && pool->class_row[class] != SIZE_MAX) {
        code = score_class(&t, state, class, share, &most, error);
    }
    for (size_t i = 0; i < s.choices && code == DUET_OK && !duet_context_stop(pool->context); i++) {
        double score;
        code = score_row(&t, &s.best[i], &score, error);
        if (code == DUET_OK && score > most) {
            most = score;
            *division = (duet_pool_division){
                .found = true, .count = s.best[i].row.count, .most = s.best[i].most};
        }
    }
    duet_lp_position_free(&t.at);
    return code;
}
