// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/pool/dive.h"

#include "core/memory.h"
#include "solvers/exact/pool/state.h"

enum {
    TAIL_FITS = 150,   // patterns that fit: so few are searched
    TAIL_LEAST = 4,    // processors that are searched anyhow
    TAIL_NODES = 3000, // of that search
    MOST_BANNED = 4,   // ways back from dead ends
};

// A pattern that was given to a processor.
typedef struct given {
    uint32_t pattern;
    bool chosen; // the solution does not take it wholly: there were others
} given;

typedef struct dive {
    const duet_classes *classes;
    duet_pool *pool;
    size_t type;
    duet_prices *load;
    const duet_cover_limits *limits;
    duet_random *random;
    const duet_context *context;
    duet_prices *prices;
    double *share;
    duet_loads *loads;
    int64_t *programs;
    duet_cover_stats *stats;
    duet_residual state;
    given *given; // the way down
    size_t depth, room;
    uint32_t banned[MOST_BANNED];
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

// Moves a pattern's tasks out of what is left, or (-1) back.
static void move_tasks(dive *s, uint32_t pattern, int sign)
{
    const duet_patterns *all = &s->pool->patterns;
    for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
        size_t c = all->part[p].class;
        int64_t tasks = sign * (int64_t)all->part[p].tasks;
        s->state.left[c] -= tasks;
        s->state.low[c] -= s->type == 0 ? tasks : 0; // of a decided class
        s->state.high[c] = s->state.low[c];
    }
    s->state.processors[s->type] -= sign;
}

static duet_code give(dive *s, uint32_t pattern, bool chosen, duet_error *error)
{
    duet_code code = duet_grow(&s->given, s->depth, &s->room, sizeof *s->given, error);
    if (code == DUET_OK) {
        s->given[s->depth++] = (given){pattern, chosen};
        move_tasks(s, pattern, 1);
    }
    return code;
}

// Back from a dead end to the last choice, which is banned. Returns whether there is a way.
static bool back(dive *s)
{
    bool chosen = false;
    while (s->bans < MOST_BANNED && s->depth > 0 && !chosen) {
        const given *last = &s->given[--s->depth];
        move_tasks(s, last->pattern, -1);
        chosen = last->chosen;
        if (chosen) {
            s->banned[s->bans++] = last->pattern;
        }
    }
    return chosen;
}

// The patterns that the solution takes nearly wholly.
static duet_code give_whole(dive *s, duet_error *error)
{
    const double nearly = 0.95;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < s->pool->columns && code == DUET_OK; i++) {
        uint32_t pattern = s->pool->column[i].pattern;
        double value = duet_lp_value(s->pool->lp, s->pool->column[i].column);
        for (int64_t times = (int64_t)(value + 1 - nearly);
             times > 0 && code == DUET_OK && fits(s, pattern); times--) {
            code = give(s, pattern, false, error);
        }
    }
    return code;
}

// One of the patterns that the solution takes most.
static duet_code give_one(dive *s, duet_error *error)
{
    const duet_pool *pool = s->pool;
    double largest = 0;
    for (size_t i = 0; i < pool->columns; i++) {
        double value = duet_lp_value(pool->lp, pool->column[i].column);
        uint32_t pattern = pool->column[i].pattern;
        if (value > largest && fits(s, pattern) && !is_banned(s, pattern)) {
            largest = value;
        }
    }
    size_t chosen = SIZE_MAX;
    int64_t seen = 0;
    for (size_t i = 0; i < pool->columns && largest > 0; i++) {
        double value = duet_lp_value(pool->lp, pool->column[i].column);
        uint32_t pattern = pool->column[i].pattern;
        if (value >= largest / 2 && fits(s, pattern) && !is_banned(s, pattern) &&
            duet_random_between(s->random, 0, seen++) == 0) {
            chosen = i;
        }
    }
    return chosen == SIZE_MAX ? DUET_OK : give(s, pool->column[chosen].pattern, true, error);
}

// Whether what is left can be searched.
static bool is_short(const dive *s)
{
    size_t left = 0;
    duet_pool *pool = s->pool;
    duet_pool_close_items(pool, &s->state);
    for (size_t i = duet_pool_begin(pool); i < pool->picks && left <= TAIL_FITS; i++) {
        left += duet_pool_is_open(pool, pool->pick[i], &s->state);
    }
    return left <= TAIL_FITS || s->state.processors[s->type] <= TAIL_LEAST;
}

static duet_code search_tail(dive *s, bool *found, duet_error *error)
{
    duet_cover_limits limits = *s->limits;
    limits.nodes = s->stats->nodes + TAIL_NODES;
    duet_verdict verdict;
    duet_code code = duet_cover_side(s->classes, &s->state, s->type, s->load, &limits, s->random,
                                     s->context, NULL, s->loads, s->stats, &verdict, error);
    *found = code == DUET_OK && verdict == DUET_FOUND;
    return code;
}

// The loads of all processors, once the last ones are found.
static duet_code push_given(dive *s, duet_error *error)
{
    const duet_patterns *all = &s->pool->patterns;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < s->depth && code == DUET_OK; i++) {
        uint32_t pattern = s->given[i].pattern;
        code = duet_loads_push(s->loads, s->type, all->part + all->begin[pattern],
                               all->begin[pattern + 1] - all->begin[pattern], error);
    }
    return code;
}

// Gives patterns away by one relaxation. *dead: there is no way down.
static duet_code step(dive *s, bool *dead, duet_error *error)
{
    bool refuted;
    bool any;
    size_t depth = s->depth;
    duet_code code = duet_pool_relax(s->pool, &s->state, s->context, s->prices, &refuted, &any,
                                     s->share, s->programs, error);
    *dead = true;
    if (code == DUET_OK && !refuted && any) {
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
    while (code == DUET_OK && !dead && !duet_context_stop(s->context)) {
        if (is_short(s)) {
            code = search_tail(s, found, error);
            if (*found) {
                return code == DUET_OK ? push_given(s, error) : code;
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

duet_code duet_pool_dive(const duet_classes *classes, duet_pool *pool, const duet_residual *from,
                         duet_prices load[2], const duet_cover_limits *limits, duet_random *random,
                         const duet_context *context, duet_prices *scratch, duet_loads *loads,
                         int64_t *programs, duet_cover_stats *stats, bool *found, duet_error *error)
{
    dive s = {.classes = classes,
              .pool = pool,
              .type = pool->type,
              .load = load,
              .limits = limits,
              .random = random,
              .context = context,
              .prices = scratch,
              .loads = loads,
              .programs = programs,
              .stats = stats};
    size_t begin = loads->loads;
    size_t parts = loads->parts;
    *found = false;
    s.share = duet_alloc(classes->count, sizeof *s.share, error);
    duet_code code = s.share == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        code = duet_residual_create(classes, &s.state, error);
    }
    duet_pool_position start = {.renewals = 0};
    if (code == DUET_OK) {
        code = duet_pool_note(pool, &start, error);
    }
    if (code == DUET_OK) {
        duet_residual_copy(classes, from, &s.state);
        pool->hidden = pool->opened;
        pool->opened = 0;
        code = descend(&s, found, error);
        pool->opened = pool->hidden;
        pool->hidden = 0;
        duet_pool_resume(pool, &start); // the next dive, or node, is far from where this one ended
    }
    duet_pool_position_free(&start);
    if (!*found) {
        loads->loads = begin;
        loads->parts = parts;
    }
    duet_free(s.share);
    duet_free(s.given);
    duet_residual_free(&s.state);
    return code;
}
