// SPDX-License-Identifier: Apache-2.0
// Bound: area, with releases and busy processors.
// Method:    what is released at r or later runs from r on. For each r, weights on the types come
//            from the area bound of these tasks on as many processors as there are left on average,
//            and the largest makespan that these weights refute is found by bisection, in integers.
//            The best r is the bound.
// Cost:      O(releases kinds types log time), for at most MOST_STARTS releases.
// Memory:    O(kinds types).
// Proof:     weights on the types, and r (DUET_PROOF_AREA).
#include "lp/area/released.h"

#include <stdio.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/area/area.h"

enum { MOST_STARTS = 64, ROUNDS = 2, SCALE = 1000 };

// What is released at `from` or later.
typedef struct late {
    const duet_instance *instance;
    int64_t from;
    int64_t weight[DUET_MAX_TYPES];
    int64_t least_busy[DUET_MAX_TYPES]; // when the first processor of a type is free
} late;

static int64_t room_of(const late *l, size_t type, int64_t end, int64_t processor)
{
    int64_t begin = duet_max(duet_busy_until(l->instance, type, processor), l->from);
    return duet_max(end - begin, 0);
}

// What the processors of a type have until `end`.
static duet_int128 room(const late *l, size_t type, int64_t end)
{
    int64_t busy = l->instance->busy_count[type];
    duet_int128 sum =
        (duet_int128)room_of(l, type, end, busy) * (l->instance->processors[type] - busy);
    for (int64_t p = 0; p < busy; p++) {
        sum += room_of(l, type, end, p);
    }
    return sum;
}

// Whether the weights show that no makespan is below `lambda`.
static bool proves(const late *l, int64_t lambda)
{
    const duet_instance *instance = l->instance;
    duet_int128 capacity = 0;
    duet_int128 work = 0;
    for (size_t t = 0; t < instance->types; t++) {
        duet_int128 of_type;
        if (__builtin_mul_overflow(room(l, t, lambda - 1), (duet_int128)l->weight[t], &of_type) ||
            __builtin_add_overflow(capacity, of_type, &capacity)) {
            return false;
        }
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t release = duet_release(instance, i);
        duet_int128 least = -1;
        for (size_t t = 0; t < instance->types && release >= l->from; t++) {
            int64_t start = duet_max(release, l->least_busy[t]);
            if (duet_allowed(instance, i, t) && start + duet_time(instance, i, t) < lambda) {
                duet_int128 weighted = (duet_int128)l->weight[t] * duet_time(instance, i, t);
                least = least < 0 || weighted < least ? weighted : least;
            }
        }
        duet_int128 of_kind;
        if (release < l->from) {
            continue;
        }
        if (least < 0) {
            return true; // it fits nowhere
        }
        if (__builtin_mul_overflow(least, (duet_int128)duet_count(instance, i), &of_kind) ||
            __builtin_add_overflow(work, of_kind, &work)) {
            return false;
        }
    }
    return work > capacity;
}

// The tasks that are released by then, on SCALE times as many processors as there are on average
// from then until `end`. NULL: there are none, or no processors.
static duet_code create_part(const late *l, int64_t end, duet_instance **out, duet_error *error)
{
    const duet_instance *instance = l->instance;
    size_t types = instance->types;
    duet_type platform[DUET_MAX_TYPES];
    int64_t *times = duet_alloc(instance->kinds * types, sizeof *times, error);
    int64_t *counts = duet_alloc(instance->kinds, sizeof *counts, error);
    size_t kinds = 0;
    duet_int128 total = 0;
    duet_code code = times == NULL || counts == NULL ? DUET_E_MEMORY : DUET_OK;
    *out = NULL;
    for (size_t t = 0; t < types; t++) {
        duet_int128 span = end > l->from ? end - l->from : 1;
        duet_int128 scale = instance->processors[t] > DUET_MAX_PROCESSORS / SCALE ? 1 : SCALE;
        int64_t count = (int64_t)(room(l, t, end) * scale / span);
        platform[t] = (duet_type){instance->type_names[t], duet_min(count, DUET_MAX_PROCESSORS)};
        total += count;
    }
    for (size_t i = 0; i < instance->kinds && code == DUET_OK; i++) {
        bool somewhere = false;
        for (size_t t = 0; t < types; t++) {
            int64_t time = duet_time(instance, i, t);
            somewhere = somewhere || (time != DUET_FORBIDDEN && platform[t].count > 0);
            times[kinds * types + t] = time;
        }
        if (duet_release(instance, i) >= l->from && somewhere) {
            counts[kinds++] = duet_count(instance, i);
        }
    }
    if (code == DUET_OK && kinds > 0 && total > 0) {
        const duet_instance_desc desc = {.struct_size = sizeof desc,
                                         .types = types,
                                         .platform = platform,
                                         .kinds = kinds,
                                         .counts = counts,
                                         .times = times};
        code = duet_instance_create(&desc, out, error);
    }
    duet_free(times);
    duet_free(counts);
    return code;
}

