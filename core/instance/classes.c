// SPDX-License-Identifier: Apache-2.0
#include "core/instance/classes.h"

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// The time of a kind on a type of the classes within a guess, or DUET_FORBIDDEN. A longer time
// limits *valid.
static int64_t usable_time(const duet_instance *instance, size_t kind, size_t type,
                           duet_classes *classes)
{
    size_t origin = classes->from == NULL ? type : classes->origin[type];
    if (!duet_allowed(instance, kind, origin)) {
        return DUET_FORBIDDEN;
    }
    int64_t time = duet_time(instance, kind, origin);
    int64_t start = 0;
    if (classes->from != NULL) {
        start = duet_max(duet_release(instance, kind), classes->from[type]);
    }
    if (start + time <= classes->guess) {
        return time;
    }
    classes->valid = duet_min(start + time - 1, classes->valid);
    return DUET_FORBIDDEN;
}

static size_t hash_times(const int64_t *times, size_t types, int64_t release)
{
    uint64_t mixed = (uint64_t)release;
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

static bool has_times(const duet_classes *classes, size_t class, const int64_t *times,
                      int64_t release)
{
    size_t t = 0;
    if (classes->release != NULL && classes->release[class] != release) {
        return false;
    }
    while (t < classes->types && classes->time[t][class] == times[t]) {
        t++;
    }
    return t == classes->types;
}

// The class of a row of times and a release (0: all are the same), a new one where it is the first
// of its kind.
static size_t find_class(duet_classes *classes, const class_table *table, const int64_t *times,
                         int64_t release)
{
    size_t at = hash_times(times, classes->types, release) & table->mask;
    while (table->slot[at] != 0) {
        size_t class = table->slot[at] - 1;
        if (has_times(classes, class, times, release)) {
            return class;
        }
        at = (at + 1) & table->mask;
    }
    size_t class = classes->count++;
    bool nowhere = true;
    table->slot[at] = class + 1;
    if (classes->release != NULL) {
        classes->release[class] = release;
    }
    for (size_t t = 0; t < classes->types; t++) {
        classes->time[t][class] = times[t];
        nowhere = nowhere && times[t] == DUET_FORBIDDEN;
    }
    if (nowhere && classes->nowhere == SIZE_MAX) {
        classes->nowhere = class;
    }
    return class;
}

// Where all tasks of a type are released late, so that loads are counted from there: from 0 on they
// would be coarse beside the tasks.
static void set_first(duet_classes *classes)
{
    for (size_t t = 0; classes->from != NULL && t < classes->types; t++) {
        int64_t least = INT64_MAX;
        for (size_t c = 0; c < classes->count; c++) {
            bool fits = duet_class_fits(classes, c, t);
            least = fits ? duet_min(classes->release[c], least) : least;
        }
        classes->first[t] =
            least == INT64_MAX ? classes->from[t] : duet_max(least, classes->from[t]);
    }
}

static void set_capacities(duet_classes *classes)
{
    set_first(classes);
    for (size_t t = 0; t < classes->types; t++) {
        duet_uint128 divisor = 0;
        for (size_t c = 0; c < classes->count && divisor != 1; c++) {
            if (duet_class_fits(classes, c, t)) {
                divisor = duet_gcd(divisor, (duet_uint128)classes->time[t][c]);
            }
        }
        int64_t first = classes->first == NULL ? 0 : classes->first[t];
        int64_t room = duet_max(classes->guess - first, 0);
        // Loads of late tasks end at releases, too, of which the times know nothing.
        classes->unit[t] = divisor == 0 || classes->from != NULL ? 1 : (int64_t)divisor;
        classes->capacity[t] = room / classes->unit[t] * classes->unit[t];
    }
}

// Allocates the arrays that classes of `kinds` kinds may need.
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
            times[t] = usable_time(instance, i, t, classes);
            timeless = timeless || times[t] == 0;
        }
        classes->of_kind[i] = SIZE_MAX;
        if (!timeless) {
            int64_t release = classes->release == NULL ? 0 : duet_release(instance, i);
            size_t class = find_class(classes, table, times, release);
            classes->of_kind[i] = class;
            classes->tasks[class] += duet_count(instance, i);
            classes->total += duet_count(instance, i);
        }
    }
}

