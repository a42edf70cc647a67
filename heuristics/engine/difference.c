// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/difference.h"

#include "core/instance/acceleration.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Keys fall as differences rise. A difference is at most 2^62 either way.
static uint64_t key_of(int64_t difference)
{
    return (UINT64_C(1) << 63) - (uint64_t)difference;
}

// Whether a kind may run on that type only.
static bool runs_only_on(const duet_differences *differences, size_t kind, size_t type)
{
    return !duet_allowed(differences->instance, kind, 1 - type);
}

static uint64_t kind_key(const duet_differences *d, size_t kind)
{
    if (runs_only_on(d, kind, DUET_CPU)) {
        return UINT64_MAX;
    }
    if (runs_only_on(d, kind, DUET_GPU)) {
        return 0;
    }
    return key_of(duet_time(d->instance, kind, DUET_CPU) - duet_time(d->instance, kind, DUET_GPU));
}

// The kind with more time on a type, the lower index where it is the same.
static size_t longer(const duet_differences *d, size_t a, size_t b, size_t type)
{
    if (a == SIZE_MAX || b == SIZE_MAX) {
        return a == SIZE_MAX ? b : a;
    }
    int64_t time = duet_time(d->instance, a, type);
    int64_t against = duet_time(d->instance, b, type);
    return time > against || (time == against && a < b) ? a : b;
}

static duet_extremes join(const duet_differences *d, duet_extremes a, duet_extremes b)
{
    return (duet_extremes){
        {longer(d, a.longest[0], b.longest[0], 0), longer(d, a.longest[1], b.longest[1], 1)},
        duet_min(a.first, b.first)};
}

static const duet_extremes none = {{SIZE_MAX, SIZE_MAX}, SIZE_MAX};

static void fill(duet_differences *d)
{
    for (size_t at = 0; at < d->leaves; at++) {
        d->node[d->leaves + at] = none;
        if (at < d->instance->kinds) {
            size_t kind = d->order[at].kind;
            d->position[kind] = at;
            d->left[kind] = duet_count(d->instance, kind);
            d->node[d->leaves + at] = (duet_extremes){{kind, kind}, kind};
        }
    }
    for (size_t i = d->leaves - 1; i > 0; i--) {
        d->node[i] = join(d, d->node[2 * i], d->node[2 * i + 1]);
    }
}

// O(kinds). Free with differences_free(), also after an error.
static duet_code differences_create(const duet_instance *instance, const duet_context *context,
                                    duet_differences *differences, duet_error *error)
{
    // The order and what sorts it, positions, what is left of each kind, and up to four nodes of
    // the tree.
    enum { per_kind = 2 * sizeof(duet_ordered) + 16 + 4 * sizeof(duet_extremes) };
    *differences = (duet_differences){.instance = instance, .leaves = 1};
    DUET_TRY(duet_memory_check(instance->kinds, per_kind, context->memory_limit,
                               "an order of the kinds", error));
    while (differences->leaves < instance->kinds) {
        differences->leaves *= 2;
    }
    duet_differences *d = differences;
    d->order = duet_alloc(instance->kinds, sizeof *d->order, error);
    d->position = duet_alloc(instance->kinds, sizeof *d->position, error);
    d->left = duet_alloc(instance->kinds, sizeof *d->left, error);
    d->node = duet_alloc(2 * d->leaves, sizeof *d->node, error);
    DUET_NEED(d->order != NULL && d->position != NULL && d->left != NULL && d->node != NULL);
    for (size_t i = 0; i < instance->kinds; i++) {
        d->order[i] = (duet_ordered){kind_key(d, i), i};
    }
    duet_code code = duet_order_by_key(d->order, instance->kinds, error);
    if (code == DUET_OK) {
        fill(d);
    }
    return code;
}

static void differences_free(duet_differences *differences)
{
    duet_free(differences->order);
    duet_free(differences->position);
    duet_free(differences->left);
    duet_free(differences->node);
    *differences = (duet_differences){.leaves = 0};
}

