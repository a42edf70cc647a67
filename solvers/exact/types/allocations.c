// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/allocations.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "dp/knapsack/vector.h"
#include "solvers/exact/types/by_type.h"
#include "solvers/exact/types/vector_proof.h"

enum {
    ROUNDS = 200,    // of column generation at a guess
    FIRST_STEP = 10, // bits: of the gap, above the bound
    FINE = 21        // bits: guesses are no closer together than that share of them
};

typedef struct allocating {
    duet_types *types;
    const duet_types_allocating *effort;
    int64_t *tasks; // of the best allocation, as duet_vector_allocation has them
    int64_t least;  // the least guess that it fits; INT64_MAX: there is none

    // What was tried.
    int64_t tried;
    int64_t shortest; // no schedule of one of those that fit the last guess is shorter
} allocating;

// Whether some type has patterns: its prices then say more than its area.
static bool is_patterned(const duet_types *s)
{
    bool patterned = false;
    for (size_t t = 0; t < s->classes.types; t++) {
        patterned = patterned || !s->divisible[t];
    }
    return patterned && s->program != NULL;
}

// The prices of the relaxation at a guess, of everything anywhere. *any: there are some.
static duet_code price(duet_types *s, int64_t guess, bool *any, duet_error *error)
{
    duet_configuration_answer answer;
    *any = false;
    if (!is_patterned(s) || !duet_types_begin(s, guess, NULL)) {
        return DUET_OK;
    }
    duet_code code = duet_generation_solve(s->program, &s->state,
                                           (duet_generation_request){DUET_GENERATION_NODE, ROUNDS},
                                           s->exact->context, &s->prices, &answer, error);
    s->exact->programs += answer.iterations;
    *any = code == DUET_OK && answer.any;
    return code;
}

static duet_code keep_least(void *self, const duet_vector_allocation *found, duet_vector_wish *wish,
                            duet_error *error)
{
    allocating *a = self;
    const duet_classes *classes = &a->types->classes;
    (void)error;
    memcpy(a->tasks, found->tasks, classes->count * classes->types * sizeof *a->tasks);
    a->least = found->guess;
    wish->guess = found->guess - 1;
    return DUET_OK;
}

// Schedules an allocation, unless what is known of its sets says that it would be in vain.
static duet_code try_one(void *self, const duet_vector_allocation *found, duet_vector_wish *wish,
                         duet_error *error)
{
    allocating *a = self;
    const duet_exact *e = a->types->exact;
    int64_t least = found->guess;
    duet_code code = DUET_OK;
    duet_types_known known = duet_types_know(a->types, found->tasks, &a->effort->one, &least);
    wish->leave_leader = known.leader;
    if (known.hopeful) {
        code = duet_types_schedule_by_type(a->types, found->tasks, &a->effort->one, &least, error);
        a->tried++;
    }
    a->shortest = duet_min(least, a->shortest);
    wish->guess = a->tried < a->effort->schedules ? e->best->makespan - 1 : -1;
    return code;
}

static duet_code search(allocating *a, int64_t guess, bool prices, duet_vector_visit *visit,
                        bool *complete, duet_error *error)
{
    duet_types *s = a->types;
    const duet_vector_problem problem = {.classes = &s->classes,
                                         .guess = guess,
                                         .weight = s->weight,
                                         .prices = prices ? &s->prices : NULL,
                                         .leading = s->leading,
                                         .nodes = a->effort->nodes / (int64_t)s->classes.types,
                                         .context = s->exact->context};
    return duet_vector_search(&problem, visit, a, complete, error);
}

// One guess: the bound becomes the least one that an allocation fits, or one above the guess.
static duet_code ask(allocating *a, int64_t guess, bool *complete, duet_error *error)
{
    duet_types *s = a->types;
    bool prices;
    a->least = INT64_MAX;
    duet_code code = price(s, guess, &prices, error);
    DUET_THEN(code, search(a, guess, prices, keep_least, complete, error));
    s->exact->guesses++;
    if (code == DUET_OK && *complete) {
        duet_types_claim_searched(s, a->least <= guess ? a->least - 1 : guess, false);
    }
    return code;
}

