// SPDX-License-Identifier: Apache-2.0
// One processor filled by the subset sums of a few random items, in ticks.
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "heuristics/packing/fill_state.h"

enum {
    LEAST_FEW = 12,     // items whose sums are listed
    WASTE = 4,          // times the idle time that a processor may have: what a fill may waste
    WORK_A_SUM = 1 << 5 // of a half of them
};

// Takes the item at a place of those that are left.
static size_t take(duet_fill_placing *p, size_t place)
{
    size_t at = p->left[place];
    p->left[place] = p->left[--p->left_count];
    return at;
}

static size_t random_place(duet_fill *f)
{
    return (size_t)duet_random_between(&f->random, 0, (int64_t)f->placing.left_count - 1);
}

// The number of items of which some sums are near enough to the target: the waste of a processor is
// about the target divided by how many sets of as many items as it holds there are.
static size_t choose_few(const duet_fill *f)
{
    const duet_fill_placing *p = &f->placing;
    size_t held = f->of->packing->items / f->of->packing->processors;
    int64_t spare = p->idle / ((int64_t)p->processors + 1);
    double wanted = (double)f->of->target / WASTE / (double)duet_max(spare, 1);
    size_t few = LEAST_FEW;
    for (; few < DUET_FILL_FINE_ITEMS; few += 2) {
        double sets = 1;
        for (size_t i = 0; i < held && i < few / 2; i++) {
            sets *= (double)(few - i) / (double)(i + 1);
        }
        if (sets >= wanted) {
            break;
        }
    }
    return few;
}

// The time of about half of `few` items, no more than are left.
static int64_t half_of(const duet_fill *f, size_t few)
{
    const duet_fill_placing *p = &f->placing;
    int64_t left = p->left_count > 0 ? (int64_t)p->left_count : 1;
    duet_int128 all = 0;
    for (size_t i = 0; i < p->left_count; i++) {
        all += f->of->time[p->left[i]];
    }
    return (int64_t)(all / left) * (int64_t)few / 2;
}

// Puts an item on the processor; returns its time.
static int64_t put(duet_fill *f, size_t place)
{
    size_t at = take(&f->placing, place);
    f->placing.position[at] = f->placing.processors;
    return f->of->time[at];
}

// Puts random items on the processor until the few others are wanted. Returns the room
// that is left there.
static int64_t put_some(duet_fill *f, size_t few)
{
    duet_fill_placing *p = &f->placing;
    int64_t half = half_of(f, few);
    int64_t room = f->of->target;
    while (room > half && p->left_count > few) {
        size_t place = random_place(f);
        if (f->of->time[p->left[place]] > room) {
            break;
        }
        room -= put(f, place);
    }
    return room;
}

void duet_fill_in_ticks(duet_fill *f)
{
    duet_fill_placing *p = &f->placing;
    p->processors--;
    size_t few = choose_few(f);
    few = duet_min(few, p->left_count);
    int64_t room = put_some(f, few);
    size_t chosen[DUET_FILL_FINE_ITEMS];
    int64_t time[DUET_FILL_FINE_ITEMS] = {0};
    for (size_t i = 0; i < few; i++) {
        chosen[i] = take(p, random_place(f));
        time[i] = f->of->time[chosen[i]];
    }
    uint32_t members = duet_subset_sums_below(&f->sums, time, few, room);
    for (size_t i = 0; i < few; i++) {
        if ((members >> i & 1U) != 0) {
            p->position[chosen[i]] = p->processors;
            room -= time[i];
        } else {
            p->left[p->left_count++] = chosen[i];
        }
    }
    p->idle -= room;
    f->work -= (int64_t)WORK_A_SUM << (few + 1) / 2;
}
