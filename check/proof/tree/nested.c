// SPDX-License-Identifier: Apache-2.0
// The knapsack of one processor with releases: whether some tasks that fit are priced above a
// limit. Includes no solver header: this is what an outsider trusts.
//
// Method: a list of loads, each a time and a price, of which none is shorter and dearer than
// another. Tasks come by decreasing release, and one may join where the load, which is of tasks
// that are released no earlier, then fits between its start and the guess. A load is dropped that
// all tasks to come, or the dearest of them per time over all the time that is left, do not bring
// above the limit.
#include "check/proof/tree/vector.h"

#include <inttypes.h>

#include "core/number/fraction.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { LOAD = 4 }; // units of work

// Some tasks of a class, taken together or not at all.
typedef struct lump {
    int64_t release;
    int64_t room; // the latest end of the load, from the end of the busy time on
    int64_t time;
    int64_t price;
} lump;

typedef struct load {
    int64_t time;
    int64_t price;
} load;

// What is to come from a lump on.
typedef struct remainder {
    duet_int128 price;             // of all
    int64_t best_price, best_time; // of the dearest per time
} remainder;

static int compare_lumps(const void *left, const void *right)
{
    const lump *a = left;
    const lump *b = right;
    duet_int128 x = (duet_int128)a->price * b->time;
    duet_int128 y = (duet_int128)b->price * a->time;
    return 2 * duet_order(b->release, a->release) + (x < y ? 1 : x > y ? -1 : 0);
}

// Splits the priced tasks into lumps of 1, 2, 4 ... of a class. Returns how many there are; `out`
// may be NULL.
static size_t split(const duet_proof_model *model, int type, const int64_t *price, lump *out)
{
    size_t count = 0;
    for (size_t c = 0; c < model->classes; c++) {
        int64_t time = model->time[type][c];
        int64_t start = duet_proof_start(model, type, c);
        int64_t fit = time > 0 && price[c] > 0 ? (model->guess - start) / time : 0;
        int64_t left = duet_min(fit, model->count[c]);
        for (int64_t tasks = 1; left > 0; tasks *= 2) {
            int64_t some = duet_min(tasks, left);
            if (out != NULL) {
                out[count] =
                    (lump){model->release[c], model->guess - start, some * time, some * price[c]};
            }
            count++;
            left -= some;
        }
    }
    return count;
}

// Whether a load may come above the limit with what is to come.
static bool is_promising(load at, const remainder *rest, int64_t room, int64_t limit)
{
    if (at.price + rest->price <= limit) {
        return false;
    }
    duet_int128 more = (duet_int128)rest->best_price * (room - at.time);
    return (duet_int128)at.price * rest->best_time + more > (duet_int128)limit * rest->best_time;
}

// The loads with and without a lump, by time, those that are promising. Returns how many, and
// *dearest of all.
static size_t join(const load *from, size_t count, const lump *with, const remainder *rest,
                   int64_t room, int64_t limit, load *to, load *dearest)
{
    size_t made = 0;
    size_t plain = 0;
    size_t joined = 0;
    int64_t best = -1;
    while (plain < count || joined < count) {
        load one = plain < count ? from[plain] : (load){INT64_MAX, 0};
        load other = {INT64_MAX, 0};
        if (joined < count && from[joined].time + with->time <= with->room) {
            other = (load){from[joined].time + with->time, from[joined].price + with->price};
        } else {
            joined = count; // the others are longer
        }
        if (one.time == INT64_MAX && other.time == INT64_MAX) {
            break;
        }
        bool first = one.time < other.time || (one.time == other.time && one.price >= other.price);
        load next = first ? one : other;
        plain += first ? 1 : 0;
        joined += first ? 0 : 1;
        if (next.price > best) {
            best = next.price;
            *dearest = next.price > dearest->price ? next : *dearest;
            if (is_promising(next, rest, room, limit)) {
                to[made++] = next;
            }
        }
    }
    return made;
}

// What is to come behind each lump.
static void sum_rest(const lump *lumps, size_t count, remainder *rests)
{
    rests[count] = (remainder){0, 0, 1};
    for (size_t i = count; i-- > 0;) {
        rests[i] = rests[i + 1];
        rests[i].price += lumps[i].price;
        if ((duet_int128)lumps[i].price * rests[i].best_time >
            (duet_int128)rests[i].best_price * lumps[i].time) {
            rests[i].best_price = lumps[i].price;
            rests[i].best_time = lumps[i].time;
        }
    }
}

// Room for the loads that one more lump makes.
static duet_code make_room(load **loads, size_t *room, size_t count, const duet_watch *watch,
                           duet_error *error)
{
    if (2 * count + 1 <= *room) {
        return DUET_OK;
    }
    size_t more = 4 * count + 64;
    DUET_TRY(duet_memory_check(more, sizeof **loads, watch->context->memory_limit,
                               "the loads of a processor", error));
    duet_free(*loads);
    *loads = duet_alloc(more, sizeof **loads, error);
    *room = *loads == NULL ? 0 : more;
    return *loads == NULL ? DUET_E_MEMORY : DUET_OK;
}

static duet_code fail(const duet_proof_model *model, int type, int64_t limit, load dearest,
                      duet_error *error)
{
    return duet_error_set(error, DUET_E_INPUT,
                          "%s limit %" PRId64 ": tasks of %" PRId64
                          " ticks that fit a processor, releases and all, are priced %" PRId64
                          ", expected none above the limit",
                          model->name[type], limit, dearest.time, dearest.price);
}

static duet_code search(const duet_proof_model *model, int type, int64_t limit, const lump *lumps,
                        const remainder *rests, size_t count, duet_watch *watch, duet_error *error)
{
    int64_t room = model->guess - model->from[type];
    load *loads[2] = {NULL, NULL};
    size_t rooms[2] = {0, 0};
    load dearest = {0, 0};
    size_t made = 1;
    duet_code code = make_room(&loads[0], &rooms[0], 1, watch, error);
    if (code == DUET_OK) {
        loads[0][0] = (load){0, 0};
    }
    for (size_t i = 0; i < count && code == DUET_OK && made > 0 && dearest.price <= limit; i++) {
        size_t at = i % 2;
        code = make_room(&loads[1 - at], &rooms[1 - at], made, watch, error);
        if (code == DUET_OK && duet_watch_spend(watch, (int64_t)made * LOAD)) {
            code = duet_check_stopped(watch, error);
        }
        if (code == DUET_OK) {
            made = join(loads[at], made, &lumps[i], &rests[i + 1], room, limit, loads[1 - at],
                        &dearest);
        }
    }
    duet_free(loads[0]);
    duet_free(loads[1]);
    return code == DUET_OK && dearest.price > limit ? fail(model, type, limit, dearest, error)
                                                    : code;
}

duet_code duet_proof_nested_knapsack(const duet_proof_model *model, int type, const int64_t *price,
                                     int64_t limit, duet_watch *watch, duet_error *error)
{
    size_t count = split(model, type, price, NULL);
    lump *lumps = duet_alloc(count + 1, sizeof *lumps, error);
    remainder *rests = duet_alloc(count + 1, sizeof *rests, error);
    duet_code code = lumps == NULL || rests == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        split(model, type, price, lumps);
        code = duet_check_sort(lumps, count, sizeof *lumps, compare_lumps, watch, error);
    }
    if (code == DUET_OK) {
        sum_rest(lumps, count, rests);
        code = search(model, type, limit, lumps, rests, count, watch, error);
    }
    duet_free(lumps);
    duet_free(rests);
    return code;
}
