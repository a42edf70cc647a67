// SPDX-License-Identifier: Apache-2.0
// A random core of the knapsack: a few free classes, mostly of about the smallest reduced costs,
// are allocated by the lists, all others before.
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "dp/knapsack/knapsack_state.h"

// Reduced costs are perturbed down to LEAST_PART / WHOLE of them.
enum { LEAST_PART = 16, WHOLE = 64 };

// Free classes of a core: SMALLEST_CORE at first, twice as many as long as no allocation of them
// fits and their lists are SHORT, up to LARGEST_CORE.
enum { SMALLEST_CORE = 20, LARGEST_CORE = 160, SHORT = 20000 };

// Allocates the free classes in the order: to their other type while that has room and the
// cheaper one has too much, so that both types end about as loaded. `order` has their indices.
static void balance(duet_knapsack *problem, const size_t *order, work_state *root)
{
    const duet_classes *classes = problem->classes;
    for (size_t i = 0; i < problem->free_count; i++) {
        const free_class *f = &problem->free[order[i]];
        size_t away = 1 - f->cheaper;
        duet_int128 over = root->work[f->cheaper] - problem->capacity[f->cheaper];
        duet_int128 room = problem->capacity[away] - root->work[away];
        if (over <= 0 || room <= 0) {
            continue;
        }
        int64_t step = classes->time[f->cheaper][f->class];
        int64_t most = duet_knapsack_clamp(room / classes->time[away][f->class], 0, f->most);
        int64_t moved = duet_knapsack_clamp((over + step - 1) / step, 0, most);
        problem->fixed[f->class] += f->cheaper == 0 ? -moved : moved;
        root->work[f->cheaper] -= step * moved;
        root->work[away] += classes->time[away][f->class] * moved;
    }
}

// Keeps the first classes free, of those whose tasks are all on their cheaper type. The others stay
// as they were allocated.
static void keep_core(duet_knapsack *problem, const size_t *order, size_t core)
{
    free_class chosen[LARGEST_CORE];
    size_t kept = 0;
    for (size_t i = 0; i < problem->free_count && kept < core; i++) {
        const free_class *f = &problem->free[order[i]];
        int64_t cheaper = f->cheaper == 0 ? problem->classes->tasks[f->class] : 0;
        if (problem->fixed[f->class] == cheaper) {
            chosen[kept] = *f;
            chosen[kept].most = duet_min(f->most, 2);
            kept++;
        }
    }
    memcpy(problem->free, chosen, kept * sizeof *chosen);
    problem->free_count = kept;
    duet_knapsack_set_movable(problem);
}

// A free class in the order in which a core looks at them.
typedef struct ranked {
    duet_int128 cost; // its reduced cost, or down to a part of it
    size_t tie;
    size_t index;
} ranked;

static int by_cost(const void *left, const void *right)
{
    const ranked *a = left;
    const ranked *b = right;
    if (a->cost != b->cost) {
        return a->cost < b->cost ? -1 : 1;
    }
    return (a->tie > b->tie) - (a->tie < b->tie);
}

// The indices of the free classes, for every other core in any order, else those of small reduced
// costs first: where the slack is small, few others can leave their cheaper type. Costs are
// perturbed, and equal ones in any order, so that each core is another one.
static duet_code rank(const duet_knapsack *problem, duet_random *random, size_t *order,
                      duet_error *error)
{
    ranked *all = duet_alloc(problem->free_count, sizeof *all, error);
    DUET_NEED(all);
    bool any = duet_random_between(random, 0, 1) == 0;
    for (size_t i = 0; i < problem->free_count; i++) {
        int64_t part = any ? 0 : duet_random_between(random, LEAST_PART, WHOLE);
        duet_int128 cost = problem->free[i].reduced_cost;
        all[i] = (ranked){.cost = cost / WHOLE * part + cost % WHOLE * part / WHOLE,
                          .tie = (size_t)duet_random_between(random, 0, INT32_MAX),
                          .index = i};
    }
    qsort(all, problem->free_count, sizeof *all, by_cost);
    for (size_t i = 0; i < problem->free_count; i++) {
        order[i] = all[i].index;
    }
    duet_free(all);
    return DUET_OK;
}

static duet_code solve(duet_knapsack *problem, size_t core, duet_random *random, int64_t *on_cpu,
                       duet_knapsack_answer *answer, duet_error *error)
{
    const duet_classes *classes = problem->classes;
    work_state root;
    duet_int128 slack = duet_knapsack_allocate_cheapest(problem, &root);
    problem->free = duet_alloc(classes->count, sizeof *problem->free, error);
    problem->begin = duet_alloc(classes->count + 1, sizeof *problem->begin, error);
    problem->fixed = duet_alloc(classes->count, sizeof *problem->fixed, error);
    size_t *order = duet_alloc(classes->count, sizeof *order, error);
    duet_code code = DUET_OK;
    if (problem->free == NULL || problem->begin == NULL || problem->fixed == NULL ||
        order == NULL) {
        code = DUET_E_MEMORY;
    } else if (slack >= 0) {
        for (size_t c = 0; c < classes->count; c++) {
            problem->fixed[c] = duet_knapsack_cheaper(problem, c) == 0 ? classes->tasks[c] : 0;
        }
        duet_knapsack_find_free(problem, slack);
        code = rank(problem, random, order, error);
        if (code == DUET_OK) {
            balance(problem, order, &root);
            keep_core(problem, order, core);
            code = duet_knapsack_answer_from(problem, &root, on_cpu, answer, error);
        }
    }
    duet_free(order);
    return code;
}

static duet_code try_core(const duet_classes *classes, const int64_t weight[2], size_t core,
                          duet_random *random, int64_t *on_cpu, duet_knapsack_answer *answer,
                          duet_error *error)
{
    duet_knapsack *problem = duet_alloc(1, sizeof *problem, error);
    DUET_NEED(problem);
    *answer = (duet_knapsack_answer){.fits = false};
    problem->classes = classes;
    problem->weight[0] = weight[0];
    problem->weight[1] = weight[1];
    duet_code code = solve(problem, core, random, on_cpu, answer, error);
    duet_knapsack_free_lists(problem);
    return code;
}

duet_code duet_knapsack_core(const duet_classes *classes, const int64_t weight[2],
                             duet_random *random, int64_t *on_cpu, duet_knapsack_answer *answer,
                             duet_error *error)
{
    *answer = (duet_knapsack_answer){.fits = false};
    if (classes->nowhere != SIZE_MAX) {
        return DUET_OK;
    }
    DUET_TRY(try_core(classes, weight, SMALLEST_CORE, random, on_cpu, answer, error));
    // A core that all classes are in already does not grow.
    for (size_t core = SMALLEST_CORE; core < LARGEST_CORE && core < classes->count &&
                                      !answer->fits && !answer->exceeded &&
                                      answer->states < SHORT;) {
        core *= 2;
        DUET_TRY(try_core(classes, weight, core, random, on_cpu, answer, error));
    }
    return DUET_OK;
}
