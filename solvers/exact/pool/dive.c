// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/pool/dive.h"

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/cover/cover.h"
#include "solvers/exact/pool/pool_state.h"

// A pattern that was given to a processor.
typedef struct given {
    uint32_t pattern;
    bool chosen; // the solution does not take it wholly: there were others
} given;

typedef struct dive {
    duet_search *search;
    duet_pool *pool;
    size_t type;
    duet_prices *time;    // time alone as price, of each type
    duet_prices *scratch; // the prices of the last relaxation
    double *share;        // of the last relaxation
    duet_residual state;  // the residual problem
    given *given;         // the way down
    size_t depth;
    uint32_t banned[DUET_POOL_MOST_BANNED];
    size_t bans;
} dive;

static bool is_banned(const dive *s, uint32_t pattern)
{
    for (size_t i = 0; i < s->bans; i++) {
        if (s->banned[i] == pattern) {
            return true;
        }
    }
    return false;
}

// Whether a pattern may be given to a processor.
static bool fits(const dive *s, uint32_t pattern)
{
    return s->state.processors[s->type] > 0 && duet_pool_fits(s->pool, pattern, &s->state);
}

// Moves a pattern's tasks out of the residual problem, or (-1) back.
static void move_tasks(dive *s, uint32_t pattern, int sign)
{
    const duet_patterns *all = &s->pool->patterns;
    for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
        size_t c = all->part[p].class;
        int64_t tasks = sign * (int64_t)all->part[p].tasks;
        DUET_ASSERT(s->state.low[0][c] == s->state.high[0][c]);
        int64_t on_cpu = s->state.low[0][c] - (s->type == 0 ? tasks : 0);
        duet_residual_set_pair(&s->state, c, s->state.left[c] - tasks, on_cpu, on_cpu);
        DUET_ASSERT(s->state.left[c] >= 0 && on_cpu >= 0);
    }
    s->state.processors[s->type] -= sign;
    DUET_ASSERT(s->state.processors[s->type] >= 0);
}

static duet_code give(dive *s, uint32_t pattern, bool chosen, duet_error *error)
{
    duet_code code = duet_vec_push(s->given, s->depth, error, (given){pattern, chosen});
    if (code == DUET_OK) {
        move_tasks(s, pattern, 1);
    }
    return code;
}

// Back from a dead end to the last choice, which is banned. Returns whether there is a way.
static bool back(dive *s)
{
    bool chosen = false;
    while (s->bans < DUET_POOL_MOST_BANNED && s->depth > 0 && !chosen) {
        const given *last = &s->given[--s->depth];
        move_tasks(s, last->pattern, -1);
        chosen = last->chosen;
        if (chosen) {
            s->banned[s->bans++] = last->pattern;
        }
    }
    return chosen;
}

// Gives away the patterns that the solution takes nearly wholly.
static duet_code give_whole(dive *s, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < s->pool->columns && code == DUET_OK; i++) {
        uint32_t pattern = s->pool->column[i].pattern;
        double value = duet_lp_value(s->pool->lp, s->pool->column[i].lp_column);
        for (int64_t times = (int64_t)(value + 1 - DUET_POOL_WHOLE);
             times > 0 && code == DUET_OK && fits(s, pattern); times--) {
            code = give(s, pattern, false, error);
        }
    }
    return code;
}

// Gives away one of the patterns that the solution takes most.
static duet_code give_one(dive *s, duet_error *error)
{
    const duet_pool *pool = s->pool;
    double largest = 0;
    for (size_t i = 0; i < pool->columns; i++) {
        double value = duet_lp_value(pool->lp, pool->column[i].lp_column);
        uint32_t pattern = pool->column[i].pattern;
        if (value > largest && fits(s, pattern) && !is_banned(s, pattern)) {
            largest = value;
        }
    }
    size_t chosen = SIZE_MAX;
    int64_t seen = 0;
    for (size_t i = 0; i < pool->columns && largest > 0; i++) {
        double value = duet_lp_value(pool->lp, pool->column[i].lp_column);
        uint32_t pattern = pool->column[i].pattern;
        if (value >= largest / 2 && fits(s, pattern) && !is_banned(s, pattern) &&
            duet_random_between(s->search->random, 0, seen++) == 0) {
            chosen = i;
        }
    }
    return chosen == SIZE_MAX ? DUET_OK : give(s, pool->column[chosen].pattern, true, error);
}

