// SPDX-License-Identifier: Apache-2.0
// The dearest load of one processor where tasks have releases, whatever the size of the times.
//
// Method:    a list of loads, each a time and a price, of which none is shorter and dearer than
//            another. Lumps come by decreasing release, and one may join as long as the load then
//            ends in time. A load is dropped that all lumps to come, or the dearest of them per
//            time over all the time that is left, do not bring above the floor.
// Guarantee: the dearest load, where the list does not become longer than is allowed.
// Cost:      O(lumps x loads).
// Memory:    two lists, and a node for each load that a lump joined.
// Reference: Nemhauser, Ullmann, "Discrete dynamic programming and capital allocation", Management
//            Science 15(9), 1969, for such lists.
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/configuration/configuration_state.h"

// How a load came about: a lump joined a load.
typedef struct node {
    size_t before; // its node
    size_t lump;
} node;

typedef struct load {
    int64_t time;
    int64_t price;
    size_t node; // SIZE_MAX: it is empty
} load;

// What is to come behind a lump.
typedef struct remainder {
    duet_int128 price;             // of all
    int64_t best_price, best_time; // of the dearest per time
} remainder;

typedef struct lists {
    int64_t capacity, floor;
    load *from, *to; // by time, the price of each above that before
    size_t from_count, to_count;
    node *nodes;
    size_t node_count;
    remainder *rest; // behind each lump
    load dearest;
    duet_error *error;
} lists;

// What is to come behind each lump.
static void sum_rest(const generation_lump *lumps, size_t count, remainder *rest)
{
    remainder sum = {0, 0, 1};
    for (size_t i = count; i-- > 0;) {
        rest[i] = sum;
        sum.price += lumps[i].price;
        if ((duet_int128)lumps[i].price * sum.best_time >
            (duet_int128)sum.best_price * lumps[i].time) {
            sum.best_price = lumps[i].price;
            sum.best_time = lumps[i].time;
        }
    }
}

// Whether a load may come above the floor.
static bool is_promising(const lists *s, const load *at, const remainder *rest)
{
    duet_int128 missing = (duet_int128)s->floor - at->price;
    duet_int128 most = (duet_int128)rest->best_price * (s->capacity - at->time);
    return rest->price > missing && most > missing * rest->best_time;
}

// One load more, unless a shorter one is as dear or it cannot come above the floor. `lump`: which
// joined it; SIZE_MAX: none.
static duet_code keep(lists *s, load next, size_t lump, const remainder *rest)
{
    bool dominated = s->to_count > 0 && next.price <= s->to[s->to_count - 1].price;
    if (dominated || !is_promising(s, &next, rest)) {
        return DUET_OK; // above the floor it is promising, with nothing to come as well
    }
    duet_code code = DUET_OK;
    if (lump != SIZE_MAX) {
        code = duet_vec_push(s->nodes, s->node_count, s->error, (node){next.node, lump});
        next.node = s->node_count - 1;
    }
    if (code == DUET_OK && next.price > s->dearest.price) {
        s->dearest = next;
    }
    DUET_THEN(code, duet_vec_push(s->to, s->to_count, s->error, next));
    return code;
}

// The loads with and without a lump.
static duet_code join(lists *s, const generation_lump *with, size_t index)
{
    const remainder *rest = &s->rest[index];
    size_t plain = 0;
    size_t joined = 0;
    duet_code code = DUET_OK;
    s->to_count = 0;
    while (code == DUET_OK && (plain < s->from_count || joined < s->from_count)) {
        if (joined < s->from_count && s->from[joined].time > with->room - with->time) {
            joined = s->from_count; // the others are longer
            continue;
        }
        load next = joined < s->from_count ? s->from[joined] : (load){.time = 0};
        next.time += with->time;
        next.price += with->price;
        bool first = joined == s->from_count ||
                     (plain < s->from_count &&
                      (s->from[plain].time < next.time ||
                       (s->from[plain].time == next.time && s->from[plain].price >= next.price)));
        code = first ? keep(s, s->from[plain], SIZE_MAX, rest) : keep(s, next, index, rest);
        plain += first ? 1 : 0;
        joined += first ? 0 : 1;
    }
    load *swap = s->from;
    s->from = s->to;
    s->to = swap;
    s->from_count = s->to_count;
    return code;
}

// The lumps of the dearest load as parts: those of an item are beside each other.
static void read_load(const lists *s, const generation_lump *lumps, duet_pricing_load *out)
{
    out->parts = 0;
    for (size_t at = s->dearest.node; at != SIZE_MAX; at = s->nodes[at].before) {
        const generation_lump *lump = &lumps[s->nodes[at].lump];
        bool same = out->parts > 0 && out->part[out->parts - 1].class == lump->class;
        out->parts += same ? 0 : 1;
        duet_pricing_part *part = &out->part[out->parts - 1];
        *part = (duet_pricing_part){lump->class, (same ? part->tasks : 0) + lump->tasks};
    }
}

duet_code duet_generation_price_nested(const generation_lump *lumps, size_t count, int64_t capacity,
                                       size_t most, duet_pricing_load *out, bool *exceeded,
                                       duet_error *error)
{
    lists s = {.capacity = capacity,
               .floor = out->value,
               .dearest = {0, out->value, SIZE_MAX},
               .error = error};
    size_t work = 0;
    duet_code code = duet_vec_push(s.from, s.from_count, error, (load){0, 0, SIZE_MAX});
    DUET_THEN(code, duet_vec_reserve(s.rest, count + 1, error));
    if (code == DUET_OK) {
        sum_rest(lumps, count, s.rest);
    }
    for (size_t i = 0; i < count && code == DUET_OK && work <= most; i++) {
        code = join(&s, &lumps[i], i);
        work += s.from_count;
    }
    *exceeded = work > most;
    if (code == DUET_OK && !*exceeded && s.dearest.node != SIZE_MAX) {
        out->value = s.dearest.price;
        read_load(&s, lumps, out);
    }
    duet_free(s.from);
    duet_free(s.to);
    duet_free(s.nodes);
    duet_free(s.rest);
    return code;
}
