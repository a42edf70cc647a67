// SPDX-License-Identifier: Apache-2.0
// A walk over packings: some processors are emptied, and filled again in another way.
#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "heuristics/packing/fill_state.h"

enum {
    WORK_AT_ONCE = 20000000, // for the last processors of one try
    MOST_EMPTIED = 2,        // processors at a time
    WASTED = 4,              // a wasteful step may waste up to 1/4 of the idle time
    WASTEFUL = 8,            // 1 step in 8 may be wasteful
    TRY = 30,                // units of work for every item that a try looks at
    STEP = 4,                // units of work for every item that a step looks at
    LOOK = 1000000,          // units of work between two looks at the clock
};

// Brings the items that are left into order, longest first.
static void sort_left(duet_fill_placing *p)
{
    for (size_t i = 1; i < p->left_count; i++) {
        size_t at = p->left[i];
        size_t j = i;
        for (; j > 0 && p->left[j - 1] > at; j--) {
            p->left[j] = p->left[j - 1];
        }
        p->left[j] = at;
    }
}

// Nothing is placed.
static void start(duet_fill *f)
{
    duet_fill_placing *p = &f->placing;
    size_t n = f->of->packing->items;
    p->processors = f->of->packing->processors;
    duet_int128 idle = (duet_int128)f->of->target * (int64_t)p->processors;
    p->left_count = n;
    for (size_t i = 0; i < n; i++) {
        p->left[i] = i;
        p->position[i] = SIZE_MAX;
        idle -= f->of->time[i];
    }
    p->idle = idle < INT64_MAX ? (int64_t)idle : INT64_MAX;
}

static void copy(const duet_fill *f, const duet_fill_placing *from, duet_fill_placing *to)
{
    memcpy(to->position, from->position, f->of->packing->items * sizeof *to->position);
    memcpy(to->left, from->left, from->left_count * sizeof *to->left);
    to->left_count = from->left_count;
    to->processors = from->processors;
    to->idle = from->idle;
}

// Whether the processors that are empty are the last ones.
static bool is_filled(const duet_fill *f)
{
    const duet_fill_placing *p = &f->placing;
    return p->processors <= 1 || p->left_count == 0 ||
           (p->processors <= f->last && p->left_count <= DUET_LAST_ITEMS);
}

// Fills one processor. In a walk the first item is any one now and then.
static void fill_one(duet_fill *f, bool walking)
{
    duet_fill_placing *p = &f->placing;
    if (f->of->fine) {
        duet_fill_in_ticks(f);
        return;
    }
    sort_left(p);
    bool any = walking && (duet_random_next(&f->random) & 1U) != 0;
    duet_fill_in_units(
        f, any ? (size_t)duet_random_between(&f->random, 0, (int64_t)p->left_count - 1) : 0);
}

// Packs what is left on the processors that are empty. Where it fits it is placed, and still left.
static duet_last_answer pack_exhaustively(duet_fill *f)
{
    duet_fill_placing *p = &f->placing;
    int64_t time[DUET_LAST_ITEMS];
    uint32_t chosen[DUET_LAST_PROCESSORS];
    sort_left(p);
    for (size_t i = 0; i < p->left_count; i++) {
        time[i] = f->of->packing->time[f->of->order[p->left[i]]];
    }
    int64_t work = duet_min(f->work, WORK_AT_ONCE);
    f->work -= work;
    duet_last_answer answer = duet_last_pack(f->exhaustive, time, p->left_count, p->processors,
                                             f->of->end, &work, chosen);
    f->work += work;
    for (size_t i = 0; i < p->left_count && answer == DUET_LAST_FITS; i++) {
        for (size_t m = 0; m < p->processors; m++) {
            if ((chosen[m] >> i & 1U) != 0) {
                p->position[p->left[i]] = m;
            }
        }
    }
    return answer;
}

duet_last_answer duet_fill_decide(duet_fill *f)
{
    start(f);
    return pack_exhaustively(f);
}