// The classes of types whose processors are known; takes what `classes` has, also where it fails.
static duet_code make_classes(const duet_instance *instance, const int64_t *processors,
                              duet_classes *classes, duet_error *error)
{
    size_t room = 4;
    while (room < 2 * instance->kinds) {
        room *= 2;
    }
    class_table table = {.slot = duet_alloc(room, sizeof *table.slot, error), .mask = room - 1};
    int64_t times[DUET_MAX_TYPES];
    duet_code code = table.slot == NULL ? DUET_E_MEMORY : allocate(classes, instance->kinds, error);
    if (code == DUET_OK) {
        for (size_t t = 0; t < classes->types; t++) {
            classes->processors[t] = processors[t];
        }
        group_kinds(instance, classes, &table, times);
        set_capacities(classes);
    } else {
        duet_classes_free(classes);
    }
    duet_free(table.slot);
    return code;
}

duet_code duet_classes_create(const duet_instance *instance, int64_t guess, duet_classes *classes,
                              duet_error *error)
{
    *classes = (duet_classes){
        .guess = guess, .types = instance->types, .valid = DUET_MAX_WORK, .nowhere = SIZE_MAX};
    return make_classes(instance, instance->processors, classes, error);
}

// The end of a busy time of a type that comes next after `last`; INT64_MAX: there is none.
static int64_t next_busy(const duet_instance *instance, size_t type, int64_t last)
{
    int64_t next = INT64_MAX;
    for (int64_t p = 0; p < instance->busy_count[type]; p++) {
        int64_t until = instance->busy[type][p];
        next = until > last ? duet_min(until, next) : next;
    }
    return next;
}

// One more type of the classes: processors of a type of the platform that are busy until `from`.
// Those beyond the list of busy times are there from 0 on.
static bool add_type(const duet_instance *instance, size_t type, int64_t from, int64_t *processors,
                     duet_classes *classes)
{
    int64_t count = from == 0 ? instance->processors[type] - instance->busy_count[type] : 0;
    for (int64_t p = 0; p < instance->busy_count[type]; p++) {
        count += instance->busy[type][p] == from ? 1 : 0;
    }
    if (count == 0) {
        return true;
    }
    if (classes->types == DUET_MAX_TYPES) {
        return false;
    }
    processors[classes->types] = count;
    classes->from[classes->types] = from;
    classes->origin[classes->types++] = type;
    return true;
}

duet_code duet_classes_create_released(const duet_instance *instance, int64_t guess,
                                       duet_classes *classes, duet_error *error)
{
    int64_t processors[DUET_MAX_TYPES];
    *classes = (duet_classes){.guess = guess, .valid = DUET_MAX_WORK, .nowhere = SIZE_MAX};
    classes->from = duet_alloc(DUET_MAX_TYPES, sizeof *classes->from, error);
    classes->first = duet_alloc(DUET_MAX_TYPES, sizeof *classes->first, error);
    classes->origin = duet_alloc(DUET_MAX_TYPES, sizeof *classes->origin, error);
    classes->release = duet_alloc(instance->kinds, sizeof *classes->release, error);
    if (classes->from == NULL || classes->first == NULL || classes->origin == NULL ||
        classes->release == NULL) {
        duet_classes_free(classes);
        return DUET_E_MEMORY;
    }
    bool few = true;
    for (size_t t = 0; t < instance->types; t++) {
        for (int64_t from = 0; from < INT64_MAX && few; from = next_busy(instance, t, from)) {
            few = add_type(instance, t, from, processors, classes);
        }
    }
    if (!few) {
        duet_classes_free(classes);
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "more than %d types of processors, with busy times", DUET_MAX_TYPES);
    }
    return make_classes(instance, processors, classes, error);
}

bool duet_classes_fit_released(const duet_classes *classes, size_t type, int64_t guess,
                               const duet_class_part *part, size_t parts)
{
    bool fits = true;
    for (size_t i = 0; i < parts && fits; i++) {
        int64_t late = 0;
        for (size_t k = 0; k < parts; k++) {
            bool counts = classes->release[part[k].class] >= classes->release[part[i].class];
            late += counts ? part[k].tasks * classes->time[type][part[k].class] : 0;
        }
        fits = duet_class_start(classes, part[i].class, type) + late <= guess;
    }
    return fits;
}

void duet_classes_free(duet_classes *classes)
{
    duet_free(classes->from);
    duet_free(classes->first);
    duet_free(classes->origin);
    duet_free(classes->release);
    duet_free(classes->tasks);
    duet_free(classes->of_kind);
    duet_free(classes->time);
    duet_free(classes->processors); // and what stands behind them
    *classes = (duet_classes){.nowhere = SIZE_MAX};
}
