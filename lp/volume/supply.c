// SPDX-License-Identifier: Apache-2.0
#include "lp/volume/supply.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/tasks.h"
#include "core/system/try.h"

enum { SHARED_ITEMS = 2000 }; // of all types: fewer are not worth another thread

static void free_type(duet_supply_type *type)
{
    duet_arena_free(&type->arena);
}

void duet_supply_free(duet_supply *supply)
{
    for (size_t t = 0; t < supply->types && supply->type != NULL; t++) {
        free_type(&supply->type[t]);
    }
    duet_free(supply->type);
    for (size_t i = 0; i < DUET_SUPPLY_CORES; i++) {
        duet_dearest_free(supply->core[i]);
    }
    *supply = (duet_supply){.types = 0};
}

// A class and its time, for sorting.
typedef struct timed {
    int64_t time;
    size_t class;
} timed;

static int by_time(const void *left, const void *right)
{
    const timed *a = left;
    const timed *b = right;
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return (a->class > b->class) - (a->class < b->class);
}

static duet_code allocate(duet_supply_type *type, size_t classes, duet_error *error)
{
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(type->class, classes), DUET_ARENA_ARRAY(type->exact, classes),
        DUET_ARENA_ARRAY(type->time, classes),  DUET_ARENA_ARRAY(type->tasks, classes),
        DUET_ARENA_ARRAY(type->most, classes),  DUET_ARENA_ARRAY(type->price, classes),
        DUET_ARENA_ARRAY(type->part, classes)};
    return duet_arena_create(&type->arena, arrays, sizeof arrays / sizeof *arrays, error);
}

static void fill_type(duet_supply_type *type, const duet_classes *classes, size_t t, timed *order)
{
    for (size_t c = 0; c < classes->count; c++) {
        if (duet_class_fits(classes, c, t)) {
            order[type->items++] = (timed){classes->time[t][c], c};
        }
    }
    if (type->items > 1) {
        qsort(order, type->items, sizeof *order, by_time);
    }
    type->processors = classes->processors[t];
    type->unit = classes->unit[t];
    while ((classes->guess / type->unit) >> type->shift >= DUET_DEAREST_MAX_TIME) {
        type->shift++;
    }
    for (size_t i = 0; i < type->items; i++) {
        type->class[i] = order[i].class;
        type->exact[i] = order[i].time / type->unit;
        type->time[i] = type->exact[i] >> type->shift;
        type->tasks[i] = classes->tasks[order[i].class];
    }
}

duet_code duet_supply_create(const duet_classes *classes, duet_supply *supply, duet_error *error)
{
    *supply =
        (duet_supply){.classes = classes, .types = classes->types, .states = DUET_DEAREST_STATES};
    supply->type = duet_alloc(classes->types, sizeof *supply->type, error);
    timed *order = duet_alloc(classes->count, sizeof *order, error);
    duet_code code = supply->type == NULL || order == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t t = 0; t < classes->types && code == DUET_OK; t++) {
        code = allocate(&supply->type[t], classes->count, error);
        if (code == DUET_OK) {
            fill_type(&supply->type[t], classes, t, order);
        }
    }
    duet_free(order);
    if (code == DUET_OK) {
        duet_supply_set_guess(supply, classes->guess);
    } else {
        duet_supply_free(supply);
    }
    return code;
}

static void set_guess(duet_supply_type *type, int64_t guess)
{
    int64_t units = guess / type->unit;
    int64_t room = units; // for the shortest tasks, as many as fit
    type->capacity = units >> type->shift;
    type->number = 0;
    type->fit = 0;
    for (; type->fit < type->items && type->exact[type->fit] <= units; type->fit++) {
        size_t i = type->fit;
        int64_t fit = units / type->exact[i];
        type->most[i] = duet_min(type->tasks[i], fit);
        int64_t more = room / type->exact[i];
        more = duet_min(more, type->tasks[i]);
        type->number += more;
        room -= more * type->exact[i];
    }
}

