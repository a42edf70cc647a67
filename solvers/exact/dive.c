// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/dive.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
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
    tail.limits.patterns = duet_min(tail.limits.patterns, DUET_DIVE_TAIL_PATTERNS);
    duet_code code = duet_cover_search(&tail, &s->prices, error);
    *found = code == DUET_OK && tail.verdict == DUET_FOUND;
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