// How many kinds have a key above `key`, or at least as large if `equal`.
static size_t keys_above(const duet_differences *d, uint64_t key, bool equal)
{
    size_t low = 0;
    size_t high = d->instance->kinds;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t at = d->order[middle].key;
        if (at > key || (equal && at == key)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t duet_differences_below(const duet_differences *differences, int64_t limit, bool above)
{
    return keys_above(differences, key_of(limit), above);
}

size_t duet_differences_alike(const duet_differences *differences, size_t position)
{
    return keys_above(differences, differences->order[position].key, false);
}

duet_extremes duet_differences_range(const duet_differences *differences, size_t begin, size_t end)
{
    duet_extremes result = none;
    size_t left = differences->leaves + begin;
    size_t right = differences->leaves + end;
    for (; left < right; left /= 2, right /= 2) {
        if (left % 2 == 1) {
            result = join(differences, result, differences->node[left++]);
        }
        if (right % 2 == 1) {
            result = join(differences, result, differences->node[--right]);
        }
    }
    return result;
}

static bool is_empty(const duet_differences *d, size_t begin, size_t end)
{
    return begin >= end || duet_differences_range(d, begin, end).first == SIZE_MAX;
}

size_t duet_differences_first(const duet_differences *differences, size_t begin, size_t end)
{
    if (is_empty(differences, begin, end)) {
        return SIZE_MAX;
    }
    size_t node = differences->leaves + begin;
    // Up and to the right until something is there, then down to its first position.
    while (differences->node[node].first == SIZE_MAX) {
        for (; node % 2 == 1; node /= 2) {
        }
        node++;
    }
    while (node < differences->leaves) {
        node *= 2;
        node += differences->node[node].first == SIZE_MAX;
    }
    return node - differences->leaves;
}

size_t duet_differences_last(const duet_differences *differences, size_t begin, size_t end)
{
    if (is_empty(differences, begin, end)) {
        return SIZE_MAX;
    }
    size_t node = differences->leaves + end - 1;
    while (differences->node[node].first == SIZE_MAX) {
        for (; node % 2 == 0; node /= 2) {
        }
        node--;
    }
    while (node < differences->leaves) {
        node = 2 * node + 1;
        node -= differences->node[node].first == SIZE_MAX;
    }
    return node - differences->leaves;
}

void duet_differences_start(duet_differences *differences, duet_processors *processors, size_t kind,
                            duet_solution *solution)
{
    const duet_instance *instance = differences->instance;
    DUET_ASSERT(differences->left[kind] > 0);
    int64_t task = instance->first[kind + 1] - differences->left[kind]--;
    duet_processors_start(processors, duet_time(instance, kind, (size_t)processors->type),
                          &solution->placement[task]);
    if (differences->left[kind] > 0) {
        return;
    }
    size_t node = differences->leaves + differences->position[kind];
    differences->node[node] = none;
    for (node /= 2; node > 0; node /= 2) {
        differences->node[node] =
            join(differences, differences->node[2 * node], differences->node[2 * node + 1]);
    }
}

duet_code duet_differences_run(const duet_instance *instance, const duet_context *context,
                               duet_differences_step *step, bool gpu_first, duet_solution *solution,
                               duet_error *error)
{
    enum { between_looks = 1024 };
    duet_all_processors all;
    DUET_TRY(duet_all_processors_create(instance, &all, error));
    duet_differences left;
    duet_code code = differences_create(instance, context, &left, error);
    int64_t tasks = duet_tasks(instance);
    int64_t steps = 0;
    for (int64_t placed = 0; placed < tasks && code == DUET_OK; steps++) {
        if (steps % between_looks == 0 && duet_context_stop(context)) {
            code = duet_context_stop_error(context, error);
        } else {
            placed += (int64_t)step(&left, &all, gpu_first, solution);
        }
    }
    differences_free(&left);
    duet_all_processors_free(&all);
    return code;
}
