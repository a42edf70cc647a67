// SPDX-License-Identifier: Apache-2.0
// Packing identical processors to a target that leaves next to no idle time.
//
// Method:    processor by processor: the longest task that is left, and with it the tasks whose sum
//            comes nearest to filling it up (subset sums as bit sets, long tasks preferred, some
//            choices at random). So the idle time is kept for the last few processors, whose tasks
//            are packed exhaustively (heuristics/packing/last.h). Where that fails, one or two
//            random processors are emptied and filled in another way, and the last ones are packed
//            again: a walk that keeps the idle time together. Walks of growing length start anew.
//            Targets of more than 2^17 units are filled by the best subset of some random items, 12
//            to 32: as many as it takes to waste four times the idle time that a processor may
//            have, as it goes.
// Guarantee: none where it fails, but that few items on few processors are decided.
// Cost:      O(items x target / 64) time for a processor and as much memory, the target in units.
// Reference: subset sums by words: Pisinger, "Dynamic programming on the word RAM", Algorithmica
//            35, 2003; filling one bin at a time: Gupta, Ho, "A new heuristic algorithm for the
//            one-dimensional bin-packing problem", Production Planning & Control 10(6), 1999.
#include "heuristics/packing/packing.h"

#include "core/instance/order.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/tasks.h"
#include "core/system/try.h"
#include "heuristics/packing/fill_state.h"

enum {
    MAX_TARGET = 1 << 17, // units: longer ones are filled by the sums of a few items
    MAX_ITEMS = 1024,
    MANY_ITEMS = 6, // of a processor: of more, few processors are enough to pack exhaustively
    LEAST_LAST = 3, // processors that are packed exhaustively
    MOST_LAST = 5,  // of few items each
    WORK = 1000000, // a unit of effort: about a millisecond
    // Steps of the first walk, of which a longer one is followed by the first again, and how many
    // times as many as the one before each has. With the numbers of refill.c: chosen for random
    // items, 3 to 10 a processor.
    FIRST_WALK = 50,
    LONGEST_WALK = 1 << 16,
    LONGER = 4,
    LENGTHS = 6,      // of several that walk, each begins with one of the first 6 lengths
    OF_WALKER = 10,   // effort of each of these, at least
    MEMORY_SHARE = 8, // they get 1/8 of the memory
};

// One of several that walk beside each other, each from another length on.
typedef struct walker {
    duet_fill fill;
    bool fits;
    duet_code code;
    duet_error error;
} walker;

// Whether the items and processors are few enough to be decided at once, without filling.
static bool is_small(const duet_packing *packing)
{
    return packing->items <= DUET_LAST_ITEMS && packing->processors <= DUET_LAST_PROCESSORS;
}

