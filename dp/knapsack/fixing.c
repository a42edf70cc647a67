// SPDX-License-Identifier: Apache-2.0
// Classes of the knapsack that are fixed to their cheaper type: one task of theirs on the other
// type costs more than the slack. The others are free, up to a number of tasks.
#include <stdlib.h>
#include <string.h>

#include "core/system/assert.h"
#include "dp/knapsack/knapsack_state.h"

size_t duet_knapsack_cheaper(const duet_knapsack *problem, size_t class)
{
    if (!duet_class_fits(problem->classes, class, 0)) {
        return 1;
    }
    if (!duet_class_fits(problem->classes, class, 1)) {
        return 0;
    }
    return duet_knapsack_price(problem, class, 1) < duet_knapsack_price(problem, class, 0);
}

// Few choices first, so that the long range of the last class meets the final limits.
static int by_choices(const void *left, const void *right)
{
    const free_class *a = left;
    const free_class *b = right;
    if (a->most != b->most) {
        return a->most < b->most ? -1 : 1;
    }
    return (a->class > b->class) - (a->class < b->class);
}

duet_int128 duet_knapsack_allocate_cheapest(duet_knapsack *problem, work_state *root)
{
    const duet_classes *classes = problem->classes;
    *root = (work_state){{0, 0}};
    problem->limit = 0;
    for (size_t t = 0; t < 2; t++) {
        problem->capacity[t] = (duet_int128)classes->processors[t] * classes->capacity[t];
        problem->limit += problem->capacity[t] * problem->weight[t];
    }
    for (size_t c = 0; c < classes->count; c++) {
        size_t cheaper = duet_knapsack_cheaper(problem, c);
        root->work[cheaper] += classes->time[cheaper][c] * classes->tasks[c];
    }
    return problem->limit - duet_knapsack_weighted(problem, root);
}

void duet_knapsack_set_movable(duet_knapsack *problem)
{
    int64_t movable[2] = {0, 0};
    for (size_t i = problem->free_count; i-- > 0;) {
        free_class *f = &problem->free[i];
        memcpy(f->movable, movable, sizeof movable);
        movable[f->cheaper] += problem->classes->time[f->cheaper][f->class] * f->most;
    }
}

void duet_knapsack_find_free(duet_knapsack *problem, duet_int128 slack)
{
    const duet_classes *classes = problem->classes;
    DUET_ASSERT(slack >= 0);
    for (size_t c = 0; c < classes->count; c++) {
        if (!duet_class_fits(classes, c, 0) || !duet_class_fits(classes, c, 1)) {
            continue;
        }
        size_t cheaper = duet_knapsack_cheaper(problem, c);
        duet_int128 reduced_cost =
            duet_knapsack_price(problem, c, 1 - cheaper) - duet_knapsack_price(problem, c, cheaper);
        DUET_ASSERT(reduced_cost >= 0);
        duet_int128 most = reduced_cost == 0 ? classes->tasks[c] : slack / reduced_cost;
        if (most > 0) {
            int64_t tasks = most < classes->tasks[c] ? (int64_t)most : classes->tasks[c];
            problem->free[problem->free_count++] = (free_class){
                .class = c, .cheaper = cheaper, .most = tasks, .reduced_cost = reduced_cost};
        }
    }
    qsort(problem->free, problem->free_count, sizeof *problem->free, by_choices);
    duet_knapsack_set_movable(problem);
}
