// SPDX-License-Identifier: Apache-2.0
// The knapsack bound with releases and busy processors.
// Method:    the smallest guess at which whole tasks can be allocated to the types so that, for
//            each release r, what is released at r or later fits into what the processors of each
//            type have from r on. Tasks come by falling releases, in lumps of a kind (of two types:
//            1, 2, 4 ... tasks), over a list of works, each one number a type: so all that a work
//            has is released when the next lump is, or later. A work is dropped that another one
//            beats on all types (of more than two types, one of the last few others), that has more
//            than there is room for from that release on, or that, with the least work to come and
//            both weighted, does not fit behind some earlier release. Guesses grow by doubling
//            steps, then by bisection.
// Guarantee: a lower bound on the makespan.
// Cost:      a list for each guess, of at most MOST_WORK works in all, a work times releases.
// Memory:    two lists of at most MOST_NUMBERS.
// Reference: that of dp/knapsack/knapsack.h; the releases are nested constraints: Dudzinski,
//            Walukiewicz, European Journal of Operational Research 28(1), 1987.
#include <string.h>

#include "core/instance/available.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "dp/knapsack/knapsack.h"

enum {
    MOST_WORK = 50000000,
    MOST_NUMBERS = 1 << 23, // of a list
    MOST_RELEASES = 64,
    MOST_BITS = 30,
    RECENT = 32 // works that a new one is compared to, of more than two types
};

typedef enum nested_answer { FITS, REFUTED, EXCEEDED } nested_answer;

typedef struct nested {
    const duet_instance *instance;
    size_t types;
    int64_t weight[DUET_MAX_TYPES];
    size_t *kind;     // by falling releases
    int64_t *release; // the different ones, rising, 0 among them
    size_t releases;
    // of a guess
    int64_t guess;
    duet_int128 *room;     // of each release and type
    duet_int128 *weighted; // of each release: the room
    duet_int128 *to_come;  // of each release: the least weighted work of what is to come
    int64_t *from, *to;    // works, in lexicographic order
    size_t from_count, to_count;
    int64_t work;
    duet_error *error;
} nested;

static duet_int128 room_from(const nested *n, size_t type, int64_t release)
{
    const duet_instance *instance = n->instance;
    int64_t listed = duet_min(instance->busy_count[type], instance->processors[type]);
    duet_int128 room =
        (duet_int128)duet_max(n->guess - release, 0) * (instance->processors[type] - listed);
    for (int64_t p = 0; p < listed; p++) {
        int64_t begin = duet_max(release, duet_busy_until(instance, type, p));
        room += duet_max(n->guess - begin, 0);
    }
    return room;
}

// Whether a kind can run on a type within the guess.
static bool is_usable(const nested *n, size_t kind, size_t type)
{
    const duet_instance *instance = n->instance;
    int64_t first = duet_max(duet_release(instance, kind), duet_first_free(instance, type));
    return duet_allowed(instance, kind, type) &&
           first + duet_time(instance, kind, type) <= n->guess;
}

// The least weighted work of a task of a kind; -1: it can run nowhere.
static duet_int128 least_of(const nested *n, size_t kind)
{
    duet_int128 least = -1;
    for (size_t t = 0; t < n->types; t++) {
        if (is_usable(n, kind, t)) {
            duet_int128 cost = (duet_int128)n->weight[t] * duet_time(n->instance, kind, t);
            least = least < 0 ? cost : duet_min(cost, least);
        }
    }
    return least;
}

// Room and work to come for each release. False: some task can run nowhere.
static bool measure(nested *n)
{
    for (size_t r = 0; r < n->releases; r++) {
        n->weighted[r] = 0;
        n->to_come[r] = 0;
        for (size_t t = 0; t < n->types; t++) {
            duet_int128 *room = &n->room[r * n->types + t];
            *room = room_from(n, t, n->release[r]);
            n->weighted[r] += *room * n->weight[t];
        }
    }
    for (size_t i = 0; i < n->instance->kinds; i++) {
        duet_int128 least = least_of(n, i);
        if (least < 0 && duet_count(n->instance, i) > 0) {
            return false;
        }
        for (size_t r = 0; r < n->releases && n->release[r] <= duet_release(n->instance, i); r++) {
            n->to_come[r] += least * duet_count(n->instance, i);
        }
    }
    return true;
}

