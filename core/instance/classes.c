// SPDX-License-Identifier: Apache-2.0
#include "core/instance/classes.h"

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// The time of a kind on a type within a guess, or DUET_FORBIDDEN. A longer time limits *valid.
static int64_t usable_time(const duet_instance *instance, size_t kind, size_t type, int64_t guess,
                           int64_t *valid)
{
    if (!duet_allowed(instance, kind, type)) {
        return DUET_FORBIDDEN;
    }
    int64_t time = duet_time(instance, kind, type);
    if (time <= guess) {
        return time;
    }
    *valid = duet_min(time - 1, *valid);
    return DUET_FORBIDDEN;
}

static size_t hash_times(const int64_t *times, size_t types)
{
    uint64_t mixed = 0;
    for (size_t t = 0; t < types; t++) {
        mixed = mixed * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)times[t];
        mixed ^= mixed >> 29;
    }
    mixed *= UINT64_C(0xBF58476D1CE4E5B9);
    return (size_t)(mixed ^ (mixed >> 32));
}

// A hash table of class numbers + 1.
typedef struct class_table {
    size_t *slot;
    size_t mask;
} class_table;

static bool has_times(const duet_classes *classes, size_t class, const int64_t *times)
{
    size_t t = 0;
    while (t < classes->types && classes->time[t][class] == times[t]) {
        t++;
    }
    return t == classes->types;
}

// The class of a row of times, a new one where it is the first of its kind.
static size_t find_class(duet_classes *classes, const class_table *table, const int64_t *times)
{
    size_t at = hash_times(times, classes->types) & table->mask;
    while (table->slot[at] != 0) {
        size_t class = table->slot[at] - 1;
        if (has_times(classes, class, times)) {
            return class;
        }
        at = (at + 1) & table->mask;
    }
    size_t class = classes->count++;
    bool nowhere = true;
    table->slot[at] = class + 1;
    for (size_t t = 0; t < classes->types; t++) {
        classes->time[t][class] = times[t];
        nowhere = nowhere && times[t] == DUET_FORBIDDEN;
    }
    if (nowhere && classes->nowhere == SIZE_MAX) {
        classes->nowhere = class;
    }
    return class;
}

static void set_capacities(duet_classes *classes)
{
    for (size_t t = 0; t < classes->types; t++) {
        duet_uint128 divisor = 0;
        for (size_t c = 0; c < classes->count && divisor != 1; c++) {
            if (duet_class_fits(classes, c, t)) {
                divisor = duet_gcd(divisor, (duet_uint128)classes->time[t][c]);
            }
        }
        classes->unit[t] = divisor == 0 ? 1 : (int64_t)divisor;
        classes->capacity[t] = classes->guess / classes->unit[t] * classes->unit[t];
    }
}

// Room for all that classes of so many kinds may need.
static duet_code allocate(duet_classes *classes, size_t kinds, duet_error *error)
{
    size_t types = classes->types;
    classes->tasks = duet_alloc(kinds, sizeof *classes->tasks, error);
    classes->of_kind = duet_alloc(kinds, sizeof *classes->of_kind, error);
    classes->time = duet_alloc(types, sizeof *classes->time, error);
    classes->processors = duet_alloc(types * (kinds + 3), sizeof *classes->processors, error);
    DUET_NEED(classes->tasks != NULL && classes->of_kind != NULL && classes->time != NULL &&
              classes->processors != NULL);
    classes->unit = classes->processors + types;
    classes->capacity = classes->unit + types;
    for (size_t t = 0; t < types; t++) {
        classes->time[t] = classes->capacity + types + t * kinds;
    }
    return DUET_OK;
}

// Puts every kind into its class.
static void group_kinds(const duet_instance *instance, duet_classes *classes,
                        const class_table *table, int64_t *times)
{
    for (size_t i = 0; i < instance->kinds; i++) {
        bool timeless = false;
        for (size_t t = 0; t < classes->types; t++) {
            times[t] = usable_time(instance, i, t, classes->guess, &classes->valid);
            timeless = timeless || times[t] == 0;
        }
        classes->of_kind[i] = SIZE_MAX;
        if (!timeless) {
            size_t class = find_class(classes, table, times);
            classes->of_kind[i] = class;
            classes->tasks[class] += duet_count(instance, i);
            classes->total += duet_count(instance, i);
        }
    }
}

duet_code duet_classes_create(const duet_instance *instance, int64_t guess, duet_classes *classes,
                              duet_error *error)
{
    *classes = (duet_classes){
        .guess = guess, .types = instance->types, .valid = DUET_MAX_WORK, .nowhere = SIZE_MAX};
    size_t room = 4;
    while (room < 2 * instance->kinds) {
        room *= 2;
    }
    class_table table = {.slot = duet_alloc(room, sizeof *table.slot, error), .mask = room - 1};
    int64_t times[DUET_MAX_TYPES];
    duet_code code = table.slot == NULL ? DUET_E_MEMORY : allocate(classes, instance->kinds, error);
    if (code == DUET_OK) {
        for (size_t t = 0; t < instance->types; t++) {
            classes->processors[t] = instance->processors[t];
        }
        group_kinds(instance, classes, &table, times);
        set_capacities(classes);
    } else {
        duet_classes_free(classes);
    }
    duet_free(table.slot);
    return code;
}

void duet_classes_free(duet_classes *classes)
{
    duet_free(classes->tasks);
    duet_free(classes->of_kind);
    duet_free(classes->time);
    duet_free(classes->processors); // and what stands behind them
    *classes = (duet_classes){.nowhere = SIZE_MAX};
}
