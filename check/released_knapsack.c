// SPDX-License-Identifier: Apache-2.0
// Dividing work between the types with releases and busy processors: a dynamic program over a list
// of works, each one number a type. Includes no solver header: this is what an outsider trusts.
//
// Method: kinds come by falling releases, in lumps of their tasks, each on one of the types. With k
// types, a lump has at most one task more than the ones before it divided by k - 1 (of two types:
// 1, 2, 4 ...). So lumps make all numbers of tasks on the types: if the last lump, of s tasks, were
// more than the number of each type, these would add up to at most k (s - 1), but they add up to s
// and the ones before it, at least (k - 1) (s - 1). All that a work holds is released at the
// release r of the lump at hand, or later: so it has at most the room from r on. A work is dropped
// that has more, or that one of the last kept ones beats on all types; and one that is more than
// the room from an earlier release on, together with the least work of what is to come and released
// then or later, all by the weights. Any weights of at least 0 will do.
// Cost:   O(lumps x (works x types + kinds)) time, O(works x types + kinds) memory.
#include "check/certificates.h"

#include <stdlib.h>

#include "check/proof/tree/knapsack.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum {
    UNITS = 8,   // that each number of a work takes
    RECENT = 32, // works that one more is compared to
    MOST_NUMBERS = 2 * DUET_PROOF_MAX_PAIRS
};

// A kind by its release.
typedef struct waiting {
    int64_t release;
    size_t kind;
    duet_int128 left; // the weighted room from the release on, less what is to come of that time
} waiting;

typedef struct division {
    const duet_certificate *certificate;
    const duet_instance *instance;
    int64_t length; // lambda - 1
    size_t types;
    int64_t *works, *next; // in lexicographic order
    size_t count, next_count;
    duet_int128 left; // the least of what is left of the room from a release on
    duet_int128 room[DUET_MAX_TYPES];
    duet_error *error;
} division;

static int by_falling_release(const void *a, const void *b)
{
    int64_t x = ((const waiting *)a)->release;
    int64_t y = ((const waiting *)b)->release;
    return (y > x) - (y < x);
}

// The time of a kind on a type; -1 where it cannot end within the length there.
static int64_t time_on(const division *d, size_t kind, size_t type)
{
    const duet_instance *instance = d->instance;
    bool may =
        duet_allowed(instance, kind, type) &&
        duet_check_earliest(instance, kind, type) + duet_time(instance, kind, type) <= d->length;
    return may ? duet_time(instance, kind, type) : -1;
}

// The least weighted time of a kind; -1: it can run nowhere.
static duet_int128 least_weighted(const division *d, size_t kind)
{
    duet_int128 least = -1;
    for (size_t t = 0; t < d->types; t++) {
        int64_t time = time_on(d, kind, t);
        duet_int128 cost = (duet_int128)d->certificate->weight[t] * time;
        least = time >= 0 && (least < 0 || cost < least) ? cost : least;
    }
    return least;
}

// Whether one of the works that were kept last has no more on any type.
static bool is_beaten(const division *d, const int64_t *work)
{
    bool beaten = false;
    for (size_t i = 1; i <= RECENT && i <= d->next_count && !beaten; i++) {
        const int64_t *kept = d->next + (d->next_count - i) * d->types;
        size_t t = 0;
        while (t < d->types && kept[t] <= work[t]) {
            t++;
        }
        beaten = t == d->types;
    }
    return beaten;
}

// Keeps a work that has room and is not beaten.
static duet_code keep(division *d, const int64_t *work)
{
    duet_int128 weighted = 0;
    bool fits = true;
    for (size_t t = 0; t < d->types; t++) {
        weighted += (duet_int128)d->certificate->weight[t] * work[t];
        fits = fits && work[t] <= d->room[t];
    }
    if (!fits || weighted > d->left || is_beaten(d, work)) {
        return DUET_OK;
    }
    if ((d->next_count + 1) * d->types > MOST_NUMBERS) {
        return duet_certificate_wrong(d->error, "the list of works is too long");
    }
    DUET_TRY(duet_vec_reserve(d->next, (d->next_count + 1) * d->types, d->error));
    for (size_t t = 0; t < d->types; t++) {
        d->next[d->next_count * d->types + t] = work[t];
    }
    d->next_count++;
    return DUET_OK;
}

// The number of works on type t from work i on, with a lump there.
static int64_t number_of(const division *d, size_t work, size_t type, const int64_t *time, size_t t)
{
    return d->works[work * d->types + t] + (t == type ? time[type] : 0);
}

// The type whose next work with the lump is lexicographically first; the number of types: all works
// have been on all of them.
static size_t first_type(const division *d, const int64_t *time, const size_t *next)
{
    size_t first = d->types;
    for (size_t type = 0; type < d->types; type++) {
        size_t t = 0;
        if (time[type] < 0 || next[type] == d->count) {
            continue;
        }
        while (first < d->types && t + 1 < d->types &&
               number_of(d, next[type], type, time, t) ==
                   number_of(d, next[first], first, time, t)) {
            t++;
        }
        if (first == d->types ||
            number_of(d, next[type], type, time, t) < number_of(d, next[first], first, time, t)) {
            first = type;
        }
    }
    return first;
}