// Packs what is left on the last processors. One alone takes everything: that fits where no more
// idle time was wasted than there is.
static bool finish(duet_fill *f)
{
    duet_fill_placing *p = &f->placing;
    if (p->idle < 0 || p->left_count == 0 || p->processors == 0) {
        return p->idle >= 0 && p->left_count == 0;
    }
    if (p->processors > 1) {
        return p->left_count <= DUET_LAST_ITEMS && f->work > 0 &&
               pack_exhaustively(f) == DUET_LAST_FITS;
    }
    for (size_t i = 0; i < p->left_count; i++) {
        p->position[p->left[i]] = 0;
    }
    return true;
}

// Empties a random processor of those that are filled, and gives its number to the one of the
// lowest.
static void empty_one(duet_fill *f)
{
    duet_fill_placing *p = &f->placing;
    size_t lowest = p->processors++;
    size_t chosen = (size_t)duet_random_between(&f->random, (int64_t)lowest,
                                                (int64_t)f->of->packing->processors - 1);
    int64_t wasted = f->of->target;
    for (size_t i = 0; i < f->of->packing->items; i++) {
        if (p->position[i] == chosen) {
            p->position[i] = SIZE_MAX;
            p->left[p->left_count++] = i;
            wasted -= f->of->time[i];
        } else if (p->position[i] == lowest) {
            p->position[i] = chosen;
        }
    }
    p->idle += wasted;
}

// What packing exhaustively placed is left again.
static void take_back(duet_fill_placing *p)
{
    for (size_t i = 0; i < p->left_count; i++) {
        p->position[p->left[i]] = SIZE_MAX;
    }
}

// Empties some processors and fills as many. Where that wastes more idle time, mostly all is again
// as it was.
static void step(duet_fill *f, int64_t wasted)
{
    duet_fill_placing *p = &f->placing;
    copy(f, p, &f->before);
    size_t most = f->of->packing->processors - p->processors;
    most = duet_min(most, MOST_EMPTIED);
    int64_t emptied = duet_random_between(&f->random, 1, (int64_t)most);
    for (int64_t i = 0; i < emptied; i++) {
        empty_one(f);
    }
    f->eager = (unsigned)duet_random_between(&f->random, 1, 8);
    f->spared = (size_t)duet_random_between(&f->random, 0, (int64_t)p->left_count / 3);
    f->work -= STEP * (int64_t)f->of->packing->items;
    for (int64_t i = 0; i < emptied && p->left_count > 0; i++) {
        fill_one(f, true);
    }
    bool wasteful = duet_random_between(&f->random, 1, WASTEFUL) == 1;
    int64_t more = wasteful ? duet_random_between(&f->random, 0, wasted) : 0;
    if (p->idle < f->before.idle - more || !is_filled(f)) {
        copy(f, &f->before, p);
    }
}

// Whether the work is done or the context stops it, at which it looks about every millisecond.
static bool is_stopped(const duet_fill *f, int64_t *looked)
{
    if (f->work > 0 && *looked - f->work < LOOK) {
        return false;
    }
    *looked = f->work;
    return f->work <= 0 || duet_fill_is_stopped(f);
}

bool duet_refill(duet_fill *f, int64_t times)
{
    duet_fill_placing *p = &f->placing;
    int64_t looked = f->work;
    start(f);
    f->work -= TRY * (int64_t)f->of->packing->items;
    int64_t wasted = p->idle / WASTED;
    while (!is_filled(f)) {
        fill_one(f, false);
        if (is_stopped(f, &looked)) {
            return false;
        }
    }
    f->bold = false;
    bool fits = finish(f);
    for (int64_t i = 0; i < times && !fits && p->processors < f->of->packing->processors &&
                        !is_stopped(f, &looked);
         i++) {
        take_back(p);
        step(f, wasted);
        fits = finish(f);
    }
    return fits;
}
