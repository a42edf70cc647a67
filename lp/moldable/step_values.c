// SPDX-License-Identifier: Apache-2.0
#include "lp/moldable/step_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/instance/time_table.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static int by_step_time(const void *left, const void *right)
{
    const duet_time_step *a = left;
    const duet_time_step *b = right;
    return duet_order(a->time, b->time);
}

static duet_code add_step(duet_time_steps *steps, size_t *count, int64_t time, duet_error *error)
{
    if (time == 0) {
        return DUET_OK; // worth nothing
    }
    if (duet_vec_reserve(steps->step, *count + 1, error) != DUET_OK) {
        return DUET_E_MEMORY;
    }
    steps->step[(*count)++] = (duet_time_step){.time = time};
    return DUET_OK;
}

// The times of a kind within the guess and from a quarter of it on, and that on one processor; of a
// law's long table some of them, which are thinned out anyway.
static duet_code add_times(duet_time_steps *steps, size_t *count, duet_time_table table,
                           duet_error *error)
{
    duet_code code = DUET_OK;
    for (int64_t i = 0; i < table.steps && code == DUET_OK;) {
        int64_t time = table.time[i];
        bool small = 4 * (duet_int128)time <= steps->guess;
        if (time <= steps->guess && (i == 0 || !small)) {
            code = add_step(steps, count, time, error);
        }
        if (table.by_law && i > 0 && small) {
            break; // as all that follow
        }
        // Those above the guess at once, the others one by one.
        i = time > steps->guess ? duet_next_step(table, i, steps->guess + 1)
                                : i + 1 + table.steps / (DUET_LAW_DENSE + 1);
    }
    return code;
}

// Sorts steps, and keeps each time once, and of too many every second, fourth, ...
static size_t thin(duet_time_step *step, size_t count)
{
    enum { most = 800 };
    size_t kept = 0;
    if (count == 0) {
        return 0; // there is no array
    }
    qsort(step, count, sizeof *step, by_step_time);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || step[i].time > step[kept - 1].time) {
            step[kept++] = step[i];
        }
    }
    for (count = kept; count > most; count = kept) {
        kept = 0;
        for (size_t i = 0; i < count; i += 2) {
            step[kept++] = step[i];
        }
    }
    return count;
}

duet_code duet_steps_list(duet_time_steps *steps, int64_t guess, duet_error *error)
{
    const duet_instance *instance = steps->instance;
    size_t count = 0;
    duet_code code = DUET_OK;
    steps->guess = guess;
    for (size_t t = 0; t < instance->types; t++) {
        steps->first[t] = count;
        if (instance->processors[t] == 0) {
            continue;
        }
        for (size_t i = 0; i < instance->kinds && code == DUET_OK; i++) {
            code = add_times(steps, &count, duet_table_of(instance, i, t), error);
        }
        // The guess in equal parts, and ever smaller ones.
        int64_t part = guess;
        for (int64_t i = 1; part > guess / 1000 && part > 0 && code == DUET_OK; i++) {
            code = add_step(steps, &count, part, error);
            part = i < 4 ? guess / (i + 1) : part - part / 20 - 1;
        }
        if (code != DUET_OK) {
            return code;
        }
        size_t first = steps->first[t];
        count = first + thin(steps->step + first, count - first);
    }
    steps->first[instance->types] = count;
    return code;
}

size_t duet_step_of(const duet_time_steps *steps, size_t type, int64_t time)
{
    size_t low = steps->first[type]; // before it: reached
    size_t high = steps->first[type + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool reached = steps->step[middle].time <= time;
        low = reached ? middle + 1 : low;
        high = reached ? high : middle;
    }
    return low == steps->first[type] ? SIZE_MAX : low - 1;
}

duet_int128 duet_steps_demand(const duet_time_steps *steps)
{
    const duet_instance *instance = steps->instance;
    duet_int128 demand = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_int128 least = -1;
        for (size_t t = 0; t < instance->types; t++) {
            duet_time_table table = duet_table_of(instance, i, t);
            for (int64_t j = 0; j < table.steps;) {
                int64_t time = table.time[j];
                size_t at = duet_step_of(steps, t, time);
                bool free = at == SIZE_MAX;
                duet_int128 size = duet_step_size(table, j);
                duet_int128 worth = free ? 0 : size * steps->step[at].value;
                least = time <= steps->guess && (least < 0 || worth < least) ? worth : least;
                // Times of the same step are worth the same, more processors more.
                int64_t below = time > steps->guess ? steps->guess + 1
                                : free              ? 1
                                                    : steps->step[at].time;
                j = duet_next_step(table, j, below);
            }
        }
        demand += least < 0 ? 0 : least * duet_count(instance, i);
    }
    return demand;
}

// --- the most valuable pattern -------------------------------------------------------------------

typedef struct pattern_search {
    const duet_time_steps *steps;
    size_t *item; // steps by falling price per time
    size_t items;
    int64_t nodes; // left
    duet_step_pattern now;
    duet_step_pattern *best;
} pattern_search;

static double density(const duet_time_step *step)
{
    return step->price / (double)step->time;
}

static void extend(pattern_search *s, size_t from, int64_t room)
{
    static const double tolerance = 1e-12;
    if (s->now.worth > s->best->worth) {
        *s->best = s->now;
    }
    for (size_t i = from; i < s->items && s->now.count < DUET_PATTERN_STEPS; i++) {
        const duet_time_step *step = &s->steps->step[s->item[i]];
        double most = s->now.worth + (double)room * density(step);
        if (most <= s->best->worth + tolerance || s->nodes-- < 0) {
            return;
        }
        double before = s->now.worth;
        for (int64_t count = room / step->time; count > 0; count--) {
            s->now.of[s->now.count++] = (duet_step_count){s->item[i], count};
            s->now.worth = before + (double)count * step->price;
            extend(s, i + 1, room - count * step->time);
            s->now.count--;
        }
        s->now.worth = before;
    }
}

