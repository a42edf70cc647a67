// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/dive.h"

#include <stdlib.h>

#include "core/instance/order.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/engine/processors.h"
#include "lp/configuration/configuration.h"
#include "lp/configuration/pricing.h"
#include "solvers/exact/cover/cover.h"
#include "solvers/exact/tuning.h"

typedef struct dive {
    duet_search *search;
    const duet_classes *classes; // of the search
    duet_residual state;         // what the processors that have a load leave
    duet_prices prices;          // of the last relaxation
    duet_pattern_part *part;     // of one processor, room for every class
    bool bold;                   // takes other patterns than the first of all
    bool priced;                 // there are prices
    bool hope;                   // nothing says yet that there is no schedule further down
} dive;

static int64_t processors_left(const dive *s)
{
    return (s->search->divisible[0] ? 0 : s->state.processors[0]) +
           (s->search->divisible[1] ? 0 : s->state.processors[1]);
}

static void take_tasks(dive *s, size_t type, size_t class, int64_t tasks)
{
    duet_residual_take(&s->state, class, type, tasks);
}

// How many parts of a pattern are still to be had; in *missing, whether some of its tasks are not.
static size_t cut_pattern(const dive *s, const duet_configuration_pattern *pattern, bool *missing)
{
    size_t parts = 0;
    *missing = false;
    for (size_t p = 0; p < pattern->parts; p++) {
        size_t class = pattern->part[p].class;
        int64_t most = duet_residual_most(&s->state, class, pattern->type);
        int64_t tasks = duet_min(pattern->part[p].tasks, most);
        *missing = *missing || tasks < pattern->part[p].tasks;
        if (tasks > 0) {
            s->part[parts++] = (duet_pattern_part){(uint32_t) class, (uint32_t)tasks};
        }
    }
    return parts;
}

// The class with the highest price of those that a processor has room for and has none of yet;
// SIZE_MAX: none.
static size_t dearest(const dive *s, size_t type, int64_t room, size_t parts)
{
    size_t best = SIZE_MAX;
    for (size_t c = 0; c < s->classes->count; c++) {
        if (duet_residual_most(&s->state, c, type) == 0 || s->classes->time[type][c] > room) {
            continue;
        }
        bool has = false;
        for (size_t p = 0; p < parts && !has; p++) {
            has = s->part[p].class == c;
        }
        if (!has && (best == SIZE_MAX || s->prices.price[type][c] > s->prices.price[type][best])) {
            best = c;
        }
    }
    return best;
}

// No processor of a type is left: its tasks are the other one's, if that can run them.
static void close_type(dive *s, size_t type)
{
    duet_residual *state = &s->state;
    for (size_t c = 0; c < s->classes->count; c++) {
        if (duet_residual_least(state, c, type) == 0) {
            duet_residual_limit(state, c, type, 0, 0);
        }
    }
}

// Gives a processor the parts there are, and what else it has room for.
static duet_code give(dive *s, size_t type, size_t parts, bool fill, duet_error *error)
{
    int64_t room = s->classes->capacity[type];
    for (size_t p = 0; p < parts; p++) {
        room -= s->classes->time[type][s->part[p].class] * s->part[p].tasks;
        take_tasks(s, type, s->part[p].class, s->part[p].tasks);
    }
    for (size_t class = 0; fill;) {
        class = dearest(s, type, room, parts);
        if (class == SIZE_MAX) {
            break;
        }
        int64_t time = s->classes->time[type][class];
        int64_t most = duet_residual_most(&s->state, class, type);
        int64_t tasks = duet_min(most, room / time);
        s->part[parts++] = (duet_pattern_part){(uint32_t) class, (uint32_t)tasks};
        take_tasks(s, type, class, tasks);
        room -= tasks * time;
    }
    DUET_ASSERT(room >= 0 && s->state.processors[type] > 0);
    s->state.processors[type]--;
    if (s->state.processors[type] == 0) {
        close_type(s, type);
    }
    return duet_loads_push(s->search->loads, type, s->part, parts, error);
}

// Gives away the patterns that the solution takes at least `least` times, as often as it takes
// them. Returns in *given how many.
static duet_code give_whole(dive *s, const duet_configuration *program, double least, size_t *given,
                            duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < duet_configuration_patterns(program) && code == DUET_OK; i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(program, i);
        int64_t times = (int64_t)(pattern.value + (1 - least));
        for (; times > 0 && s->state.processors[pattern.type] > 0 && code == DUET_OK; times--) {
            bool missing;
            size_t parts = cut_pattern(s, &pattern, &missing);
            if (missing || (s->hope && processors_left(s) <= DUET_DIVE_TAIL)) {
                break;
            }
            code = give(s, pattern.type, parts, false, error);
            *given += 1;
        }
    }
    return code;
}