// Weights for a makespan of about `end`.
static duet_code find_weights(late *l, int64_t end, duet_error *error)
{
    duet_instance *part;
    duet_bound bound;
    DUET_TRY(create_part(l, end, &part, error));
    if (part == NULL) {
        return DUET_OK;
    }
    duet_code code = duet_plain_area_bound(part, &bound, error);
    if (code == DUET_OK) {
        memcpy(l->weight, bound.certificate.weight, part->types * sizeof *l->weight);
    }
    duet_instance_free(part);
    return code;
}

// The largest makespan that the weights prove; at least `low`, which need not be proven.
static int64_t find_largest(const late *l, int64_t low, int64_t high)
{
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (proves(l, middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static duet_code try_start(const duet_instance *instance, int64_t from, duet_bound *best,
                           duet_error *error)
{
    late l = {.instance = instance, .from = from};
    int64_t high = instance->latest + instance->work;
    int64_t end = high;
    for (size_t t = 0; t < instance->types; t++) {
        l.weight[t] = 1;
        l.least_busy[t] = instance->processors[t] > 0 ? INT64_MAX : 0;
        for (int64_t p = 0; p < instance->processors[t] && l.least_busy[t] > 0; p++) {
            int64_t until = duet_busy_until(instance, t, p);
            l.least_busy[t] = duet_min(until, l.least_busy[t]);
        }
    }
    for (int round = 0; round < ROUNDS; round++) {
        DUET_TRY(find_weights(&l, end, error));
        int64_t value = find_largest(&l, best->value, high);
        if (value > best->value) {
            best->value = value;
            best->certificate = (duet_certificate){
                .proof = DUET_PROOF_AREA, .lambda = value, .types = instance->types, .from = from};
            memcpy(best->certificate.weight, l.weight, sizeof l.weight);
        }
        end = value;
    }
    return DUET_OK;
}

// 0 and the releases, without those that stand twice. Owned by the caller.
static int64_t *list_starts(const duet_instance *instance, size_t *count, duet_error *error)
{
    int64_t *starts = duet_alloc(instance->kinds + 1, sizeof *starts, error);
    *count = 0;
    for (size_t i = 0; starts != NULL && i < instance->kinds; i++) {
        starts[i + 1] = duet_release(instance, i);
    }
    if (starts == NULL) {
        return NULL;
    }
    *count = duet_sort_distinct(starts, instance->kinds + 1);
    return starts;
}

duet_code duet_released_area_bound(const duet_instance *instance, const duet_context *context,
                                   duet_bound *bound, duet_error *error)
{
    size_t count;
    *bound = (duet_bound){.name = "area"};
    bound->certificate = (duet_certificate){.proof = DUET_PROOF_AREA, .types = instance->types};
    bound->certificate.weight[0] = 1;
    int64_t *starts = list_starts(instance, &count, error);
    DUET_NEED(starts);
    size_t steps = duet_min(count, (size_t)MOST_STARTS);
    duet_code code = DUET_OK;
    for (size_t i = 0; i < steps && code == DUET_OK; i++) {
        code = i > 0 && duet_context_stop(context)
                   ? DUET_OK
                   : try_start(instance, starts[i * count / steps], bound, error);
    }
    duet_free(starts);
    snprintf(bound->exact, sizeof bound->exact, "%lld", (long long)bound->value);
    return code;
}
