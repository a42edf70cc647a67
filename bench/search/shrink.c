// SPDX-License-Identifier: Apache-2.0
// Makes a find small and round.
//
// Method: two passes over the same changes. The first keeps a change that leaves the ratio at least
// what it is; the second one that leaves at least the part 1 - loss of it. Changes, each only where
// it makes the find simpler: a kind less, a smaller count, an edge less, a processor less, all
// times divided by a number or brought to a scale of 1, 2, 3, ..., a time made another one that is
// there already, forbidden, rounded to fewer digits, or smaller. Repeated until nothing helps.
#include <string.h>

#include "bench/search/search.h"
#include "core/number/minmax.h"

typedef struct shrinking {
    const duet_search_space *space;
    duet_search_judge *judge;
    duet_search_find *find;
    duet_fraction at_least;
    duet_search_stop *stop;
    void *opaque;
    bool stopped;
} shrinking;

// Significant digits of a number: 1200 has two.
static int digits(int64_t time)
{
    int count = 0;
    while (time % 10 == 0 && time != 0) {
        time /= 10;
    }
    for (; time > 0; time /= 10) {
        count++;
    }
    return count;
}

// How complicated a find is, the most important first.
enum { MEASURES = 8 };
static void measure(const duet_search_point *point, int64_t size[MEASURES])
{
    size[0] = duet_search_tasks(point);
    size[1] = point->processors[0] + point->processors[1];
    size[2] = (int64_t)point->kinds;
    size[3] = duet_search_edges(point);
    size[4] = 0; // digits
    size[5] = 0; // distinct times
    size[6] = 0; // what holds a moldable kind back
    size[7] = 0; // the sum of times
    for (size_t i = 0; i < point->kinds; i++) {
        for (size_t t = 0; t < 2; t++) {
            if (!duet_search_runs(point, i, t)) {
                continue;
            }
            int64_t time = point->kind[i].time[t];
            bool seen = false;
            for (size_t other = 0; other < 2 * i + t; other++) {
                seen = seen || (duet_search_runs(point, other / 2, other % 2) &&
                                point->kind[other / 2].time[other % 2] == time);
            }
            size[4] += digits(time);
            size[5] += !seen;
            size[7] += time;
        }
        for (size_t p = 0; p + 1 < DUET_SEARCH_MOLDABLE_PROCESSORS; p++) {
            uint8_t held = point->kind[i].held[p];
            size[6] += held == 0 ? 0 : held == DUET_SEARCH_HELD ? 1 : 2;
        }
    }
}

static bool is_simpler(const duet_search_point *a, const duet_search_point *b)
{
    int64_t size_a[MEASURES];
    int64_t size_b[MEASURES];
    measure(a, size_a);
    measure(b, size_b);
    for (int i = 0; i < MEASURES; i++) {
        if (size_a[i] != size_b[i]) {
            return size_a[i] < size_b[i];
        }
    }
    return false;
}

// Takes the change where it is simpler and the ratio stays.
static bool try(shrinking *state, const duet_search_point *point)
{
    duet_search_find *find = state->find;
    state->stopped = state->stopped || state->stop(state->opaque);
    if (state->stopped || !duet_search_valid(state->space, point) ||
        !is_simpler(point, &find->point)) {
        return false;
    }
    duet_search_value value = duet_search_judge_point(state->judge, point, state->at_least);
    bool fault = value.outcome == DUET_SEARCH_FAULT;
    if (value.outcome < find->value.outcome ||
        (value.outcome == find->value.outcome && !fault &&
         duet_fraction_compare(duet_search_ratio(&value), state->at_least) < 0)) {
        return false;
    }
    if (value.outcome > find->value.outcome) { // worse than what was to be made small
        state->at_least = duet_search_ratio(&value);
        state->judge->audits_all = fault;
    }
    find->point = *point;
    find->value = value;
    if (fault) {
        snprintf(find->fault, sizeof find->fault, "%s", state->judge->fault);
    }
    return true;
}

static bool fewer_tasks(shrinking *state)
{
    bool changed = false;
    for (size_t i = 0; i < state->find->point.kinds;) {
        duet_search_point point = state->find->point;
        duet_search_remove(&point, i);
        bool gone = point.kinds > 0 && try(state, &point);
        for (int64_t count = 1; !gone && count < state->find->point.kind[i].count; count++) {
            point = state->find->point;
            point.kind[i].count = count;
            changed = try(state, &point) || changed;
        }
        changed = changed || gone;
        i += gone ? 0 : 1;
    }
    return changed;
}

// Equal kinds as one, where the order allows it.
static bool fewer_kinds(shrinking *state)
{
    bool changed = false;
    for (size_t i = 1; i < state->find->point.kinds;) {
        bool gone = false;
        for (size_t to = 0; to < i && !gone; to++) {
            duet_search_point point = state->find->point;
            if (memcmp(point.kind[i].time, point.kind[to].time, sizeof point.kind[i].time) == 0 &&
                memcmp(point.kind[i].held, point.kind[to].held, sizeof point.kind[i].held) == 0) {
                point.kind[to].count += point.kind[i].count;
                duet_search_remove(&point, i);
                gone = try(state, &point);
            }
        }
        changed = changed || gone;
        i += gone ? 0 : 1;
    }
    return changed;
}