// Gives away one pattern of which the solution takes a part: the largest, or any of the large ones.
static duet_code give_one(dive *s, const duet_configuration *program, size_t *given,
                          duet_error *error)
{
    double largest = 0;
    size_t chosen = SIZE_MAX;
    size_t count = duet_configuration_patterns(program);
    for (size_t i = 0; i < count; i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(program, i);
        if (pattern.value > largest && s->state.processors[pattern.type] > 0) {
            largest = pattern.value;
            chosen = i;
        }
    }
    int64_t seen = 0;
    for (size_t i = 0; i < count && s->bold; i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(program, i);
        if (pattern.value >= largest / 2 && largest > 0 && s->state.processors[pattern.type] > 0 &&
            duet_random_between(s->search->random, 0, seen++) == 0) {
            chosen = i;
        }
    }
    if (chosen == SIZE_MAX) {
        return DUET_OK;
    }
    duet_configuration_pattern pattern = duet_configuration_pattern_at(program, chosen);
    bool missing;
    size_t parts = cut_pattern(s, &pattern, &missing);
    *given += 1;
    return give(s, pattern.type, parts, missing, error);
}

// One relaxation of the residual problem, and the processors that it fills. *given == 0: there is
// no way down.
static duet_code step(dive *s, size_t *given, duet_error *error)
{
    const double nearly = s->bold ? DUET_DIVE_BOLD_WHOLE : DUET_DIVE_WHOLE;
    duet_configuration *program = NULL;
    duet_configuration_answer answer = {.any = false};
    *given = 0;
    duet_code code = duet_configuration_create(s->classes, &s->state, s->search->divisible,
                                               s->search->store, NULL, &program, error);
    if (code == DUET_OK) {
        code = duet_configuration_solve(program, DUET_DIVE_STEP_ROUNDS, s->search->context,
                                        &s->prices, &answer, error);
        s->search->stats->programs += answer.iterations;
    }
    s->hope = s->hope && !answer.refuted;
    s->priced = s->priced || answer.any;
    bool on = code == DUET_OK && duet_configuration_patterns(program) > 0 &&
              !duet_context_stop(s->search->context);
    if (code == DUET_OK && on && s->hope && processors_left(s) <= DUET_DIVE_TAIL) {
        *given = 1; // only the prices are wanted
    } else if (code == DUET_OK && on && processors_left(s) > 0) {
        code = give_whole(s, program, nearly, given, error);
        if (code == DUET_OK && *given == 0) {
            code = give_one(s, program, given, error);
        }
    }
    duet_configuration_free(program);
    return code;
}

// The processors that are left.
static duet_code search_tail(dive *s, bool *found, duet_error *error)
{
    duet_search tail = *s->search;
    tail.state = &s->state;
    tail.log = NULL;
    tail.limits.nodes = s->search->stats->nodes + DUET_DIVE_TAIL_NODES;
    if (tail.limits.patterns > DUET_DIVE_TAIL_PATTERNS) {
        tail.limits.patterns = DUET_DIVE_TAIL_PATTERNS;
    }
    duet_code code = duet_cover_search(&tail, &s->prices, error);
    *found = code == DUET_OK && tail.verdict == DUET_FOUND;
    return code;
}

// A task that went to a processor beside its pattern.
typedef struct extra {
    size_t next; // of the same load; SIZE_MAX: there is none
    uint32_t class;
} extra;

// What completes the loads of a dive that ended without a schedule.
typedef struct completion {
    duet_processors pool[2]; // the processors of a type; their indices count the loads of all
    size_t *first;           // extra of each load
    extra *task;
    size_t tasks;
} completion;

// The processors that the dive gave nothing have an empty load, as many as there are tasks for.
static duet_code add_empty(dive *s, duet_error *error)
{
    int64_t left = 0;
    for (size_t c = 0; c < s->classes->count; c++) {
        left += s->state.left[c];
    }
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2; t++) {
        int64_t empty = duet_min(s->state.processors[t], left);
        for (int64_t i = 0; i < empty && code == DUET_OK; i++) {
            code = duet_loads_push(s->search->loads, t, NULL, 0, error);
        }
    }
    return code;
}

