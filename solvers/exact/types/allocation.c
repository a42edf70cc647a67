// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/allocation.h"

#include "core/number/minmax.h"
#include "core/system/try.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/pack.h"
#include "solvers/exact/types/one_type.h"

enum {
    BEYOND_EFFORT = 100, // pairs, where the allocation is longer than the guess
    ROUGH_EFFORT = 20    // pairs, where it is also longer than the best schedule
};

// Gives one more task of a class to the type of which the relaxation's solution is furthest above
// what is decided. False: all of its tasks are decided.
static bool give_one(duet_types *s, size_t class)
{
    size_t best = SIZE_MAX;
    double most = 0;
    for (size_t t = 0; t < s->classes.types; t++) {
        int64_t low = duet_residual_least(&s->state, class, t);
        if (low < duet_residual_most(&s->state, class, t)) {
            double above = duet_generation_tasks(s->program, t, class) - (double)low;
            if (best == SIZE_MAX || above > most) {
                best = t;
                most = above;
            }
        }
    }
    if (best == SIZE_MAX) {
        return false;
    }
    int64_t low = duet_residual_least(&s->state, class, best);
    int64_t high = duet_residual_most(&s->state, class, best);
    int64_t whole = most > 1 ? (int64_t)most : 1; // tasks at once
    low += duet_min(whole, high - low);
    duet_residual_limit(&s->state, class, best, low, high);
    return true;
}

void duet_types_round(duet_types *s)
{
    for (size_t c = 0; c < s->classes.count; c++) {
        while (give_one(s, c)) {
        }
    }
}

// One of the patterns that a dive took is the load of a processor, and s->state is what is left.
static duet_code push_pattern(duet_types *s, const duet_configuration_pattern *pattern,
                              duet_error *error)
{
    duet_code code = duet_loads_push(&s->loads, pattern->type, NULL, 0, error);
    s->state.processors[pattern->type]--;
    for (size_t p = 0; p < pattern->parts; p++) {
        const duet_pricing_part *part = &pattern->part[p];
        duet_residual_take(&s->state, part->class, pattern->type, part->tasks);
        for (int64_t j = 0; j < part->tasks && code == DUET_OK; j++) {
            code = duet_loads_add(&s->loads, (uint32_t)part->class, error);
        }
    }
    return code;
}

// The types whose patterns leave no processor for the tasks that they do not have: these are packed
// without them.
static void find_crowded(const duet_types *s, bool crowded[])
{
    int64_t tasks[DUET_MAX_TYPES] = {0};
    int64_t processors[DUET_MAX_TYPES] = {0};
    for (size_t i = 0; i < duet_configuration_patterns(s->program); i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(s->program, i);
        processors[pattern.type] += pattern.taken;
        for (size_t p = 0; p < pattern.parts && pattern.taken > 0; p++) {
            tasks[pattern.type] += pattern.taken * pattern.part[p].tasks;
        }
    }
    for (size_t t = 0; t < s->classes.types; t++) {
        for (size_t c = 0; c < s->classes.count; c++) {
            tasks[t] -= duet_residual_least(&s->state, c, t);
        }
        crowded[t] = tasks[t] < 0 && processors[t] >= s->classes.processors[t];
    }
}

static duet_code push_patterns(duet_types *s, duet_error *error)
{
    bool crowded[DUET_MAX_TYPES];
    find_crowded(s, crowded);
    duet_code code = DUET_OK;
    for (size_t i = 0; i < duet_configuration_patterns(s->program) && code == DUET_OK; i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(s->program, i);
        for (int64_t times = crowded[pattern.type] ? 0 : pattern.taken;
             times > 0 && code == DUET_OK; times--) {
            code = push_pattern(s, &pattern, error);
        }
    }
    return code;
}

// What the guess becomes where the tasks that no pattern has take longer on some type, however they
// are packed.
static int64_t within_reach(const duet_types *s, int64_t guess)
{
    for (size_t t = 0; t < s->classes.types; t++) {
        int64_t least = s->state.processors[t] > 0 ? duet_types_divided(s, t) : 0;
        guess = duet_max(least, guess);
    }
    return guess;
}

// Levels what no pattern has, and offers the schedule. A type is not levelled below the end of
// another, nor well where the schedule is no gain: annealing goes on from there.
static duet_code level(duet_types *s, int64_t guess, bool *found, duet_error *error)
{
    duet_exact *e = s->exact;
    duet_search search = duet_types_leveling(s);
    int64_t target = within_reach(s, guess);
    duet_code code = DUET_OK;
    for (size_t t = 0; t < s->classes.types && code == DUET_OK; t++) {
        size_t mark = s->loads.loads;
        if (target > guess) {
            bool gain = target < e->best->makespan;
            search.limits.pack_effort = gain ? BEYOND_EFFORT : ROUGH_EFFORT;
        }
        code = duet_pack_level(&search, t, target, error);
        int64_t end = duet_types_longest_from(s, mark);
        target = duet_max(end, target);
    }
    DUET_THEN(code, duet_incumbent_offer(e, &s->classes, &s->loads, error));
    *found = code == DUET_OK && e->best->makespan <= guess;
    return code;
}

duet_code duet_types_schedule(duet_types *s, int64_t guess, bool *found, duet_error *error)
{
    *found = false;
    duet_loads_clear(&s->loads);
    duet_code code = push_patterns(s, error);
    return code == DUET_OK ? level(s, guess, found, error) : code;
}
