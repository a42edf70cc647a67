// SPDX-License-Identifier: Apache-2.0
#include "heuristics/moldable/shelves.h"

bool duet_shelves_put(duet_shelves *shelves, size_t task, int shelf)
{
    duet_shelf_task *put = &shelves->task[task];
    DUET_ASSERT(shelf == 1 || shelf == 2);
    int64_t size = duet_least_size(put->table, shelves->guess, shelf);
    if (size == 0) {
        return false;
    }
    *put = (duet_shelf_task){.table = put->table, .size = size, .under = SIZE_MAX, .shelf = shelf};
    shelves->width[shelf] += size;
    return true;
}

// 4t <= 3λ: two of these fit on top of each other, and one can do with a processor less.
static bool is_light(const duet_shelves *shelves, const duet_shelf_task *task)
{
    return 4 * (duet_int128)duet_shelf_time(task) <= 3 * (duet_int128)shelves->guess;
}

// The first light task of shelf 1 from `from` on that has one processor, or that has more; `count`
// if no such task follows.
static size_t find_light(const duet_shelves *shelves, size_t from, bool single)
{
    size_t at = from;
    for (; at < shelves->count; at++) {
        const duet_shelf_task *task = &shelves->task[at];
        if (task->shelf == 1 && task->tops == 0 && (task->size == 1) == single &&
            is_light(shelves, task)) {
            break;
        }
    }
    return at;
}

// Rule 1: a light task of several processors takes one less on shelf 0. Its area does not grow, so
// it takes at most twice 3λ/4.
static bool narrow(duet_shelves *shelves)
{
    size_t at = find_light(shelves, 0, false);
    if (at == shelves->count) {
        return false;
    }
    duet_shelf_task *task = &shelves->task[at];
    shelves->width[1] -= task->size;
    task->size--;
    task->shelf = 0;
    shelves->width[0] += task->size;
    DUET_ASSERT(duet_shelf_time(task) <= duet_shelves_end(shelves));
    return true;
}

// Rule 2: two light tasks of one processor share it on shelf 0.
static bool stack(duet_shelves *shelves)
{
    size_t below = find_light(shelves, 0, true);
    size_t above = below < shelves->count ? find_light(shelves, below + 1, true) : below;
    if (above == shelves->count) {
        return false;
    }
    shelves->task[below].shelf = 0;
    shelves->task[below].tops = 1;
    shelves->task[above].shelf = 0;
    shelves->task[above].under = below;
    shelves->width[1] -= 2;
    shelves->width[0]++;
    return true;
}

// Rule 3: the light task that is left goes on top of one processor of another task of shelf 1. That
// processor counts as shelf 0 from then on, the others of that task stay.
static bool top(duet_shelves *shelves)
{
    size_t light = find_light(shelves, 0, true);
    if (light == shelves->count) {
        return false;
    }
    duet_int128 time = duet_shelf_time(&shelves->task[light]);
    for (size_t at = 0; at < shelves->count; at++) {
        duet_shelf_task *task = &shelves->task[at];
        if (at == light || task->shelf != 1 || task->tops == task->size ||
            2 * (time + duet_shelf_time(task)) > 3 * (duet_int128)shelves->guess) {
            continue;
        }
        shelves->task[light].shelf = 0;
        shelves->task[light].under = at;
        task->tops++;
        task->shelf = task->tops == task->size ? 0 : 1;
        shelves->width[1] -= 2;
        shelves->width[0]++;
        return true;
    }
    return false;
}

// Rule 4: a task of shelf 2 that fits beside shelves 0 and 1, as narrow as it can be within 3λ/2.
static bool lower(duet_shelves *shelves)
{
    int64_t idle = shelves->processors - shelves->width[0] - shelves->width[1];
    for (size_t at = 0; at < shelves->count && idle > 0; at++) {
        duet_shelf_task *task = &shelves->task[at];
        if (task->shelf != 2) {
            continue;
        }
        int64_t size = duet_least_size(task->table, 3 * (duet_int128)shelves->guess, 2);
        if (size > idle) {
            continue;
        }
        DUET_ASSERT(size > 0);
        shelves->width[2] -= task->size;
        task->size = size;
        task->shelf = duet_shelf_time(task) > shelves->guess ? 0 : 1;
        shelves->width[task->shelf] += size;
        return true;
    }
    return false;
}

bool duet_shelves_fit(duet_shelves *shelves)
{
    static bool (*const rules[DUET_SHELF_RULES])(duet_shelves *) = {narrow, stack, top, lower};
    while (shelves->width[0] + shelves->width[2] > shelves->processors) {
        int rule = 0;
        while (rule < DUET_SHELF_RULES && !rules[rule](shelves)) {
            rule++;
        }
        if (rule == DUET_SHELF_RULES) {
            return false;
        }
        shelves->applied[rule]++;
        DUET_ASSERT(shelves->width[0] + shelves->width[1] <= shelves->processors);
    }
    return true;
}