static int by_end(const void *a, const void *b)
{
    const duet_processor *x = a;
    const duet_processor *y = b;
    if (x->load != y->load) {
        return x->load < y->load ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

// The loads as heaps by their ends.
static duet_code create_completion(dive *s, completion *c, duet_error *error)
{
    size_t loads = s->search->loads->loads;
    c->first = duet_alloc(loads, sizeof *c->first, error);
    for (size_t t = 0; t < 2; t++) {
        c->pool[t].heap = duet_alloc(loads, sizeof *c->pool[t].heap, error);
        c->pool[t].type = (int32_t)t;
    }
    DUET_NEED(c->first != NULL && c->pool[0].heap != NULL && c->pool[1].heap != NULL);
    for (size_t l = 0; l < loads; l++) {
        int64_t end = (int64_t)duet_load_end(s->classes, s->search->loads, l);
        duet_processors *pool = &c->pool[s->search->loads->load[l].type == 0 ? 0 : 1];
        pool->heap[pool->count++] = (duet_processor){end, (int32_t)l};
        c->first[l] = SIZE_MAX;
    }
    for (size_t t = 0; t < 2; t++) {
        qsort(c->pool[t].heap, c->pool[t].count, sizeof *c->pool[t].heap,
              by_end); // in order: a heap
    }
    return DUET_OK;
}

static void free_completion(completion *c)
{
    duet_free(c->pool[0].heap);
    duet_free(c->pool[1].heap);
    duet_free(c->first);
    duet_free(c->task);
}

// Puts a task where it ends first.
static duet_code put(dive *s, completion *c, size_t class, duet_error *error)
{
    size_t best = SIZE_MAX;
    int64_t soonest = INT64_MAX;
    for (size_t t = 0; t < 2; t++) {
        if (!duet_class_fits(s->classes, class, t) || c->pool[t].count == 0) {
            continue;
        }
        int64_t end = duet_processors_least(&c->pool[t]) + s->classes->time[t][class];
        if (end < soonest) {
            soonest = end;
            best = t;
        }
    }
    if (best == SIZE_MAX) {
        return duet_error_set(error, DUET_E_INTERNAL, "exact: a task that no processor can run");
    }
    duet_code code = duet_vec_grow(c->task, c->tasks, error);
    if (code == DUET_OK) {
        duet_placement placed;
        duet_processors_start(&c->pool[best], s->classes->time[best][class], &placed);
        c->task[c->tasks] = (extra){c->first[placed.processor], (uint32_t) class};
        c->first[placed.processor] = c->tasks++;
    }
    return code;
}

// The tasks that are left, longest first.
static duet_code put_all(dive *s, completion *c, duet_error *error)
{
    duet_ordered *order = duet_alloc(s->classes->count, sizeof *order, error);
    DUET_NEED(order);
    for (size_t class = 0; class < s->classes->count; class ++) {
        int64_t shortest = INT64_MAX;
        for (size_t t = 0; t < 2; t++) {
            int64_t time = s->classes->time[t][class];
            bool fits = duet_class_fits(s->classes, class, t);
            shortest = fits && time < shortest ? time : shortest;
        }
        order[class] = (duet_ordered){(uint64_t)shortest, class};
    }
    duet_code code = duet_order_by_key(order, s->classes->count, error);
    for (size_t i = 0; i < s->classes->count; i++) {
        for (int64_t j = 0; j < s->state.left[order[i].kind] && code == DUET_OK; j++) {
            code = put(s, c, order[i].kind, error);
        }
    }
    duet_free(order);
    return code;
}

// The loads anew, with the tasks that were put beside the patterns.
static duet_code rebuild(dive *s, const completion *c, duet_error *error)
{
    duet_loads all = {.loads = 0};
    duet_code code = DUET_OK;
    for (size_t l = 0; l < s->search->loads->loads && code == DUET_OK; l++) {
        const duet_load *load = &s->search->loads->load[l];
        const duet_pattern_part *part =
            load->parts == 0 ? NULL : s->search->loads->part + load->begin;
        code = duet_loads_push(&all, load->type, part, load->parts, error);
        for (size_t i = c->first[l]; i != SIZE_MAX && code == DUET_OK; i = c->task[i].next) {
            code = duet_loads_add(&all, c->task[i].class, error);
        }
    }
    if (code == DUET_OK) {
        duet_loads old = *s->search->loads;
        *s->search->loads = all;
        all = old;
    }
    duet_loads_free(&all);
    return code;
}

// A schedule longer than the guess from what the dive got to.
static duet_code complete(dive *s, duet_error *error)
{
    completion c = {.tasks = 0};
    duet_code code = add_empty(s, error);
    DUET_THEN(code, create_completion(s, &c, error));
    DUET_THEN(code, put_all(s, &c, error));
    DUET_THEN(code, rebuild(s, &c, error));
    free_completion(&c);
    return code;
}

static duet_code run(dive *s, bool *found, duet_error *error)
{
    duet_code code = duet_residual_create(s->classes, &s->state, error);
    if (code == DUET_OK) {
        duet_residual_copy(s->classes, s->search->state, &s->state);
    }
    size_t given = 1;
    bool tail = false;
    while (code == DUET_OK && given > 0 && !tail) {
        tail = s->hope && processors_left(s) <= DUET_DIVE_TAIL;
        code = step(s, &given, error);
    }
    if (code == DUET_OK && s->hope && s->priced && given > 0) {
        code = search_tail(s, found, error);
    }
    if (code == DUET_OK && !*found) {
        code = complete(s, error);
    }
    duet_residual_free(&s->state);
    return code;
}

duet_code duet_dive(duet_search *search, bool bold, bool *found, duet_error *error)
{
    dive s = {.search = search, .classes = search->classes, .bold = bold, .hope = true};
    *found = false;
    duet_loads_clear(search->loads);
    s.part = duet_alloc(s.classes->count, sizeof *s.part, error);
    duet_code code = s.part == NULL ? DUET_E_MEMORY : DUET_OK;
    DUET_THEN(code, duet_prices_create(s.classes, &s.prices, error));
    DUET_THEN(code, run(&s, found, error));
    duet_prices_free(&s.prices);
    duet_free(s.part);
    return code;
}
