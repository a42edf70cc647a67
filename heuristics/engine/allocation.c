// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/allocation.h"

#include "core/acceleration.h"
#include "heuristics/engine/processors.h"

size_t duet_allocate_quickest(const duet_instance *instance, size_t kind)
{
    size_t best = 0;
    int64_t shortest = DUET_FORBIDDEN;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t) && duet_time(instance, kind, t) <= shortest) {
            shortest = duet_time(instance, kind, t);
            best = t;
        }
    }
    return best;
}

size_t duet_allocate_ratio(const duet_instance *instance, size_t kind)
{
    if (!duet_allowed(instance, kind, DUET_CPU)) {
        return DUET_GPU;
    }
    if (!duet_allowed(instance, kind, DUET_GPU)) {
        return DUET_CPU;
    }
    duet_int128 cpu =
        (duet_int128)duet_time(instance, kind, DUET_CPU) * instance->processors[DUET_GPU];
    duet_int128 gpu =
        (duet_int128)duet_time(instance, kind, DUET_GPU) * instance->processors[DUET_CPU];
    return cpu >= gpu ? DUET_GPU : DUET_CPU;
}

// p_a / sqrt(m_a) <= p_b / sqrt(m_b), as p_a <= (sqrt(m_a m_b) / m_b) p_b.
static bool at_most_as_long(const duet_instance *instance, size_t kind, size_t a, size_t b)
{
    int64_t m_a = instance->processors[a];
    int64_t m_b = instance->processors[b];
    duet_ratio scale = {0, 1, m_a * m_b, m_b};
    return duet_ratio_holds(scale, duet_time(instance, kind, a), duet_time(instance, kind, b));
}

size_t duet_allocate_qa(const duet_instance *instance, size_t kind)
{
    size_t best = instance->types;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t) &&
            (best == instance->types || !at_most_as_long(instance, kind, best, t))) {
            best = t;
        }
    }
    return best;
}

duet_code duet_schedule_by_rule(const duet_instance *instance, duet_allocation_rule *rule,
                                duet_solution *solution, duet_error *error)
{
    duet_all_processors pools;
    duet_code code = duet_all_processors_create(instance, &pools, error);
    if (code != DUET_OK) {
        return code;
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_processors_start_kind(&pools.pool[rule(instance, i)], instance, i, solution);
    }
    duet_all_processors_free(&pools);
    return DUET_OK;
}
