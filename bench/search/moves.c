// SPDX-License-Identifier: Apache-2.0
// Random candidates, and random changes to them. Worst cases live on equalities: a task as long as
// two others, one as long on the CPU as another on the GPU. So a new time is often another one of
// the candidate, or a sum or a difference of two.

#include "bench/search/search.h"
#include "core/number/minmax.h"

static int64_t draw(duet_random *random, int64_t low, int64_t high)
{
    return duet_random_between(random, low, high);
}

static bool once_in(duet_random *random, int64_t times)
{
    return draw(random, 1, times) == 1;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : duet_min(value, high);
}

// Small times as often as large ones.
static int64_t fresh_time(const duet_search_space *space, duet_random *random)
{
    int64_t most = space->max_time;
    while (most > 10 && once_in(random, 4)) {
        most /= 10;
    }
    return draw(random, 1, most);
}

// A time of the candidate, or a fresh one where it happens upon a forbidden one.
static int64_t other_time(const duet_search_space *space, duet_random *random,
                          const duet_search_point *point)
{
    size_t kind = (size_t)draw(random, 0, (int64_t)point->kinds - 1);
    int64_t time = point->kind[kind].time[draw(random, 0, 1)];
    return time == DUET_FORBIDDEN ? fresh_time(space, random) : time;
}

static int64_t new_time(const duet_search_space *space, duet_random *random,
                        const duet_search_point *point, int64_t old)
{
    if (space->forbidden && once_in(random, 12)) {
        return DUET_FORBIDDEN;
    }
    if (old == DUET_FORBIDDEN) {
        return once_in(random, 2) ? fresh_time(space, random) : other_time(space, random, point);
    }
    int64_t time = old;
    int64_t first = other_time(space, random, point);
    int64_t second = other_time(space, random, point);
    switch (draw(random, 0, 8)) {
    case 0:
    case 1:
        time = old + (once_in(random, 2) ? 1 : -1);
        break;
    case 2: {
        int64_t step = old / 8 + 2;
        time = old + draw(random, -step, step);
        break;
    }
    case 3:
        time = old * draw(random, 25, 400) / 100;
        break;
    case 4:
        time = first;
        break;
    case 5:
        time = first + second;
        break;
    case 6:
        time = first < second ? second - first : first - second;
        break;
    case 7:
        time = once_in(random, 2) ? 1 : space->max_time;
        break;
    default:
        time = fresh_time(space, random);
    }
    return clamp(time, 1, space->max_time);
}

// Mostly what does not help at all, or helps in full.
static uint8_t fresh_held(duet_random *random)
{
    int64_t style = draw(random, 0, 4);
    return (uint8_t)(style < 2 ? 0 : style < 4 ? DUET_SEARCH_HELD : draw(random, 0, 16));
}

static void draw_held(duet_random *random, duet_search_kind *kind)
{
    for (size_t p = 0; p + 1 < DUET_SEARCH_MOLDABLE_PROCESSORS; p++) {
        kind->held[p] = p > 0 && once_in(random, 2) ? kind->held[p - 1] : fresh_held(random);
    }
}

static void change_held(duet_random *random, duet_search_kind *kind)
{
    if (once_in(random, 4)) {
        draw_held(random, kind);
        return;
    }
    kind->held[draw(random, 0, DUET_SEARCH_MOLDABLE_PROCESSORS - 2)] = fresh_held(random);
}

static duet_search_kind fresh_kind(const duet_search_space *space, duet_random *random)
{
    duet_search_kind kind = {.count = 1};
    kind.time[0] = fresh_time(space, random);
    kind.time[1] = once_in(random, 3) ? kind.time[0] : fresh_time(space, random);
    if (space->shape == DUET_SEARCH_MOLDABLE) {
        draw_held(random, &kind);
    }
    return kind;
}

static void change_time(const duet_search_space *space, duet_random *random,
                        duet_search_point *point, duet_search_kind *kind)
{
    size_t type = (size_t)draw(random, 0, 1);
    if (point->processors[type] == 0) {
        type = 1 - type; // the other changes nothing
    }
    kind->time[type] = new_time(space, random, point, kind->time[type]);
}

static void change_both(const duet_search_space *space, duet_random *random, duet_search_kind *kind)
{
    int64_t swapped = kind->time[0];
    switch (draw(random, 0, 2)) {
    case 0:
        kind->time[0] = kind->time[1];
        kind->time[1] = swapped;
        break;
    case 1:
        kind->time[0] = kind->time[1] == DUET_FORBIDDEN ? swapped : kind->time[1];
        kind->time[1] = kind->time[0];
        break;
    default: {
        int64_t factor = draw(random, 50, 200);
        for (size_t t = 0; t < 2; t++) {
            if (kind->time[t] != DUET_FORBIDDEN) {
                kind->time[t] = clamp(kind->time[t] * factor / 100, 1, space->max_time);
            }
        }
    }
    }
}

static void add_kind(const duet_search_space *space, duet_random *random, duet_search_point *point)
{
    if (point->kinds == DUET_SEARCH_MAX_TASKS) {
        return;
    }
    duet_search_kind kind = point->kind[draw(random, 0, (int64_t)point->kinds - 1)];
    if (once_in(random, 3)) {
        kind = fresh_kind(space, random);
    } else {
        kind.count = 1;
        change_time(space, random, point, &kind);
    }
    duet_search_insert(point, (size_t)draw(random, 0, (int64_t)point->kinds), kind);
}

