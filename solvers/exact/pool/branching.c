// SPDX-License-Identifier: Apache-2.0
// What to branch on: what the solution counts of the patterns, or the type of a class's tasks.
//
// Method:    the most divided counts are tried, both sides by some steps of the dual simplex method
//            without new columns; the greatest product of what the program loses decides. Once all
//            types are decided the program mostly loses nothing on either side: then it is two long
//            tasks that are together in a part of the patterns only.
// Reference: strong branching: Applegate, Bixby, Chvatal, Cook, "Finding cuts in the TSP", DIMACS
//            Technical Report 95-05, 1995; pairs of tasks: Ryan, Foster, "An integer programming
//            approach to scheduling", Computer Scheduling of Public Transport, North-Holland 1981.
#include <math.h>

#include "core/memory.h"
#include "solvers/exact/pool/state.h"

enum {
    CHOICES = 8,      // that are tried
    PAIRS = 4,        // the same, once all types are decided
    TRIAL_STEPS = 30, // of the dual simplex method
    PAIR_STEPS = 10,  // the same for a pair
};

// A count that is so far from a whole number is branched on.
static const double DIVIDED = 0.05;

// A property that the solution divides.
typedef struct choice {
    duet_pool_row property;
    int64_t most;
    double key; // how promising it looks
} choice;

// What the solution takes, and how often.
typedef struct support {
    uint32_t pattern;
    double value;
} support;

static duet_code read_support(duet_pool *pool, support **out, size_t *count, duet_error *error)
{
    const double least = 1e-9;
    *count = 0;
    *out = duet_alloc(pool->columns, sizeof **out, error);
    if (*out == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < pool->columns; i++) {
        double value = duet_lp_value(pool->lp, pool->column[i].column);
        if (value > least) {
            (*out)[(*count)++] = (support){pool->column[i].pattern, value};
        }
    }
    return DUET_OK;
}

// Whether a bound that is open leaves one side of a choice alone. The solution may fall short of
// it.
static bool is_bounded(const duet_pool *pool, const choice *made)
{
    for (size_t i = 0; i < pool->opened; i++) {
        const duet_pool_bound *open = &pool->open[i];
        bool bounds = open->at_least ? open->bound > made->most : open->bound <= made->most;
        if (bounds &&
            duet_pool_same(&pool->property[open->property].count, &made->property.count)) {
            return true;
        }
    }
    return false;
}

// The best choices so far, the most promising first.
static void offer(const duet_pool *pool, choice *best, size_t *choices, const choice *made)
{
    if (is_bounded(pool, made)) {
        return;
    }
    for (size_t i = 0; i < *choices; i++) {
        if (duet_pool_same(&best[i].property.count, &made->property.count)) {
            return;
        }
    }
    size_t at = *choices;
    if (*choices < CHOICES) {
        ++*choices;
    } else if (best[--at].key >= made->key) {
        return;
    }
    for (; at > 0 && best[at - 1].key < made->key; at--) {
        best[at] = best[at - 1];
    }
    best[at] = *made;
}

// The properties of tasks at least as long as a class, which the next shorter ones that are listed
// are well below: else one is exchanged for the other at next to no cost.
static void offer_class(const duet_pool *pool, const support *taken, size_t count, int64_t time,
                        int64_t shorter, choice *best, size_t *choices)
{
    enum { tasks_most = 6 };
    const double wide = 0.05; // of the capacity
    double gap = (double)(time - shorter) / (double)pool->classes->capacity[pool->type];
    uint32_t items = duet_pool_items(pool, time);
    for (int64_t tasks = 0; tasks <= tasks_most; tasks++) {
        choice made = {.property = {.count = {tasks, time, {SIZE_MAX, SIZE_MAX}}, .items = items}};
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum +=
                taken[i].value * (double)duet_pool_counted(pool, &made.property, taken[i].pattern);
        }
        made.most = (int64_t)floor(sum);
        double part = fmin(sum - floor(sum), floor(sum) + 1 - sum);
        made.key = part * fmin(gap, wide);
        if (part > DIVIDED) {
            offer(pool, best, choices, &made);
        }
    }
}

static void list_choices(const duet_pool *pool, const support *taken, size_t count, choice *best,
                         size_t *choices)
{
    *choices = 0;
    const int64_t *time = pool->classes->time[pool->type];
    int64_t last = INT64_MAX; // time
    for (size_t i = 0; i < pool->items; i++) {
        size_t c = pool->item_class[i]; // the longest first
        if (!pool->listed[c]) {
            continue;
        }
        if (last != INT64_MAX && time[c] < last) {
            offer_class(pool, taken, count, last, time[c], best, choices);
        }
        last = time[c];
    }
    if (last != INT64_MAX) {
        offer_class(pool, taken, count, last, 0, best, choices);
    }
}

// Two tasks, each of one of two classes, that are together in a part of the patterns only. The
// longest leave the least choice of what else is with them.
static void offer_pair(const duet_pool *pool, const support *taken, size_t count, size_t one,
                       size_t two, choice *best, size_t *choices)
{
    const int64_t *time = pool->classes->time[pool->type];
    double guess = (double)(time[one] + time[two]) / (double)pool->classes->capacity[pool->type];
    choice made = {.property = {.count = {2, 0, {one, two}}}};
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += taken[i].value * (double)duet_pool_counted(pool, &made.property, taken[i].pattern);
    }
    made.most = (int64_t)floor(sum + 1e-6);
    double part = fmin(fabs(sum - (double)made.most), (double)made.most + 1 - sum);
    made.key = guess * part;
    if (part > 1e-4) {
        offer(pool, best, choices, &made);
    }
}