// All ways to run a lump; a time of -1 is none.
static duet_code add_lump(division *d, const int64_t *time)
{
    size_t next[DUET_MAX_TYPES] = {0};
    int64_t work[DUET_MAX_TYPES] = {0};
    d->next_count = 0;
    for (size_t type = first_type(d, time, next); type < d->types;
         type = first_type(d, time, next)) {
        for (size_t t = 0; t < d->types; t++) {
            work[t] = number_of(d, next[type], type, time, t);
        }
        next[type]++;
        DUET_TRY(keep(d, work));
    }
    int64_t *done = d->works;
    d->works = d->next;
    d->next = done;
    d->count = d->next_count;
    return DUET_OK;
}

// Takes a lump of the first one of kinds in the order from what is to come, and finds what is left
// for works from any of their releases on.
static void take_lump(division *d, waiting *of, size_t kinds, duet_int128 weighted)
{
    d->left = of->left + weighted;
    for (size_t i = 0; i < kinds; i++) {
        of[i].left += weighted;
        d->left = duet_min(d->left, of[i].left);
    }
}

// Adds the first one of kinds in the order.
static duet_code add_kind(division *d, waiting *of, size_t kinds, duet_watch *watch)
{
    duet_int128 least = least_weighted(d, of->kind);
    int64_t count = duet_count(d->instance, of->kind);
    int64_t left = count;
    for (size_t t = 0; t < d->types; t++) {
        d->room[t] = duet_check_room(d->instance, t, of->release, d->length);
    }
    while (left > 0 && d->count > 0) {
        int64_t time[DUET_MAX_TYPES] = {0};
        int64_t fair = d->types < 2 ? left : (count - left) / ((int64_t)d->types - 1) + 1;
        int64_t size = duet_min(fair, left);
        size_t units = UNITS * (d->count + 1) * d->types + kinds;
        if (duet_watch_spend(watch, (int64_t)units)) {
            return duet_watch_code(watch, d->error);
        }
        for (size_t t = 0; t < d->types; t++) {
            int64_t one = time_on(d, of->kind, t);
            time[t] = one < 0 ? -1 : one * size;
        }
        take_lump(d, of, kinds, least * size);
        DUET_TRY(add_lump(d, time));
        left -= size;
    }
    return DUET_OK;
}

// What is left of the room from each release on behind all that is released then or later. False:
// some task can run nowhere.
static bool sum_up(const division *d, waiting *order, size_t kinds)
{
    duet_int128 to_come = 0;
    size_t next = 0; // the first kind that is not yet to come
    for (size_t i = 0; i < kinds; i++) {
        for (; next < kinds && order[next].release >= order[i].release; next++) {
            duet_int128 least = least_weighted(d, order[next].kind);
            if (least < 0 && duet_count(d->instance, order[next].kind) > 0) {
                return false;
            }
            to_come += least * duet_count(d->instance, order[next].kind);
        }
        order[i].left = -to_come;
        for (size_t t = 0; t < d->types; t++) {
            order[i].left += d->certificate->weight[t] *
                             duet_check_room(d->instance, t, order[i].release, d->length);
        }
    }
    return true;
}

static duet_code run(division *d, waiting *order, duet_watch *watch)
{
    size_t kinds = d->instance->kinds;
    for (size_t i = 0; i < kinds; i++) {
        order[i] = (waiting){.release = duet_release(d->instance, i), .kind = i};
    }
    qsort(order, kinds, sizeof *order, by_falling_release);
    if (!sum_up(d, order, kinds)) {
        return DUET_OK;
    }
    DUET_TRY(duet_vec_reserve(d->works, d->types, d->error));
    for (size_t t = 0; t < d->types; t++) {
        d->works[t] = 0;
    }
    d->count = 1;
    for (size_t i = 0; i < kinds && d->count > 0; i++) {
        DUET_TRY(add_kind(d, &order[i], kinds - i, watch));
    }
    return d->count == 0 ? DUET_OK
                         : duet_certificate_wrong(d->error, "the work can be divided between the "
                                                            "types");
}

duet_code duet_check_released_knapsack(const duet_certificate *certificate,
                                       const duet_instance *instance, duet_watch *watch,
                                       duet_error *error)
{
    division d = {.certificate = certificate,
                  .instance = instance,
                  .length = certificate->lambda - 1,
                  .types = instance->types,
                  .error = error};
    for (size_t t = 0; t < d.types; t++) {
        if (certificate->weight[t] < 0 || certificate->weight[t] > INT32_MAX) {
            return duet_certificate_wrong(error, "expected weights of 0 to 2^31 - 1");
        }
    }
    waiting *order = duet_alloc(instance->kinds, sizeof *order, error);
    DUET_NEED(order);
    duet_code code = run(&d, order, watch);
    duet_free(order);
    duet_free(d.works);
    duet_free(d.next);
    return code;
}
