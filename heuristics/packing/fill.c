// SPDX-License-Identifier: Apache-2.0
#include "heuristics/packing/fill.h"

#include "core/instance/order.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "heuristics/packing/fill_state.h"

enum {
    MAX_TARGET = 1 << 17, // units: longer ones are filled by the sums of a few items
    MAX_ITEMS = 1024,
    MANY_ITEMS = 6, // of a processor: of more, few processors are enough to pack exhaustively
    LEAST_LAST = 3, // processors that are packed exhaustively
    MOST_LAST = 5,  // of few items each
    WORK = 1000000, // a unit of effort: about a millisecond
    // Steps of the first walk, of the longest, and how many times as many as the one before each
    // has. With the numbers of refill.c: chosen for random items, 3 to 10 a processor.
    FIRST_WALK = 50,
    LONGEST_WALK = 1 << 16,
    LONGER = 4,
};

// Whether the items and processors are few enough to be decided at once, without filling.
static bool is_small(const duet_packing *packing)
{
    return packing->items <= DUET_LAST_ITEMS && packing->processors <= DUET_LAST_PROCESSORS;
}

static bool can_fill(const duet_fill *f)
{
    return f->packing->items <= MAX_ITEMS && f->packing->processors > 1;
}

// Whether the processors have time enough for all items, and for the longest.
static bool has_room(const duet_packing *packing, const int64_t *time, int64_t target)
{
    duet_int128 idle = (duet_int128)target * (int64_t)packing->processors;
    int64_t longest = 0;
    for (size_t i = 0; i < packing->items; i++) {
        idle -= time[i];
        longest = duet_max(time[i], longest);
    }
    return idle >= 0 && longest <= target;
}

// Whether some processor has to take more than fits: of the k m + 1 longest items one of m
// processors takes k + 1, of which none is shorter than the last.
static bool is_crowded(const duet_fill *f)
{
    const duet_packing *packing = f->packing;
    bool crowded = false;
    for (size_t last = packing->processors; last < packing->items && !crowded;
         last += packing->processors) {
        int64_t least = 0; // of k + 1 items among the first up to the last
        for (size_t i = last - last / packing->processors; i <= last; i++) {
            least += packing->time[f->order[i]];
        }
        crowded = least > f->end;
    }
    return crowded;
}

// Each walk starts anew: some packings are found at once or never, others by long walks alone.
static bool search(duet_fill *f)
{
    duet_last_answer answer = is_small(f->packing) ? duet_fill_decide(f) : DUET_LAST_GIVEN_UP;
    bool fits = answer == DUET_LAST_FITS;
    bool may = answer == DUET_LAST_GIVEN_UP && can_fill(f) && !is_crowded(f) &&
               has_room(f->packing, f->time, f->target); // in units
    for (int64_t times = FIRST_WALK; may && !fits && f->work > 0 && !duet_context_stop(f->context);
         times = times < LONGEST_WALK ? LONGER * times : FIRST_WALK) {
        f->bold = (duet_random_next(f->random) & 1U) != 0;
        f->eager = (unsigned)duet_random_between(f->random, 2, 8);
        f->spared = (size_t)duet_random_between(f->random, 0, (int64_t)f->packing->items / 3);
        bool many = f->fine && f->packing->items > MANY_ITEMS * f->packing->processors;
        f->last = many ? LEAST_LAST : (size_t)duet_random_between(f->random, LEAST_LAST, MOST_LAST);
        fits = duet_refill(f, times);
    }
    return fits;
}

static bool create_placing(size_t items, duet_fill_placing *placing, duet_error *error)
{
    placing->position = duet_alloc(items, sizeof *placing->position, error);
    placing->left = duet_alloc(items, sizeof *placing->left, error);
    return placing->position != NULL && placing->left != NULL;
}

static duet_code reserve(duet_fill *f, duet_error *error)
{
    size_t n = f->packing->items;
    f->order = duet_alloc(n, sizeof *f->order, error);
    f->time = duet_alloc(n, sizeof *f->time, error);
    f->words = can_fill(f) && !f->fine ? (size_t)f->target / 64 + 1 : 0;
    f->reach = duet_alloc((n + 1) * f->words, sizeof *f->reach, error);
    if (f->order == NULL || f->time == NULL || f->reach == NULL ||
        !create_placing(n, &f->placing, error) || !create_placing(n, &f->before, error) ||
        (f->fine && !duet_subset_sums_create(DUET_FILL_FINE_ITEMS / 2, &f->sums))) {
        return DUET_E_MEMORY;
    }
    return duet_last_create(&f->exhaustive, error);
}

static duet_code prepare(duet_fill *f, duet_error *error)
{
    size_t n = f->packing->items;
    duet_ordered *sorted = duet_alloc(n, sizeof *sorted, error);
    duet_code code = sorted == NULL ? DUET_E_MEMORY : reserve(f, error);
    if (code == DUET_OK) {
        for (size_t i = 0; i < n; i++) {
            sorted[i] = (duet_ordered){(uint64_t)f->packing->time[i], i};
        }
        code = duet_order_by_key(sorted, n, error);
    }
    for (size_t i = 0; i < n && code == DUET_OK; i++) {
        f->order[i] = sorted[i].kind;
        f->time[i] = f->packing->time[sorted[i].kind] / f->unit;
    }
    duet_free(sorted);
    return code;
}

static void release(duet_fill *f)
{
    duet_free(f->order);
    duet_free(f->time);
    duet_free(f->placing.position);
    duet_free(f->placing.left);
    duet_free(f->before.position);
    duet_free(f->before.left);
    duet_free(f->reach);
    duet_subset_sums_free(&f->sums);
    duet_last_free(f->exhaustive);
}

static int64_t common_unit(const duet_packing *packing)
{
    duet_uint128 unit = 0;
    for (size_t i = 0; i < packing->items; i++) {
        unit = duet_gcd(unit, (duet_uint128)packing->time[i]);
    }
    return unit == 0 ? 1 : (int64_t)unit;
}

// The unit: what all times are multiples of.
static void choose_unit(duet_fill *f, int64_t target)
{
    f->unit = common_unit(f->packing);
    f->end = target - target % f->unit;
    f->target = f->end / f->unit;
    f->fine = f->target > MAX_TARGET;
}

duet_code duet_packing_fill(duet_packing *packing, int64_t target, int64_t effort,
                            duet_random *random, const duet_context *context, bool *fits,
                            duet_error *error)
{
    duet_fill f = {.packing = packing,
                   .random = random,
                   .context = context,
                   .work = effort < INT64_MAX / WORK ? effort * WORK : INT64_MAX};
    *fits = false;
    choose_unit(&f, target);
    if (packing->items == 0 || (!can_fill(&f) && !is_small(packing)) ||
        !has_room(packing, packing->time, f.end)) {
        return DUET_OK;
    }
    duet_code code = prepare(&f, error);
    int64_t most = f.work;
    *fits = code == DUET_OK && search(&f);
    duet_count_work(most - f.work); // which is in nanoseconds
    for (size_t i = 0; i < packing->items && *fits; i++) {
        DUET_ASSERT(f.placing.position[i] < packing->processors);
        packing->processor[f.order[i]] = f.placing.position[i];
    }
    if (*fits) {
        duet_packing_link(packing);
        DUET_ASSERT(duet_packing_longest(packing) <= target);
    }
    release(&f);
    return code;
}