static void list_pairs(const duet_pool *pool, const support *taken, size_t count, choice *best,
                       size_t *choices)
{
    const duet_patterns *all = &pool->patterns;
    for (size_t i = 0; i < count; i++) {
        size_t begin = all->begin[taken[i].pattern];
        size_t end = all->begin[taken[i].pattern + 1];
        if (taken[i].value > 1 - 1e-4) {
            continue;
        }
        for (size_t p = begin; p < end; p++) {
            for (size_t q = p; q < end; q++) {
                if (q > p || all->part[p].tasks > 1) {
                    offer_pair(pool, taken, count, all->part[p].class, all->part[q].class, best,
                               choices);
                }
            }
        }
    }
}

// How much less the program saves once a property is bounded, without new columns.
static duet_code try_bound(duet_pool *pool, size_t row, double low, double high, double saved,
                           const duet_context *context, double *loss, duet_error *error)
{
    double objective;
    duet_lp_bound_row(pool->lp, row, low, high);
    duet_code code =
        duet_lp_try(pool->lp, pool->fitting ? PAIR_STEPS : TRIAL_STEPS, context, &objective, error);
    *loss = fmax(0, saved + objective); // what cannot be solved promises nothing
    return code;
}

// How much a choice lifts both sides, as a product; sides that end at once count as the whole gap
// and half of it more.
static duet_code judge(duet_pool *pool, const choice *made, const duet_lp_position *at,
                       double saved, double gap, const duet_context *context, double *score,
                       duet_error *error)
{
    const double least = 1e-6;
    size_t rows = duet_lp_rows(pool->lp);
    size_t columns = duet_lp_columns(pool->lp);
    duet_pool_row tried = made->property;
    double loss[2] = {0, 0};
    duet_code code = duet_pool_add_property(pool, &tried, error);
    for (int side = 0; side < 2 && code == DUET_OK; side++) {
        duet_lp_take_position(pool->lp, at);
        code = side == 0 ? try_bound(pool, rows, -INFINITY, (double)made->most, saved, context,
                                     &loss[side], error)
                         : try_bound(pool, rows, (double)made->most + 1, INFINITY, saved, context,
                                     &loss[side], error);
        loss[side] = fmin(loss[side], 1.5 * gap);
    }
    duet_lp_cut(pool->lp, rows, columns);
    duet_lp_take_position(pool->lp, at);
    *score = (loss[0] + least * gap) * (loss[1] + least * gap);
    return code;
}

// The same of the type of a class's tasks.
static duet_code judge_class(duet_pool *pool, const duet_residual *state, size_t class,
                             double share, const duet_lp_position *at, double saved, double gap,
                             const duet_context *context, double *score, duet_error *error)
{
    const double least = 1e-6;
    size_t row = pool->row[class];
    double low = (double)duet_residual_least(state, class, pool->type);
    double high = (double)duet_residual_most(state, class, pool->type);
    double loss[2];
    duet_code code = try_bound(pool, row, low, floor(share), saved, context, &loss[0], error);
    duet_lp_take_position(pool->lp, at);
    if (code == DUET_OK) {
        code = try_bound(pool, row, floor(share) + 1, high, saved, context, &loss[1], error);
    }
    if (code == DUET_OK) {
        *score =
            (fmin(loss[0], 1.5 * gap) + least * gap) * (fmin(loss[1], 1.5 * gap) + least * gap);
    }
    duet_lp_bound_row(pool->lp, row, low, high);
    duet_lp_take_position(pool->lp, at);
    return code;
}

duet_code duet_pool_divided(duet_pool *pool, const duet_residual *state,
                            const duet_context *context, size_t class, double share,
                            duet_branching_count *count, int64_t *most, bool *divided,
                            int64_t *programs, duet_error *error)
{
    choice best[CHOICES];
    size_t choices = 0;
    support *taken = NULL;
    size_t count_taken = 0;
    *divided = false;
    double saved = -duet_lp_objective(pool->lp);
    double gap = fmax(0, saved - duet_pool_wanted(pool, state));
    duet_code code = read_support(pool, &taken, &count_taken, error);
    if (code == DUET_OK) {
        if (!pool->fitting) {
            list_choices(pool, taken, count_taken, best, &choices);
        }
        if (class == SIZE_MAX && choices == 0) {
            list_pairs(pool, taken, count_taken, best, &choices);
            choices = choices < PAIRS ? choices : PAIRS;
        }
    }
    duet_free(taken);
    duet_lp_position at = {.row = NULL};
    if (code == DUET_OK && choices > 0) {
        code = duet_lp_note_position(pool->lp, &at, error);
    }
    double most_score = -1;
    if (code == DUET_OK && choices > 0 && class != SIZE_MAX && pool->row[class] != SIZE_MAX) {
        code = judge_class(pool, state, class, share, &at, saved, gap, context, &most_score, error);
        *programs += 2;
    }
    for (size_t i = 0; i < choices && code == DUET_OK && !duet_context_stop(context); i++) {
        double score;
        code = judge(pool, &best[i], &at, saved, gap, context, &score, error);
        *programs += 2;
        if (code == DUET_OK && score > most_score) {
            most_score = score;
            *count = best[i].property.count;
            *most = best[i].most;
            *divided = true;
        }
    }
    duet_lp_position_free(&at);
    return code;
}