static void change_count(const duet_search_space *space, duet_random *random,
                         duet_search_kind *kind)
{
    static const int64_t steps[] = {-2, -1, -1, 1, 1, 2};
    int64_t count = once_in(random, 6) ? kind->count * 2 : kind->count + steps[draw(random, 0, 5)];
    kind->count = clamp(count, 1, space->most_tasks);
}

// A kind changes its place, or two exchange theirs; edges stay between the same kinds.
static void reorder(duet_random *random, duet_search_point *point)
{
    size_t from = (size_t)draw(random, 0, (int64_t)point->kinds - 1);
    size_t to = (size_t)draw(random, 0, (int64_t)point->kinds - 1);
    if (once_in(random, 2)) {
        duet_search_exchange(point, from, to);
        return;
    }
    for (; from < to; from++) {
        duet_search_exchange(point, from, from + 1);
    }
    for (; from > to; from--) {
        duet_search_exchange(point, from, from - 1);
    }
}

// Adds an edge, takes one away, or turns one round, whatever is there between two kinds.
static void change_edge(duet_random *random, duet_search_point *point)
{
    size_t a = (size_t)draw(random, 0, (int64_t)point->kinds - 1);
    size_t b = (size_t)draw(random, 0, (int64_t)point->kinds - 1);
    if (a == b) {
        return;
    }
    bool there = (point->before[b] >> a & 1) != 0;
    point->before[b] ^= UINT64_C(1) << a;
    if (there ? once_in(random, 4) : (point->before[a] >> b & 1) != 0) {
        point->before[a] ^= UINT64_C(1) << b;
    }
}

static void change_platform(const duet_search_space *space, duet_random *random,
                            duet_search_point *point)
{
    size_t type = (size_t)draw(random, 0, 1);
    int64_t step = once_in(random, 2) ? 1 : -1;
    point->processors[type] =
        once_in(random, 4)
            ? draw(random, space->least[type], space->most[type])
            : clamp(point->processors[type] + step, space->least[type], space->most[type]);
}

static void change(const duet_search_space *space, duet_random *random, duet_search_point *point)
{
    if (space->shape == DUET_SEARCH_GRAPH && once_in(random, 3)) {
        change_edge(random, point);
        return;
    }
    duet_search_kind *kind = &point->kind[draw(random, 0, (int64_t)point->kinds - 1)];
    if (space->shape == DUET_SEARCH_MOLDABLE && once_in(random, 3)) {
        change_held(random, kind);
        return;
    }
    switch (draw(random, 0, 15)) {
    case 0:
        add_kind(space, random, point);
        break;
    case 1:
        if (point->kinds > 1) {
            duet_search_remove(point, (size_t)(kind - point->kind));
        }
        break;
    case 2:
    case 3:
        if (space->shape != DUET_SEARCH_GRAPH) {
            change_count(space, random, kind);
        }
        break;
    case 4:
        reorder(random, point);
        break;
    case 5:
        change_platform(space, random, point);
        break;
    case 6:
        change_both(space, random, kind);
        break;
    default:
        change_time(space, random, point, kind);
    }
}

// Puts a faster CPU time on the GPU.
static void accelerate(duet_search_point *point)
{
    for (size_t i = 0; i < point->kinds; i++) {
        duet_search_kind *kind = &point->kind[i];
        if (kind->time[1] > kind->time[0]) {
            int64_t slower = kind->time[1];
            kind->time[1] = kind->time[0];
            kind->time[0] = slower;
        }
    }
}

void duet_search_move(const duet_search_space *space, duet_random *random, duet_search_point *point)
{
    duet_search_point before = *point;
    do {
        change(space, random, point);
    } while (once_in(random, 3));
    if (space->accelerated) {
        accelerate(point);
    }
    if (!duet_search_valid(space, point)) {
        *point = before;
    }
}

void duet_search_draw(const duet_search_space *space, duet_random *random, duet_search_point *point)
{
    *point = (duet_search_point){.moldable = space->shape == DUET_SEARCH_MOLDABLE};
    do {
        for (size_t t = 0; t < 2; t++) {
            point->processors[t] = draw(random, space->least[t], space->most[t]);
        }
    } while (point->processors[0] + point->processors[1] == 0);
    int64_t tasks = draw(random, space->least_tasks, space->most_tasks);
    while (tasks > 0) {
        duet_search_kind kind = fresh_kind(space, random);
        kind.count =
            space->shape != DUET_SEARCH_GRAPH && once_in(random, 3) ? draw(random, 1, tasks) : 1;
        tasks -= kind.count;
        point->kind[point->kinds++] = kind;
    }
    for (size_t j = 1; j < point->kinds && space->shape == DUET_SEARCH_GRAPH; j++) {
        for (size_t i = 0; i < j; i++) {
            point->before[j] |= (uint64_t)once_in(random, 3) << i;
        }
    }
    if (space->accelerated) {
        accelerate(point);
    }
}
