// SPDX-License-Identifier: Apache-2.0
// Dividing work between two types with releases and busy processors: a dynamic program over a list
// of pairs. Includes no solver header: this is what an outsider trusts.
//
// Method: kinds come by falling releases, in lumps of 1, 2, 4 ... tasks, each on the one type or on
// the other. All that a pair holds is released at the release r of the lump at hand, or later: so
// it has at most the room from r on. A pair is dropped that has more, or that another one beats on
// both types; and one whose work and the least work of what is to come, by the weights, are more
// than the room from 0 on. Any weights of at least 0 will do.
// Cost:   O(lumps x pairs) time, O(pairs) memory.
#include "check/released_knapsack.h"

#include <stdlib.h>

#include "check/proof/tree/knapsack.h"
#include "check/refusal.h"
#include "check/waits.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { TYPES = 2, PAIR = 16 }; // PAIR: units of work that a pair takes

typedef struct work_pair {
    int64_t on[TYPES];
} work_pair;

// A kind by its release.
typedef struct waiting {
    int64_t release;
    size_t kind;
} waiting;

typedef struct division {
    const duet_certificate *certificate;
    const duet_instance *instance;
    int64_t length; // lambda - 1
    work_pair *pairs, *next;
    size_t count, next_count;
    duet_int128 least;    // the weighted work of what is to come
    duet_int128 weighted; // the room from 0 on
    duet_int128 room[TYPES];
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
    for (size_t t = 0; t < TYPES; t++) {
        int64_t time = time_on(d, kind, t);
        duet_int128 cost = (duet_int128)d->certificate->weight[t] * time;
        least = time >= 0 && (least < 0 || cost < least) ? cost : least;
    }
    return least;
}

// Keeps a pair that no kept one beats and that has room. Pairs come by rising work on type 0.
static duet_code keep(division *d, work_pair pair)
{
    bool beaten = d->next_count > 0 && d->next[d->next_count - 1].on[1] <= pair.on[1];
    duet_int128 weighted = d->least;
    for (size_t t = 0; t < TYPES; t++) {
        weighted += (duet_int128)d->certificate->weight[t] * pair.on[t];
        beaten = beaten || pair.on[t] > d->room[t];
    }
    if (beaten || weighted > d->weighted) {
        return DUET_OK;
    }
    if (d->next_count >= DUET_PROOF_MAX_PAIRS) {
        return duet_certificate_wrong(d->error, "the list of works is too long");
    }
    return duet_vec_push(d->next, d->next_count, d->error, pair);
}

// Both ways to run a lump; a time of -1 is none.
static duet_code add_lump(division *d, int64_t first, int64_t second)
{
    size_t i = first < 0 ? d->count : 0;
    size_t j = second < 0 ? d->count : 0;
    d->next_count = 0;
    while (i < d->count || j < d->count) {
        work_pair there = {{INT64_MAX, 0}};
        work_pair here = {{INT64_MAX, 0}};
        if (i < d->count) {
            here = (work_pair){{d->pairs[i].on[0] + first, d->pairs[i].on[1]}};
        }
        if (j < d->count) {
            there = (work_pair){{d->pairs[j].on[0], d->pairs[j].on[1] + second}};
        }
        bool takes_first =
            here.on[0] != there.on[0] ? here.on[0] < there.on[0] : here.on[1] <= there.on[1];
        i += takes_first ? 1 : 0;
        j += takes_first ? 0 : 1;
        DUET_TRY(keep(d, takes_first ? here : there));
    }
    work_pair *done = d->pairs;
    d->pairs = d->next;
    d->next = done;
    d->count = d->next_count;
    return DUET_OK;
}

static duet_code add_kind(division *d, const waiting *of, duet_watch *watch)
{
    int64_t first = time_on(d, of->kind, 0);
    int64_t second = time_on(d, of->kind, 1);
    duet_int128 least = least_weighted(d, of->kind);
    int64_t left = duet_count(d->instance, of->kind);
    for (size_t t = 0; t < TYPES; t++) {
        d->room[t] = duet_check_room(d->instance, t, of->release, d->length);
    }
    for (int64_t size = 1; left > 0 && d->count > 0; size *= 2) {
        size = duet_min(size, left);
        if (duet_watch_spend(watch, PAIR * (int64_t)(d->count + 1))) {
            return duet_watch_code(watch, d->error);
        }
        d->least -= least * size;
        DUET_TRY(add_lump(d, first < 0 ? -1 : first * size, second < 0 ? -1 : second * size));
        left -= size;
    }
    return DUET_OK;
}

// What is to come before anything is allocated. False: some task can run nowhere.
static bool sum_up(division *d)
{
    for (size_t t = 0; t < TYPES; t++) {
        d->weighted += d->certificate->weight[t] * duet_check_room(d->instance, t, 0, d->length);
    }
    for (size_t i = 0; i < d->instance->kinds; i++) {
        duet_int128 least = least_weighted(d, i);
        if (least < 0 && duet_count(d->instance, i) > 0) {
            return false;
        }
        d->least += least * duet_count(d->instance, i);
    }
    return true;
}

static duet_code run(division *d, waiting *order, duet_watch *watch)
{
    size_t kinds = d->instance->kinds;
    for (size_t i = 0; i < kinds; i++) {
        order[i] = (waiting){duet_release(d->instance, i), i};
    }
    qsort(order, kinds, sizeof *order, by_falling_release);
    if (!sum_up(d)) {
        return DUET_OK;
    }
    DUET_TRY(duet_vec_push(d->pairs, d->count, d->error, (work_pair){{0, 0}}));
    for (size_t i = 0; i < kinds && d->count > 0; i++) {
        DUET_TRY(add_kind(d, &order[i], watch));
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
                  .error = error};
    for (size_t t = 0; t < TYPES; t++) {
        if (certificate->weight[t] < 0 || certificate->weight[t] > INT32_MAX) {
            return duet_certificate_wrong(error, "expected weights of 0 to 2^31 - 1");
        }
    }
    waiting *order = duet_alloc(instance->kinds, sizeof *order, error);
    DUET_NEED(order);
    duet_code code = run(&d, order, watch);
    duet_free(order);
    duet_free(d.pairs);
    duet_free(d.next);
    return code;
}