// Whether the residual problem is small enough for an exact cover.
static bool is_short(const dive *s)
{
    size_t left = 0;
    duet_pool *pool = s->pool;
    duet_pool_bar_items(pool, &s->state);
    for (size_t i = duet_pool_begin(pool); i < pool->picks && left <= DUET_POOL_TAIL_FITS; i++) {
        left += duet_pool_allows(pool, pool->pick[i], &s->state);
    }
    return left <= DUET_POOL_TAIL_FITS || s->state.processors[s->type] <= DUET_POOL_TAIL_LEAST;
}

// An exact cover of the processors that remain.
static duet_code cover_tail(dive *s, bool *found, duet_error *error)
{
    duet_search tail = *s->search;
    tail.state = &s->state;
    tail.log = NULL;
    tail.limits.nodes = s->search->stats->nodes + DUET_POOL_TAIL_NODES;
    duet_code code = duet_cover_type(&tail, s->type, s->time, error);
    *found = code == DUET_OK && tail.verdict == DUET_FOUND;
    return code;
}

// The loads of the processors that the dive has given patterns to.
static duet_code push_given(dive *s, duet_error *error)
{
    const duet_patterns *all = &s->pool->patterns;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < s->depth && code == DUET_OK; i++) {
        uint32_t pattern = s->given[i].pattern;
        code = duet_loads_push(s->search->loads, s->type, all->part + all->begin[pattern],
                               all->begin[pattern + 1] - all->begin[pattern], error);
    }
    return code;
}

// Gives patterns away by one relaxation. *dead: there is no way down.
static duet_code step(dive *s, bool *dead, duet_error *error)
{
    size_t depth = s->depth;
    duet_pool_status status;
    duet_code code = duet_pool_relax(s->pool, &s->state, s->scratch, s->share, &status, error);
    *dead = true;
    if (code == DUET_OK && status == DUET_POOL_SOLVED) {
        code = give_whole(s, error);
        if (code == DUET_OK && s->depth == depth) {
            code = give_one(s, error);
        }
        *dead = s->depth == depth;
    }
    return code;
}

static duet_code descend(dive *s, bool *found, duet_error *error)
{
    duet_code code = DUET_OK;
    bool dead = false;
    while (code == DUET_OK && !dead && !duet_context_stop(s->pool->context)) {
        if (is_short(s)) {
            code = cover_tail(s, found, error);
            if (*found) {
                return push_given(s, error);
            }
            dead = true;
        } else {
            code = step(s, &dead, error);
        }
        if (dead && code == DUET_OK) {
            dead = !back(s);
        }
    }
    return code;
}

// Dives from where the master program stands, and leaves it there: the next dive, or node, is far
// from where this one ends.
static duet_code dive_and_return(dive *s, bool *found, duet_error *error)
{
    duet_pool *pool = s->pool;
    duet_pool_position start = {.renewals = 0};
    duet_code code = duet_pool_note(pool, &start, error);
    if (code == DUET_OK) {
        pool->hidden = pool->opened;
        pool->opened = 0;
        code = descend(s, found, error);
        pool->opened = pool->hidden;
        pool->hidden = 0;
        duet_pool_resume(pool, &start);
    }
    duet_pool_position_free(&start);
    return code;
}

duet_code duet_pool_dive(duet_search *search, duet_pool *pool, duet_prices time[2],
                         duet_prices *scratch, bool *found, duet_error *error)
{
    const duet_classes *classes = search->classes;
    dive s = {.search = search, .pool = pool, .type = pool->type, .time = time, .scratch = scratch};
    duet_loads_mark mark = duet_loads_here(search->loads);
    DUET_ASSERT(duet_residual_decided(classes, search->state));
    *found = false;
    s.share = duet_alloc(classes->count, sizeof *s.share, error);
    duet_code code = s.share == NULL ? DUET_E_MEMORY : DUET_OK;
    DUET_THEN(code, duet_residual_create(classes, &s.state, error));
    if (code == DUET_OK) {
        duet_residual_copy(classes, search->state, &s.state);
        code = dive_and_return(&s, found, error);
    }
    if (!*found) {
        duet_loads_rewind(search->loads, mark);
    }
    duet_free(s.share);
    duet_free(s.given);
    duet_residual_free(&s.state);
    return code;
}