static bool fewer_edges(shrinking *state)
{
    bool changed = false;
    for (size_t j = 0; j < state->find->point.kinds; j++) {
        for (size_t i = 0; i < state->find->point.kinds; i++) {
            duet_search_point point = state->find->point;
            point.before[j] &= ~(UINT64_C(1) << i);
            changed =
                (point.before[j] != state->find->point.before[j] && try(state, &point)) || changed;
        }
    }
    return changed;
}

static bool fewer_processors(shrinking *state)
{
    bool changed = false;
    for (size_t t = 0; t < 2; t++) {
        for (int64_t count = 0; count < state->find->point.processors[t]; count++) {
            duet_search_point point = state->find->point;
            point.processors[t] = count;
            changed = try(state, &point) || changed;
        }
    }
    return changed;
}

static int64_t longest(const duet_search_point *point)
{
    int64_t most = 1;
    for (size_t i = 0; i < point->kinds; i++) {
        for (size_t t = 0; t < 2; t++) {
            int64_t time = point->kind[i].time[t];
            most = duet_search_runs(point, i, t) && time > most ? time : most;
        }
    }
    return most;
}

// All times multiplied by to/from, rounded to the nearest, at least 1.
static duet_search_point rescaled(const duet_search_point *point, int64_t to, int64_t from)
{
    duet_search_point result = *point;
    for (size_t i = 0; i < point->kinds; i++) {
        for (size_t t = 0; t < 2; t++) {
            int64_t time = point->kind[i].time[t];
            if (time != DUET_FORBIDDEN) {
                int64_t scaled = (time * to + from / 2) / from;
                result.kind[i].time[t] = duet_max(scaled, 1);
            }
        }
    }
    return result;
}

static bool smaller_scale(shrinking *state)
{
    enum { tries = 400 };
    int64_t from = longest(&state->find->point);
    for (int64_t to = 1; to < from && to <= tries; to++) {
        duet_search_point point = rescaled(&state->find->point, to, from);
        if (try(state, &point)) {
            return true;
        }
    }
    return false;
}

static bool try_time(shrinking *state, size_t kind, size_t type, int64_t time)
{
    duet_search_point point = state->find->point;
    point.kind[kind].time[type] = time;
    return try(state, &point);
}

static bool rounder_time(shrinking *state, size_t kind, size_t type)
{
    bool changed = false;
    for (int64_t unit = 1; unit <= DUET_SEARCH_MAX_TIME; unit *= 10) {
        static const int64_t parts[] = {1, 2, 5};
        for (int p = 0; p < 3; p++) {
            int64_t step = unit * parts[p];
            int64_t time = state->find->point.kind[kind].time[type];
            if (time == DUET_FORBIDDEN) {
                return changed;
            }
            changed = try_time(state, kind, type, time / step * step) || changed;
            changed = try_time(state, kind, type, (time / step + 1) * step) || changed;
            changed = try_time(state, kind, type, time - step) || changed;
        }
    }
    return changed;
}

// Times of the find that are there already, then simpler ones.
static bool simpler_times(shrinking *state)
{
    bool changed = false;
    for (size_t i = 0; i < state->find->point.kinds; i++) {
        for (size_t t = 0; t < 2; t++) {
            if (!duet_search_runs(&state->find->point, i, t)) {
                continue;
            }
            changed = try_time(state, i, t, 1) || changed;
            for (size_t other = 0; other < 2 * state->find->point.kinds; other++) {
                int64_t time = state->find->point.kind[other / 2].time[other % 2];
                if (time != DUET_FORBIDDEN) {
                    changed = try_time(state, i, t, time) || changed;
                }
            }
            changed = try_time(state, i, t, DUET_FORBIDDEN) || changed;
            changed = rounder_time(state, i, t) || changed;
        }
    }
    return changed;
}

// Tables that more processors shorten in full, or not at all.
static bool simpler_tables(shrinking *state)
{
    static const uint8_t ends[] = {0, DUET_SEARCH_HELD};
    bool changed = false;
    for (size_t i = 0; i < state->find->point.kinds; i++) {
        for (size_t p = 0; p + 1 < DUET_SEARCH_MOLDABLE_PROCESSORS; p++) {
            for (size_t end = 0; end < 2; end++) {
                duet_search_point point = state->find->point;
                if (point.kind[i].held[p] != ends[end]) {
                    point.kind[i].held[p] = ends[end];
                    changed = try(state, &point) || changed;
                }
            }
        }
    }
    return changed;
}

static void pass(shrinking *state)
{
    bool changed = true;
    while (changed && !state->stopped) {
        changed = fewer_tasks(state);
        changed = fewer_kinds(state) || changed;
        changed = fewer_edges(state) || changed;
        changed = fewer_processors(state) || changed;
        changed = smaller_scale(state) || changed;
        changed = simpler_times(state) || changed;
        changed = simpler_tables(state) || changed;
    }
}

void duet_search_shrink(const duet_search_space *space, duet_search_judge *judge,
                        duet_fraction loss, duet_search_stop *stop, void *opaque,
                        duet_search_find *find)
{
    shrinking state = {.space = space,
                       .judge = judge,
                       .find = find,
                       .at_least = duet_search_ratio(&find->value),
                       .stop = stop,
                       .opaque = opaque};
    // A fault that only an audit tells is to be told again.
    judge->audits_all = find->value.outcome == DUET_SEARCH_FAULT;
    pass(&state);
    if (loss.num > 0) {
        state.at_least = duet_search_ratio(&find->value);
        state.at_least.num *= loss.den - loss.num;
        state.at_least.den *= loss.den;
        pass(&state);
    }
}