// Whether a work may still become an allocation; `at`: the release of what joined it last.
static bool is_hopeful(const nested *n, const int64_t *work, size_t at)
{
    duet_int128 weighted = 0;
    bool fits = true;
    for (size_t t = 0; t < n->types; t++) {
        weighted += (duet_int128)work[t] * n->weight[t];
        fits = fits && work[t] <= n->room[at * n->types + t];
    }
    for (size_t r = 0; r <= at && fits; r++) {
        fits = weighted + n->to_come[r] <= n->weighted[r];
    }
    return fits;
}

// How many of the last works one more is compared to. Of two types the last one is the one that may
// beat it.
static size_t compared(const nested *n)
{
    return n->types <= 2 ? 1 : RECENT;
}

// Whether one of the last works that were kept is no longer on any type.
static bool is_beaten(const nested *n, const int64_t *work)
{
    size_t last = duet_min(n->to_count, compared(n));
    for (size_t i = 1; i <= last; i++) {
        const int64_t *kept = &n->to[(n->to_count - i) * n->types];
        bool beats = true;
        for (size_t t = 0; t < n->types && beats; t++) {
            beats = kept[t] <= work[t];
        }
        if (beats) {
            return true;
        }
    }
    return false;
}

static duet_code keep(nested *n, const int64_t *next, size_t at)
{
    if (is_beaten(n, next) || !is_hopeful(n, next, at)) {
        return DUET_OK;
    }
    DUET_TRY(duet_vec_reserve(n->to, (n->to_count + 1) * n->types, n->error));
    memcpy(&n->to[n->to_count++ * n->types], next, n->types * sizeof *next);
    return DUET_OK;
}

static bool comes_first(const nested *n, const int64_t *a, const int64_t *b)
{
    size_t t = 0;
    while (t + 1 < n->types && a[t] == b[t]) {
        t++;
    }
    return a[t] < b[t];
}

// The first of the works with a lump on the next one of each type; false: there is none.
static bool find_first(const nested *n, const int64_t *time, size_t *next, int64_t *first)
{
    size_t from = SIZE_MAX;
    for (size_t t = 0; t < n->types; t++) {
        int64_t with[DUET_MAX_TYPES];
        if (time[t] < 0 || next[t] == n->from_count) {
            continue;
        }
        memcpy(with, &n->from[next[t] * n->types], n->types * sizeof *with);
        with[t] += time[t];
        if (from == SIZE_MAX || comes_first(n, with, first)) {
            from = t;
            memcpy(first, with, n->types * sizeof *with);
        }
    }
    if (from != SIZE_MAX) {
        next[from]++;
    }
    return from != SIZE_MAX;
}

// Every work with a lump on each type where it can run: as many lists, each in order.
static duet_code join(nested *n, const int64_t *time, size_t at)
{
    size_t next[DUET_MAX_TYPES] = {0};
    int64_t first[DUET_MAX_TYPES];
    n->to_count = 0;
    while (n->to_count * n->types < MOST_NUMBERS && find_first(n, time, next, first)) {
        DUET_TRY(keep(n, first, at));
    }
    int64_t *swap = n->from;
    n->from = n->to;
    n->to = swap;
    n->work += (int64_t)(n->from_count * (at + compared(n)));
    n->work = n->to_count * n->types < MOST_NUMBERS ? n->work : MOST_WORK + 1;
    n->from_count = n->to_count;
    return DUET_OK;
}

// The size of a kind's next lump, where `before` tasks of the kind are in lumps: with it all
// numbers of tasks on the types can be made of lumps; check/released_knapsack.c says why.
static int64_t size_of(const nested *n, int64_t before, int64_t left)
{
    return n->types < 2 ? left : duet_min(before / ((int64_t)n->types - 1) + 1, left);
}

static duet_code join_kind(nested *n, size_t kind, size_t at)
{
    int64_t count = duet_count(n->instance, kind);
    int64_t left = count;
    duet_int128 least = least_of(n, kind);
    while (left > 0 && n->from_count > 0 && n->work <= MOST_WORK) {
        int64_t some = size_of(n, count - left, left);
        int64_t time[DUET_MAX_TYPES];
        for (size_t t = 0; t < n->types; t++) {
            time[t] = is_usable(n, kind, t) ? some * duet_time(n->instance, kind, t) : -1;
        }
        for (size_t r = 0; r <= at; r++) {
            n->to_come[r] -= least * some;
        }
        DUET_TRY(join(n, time, at));
        left -= some;
    }
    return DUET_OK;
}

