// SPDX-License-Identifier: Apache-2.0
// Where runs that begin anew start: each task where its weighted time is least.
#include "heuristics/improve/annealing/annealing_state.h"

void duet_annealing_mean_weights(const duet_annealer *annealer, double *weight)
{
    double sum = 0.0;
    double processors = annealer->begin[annealer->types];
    for (size_t t = 0; t < annealer->types; t++) {
        sum += annealer->weight[t] * (annealer->begin[t + 1] - annealer->begin[t]);
    }
    for (size_t t = 0; t < annealer->types; t++) {
        weight[t] = sum > 0.0 ? annealer->weight[t] * processors / sum : 1.0;
    }
}

// The type where the weighted time of a task is least, of those where it is not above the limit if
// there is one.
static size_t cheapest(const duet_annealer *annealer, const double *weight, uint32_t task)
{
    size_t best = SIZE_MAX;
    for (size_t t = 0; t < annealer->types; t++) {
        int64_t time = duet_annealing_time(annealer, task, t);
        if (time == DUET_FORBIDDEN || annealer->begin[t] == annealer->begin[t + 1]) {
            continue;
        }
        int64_t held = best == SIZE_MAX ? 0 : duet_annealing_time(annealer, task, best);
        bool within = time <= annealer->limit;
        bool held_within = best != SIZE_MAX && held <= annealer->limit;
        if (best == SIZE_MAX || within > held_within ||
            (within == held_within && weight[t] * (double)time < weight[best] * (double)held)) {
            best = t;
        }
    }
    return best;
}

// The less loaded one of two random processors of a type.
static uint32_t less_loaded(duet_annealer *annealer, size_t type)
{
    uint64_t bits = duet_random_next(&annealer->random);
    uint32_t count = annealer->begin[type + 1] - annealer->begin[type];
    uint32_t a = annealer->begin[type] + duet_annealing_pick((uint32_t)bits, count);
    uint32_t b = annealer->begin[type] + duet_annealing_pick((uint32_t)(bits >> 32), count);
    return annealer->processor[a].load <= annealer->processor[b].load ? a : b;
}

double duet_annealing_place_all(duet_annealer *annealer, const double *weight)
{
    double work = 0.0;
    for (uint32_t p = 0; p < annealer->begin[annealer->types]; p++) {
        annealer->processor[p].load = 0;
        annealer->processor[p].count = 0;
    }
    for (uint32_t j = 0; j < annealer->tasks; j++) {
        size_t type = cheapest(annealer, weight, j);
        uint32_t to = less_loaded(annealer, type);
        if (!duet_annealing_reserve(annealer, to, 1)) {
            return 0.0;
        }
        int64_t time = duet_annealing_time(annealer, j, type);
        duet_annealing_add(annealer, j, to);
        annealer->processor[to].load += time;
        work += weight[type] * (double)time;
    }
    return work;
}