// Guesses upward from the bound in steps that grow where they are refuted, until an allocation
// fits or the nodes do not suffice.
static duet_code climb(allocating *a, duet_error *error)
{
    duet_exact *e = a->types->exact;
    int64_t least = (e->bound.value >> FINE) + 1;
    int64_t step = ((e->best->makespan - e->bound.value) >> FIRST_STEP) + 1;
    duet_code code = DUET_OK;
    a->least = INT64_MAX;
    while (duet_exact_is_open(e) && code == DUET_OK && a->least == INT64_MAX) {
        int64_t most = e->best->makespan - 1;
        int64_t guess = step < most - e->bound.value ? e->bound.value + step - 1 : most;
        bool complete = false;
        code = ask(a, guess, &complete, error);
        if (complete && a->least == INT64_MAX) {
            step *= 2;
        } else if (!complete && a->least == INT64_MAX) {
            if (step <= least) {
                break;
            }
            step = duet_max(step / 4, least);
        }
        duet_context_report(e->context, e->doing, e->bound.value, e->best->makespan);
    }
    return code;
}

// Schedules all allocations that fit a guess, as far as the effort goes. Where it sufficed, no
// schedule is shorter than that and than what they were shown to take.
static duet_code try_guess(allocating *a, int64_t guess, bool *complete, duet_error *error)
{
    duet_types *s = a->types;
    bool prices;
    a->shortest = INT64_MAX;
    duet_code code = price(s, guess, &prices, error);
    DUET_THEN(code, search(a, guess, prices, try_one, complete, error));
    *complete = *complete && code == DUET_OK && a->tried < a->effort->schedules;
    if (*complete) {
        int64_t proven = s->exact->best->makespan - 1;
        proven = duet_min(guess, proven);
        proven = a->shortest <= proven ? a->shortest - 1 : proven;
        duet_types_claim_searched(s, proven, false);
    }
    return code;
}

// Guesses upward from the bound, in growing steps.
static duet_code try_all(allocating *a, duet_error *error)
{
    const duet_exact *e = a->types->exact;
    int64_t step = ((e->best->makespan - e->bound.value) >> FIRST_STEP) + 1;
    int64_t guess = e->bound.value - 1;
    bool complete = true;
    duet_code code = DUET_OK;
    while (code == DUET_OK && complete && duet_exact_is_open(e) && guess < e->best->makespan - 1) {
        int64_t most = e->best->makespan - 1;
        guess = step < most - guess ? guess + step : most;
        code = try_guess(a, guess, &complete, error);
        guess = duet_max(guess, e->bound.value - 1);
        step *= 2;
        duet_context_report(e->context, e->doing, e->bound.value, e->best->makespan);
    }
    return code;
}

duet_code duet_types_try_allocations(duet_types *s, const duet_types_allocating *effort,
                                     duet_error *error)
{
    if (!duet_types_has_several(s)) {
        return DUET_OK; // an allocation is a schedule, and dives find it sooner
    }
    allocating a = {.types = s, .effort = effort};
    a.tasks = duet_alloc(s->classes.count * s->classes.types, sizeof *a.tasks, error);
    duet_code code = a.tasks == NULL ? DUET_E_MEMORY : climb(&a, error);
    if (code == DUET_OK && a.least < s->exact->best->makespan && duet_exact_is_open(s->exact)) {
        int64_t least = a.least;
        code = duet_types_schedule_by_type(s, a.tasks, &effort->one, &least, error);
    }
    if (code == DUET_OK && a.least < s->exact->best->makespan) {
        code = try_all(&a, error);
    }
    duet_free(a.tasks);
    return code;
}

duet_code duet_types_prove_bound(duet_types *s, const duet_types_allocating *effort,
                                 duet_error *error)
{
    duet_exact *e = s->exact;
    bool prices;
    bool proven = false;
    duet_code code = price(s, e->bound.value - 1, &prices, error);
    for (int i = 0; i < 2 && code == DUET_OK && !proven; i++) {
        code = duet_types_prove_allocations(s, e->bound.value - 1, prices, effort, i > 0, &proven,
                                            error);
    }
    if (code == DUET_OK && proven) {
        duet_types_take_proof(s);
    }
    return code;
}