static duet_code ask(nested *n, int64_t guess, nested_answer *answer)
{
    size_t at = n->releases - 1;
    n->guess = guess;
    n->work = 0;
    *answer = REFUTED;
    if (!measure(n)) {
        return DUET_OK;
    }
    DUET_TRY(duet_vec_reserve(n->from, n->types, n->error));
    memset(n->from, 0, n->types * sizeof *n->from);
    n->from_count = 1;
    for (size_t i = 0; i < n->instance->kinds && n->from_count > 0 && n->work <= MOST_WORK; i++) {
        while (n->release[at] > duet_release(n->instance, n->kind[i])) {
            at--;
        }
        DUET_TRY(join_kind(n, n->kind[i], at));
    }
    *answer = n->from_count == 0 ? REFUTED : n->work > MOST_WORK ? EXCEEDED : FITS;
    return DUET_OK;
}

// --- the bound -----------------------------------------------------------------------------------

static duet_code list_releases(nested *n)
{
    size_t kinds = n->instance->kinds;
    n->kind = duet_alloc(kinds, sizeof *n->kind, n->error);
    n->release = duet_alloc(kinds + 1, sizeof *n->release, n->error);
    DUET_NEED(n->kind != NULL && n->release != NULL);
    for (size_t i = 0; i < kinds; i++) {
        n->release[i + 1] = duet_release(n->instance, i);
    }
    n->releases = duet_sort_distinct(n->release, kinds + 1);
    size_t next = 0;
    for (size_t r = n->releases; r-- > 0 && n->releases <= MOST_RELEASES;) {
        for (size_t i = 0; i < kinds; i++) {
            if (duet_release(n->instance, i) == n->release[r]) {
                n->kind[next++] = i;
            }
        }
    }
    n->room = duet_alloc(n->releases * n->types, sizeof *n->room, n->error);
    n->weighted = duet_alloc(n->releases, sizeof *n->weighted, n->error);
    n->to_come = duet_alloc(n->releases, sizeof *n->to_come, n->error);
    return n->room == NULL || n->weighted == NULL || n->to_come == NULL ? DUET_E_MEMORY : DUET_OK;
}

// Weights of at most 30 bits.
static void take_weights(const int64_t *weight, size_t types, int64_t *out)
{
    int shift = 0;
    int64_t most = 0;
    for (size_t t = 0; t < types; t++) {
        most = duet_max(weight[t], most);
    }
    while (most >> shift >= INT64_C(1) << MOST_BITS) {
        shift++;
    }
    for (size_t t = 0; t < types; t++) {
        out[t] = duet_max(weight[t] >> shift, 1);
    }
}

// From `low`, which is a bound; `high`: the first guess that is known to fit.
static duet_code climb(nested *n, const duet_context *context, int64_t high, int64_t *low)
{
    int64_t step = 1;
    while (*low < high && !duet_context_stop(context)) {
        bool doubling = step < high - *low;
        int64_t guess = doubling ? *low + step - 1 : *low + (high - *low) / 2;
        nested_answer answer;
        DUET_TRY(ask(n, guess, &answer));
        if (answer == EXCEEDED) {
            break;
        }
        *low = answer == REFUTED ? guess + 1 : *low;
        high = answer == FITS ? guess : high;
        step = answer == FITS ? INT64_MAX : doubling ? 2 * step : step;
    }
    return DUET_OK;
}

duet_code duet_knapsack_raise_released(const duet_instance *instance, const duet_context *context,
                                       const int64_t *weight, int64_t below, duet_bound *bound,
                                       duet_error *error)
{
    nested n = {.instance = instance, .types = instance->types, .error = error};
    int64_t low = bound->value;
    duet_code code = list_releases(&n);
    if (code == DUET_OK && n.releases <= MOST_RELEASES) {
        take_weights(weight, n.types, n.weight);
        code = climb(&n, context, below, &low);
    }
    if (code == DUET_OK && low > bound->value) {
        duet_bound_release(bound);
        *bound = (duet_bound){
            .name = "knapsack",
            .value = low,
            .certificate = {.proof = DUET_PROOF_KNAPSACK, .lambda = low, .types = n.types}};
        memcpy(bound->certificate.weight, n.weight, n.types * sizeof *n.weight);
        duet_fraction_format((duet_fraction){(duet_uint128)low, 1}, bound->exact);
    }
    duet_free(n.kind);
    duet_free(n.release);
    duet_free(n.room);
    duet_free(n.weighted);
    duet_free(n.to_come);
    duet_free(n.from);
    duet_free(n.to);
    return code;
}
