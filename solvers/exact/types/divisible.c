// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/divisible.h"

#include <math.h>

// With more tasks per processor a type is divisible. A processor that is alone of its type gets
// more: an area is weaker there, and the time of a knapsack is spent once for all of its type. So
// does one whose knapsack has a small table: times are coarse, and loads leave gaps of which the
// area knows nothing. Few classes have patterns however many tasks a processor takes.
enum { FEW_CLASSES = 16 };
enum { DIVISIBLE_TASKS = 10, DIVISIBLE_ALONE = 20, DIVISIBLE_COARSE = 40, COARSE_CELLS = 1 << 19 };

enum { ROUNDS = 200 }; // of column generation

// The type that is cheapest for a class by the weights of the area bound; SIZE_MAX: none.
static size_t cheapest_type(const duet_types *s, size_t class)
{
    size_t best = SIZE_MAX;
    double least = 0;
    for (size_t t = 0; t < s->classes.types; t++) {
        double cost = (double)s->weight[t] * (double)s->classes.time[t][class];
        if (duet_class_fits(&s->classes, class, t) && (best == SIZE_MAX || cost < least)) {
            best = t;
            least = cost;
        }
    }
    return best;
}

// What a type has to run.
typedef struct holding {
    double tasks, work;
} holding;

// What each type has if each class goes to its cheapest type.
static void hold_cheapest(const duet_types *s, holding *held)
{
    for (size_t c = 0; c < s->classes.count; c++) {
        size_t type = cheapest_type(s, c);
        if (type != SIZE_MAX) {
            held[type].tasks += (double)s->classes.tasks[c];
            held[type].work += (double)s->classes.tasks[c] * (double)s->classes.time[type][c];
        }
    }
}

// What each type has in a solution of the relaxation that divides the tasks on all types. Where two
// types are a constant factor apart, both are the cheapest for all tasks, and only this tells.
static duet_code hold_divided(duet_types *s, holding *held, duet_error *error)
{
    const duet_exact *e = s->exact;
    for (size_t t = 0; t < s->classes.types; t++) {
        s->divisible[t] = true;
    }
    duet_generation *all;
    duet_configuration_answer answer = {.factor = 0};
    duet_code code = duet_generation_create(&s->classes, s->divisible, &all, error);
    if (code == DUET_OK) {
        int64_t guess = e->bound.value + (s->classes.guess - e->bound.value) / 2;
        duet_generation_set_guess(all, guess > 0 ? guess : s->classes.guess);
        code = duet_generation_solve(all, &s->root,
                                     (duet_generation_request){DUET_GENERATION_SOLVE, ROUNDS},
                                     e->context, &s->prices, &answer, error);
    }
    for (size_t t = 0; t < s->classes.types && answer.factor > 0 && code == DUET_OK; t++) {
        for (size_t c = 0; c < s->classes.count; c++) {
            double tasks = duet_generation_tasks(all, t, c);
            held[t].tasks += tasks;
            held[t].work += tasks > 0 ? tasks * (double)s->classes.time[t][c] : 0;
        }
    }
    if (code == DUET_OK && answer.factor == 0) {
        hold_cheapest(s, held);
    }
    duet_configuration_free(all);
    return code;
}

// With more tasks per processor a type is divisible.
static double most_tasks(const duet_classes *classes, size_t type)
{
    bool coarse = classes->total > 0 && classes->capacity[type] <= COARSE_CELLS / classes->total;
    bool alone = classes->processors[type] == 1;
    if (classes->count <= FEW_CLASSES) {
        return INFINITY;
    }
    return coarse ? DIVISIBLE_COARSE : alone ? DIVISIBLE_ALONE : DIVISIBLE_TASKS;
}

// A type is divisible where its processors run many tasks: as many as it gets, and as a processor
// has time for.
static void choose(duet_types *s, const holding *held)
{
    const duet_classes *classes = &s->classes;
    for (size_t t = 0; t < classes->types; t++) {
        double tasks = held[t].tasks;
        double processors = (double)classes->processors[t];
        double fit = (double)classes->capacity[t] * tasks; // times the work: in one's time
        double most = most_tasks(classes, t);
        double leader = held[s->leading].tasks;
        bool fewer = tasks * (double)classes->processors[s->leading] < leader * processors;
        s->leading = tasks > processors && (leader == 0 || fewer) ? t : s->leading;
        s->divisible[t] =
            processors == 0 || (tasks > most * processors && fit > most * held[t].work);
    }
}

duet_code duet_types_choose_divisible(duet_types *s, bool program, duet_error *error)
{
    holding held[DUET_MAX_TYPES] = {{0, 0}};
    duet_code code = DUET_OK;
    if (program) {
        code = hold_divided(s, held, error);
    } else {
        hold_cheapest(s, held);
    }
    choose(s, held);
    return code;
}
