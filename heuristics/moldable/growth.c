// SPDX-License-Identifier: Apache-2.0
// The sizes that tasks may grow to in the allocation of CPA and HCPA: times on a reference cluster,
// and what they mean on the clusters of the platform.
//
// A task that follows one law has its least monotone table at the speed of the reference cluster,
// as long as it is needed; on cluster i it takes as many processors as make it no longer than
// there. Other tasks have the table of their slowest cluster.
#include "heuristics/moldable/allocation.h"

#include "core/number/decimal.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// The slowest cluster on which a kind may run, the first of them; `types` if it may run on none.
static size_t slowest_type(const duet_instance *instance, size_t kind)
{
    size_t slowest = instance->types;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_moldable_sizes(instance, kind, t) > 0 &&
            (slowest == instance->types ||
             duet_fraction_compare(duet_moldable_speed(instance, t),
                                   duet_moldable_speed(instance, slowest)) < 0)) {
            slowest = t;
        }
    }
    return slowest;
}

// The law that a kind follows wherever it may run; NULL: none.
static const duet_law *law_of(const duet_instance *instance, size_t kind)
{
    const duet_law *law = NULL;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_moldable_sizes(instance, kind, t) > 0) {
            const duet_law *here = duet_moldable_law(instance, kind, t);
            if (here == NULL || (law != NULL && here != law)) {
                return NULL;
            }
            law = here;
        }
    }
    return law;
}

duet_code duet_growth_create(const duet_instance *instance, const int32_t *kind,
                             duet_fraction speed, int64_t most, duet_growth *growth,
                             duet_error *error)
{
    *growth = (duet_growth){.instance = instance, .speed = speed, .most = most, .kind = kind};
    growth->law = duet_alloc_raw(instance->kinds, sizeof *growth->law, error);
    growth->by_law = duet_alloc_raw(instance->kinds, sizeof *growth->by_law, error);
    growth->table = duet_alloc_raw(instance->kinds, sizeof *growth->table, error);
    DUET_NEED(growth->law != NULL && growth->by_law != NULL && growth->table != NULL);
    for (size_t i = 0; i < instance->kinds; i++) {
        const duet_law *law = law_of(instance, i);
        growth->by_law[i] = law != NULL;
        if (law == NULL) {
            growth->table[i] = duet_table_of(instance, i, slowest_type(instance, i));
        } else if (!duet_law_prepare(law, speed, instance->decimals, &growth->law[i])) {
            return duet_error_set(error, DUET_E_LIMIT,
                                  "task '%s' takes too many ticks on the reference cluster",
                                  duet_instance_kind_id(instance, i));
        }
    }
    return DUET_OK;
}

void duet_growth_free(duet_growth *growth)
{
    duet_free(growth->law);
    duet_free(growth->by_law);
    duet_free(growth->table);
}

int64_t duet_growth_first(const duet_growth *growth, int32_t task)
{
    size_t kind = (size_t)growth->kind[task];
    return growth->by_law[kind] ? duet_law_next(&growth->law[kind], 1, 0)
                                : duet_time_at(growth->table[kind], 1);
}

// f for a task that follows a law: with alpha = a/d, r = s/s_ref and size N
//   f = (d - a) N / (r (a N + d - a) - a N).
// At alpha = 1 the limit: N at the speed of the reference cluster, else 0.
typedef struct wide_fraction {
    duet_wide num, den;
} wide_fraction;

static wide_fraction law_size_on(const duet_growth *growth, const duet_law *law, size_t type,
                                 int64_t size)
{
    duet_fraction speed = duet_moldable_speed(growth->instance, type);
    if (duet_fraction_compare(speed, growth->speed) == 0) {
        return (wide_fraction){duet_wide_of((uint64_t)size), duet_wide_of(1)};
    }
    duet_uint128 all = duet_power_of_ten(law->alpha.places);
    duet_uint128 alpha = (uint64_t)law->alpha.mantissa;
    // r = fast/slow. Speeds are at most 2^62 over 2^60, what the law has is below 2^60 2^62.
    duet_wide fast = duet_wide_multiply(duet_wide_of(speed.num), growth->speed.den);
    duet_wide slow = duet_wide_multiply(duet_wide_of(growth->speed.num), speed.den);
    duet_uint128 shared = alpha * (uint64_t)size;
    return (wide_fraction){duet_wide_multiply(slow, (all - alpha) * (uint64_t)size),
                           duet_wide_subtract(duet_wide_multiply(fast, shared + (all - alpha)),
                                              duet_wide_multiply(slow, shared))};
}

// The least size on a type that is no longer than `time`; INT64_MAX: none.
static int64_t table_size_on(const duet_growth *growth, size_t kind, size_t type, int64_t time)
{
    duet_time_table table = duet_table_of(growth->instance, kind, type);
    for (int64_t i = 0; i < table.steps; i++) {
        if (table.time[i] <= time) {
            return duet_step_size(table, i);
        }
    }
    return INT64_MAX;
}

// Whether ceil f <= most.
static bool is_size_within(const duet_growth *growth, size_t kind, size_t type, int64_t size,
                           int64_t time, int64_t most)
{
    if (!growth->by_law[kind]) {
        return table_size_on(growth, kind, type, time) <= most;
    }
    const duet_law *law = duet_moldable_law(growth->instance, kind, type);
    wide_fraction f = law_size_on(growth, law, type, size);
    return duet_wide_compare(f.num, duet_wide_multiply(f.den, (uint64_t)most)) <= 0;
}

int64_t duet_growth_size_on(const duet_growth *growth, int32_t task, size_t type, int64_t size,
                            int64_t time)
{
    size_t kind = (size_t)growth->kind[task];
    int64_t most = duet_moldable_sizes(growth->instance, kind, type);
    if (most == 0 || !is_size_within(growth, kind, type, size, time, most)) {
        return most;
    }
    if (!growth->by_law[kind]) {
        return table_size_on(growth, kind, type, time);
    }
    const duet_law *law = duet_moldable_law(growth->instance, kind, type);
    wide_fraction f = law_size_on(growth, law, type, size);
    duet_wide rest;
    int64_t wanted = (int64_t)duet_wide_divide(f.num, f.den, &rest);
    wanted += duet_wide_compare(rest, duet_wide_of(0)) != 0;
    return duet_max(wanted, 1);
}

// HCPA: some cluster has more processors than the task would take there now.
static bool has_room(const duet_growth *growth, int32_t task, int64_t size, int64_t time)
{
    const duet_instance *instance = growth->instance;
    size_t kind = (size_t)growth->kind[task];
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_moldable_sizes(instance, kind, t) > 0 &&
            is_size_within(growth, kind, t, size, time, instance->processors[t] - 1)) {
            return true;
        }
    }
    return false;
}

int64_t duet_growth_next(const duet_growth *growth, int32_t task, int64_t size, int64_t time)
{
    size_t kind = (size_t)growth->kind[task];
    bool room = growth->most > 0 ? size < growth->most : has_room(growth, task, size, time);
    if (!room || (!growth->by_law[kind] && size >= growth->table[kind].sizes)) {
        return -1;
    }
    return growth->by_law[kind] ? duet_law_next(&growth->law[kind], size + 1, time)
                                : duet_time_at(growth->table[kind], size + 1);
}
