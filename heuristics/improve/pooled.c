// SPDX-License-Identifier: Apache-2.0
// The instance in which the processors of each type are one, as many times as fast: what is left of
// scheduling where only the allocation of the tasks to the types is asked.
//
// Method:    times on a type are multiplied by M / m, where m is the number of its processors and M
//            the least common multiple of all of them. A schedule within L of the instance is one
//            within M L of the pooled one.
// Guarantee: exact: no allocation of the tasks whose pooled schedule is longer than M L can be
//            scheduled within L.
// Cost:      O(kinds types) time and memory.
#include "heuristics/improve/improve.h"

#include "core/number/fraction.h"
#include "core/system/memory.h"

enum { MOST_SCALE = 1 << 20, SUM_BITS = 60 };

// The least common multiple of the numbers of processors; 0 where it is large.
static int64_t find_scale(const duet_instance *instance)
{
    int64_t scale = 1;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t m = instance->processors[t];
        if (m > MOST_SCALE) {
            return 0;
        }
        scale *= m > 0 ? m / (int64_t)duet_gcd((duet_uint128)scale, (duet_uint128)m) : 1;
        if (scale > MOST_SCALE) {
            return 0;
        }
    }
    return scale;
}

// Whether the sum of all times on all types, times the scale, is small enough.
static bool is_small(const duet_instance *instance, int64_t scale)
{
    duet_int128 sum = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_allowed(instance, i, t)) {
                sum += (duet_int128)duet_time(instance, i, t) * duet_count(instance, i);
            }
        }
        if (sum >> SUM_BITS != 0) {
            return false;
        }
    }
    return (sum * scale) >> SUM_BITS == 0;
}

duet_code duet_pooled_create(const duet_instance *instance, duet_pooled *pooled, bool *useful,
                             duet_error *error)
{
    *pooled = (duet_pooled){.instance = *instance, .scale = find_scale(instance)};
    duet_instance *one = &pooled->instance;
    size_t used = 0;
    for (size_t t = 0; t < instance->types; t++) {
        used += instance->processors[t] > 0;
        one->processors[t] = instance->processors[t] > 0;
    }
    one->times = NULL;
    *useful = used > 1 && pooled->scale > 1 && is_small(instance, pooled->scale);
    if (!*useful) {
        return DUET_OK;
    }
    one->times = duet_alloc(instance->kinds * instance->types, sizeof *one->times, error);
    for (size_t i = 0; i < instance->kinds && one->times != NULL; i++) {
        for (size_t t = 0; t < instance->types; t++) {
            one->times[i * instance->types + t] =
                duet_allowed(instance, i, t)
                    ? duet_time(instance, i, t) * (pooled->scale / instance->processors[t])
                    : DUET_FORBIDDEN;
        }
    }
    return one->times != NULL ? DUET_OK : DUET_E_MEMORY;
}

void duet_pooled_free(duet_pooled *pooled)
{
    duet_free(pooled->instance.times);
    pooled->instance.times = NULL;
}
