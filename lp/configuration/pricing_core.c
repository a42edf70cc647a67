// SPDX-License-Identifier: Apache-2.0
#include "lp/configuration/pricing_core.h"

#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

struct duet_pricing_core {
    duet_dearest *dearest;

    // The items that can be in a load, by increasing time.
    duet_pricing_item *item;
    size_t items;
    int64_t *time; // in units, rounded down
    int64_t *price;
    int64_t *most;
    size_t room;
};

duet_code duet_pricing_core_create(duet_pricing_core **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    DUET_NEED(*out);
    duet_code code = duet_dearest_create(&(*out)->dearest, error);
    if (code != DUET_OK) {
        duet_pricing_core_free(*out);
        *out = NULL;
    }
    return code;
}

void duet_pricing_core_free(duet_pricing_core *core)
{
    if (core != NULL) {
        duet_dearest_free(core->dearest);
        duet_free(core->item);
        duet_free(core->time);
        duet_free(core->price);
        duet_free(core->most);
        duet_free(core);
    }
}

static int by_time(const void *a, const void *b)
{
    const duet_pricing_item *x = a;
    const duet_pricing_item *y = b;
    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    return (x->class > y->class) - (x->class < y->class);
}

// Bits by which times are rounded down.
static int choose_shift(const duet_pricing_core_problem *problem)
{
    int shift = 0;
    while (problem->capacity / problem->unit >> shift > DUET_DEAREST_MAX_TIME) {
        shift++;
    }
    return shift;
}

static duet_code reserve(duet_pricing_core *core, size_t count, duet_error *error)
{
    if (count <= core->room) {
        return DUET_OK;
    }
    int64_t **const of[] = {&core->time, &core->price, &core->most};
    core->room = 0;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        duet_free(*of[i]);
        *of[i] = duet_alloc(count, sizeof **of[i], error);
        DUET_NEED(*of[i]);
    }
    core->room = count;
    return DUET_OK;
}

static duet_code take_items(duet_pricing_core *core, const duet_pricing_core_problem *problem,
                            int shift, duet_error *error)
{
    duet_code code = reserve(core, problem->count, error);
    core->items = 0;
    for (size_t i = 0; i < problem->count && code == DUET_OK; i++) {
        const duet_pricing_item *item = &problem->items[i];
        if (item->price > 0 && item->most > 0 && item->time <= problem->capacity) {
            code = duet_vec_push(core->item, core->items, error, *item);
        }
    }
    if (code == DUET_OK && core->items > 1) {
        qsort(core->item, core->items, sizeof *core->item, by_time);
    }
    for (size_t i = 0; i < core->items && code == DUET_OK; i++) {
        const duet_pricing_item *item = &core->item[i];
        int64_t fit = problem->capacity / item->time;
        core->time[i] = item->time / problem->unit >> shift;
        core->price[i] = item->price;
        core->most[i] = duet_min(item->most, fit);
    }
    return code;
}

// The most tasks that fit together: the shortest ones.
static int64_t count_fitting(const duet_pricing_core *core, int64_t capacity)
{
    int64_t number = 0;
    int64_t room = capacity;
    for (size_t i = 0; i < core->items && room >= core->item[i].time; i++) {
        int64_t fit = room / core->item[i].time;
        int64_t tasks = duet_min(core->most[i], fit);
        room -= tasks * core->item[i].time;
        number += tasks;
    }
    return number;
}

// The load that was found, unless it only fits with its times rounded down.
static void take_load(const duet_pricing_core *core, const duet_pricing_core_problem *problem,
                      const duet_dearest_result *result, duet_pricing_core_answer *answer,
                      duet_pricing_part *parts)
{
    const duet_dearest_part *set = duet_dearest_set(core->dearest);
    int64_t room = problem->capacity;
    for (size_t p = 0; p < result->parts; p++) {
        const duet_pricing_item *item = &core->item[set[p].item];
        parts[p] = (duet_pricing_part){item->class, set[p].tasks};
        room -= set[p].tasks * item->time;
    }
    if (room >= 0) {
        answer->achieved = result->achieved;
        answer->parts = result->parts;
    }
}

duet_code duet_pricing_core_solve(duet_pricing_core *core, const duet_pricing_core_problem *problem,
                                  duet_dearest_start *start, duet_pricing_core_answer *answer,
                                  duet_pricing_part *parts, duet_error *error)
{
    int shift = choose_shift(problem);
    *answer = (duet_pricing_core_answer){.limit = 0};
    duet_code code = take_items(core, problem, shift, error);
    if (code != DUET_OK || core->items == 0) {
        return code;
    }
    const duet_dearest_items items = {
        .count = core->items, .time = core->time, .price = core->price, .most = core->most};
    duet_dearest_result result;
    code = duet_dearest_solve(core->dearest, &items, problem->capacity / problem->unit >> shift,
                              count_fitting(core, problem->capacity), start, &result, error);
    if (code == DUET_OK) {
        answer->limit = result.value;
        take_load(core, problem, &result, answer, parts);
    }
    return code;
}