static bool can_fill(const duet_packing *packing)
{
    return packing->items <= MAX_ITEMS && packing->processors > 1;
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
static bool is_crowded(const duet_fill_question *q)
{
    const duet_packing *packing = q->packing;
    bool crowded = false;
    for (size_t last = packing->processors; last < packing->items && !crowded;
         last += packing->processors) {
        int64_t least = 0; // of k + 1 items among the first up to the last
        for (size_t i = last - last / packing->processors; i <= last; i++) {
            least += packing->time[q->order[i]];
        }
        crowded = least > q->end;
    }
    return crowded;
}

// Each walk starts anew: some packings are found at once or never, others by long walks alone.
static bool walk(duet_fill *f)
{
    bool fits = false;
    int64_t times = FIRST_WALK;
    for (size_t i = 0; i < f->seat % LENGTHS; i++) {
        times *= LONGER;
    }
    for (; !fits && f->work > 0 && !duet_fill_is_stopped(f);
         times = times < LONGEST_WALK ? LONGER * times : FIRST_WALK) {
        f->bold = (duet_random_next(&f->random) & 1U) != 0;
        f->eager = (unsigned)duet_random_between(&f->random, 2, 8);
        f->spared = (size_t)duet_random_between(&f->random, 0, (int64_t)f->of->packing->items / 3);
        bool many = f->of->fine && f->of->packing->items > MANY_ITEMS * f->of->packing->processors;
        f->last =
            many ? LEAST_LAST : (size_t)duet_random_between(&f->random, LEAST_LAST, MOST_LAST);
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

// The room of one that walks.
static duet_code reserve(duet_fill *f, duet_error *error)
{
    size_t n = f->of->packing->items;
    f->reach = duet_alloc((n + 1) * f->of->words, sizeof *f->reach, error);
    if (f->reach == NULL || !create_placing(n, &f->placing, error) ||
        !create_placing(n, &f->before, error) ||
        (f->of->fine && !duet_subset_sums_create(DUET_FILL_FINE_ITEMS / 2, &f->sums))) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory to fill processors");
    }
    return duet_last_create(&f->exhaustive, error);
}

static void release(duet_fill *f)
{
    duet_free(f->placing.position);
    duet_free(f->placing.left);
    duet_free(f->before.position);
    duet_free(f->before.left);
    duet_free(f->reach);
    duet_subset_sums_free(&f->sums);
    duet_last_free(f->exhaustive);
}

// The items in their order.
static duet_code sort_items(duet_fill_question *q, duet_error *error)
{
    size_t n = q->packing->items;
    q->order = duet_alloc(n, sizeof *q->order, error);
    q->time = duet_alloc(n, sizeof *q->time, error);
    q->words = can_fill(q->packing) && !q->fine ? (size_t)q->target / 64 + 1 : 0;
    duet_ordered *sorted = duet_alloc(n, sizeof *sorted, error);
    bool whole = q->order != NULL && q->time != NULL && sorted != NULL;
    for (size_t i = 0; i < n && whole; i++) {
        sorted[i] = (duet_ordered){(uint64_t)q->packing->time[i], i};
    }
    duet_code code = whole ? duet_order_by_key(sorted, n, error) : DUET_E_MEMORY;
    for (size_t i = 0; i < n && code == DUET_OK; i++) {
        q->order[i] = sorted[i].kind;
        q->time[i] = q->packing->time[sorted[i].kind] / q->unit;
    }
    duet_free(sorted);
    return code;
}

// The items are where the answer puts them.
static void place_items(const duet_fill *f)
{
    duet_packing *packing = f->of->packing;
    for (size_t i = 0; i < packing->items; i++) {
        DUET_ASSERT(f->placing.position[i] < packing->processors);
        packing->processor[f->of->order[i]] = f->placing.position[i];
    }
}

static bool walk_beside(void *of, size_t i)
{
    walker *own = (walker *)of + i;
    duet_fill *f = &own->fill;
    int64_t most = f->work;
    own->code = reserve(f, &own->error);
    own->fits = own->code == DUET_OK && walk(f);
    if (!f->of->fine) { // else the sums are counted where they are made
        duet_count_work(most - f->work);
    }
    if (!own->fits) {
        release(f);
    }
    return own->code != DUET_OK || own->fits;
}

// What all of them take is a part of the memory.
static size_t count_walkers(const duet_fill_question *q, int64_t work)
{
    size_t limit = duet_memory_limit(q->context->memory_limit) / MEMORY_SHARE;
    size_t bytes = (q->packing->items + 1) * q->words * sizeof(uint64_t) + 1;
    int64_t most = duet_min(work / (OF_WALKER * (int64_t)WORK), DUET_TASKS_UNTIL);
    int64_t affordable = (int64_t)duet_min(limit / bytes, DUET_TASKS_UNTIL);
    most = duet_min(most, affordable);
    return (size_t)duet_max(most, 1);
}

// Divides the work among some that walk beside each other, the first that packs all ends it.
static duet_code walk_together(duet_fill_question *q, int64_t work, duet_random *random, bool *fits,
                               duet_error *error)
{
    size_t count = count_walkers(q, work);
    walker *all = duet_alloc(count, sizeof *all, error);
    DUET_NEED(all);
    for (size_t i = 0; i < count; i++) {
        all[i].fill = (duet_fill){.of = q, .work = work / (int64_t)count, .seat = i};
        all[i].error = (duet_error)DUET_ERROR_INIT;
        duet_random_seed(&all[i].fill.random, duet_random_next(random));
    }
    size_t last = duet_tasks_until(&q->series, count, walk_beside, all);
    duet_code code = DUET_OK;
    if (last < count && all[last].fits) {
        place_items(&all[last].fill);
        *fits = true;
    } else if (last < count) {
        code = duet_error_set(error, all[last].code, "%s", all[last].error.message);
    }
    for (size_t i = 0; i < count; i++) {
        if (all[i].fits) { // the others have released theirs
            release(&all[i].fill);
        }
    }
    duet_free(all);
    return code;
}

// Few items on few processors are decided at once.
static duet_code decide(const duet_fill_question *q, int64_t *work, duet_last_answer *answer,
                        duet_error *error)
{
    duet_fill own = {.of = q, .work = *work};
    duet_code code = reserve(&own, error);
    *answer = code == DUET_OK ? duet_fill_decide(&own) : DUET_LAST_GIVEN_UP;
    if (*answer == DUET_LAST_FITS) {
        place_items(&own);
    }
    release(&own);
    duet_count_work(*work - own.work);
    *work = own.work;
    return code;
}

static duet_code search(duet_fill_question *q, int64_t work, duet_random *random, bool *fits,
                        duet_error *error)
{
    duet_last_answer answer = DUET_LAST_GIVEN_UP;
    if (is_small(q->packing)) {
        DUET_TRY(decide(q, &work, &answer, error));
    }
    *fits = answer == DUET_LAST_FITS;
    bool may = answer == DUET_LAST_GIVEN_UP && can_fill(q->packing) && !is_crowded(q) && work > 0 &&
               has_room(q->packing, q->time, q->target) && // in units
               !duet_context_stop(q->context);
    return may ? walk_together(q, work, random, fits, error) : DUET_OK;
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
static void choose_unit(duet_fill_question *q, int64_t target)
{
    q->unit = common_unit(q->packing);
    q->end = target - target % q->unit;
    q->target = q->end / q->unit;
    q->fine = q->target > MAX_TARGET;
}

duet_code duet_packing_fill(duet_packing *packing, int64_t target, int64_t effort,
                            duet_random *random, const duet_context *context, bool *fits,
                            duet_error *error)
{
    duet_fill_question q = {.packing = packing, .context = context};
    int64_t work = effort < INT64_MAX / WORK ? effort * WORK : INT64_MAX;
    *fits = false;
    choose_unit(&q, target);
    if (packing->items == 0 || (!can_fill(packing) && !is_small(packing)) ||
        !has_room(packing, packing->time, q.end)) {
        return DUET_OK;
    }
    duet_code code = sort_items(&q, error);
    DUET_THEN(code, search(&q, work, random, fits, error));
    if (*fits) {
        duet_packing_link(packing);
        DUET_ASSERT(duet_packing_longest(packing) <= target);
    }
    duet_free(q.order);
    duet_free(q.time);
    return code;
}
