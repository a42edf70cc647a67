// SPDX-License-Identifier: Apache-2.0
// Where the annealing of independent moldable tasks starts.
#include <math.h>
#include <stdlib.h>

#include "core/instance/time_table.h"
#include "solvers/moldable/anneal.h"

static int by_key(const void *left, const void *right)
{
    const duet_anneal_entry *a = left;
    const duet_anneal_entry *b = right;
    int order = duet_order(a->key, b->key);
    return order != 0 ? order : duet_order(a->task, b->task);
}

static void sort_order(duet_anneal *a)
{
    qsort(a->list, (size_t)a->tasks, sizeof *a->list, by_key);
    for (int32_t i = 0; i < a->tasks; i++) {
        a->now.order[i] = a->list[i].task;
    }
    a->now_worth = duet_anneal_evaluate(a, INFINITY);
}

static void take_solution(duet_anneal *a, const duet_solution *solution)
{
    for (int32_t j = 0; j < a->tasks; j++) {
        duet_processor_range one;
        duet_processor_set set = duet_solution_set(solution, j, &one);
        duet_anneal_set(a, &a->now.choice[j], j, (size_t)set.range[0].type, duet_set_size(set));
        a->list[j] = (duet_anneal_entry){solution->placement[j].start, j};
    }
    sort_order(a);
}

// What area costs on each type: as the bound has it, else as much as a part of the processors.
static void find_prices(duet_anneal *a, const duet_solution *solution)
{
    const duet_certificate *certificate = &solution->certificate;
    duet_int128 all = 0;
    bool priced = certificate->proof == DUET_PROOF_MOLDABLE_PRICES ||
                  certificate->proof == DUET_PROOF_MOLDABLE_STEPS;
    for (size_t t = 0; t < a->instance->types; t++) {
        all += a->instance->processors[t];
        priced = priced && (certificate->weight[t] > 0 || a->instance->processors[t] == 0);
    }
    for (size_t t = 0; t < a->instance->types; t++) {
        int64_t processors = a->instance->processors[t];
        a->price[t] = priced           ? certificate->weight[t]
                      : processors > 0 ? (all << 31) / processors
                                       : 0;
    }
}

// The type where a task has its least area within the due time, at the prices. False: none.
static bool take_cheapest(duet_anneal *a, int32_t task)
{
    duet_int128 least = -1;
    size_t best = 0;
    int64_t best_size = 0;
    for (size_t t = 0; t < a->instance->types; t++) {
        int64_t size = duet_anneal_least_size(a, task, t);
        if (size == 0) {
            continue;
        }
        duet_time_table table = duet_table_of(a->instance, (size_t)a->kind[task], t);
        duet_int128 cost = a->price[t] * duet_area_at(table, size);
        if (least < 0 || cost < least) {
            least = cost;
            best = t;
            best_size = size;
        }
    }
    if (best_size > 0) {
        duet_anneal_set(a, &a->now.choice[task], task, best, best_size);
    }
    return best_size > 0;
}

bool duet_anneal_take_least(duet_anneal *a)
{
    for (int32_t j = 0; j < a->tasks; j++) {
        if (!take_cheapest(a, j)) {
            return false;
        }
        a->list[j] = (duet_anneal_entry){-a->now.choice[j].time, j};
    }
    sort_order(a);
    return true;
}

bool duet_anneal_take_best(duet_anneal *a)
{
    duet_moldable_choices_copy(&a->now, &a->best, a->tasks);
    for (int32_t j = 0; j < a->tasks; j++) {
        const duet_moldable_choice *c = &a->now.choice[j];
        int64_t size = c->time > a->due ? duet_anneal_least_size(a, j, (size_t)c->type) : c->size;
        if (size == 0 && !take_cheapest(a, j)) {
            return false;
        }
        if (size > 0) {
            duet_anneal_set(a, &a->now.choice[j], j, (size_t)c->type, size);
        }
    }
    a->now_worth = duet_anneal_evaluate(a, INFINITY);
    return true;
}

void duet_anneal_start(duet_anneal *a, const duet_solution *solution)
{
    enum { guesses = 32 };
    int64_t lower = solution->lower_bound;
    int64_t upper = solution->makespan;
    find_prices(a, solution);
    a->due = upper;
    a->best_makespan = upper;
    take_solution(a, solution);
    duet_moldable_choices_copy(&a->best, &a->now, a->tasks);
    duet_anneal_keep_best(a);
    for (int i = 0; i < guesses && lower < upper && !duet_context_stop(a->context); i++) {
        a->due = lower + (int64_t)((duet_int128)(upper - lower) * i / guesses);
        if (duet_anneal_take_least(a)) {
            duet_anneal_keep_best(a);
        }
    }
}