// A step by what it is worth for its time.
typedef struct dense_step {
    double density;
    size_t step;
} dense_step;

static int by_density(const void *left, const void *right)
{
    const dense_step *a = left;
    const dense_step *b = right;
    return a->density != b->density ? (a->density < b->density ? 1 : -1)
                                    : (a->step > b->step) - (a->step < b->step);
}

duet_code duet_step_pattern_find(const duet_time_steps *steps, size_t type, duet_step_pattern *best,
                                 duet_error *error)
{
    enum { nodes = 100000 };
    size_t first = steps->first[type];
    size_t count = steps->first[type + 1] - first;
    dense_step *dense = duet_alloc_raw(count + 1, sizeof *dense, error);
    pattern_search s = {.steps = steps, .nodes = nodes, .best = best};
    s.item = duet_alloc_raw(count + 1, sizeof *s.item, error);
    *best = (duet_step_pattern){.count = 0};
    if (dense != NULL && s.item != NULL) {
        double highest = 0.0;
        for (size_t i = first; i < first + count; i++) {
            if (steps->step[i].price > highest) {
                highest = steps->step[i].price;
                dense[s.items++] = (dense_step){density(&steps->step[i]), i};
            }
        }
        qsort(dense, s.items, sizeof *dense, by_density);
        for (size_t i = 0; i < s.items; i++) {
            s.item[i] = dense[i].step;
        }
        extend(&s, 0, steps->guess);
    }
    duet_code code = dense == NULL || s.item == NULL ? DUET_E_MEMORY : DUET_OK;
    duet_free(dense);
    duet_free(s.item);
    return code;
}

// --- whole values --------------------------------------------------------------------------------

enum { LARGEST = 20000, ROOM = 3 * LARGEST };

// The largest sum of values of times within the guess: the least time for each sum. False where
// there may be a larger one than the room.
static bool find_limit(const duet_time_steps *steps, size_t type, int64_t *least, int64_t *limit)
{
    int64_t largest = 0; // value
    int64_t none = steps->guess + 1;
    for (int64_t v = 1; v < ROOM; v++) {
        least[v] = none;
    }
    least[0] = 0;
    *limit = 0;
    for (size_t i = steps->first[type]; i < steps->first[type + 1]; i++) {
        const duet_time_step *step = &steps->step[i];
        if (step->value <= largest) {
            continue; // no more than a shorter one
        }
        largest = step->value;
        for (int64_t v = step->value; v < ROOM; v++) {
            int64_t time = least[v - step->value] + step->time; // at most 2^63 - 1
            least[v] = duet_min(time, least[v]);
        }
    }
    for (int64_t v = 1; v < ROOM; v++) {
        *limit = least[v] < none ? v : *limit;
    }
    return *limit + largest < ROOM;
}

duet_code duet_steps_refute(duet_time_steps *steps, double most, bool *refuted, duet_error *error)
{
    static const double shift = 1e-7; // prices are a little too low
    const duet_instance *instance = steps->instance;
    int64_t *least = duet_alloc_raw(ROOM, sizeof *least, error);
    DUET_NEED(least);
    duet_int128 supply = 0;
    bool bounded = true;
    for (size_t t = 0; t < instance->types && bounded; t++) {
        int64_t highest = 0;
        for (size_t i = steps->first[t]; i < steps->first[t + 1]; i++) {
            double price = steps->step[i].price / most;
            price = price < 0.0 ? 0.0 : duet_min(price, 1.0);
            int64_t value = (int64_t)((price + shift) * (double)LARGEST);
            highest = duet_max(value, highest);
            steps->step[i].value = highest;
        }
        bounded = find_limit(steps, t, least, &steps->limit[t]);
        supply += (duet_int128)steps->limit[t] * instance->processors[t];
    }
    *refuted = bounded && duet_steps_demand(steps) > supply;
    duet_free(least);
    return DUET_OK;
}

// A line for each type: time and value of each step that is worth more than those before it.
static size_t write_type(const duet_time_steps *steps, size_t type, char *text, size_t room)
{
    size_t at = 0;
    int64_t value = 0;
    for (size_t i = steps->first[type]; i < steps->first[type + 1]; i++) {
        const duet_time_step *step = &steps->step[i];
        if (step->value > value) {
            at += (size_t)snprintf(text + at, room - at, "%s%" PRId64 " %" PRId64,
                                   value == 0 ? "" : " ", step->time, step->value);
            value = step->value;
        }
    }
    text[at++] = '\n';
    return at;
}

duet_code duet_steps_certificate(const duet_time_steps *steps, duet_certificate *certificate,
                                 duet_error *error)
{
    enum { number = 21, pair = 2 * number };
    size_t types = steps->instance->types;
    size_t room = (steps->first[types] + types) * pair + types + 1;
    char *text = duet_alloc_raw(room, 1, error);
    DUET_NEED(text);
    *certificate = (duet_certificate){
        .proof = DUET_PROOF_MOLDABLE_STEPS, .lambda = steps->guess + 1, .types = types};
    memcpy(certificate->weight, steps->limit, types * sizeof *steps->limit);
    size_t at = 0;
    for (size_t t = 0; t < types; t++) {
        at += write_type(steps, t, text + at, room - at);
    }
    duet_code code = duet_proof_lines_create(text, at, &certificate->lines, error);
    duet_free(text);
    return code;
}