void duet_supply_set_guess(duet_supply *supply, int64_t guess)
{
    DUET_ASSERT(guess <= supply->classes->guess);
    supply->guess = guess;
    for (size_t t = 0; t < supply->types; t++) {
        set_guess(&supply->type[t], guess);
    }
}

// A supply under way.
typedef struct solving {
    duet_supply *supply;
    const int64_t *price;
    const duet_context *context;
    size_t parts;                         // every so many types are one part
    atomic_flag taken[DUET_SUPPLY_CORES]; // the cores that are in use
    duet_code code[DUET_SUPPLY_CORES];    // per part
    bool stopped[DUET_SUPPLY_CORES];
} solving;

static duet_code solve_type(duet_supply_type *type, duet_dearest *core, const int64_t *price)
{
    for (size_t i = 0; i < type->fit; i++) {
        type->price[i] = price[type->class[i]];
    }
    const duet_dearest_items items = {type->fit, type->time, type->price, type->most};
    duet_code code = duet_dearest_solve(core, &items, type->capacity, type->number, &type->start,
                                        &type->found, NULL);
    for (size_t p = 0; p < type->found.parts; p++) {
        type->part[p] = duet_dearest_set(core)[p];
    }
    return code;
}

// The types of a part, one after the other.
static duet_code solve_part(solving *s, size_t part, duet_dearest **core)
{
    duet_code code = *core == NULL ? duet_dearest_create(core, NULL) : DUET_OK;
    if (code == DUET_OK) {
        duet_dearest_set_states(*core, s->supply->states);
    }
    for (size_t t = part; t < s->supply->types && code == DUET_OK; t += s->parts) {
        s->stopped[part] = s->context != NULL && duet_context_stop(s->context);
        if (s->stopped[part]) {
            return DUET_OK;
        }
        duet_supply_type *type = &s->supply->type[t];
        type->found = (duet_dearest_result){.exact = true};
        code = type->processors > 0 ? solve_type(type, *core, s->price) : DUET_OK;
    }
    return code;
}

// A part, with a core that no other part has: there are as many as parts. One thread makes one.
static void take_part(void *of, size_t part)
{
    solving *s = of;
    size_t i = 0;
    while (atomic_flag_test_and_set(&s->taken[i])) {
        i = (i + 1) % DUET_SUPPLY_CORES;
    }
    s->code[part] = solve_part(s, part, &s->supply->core[i]);
    atomic_flag_clear(&s->taken[i]);
}

static bool is_large(const duet_supply *supply)
{
    size_t items = 0;
    for (size_t t = 0; t < supply->types; t++) {
        items += supply->type[t].fit;
    }
    return items >= SHARED_ITEMS;
}

duet_code duet_supply_solve(duet_supply *supply, const int64_t *price, const duet_context *context,
                            duet_int128 *total, duet_error *error)
{
    solving s = {.supply = supply, .price = price, .context = context, .parts = 1};
    if (is_large(supply)) {
        s.parts = duet_min(supply->types, DUET_SUPPLY_CORES);
    }
    for (size_t i = 0; i < DUET_SUPPLY_CORES; i++) {
        atomic_flag_clear(&s.taken[i]);
    }
    duet_tasks_share(s.parts, take_part, &s);
    bool stopped = false;
    for (size_t i = 0; i < s.parts; i++) {
        if (s.code[i] != DUET_OK) {
            return duet_error_set(error, s.code[i], "out of memory for the prices of a type");
        }
        stopped = stopped || s.stopped[i];
    }
    *total = stopped ? -1 : 0;
    for (size_t t = 0; t < supply->types && !stopped; t++) {
        const duet_supply_type *type = &supply->type[t];
        *total += (duet_int128)type->found.value * type->processors;
    }
    return DUET_OK;
}

duet_int128 duet_supply_demand(const duet_supply *supply, const int64_t *price)
{
    duet_int128 demand = 0;
    for (size_t c = 0; c < supply->classes->count; c++) {
        demand += (duet_int128)price[c] * supply->classes->tasks[c];
    }
    return demand;
}
