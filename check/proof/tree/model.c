// SPDX-License-Identifier: Apache-2.0
// Classes of equal tasks for the checker of proofs. Includes no solver header: this is what an
// outsider trusts.
#include "check/proof/tree/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/number/fraction.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// A kind, to be sorted by the times by which kinds are merged.
typedef struct keyed_kind {
    const duet_proof_subject *subject;
    size_t kind;
} keyed_kind;

// The time of a kind on a type of the platform where it is at most `most` and not forbidden, else
// 0.
static int64_t time_on(const duet_instance *instance, int64_t most, size_t kind, size_t type)
{
    int64_t time = duet_time(instance, kind, type);
    return duet_allowed(instance, kind, type) && time <= most ? time : 0;
}

static int64_t start_of(const duet_proof_subject *subject, size_t kind, int type)
{
    int64_t release = duet_release(subject->instance, kind);
    return duet_max(release, subject->from[type]);
}

// The same on a type of the model, by the first type of the platform that is one of its.
static int64_t time_within(const duet_proof_subject *subject, int64_t most, size_t kind, int type)
{
    if (subject->released) {
        int64_t room = most - start_of(subject, kind, type);
        return time_on(subject->instance, room, kind, subject->origin[type]);
    }
    for (size_t t = 0; t < subject->instance->types; t++) {
        if (subject->into[t] == type && subject->instance->processors[t] > 0) {
            return time_on(subject->instance, most, kind, t);
        }
    }
    return 0;
}

static int compare_times(const keyed_kind *a, const keyed_kind *b)
{
    int order = 0;
    for (int t = 0; t < a->subject->types && order == 0; t++) {
        order = duet_order(time_within(a->subject, a->subject->within, a->kind, t),
                           time_within(b->subject, b->subject->within, b->kind, t));
    }
    return order;
}

// Orders what tells classes apart.
static int compare_classes_of(const keyed_kind *a, const keyed_kind *b)
{
    const duet_proof_subject *subject = a->subject;
    int order = compare_times(a, b);
    return order != 0 || !subject->released ? order
                                            : duet_order(duet_release(subject->instance, a->kind),
                                                         duet_release(subject->instance, b->kind));
}

static int compare_kinds(const void *left, const void *right)
{
    const keyed_kind *a = left;
    const keyed_kind *b = right;
    return 2 * compare_classes_of(a, b) + duet_order(a->kind, b->kind);
}

// Whether a kind has a time on a type of the platform that is at most `most`, which may be 0.
static bool has_time(const duet_instance *instance, int64_t most, size_t kind, size_t type)
{
    return duet_allowed(instance, kind, type) && duet_time(instance, kind, type) <= most;
}

// Whether a kind has the same time, or none, on a type and on the first one that has its number.
static bool is_alike(const duet_proof_subject *subject, size_t kind, size_t type)
{
    const duet_instance *instance = subject->instance;
    int64_t most = subject->within;
    size_t first = 0;
    while (subject->into[first] != subject->into[type] || instance->processors[first] == 0) {
        first++;
    }
    return has_time(instance, most, kind, type) == has_time(instance, most, kind, first) &&
           time_on(instance, most, kind, type) == time_on(instance, most, kind, first);
}

// Types of one number must have the same times.
static duet_code check_equal_types(const duet_proof_subject *subject, duet_error *error)
{
    const duet_instance *instance = subject->instance;
    for (size_t t = 0; t < instance->types; t++) {
        for (size_t i = 0; i < instance->kinds && instance->processors[t] > 0; i++) {
            if (!is_alike(subject, i, t)) {
                return duet_error_set(error, DUET_E_INPUT,
                                      "types: type %zu as type %d: expected the same times of at "
                                      "most %" PRId64,
                                      t, subject->into[t], subject->within);
            }
        }
    }
    return DUET_OK;
}

// Whether a kind with a release is dropped: it takes no time somewhere where it can start in time.
static bool is_dropped_released(const duet_proof_subject *subject, size_t kind)
{
    bool dropped = false;
    for (int t = 0; t < subject->types; t++) {
        dropped = dropped || (duet_allowed(subject->instance, kind, subject->origin[t]) &&
                              duet_time(subject->instance, kind, subject->origin[t]) == 0 &&
                              start_of(subject, kind, t) <= subject->within);
    }
    return dropped;
}

// Whether a kind is dropped: some usable time of it is 0.
static bool is_dropped(const duet_proof_subject *subject, size_t kind)
{
    const duet_instance *instance = subject->instance;
    size_t t = 0;
    if (subject->released) {
        return is_dropped_released(subject, kind);
    }
    while (t < instance->types &&
           !(duet_allowed(instance, kind, t) && duet_time(instance, kind, t) == 0)) {
        t++;
    }
    return t < instance->types;
}

// leader[i]: the first kind with the times of kind i; SIZE_MAX where kind i is dropped. Counts the
// classes.
static duet_code find_leaders(duet_proof_model *model, const duet_proof_subject *subject,
                              keyed_kind *sorted, size_t *leader, duet_watch *watch,
                              duet_error *error)
{
    const duet_instance *instance = subject->instance;
    size_t kept = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        leader[i] = SIZE_MAX;
        sorted[kept] = (keyed_kind){subject, i};
        kept += is_dropped(subject, i) ? 0 : 1;
    }
    DUET_TRY(duet_check_sort(sorted, kept, sizeof *sorted, compare_kinds, watch, error));
    size_t first = 0;
    for (size_t s = 0; s < kept; s++) {
        if (s == 0 || compare_classes_of(&sorted[s], &sorted[first]) != 0) {
            first = s;
            model->classes++;
        }
        leader[sorted[s].kind] = sorted[first].kind;
    }
    return DUET_OK;
}

// Numbers the classes in the order of their first kinds, and replaces each leader by its class. A
// leader stands before those that it leads, so theirs is known when they are reached.
static void number_classes(duet_proof_model *model, const duet_proof_subject *subject,
                           size_t *leader)
{
    const duet_instance *instance = subject->instance;
    size_t numbered = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (leader[i] == SIZE_MAX) {
            continue;
        }
        if (leader[i] == i) {
            for (int t = 0; t < model->types; t++) {
                model->time[t][numbered] = time_within(subject, subject->guess, i, t);
            }
            if (model->release != NULL) {
                model->release[numbered] = duet_release(instance, i);
            }
            leader[i] = numbered++;
        } else {
            DUET_ASSERT(leader[i] < i);
            leader[i] = leader[leader[i]];
        }
        model->count[leader[i]] += duet_count(instance, i);
    }
    DUET_ASSERT(numbered == model->classes);
}

static void find_capacity(duet_proof_model *model, int type)
{
    duet_uint128 divisor = 0;
    for (size_t c = 0; c < model->classes; c++) {
        divisor = duet_gcd(divisor, (duet_uint128)model->time[type][c]); // 0 changes nothing
    }
    int64_t room = duet_max(model->guess - model->from[type], 0);
    model->divisor[type] = divisor == 0 ? 1 : (int64_t)divisor;
    model->capacity[type] = room / model->divisor[type] * model->divisor[type];
}

// A class, to be sorted by its time on a type.
typedef struct keyed_class {
    int64_t time;
    size_t class;
} keyed_class;

static int compare_classes(const void *left, const void *right)
{
    const keyed_class *a = left;
    const keyed_class *b = right;
    return 2 * duet_order(b->time, a->time) + duet_order(a->class, b->class);
}

// The usable classes of a type by decreasing time, those of equal time by number.
static duet_code order_classes(duet_proof_model *model, int type, keyed_class *sorted,
                               duet_watch *watch, duet_error *error)
{
    size_t count = 0;
    for (size_t c = 0; c < model->classes; c++) {
        if (model->time[type][c] > 0) {
            sorted[count++] = (keyed_class){model->time[type][c], c};
        }
    }
    duet_code code = duet_check_sort(sorted, count, sizeof *sorted, compare_classes, watch, error);
    for (size_t i = 0; i < count; i++) {
        model->order[type][i] = sorted[i].class;
    }
    model->usable[type] = count;
    return code;
}

// Room for the classes, whose number is known.
static duet_code make_room(duet_proof_model *model, duet_error *error)
{
    model->count = duet_alloc(model->classes, sizeof *model->count, error);
    bool made = model->count != NULL;
    for (int t = 0; t < model->types && made; t++) {
        model->time[t] = duet_alloc(model->classes, sizeof *model->time[t], error);
        model->order[t] = duet_alloc(model->classes, sizeof *model->order[t], error);
        made = model->time[t] != NULL && model->order[t] != NULL;
    }
    return made ? DUET_OK : DUET_E_MEMORY;
}

// What follows from the times of the classes.
static duet_code complete(duet_proof_model *model, duet_watch *watch, duet_error *error)
{
    keyed_class *sorted = duet_alloc(model->classes + 1, sizeof *sorted, error);
    duet_code code = sorted != NULL ? DUET_OK : DUET_E_MEMORY;
    for (int t = 0; t < model->types && code == DUET_OK; t++) {
        find_capacity(model, t);
        code = order_classes(model, t, sorted, watch, error);
    }
    duet_free(sorted);
    return code;
}

static duet_code group(duet_proof_model *model, const duet_proof_subject *subject,
                       duet_watch *watch, duet_error *error)
{
    const duet_instance *instance = subject->instance;
    keyed_kind *sorted = duet_alloc(instance->kinds + 1, sizeof *sorted, error);
    size_t *leader = duet_alloc(instance->kinds, sizeof *leader, error);
    duet_code code = sorted != NULL && leader != NULL ? DUET_OK : DUET_E_MEMORY;
    DUET_THEN(code, find_leaders(model, subject, sorted, leader, watch, error));
    DUET_THEN(code, make_room(model, error));
    if (code == DUET_OK && subject->released) {
        model->release = duet_alloc(model->classes, sizeof *model->release, error);
        code = model->release == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    if (code == DUET_OK) {
        number_classes(model, subject, leader);
        code = complete(model, watch, error);
    }
    duet_free(sorted);
    duet_free(leader);
    return code;
}

static void take_platform(duet_proof_model *model, const duet_proof_subject *subject)
{
    static const char names[2][8] = {"CPU", "GPU"};
    static const char plurals[2][8] = {"CPUs", "GPUs"};
    model->types = subject->types;
    for (int t = 0; t < model->types && subject->released; t++) {
        model->processors[t] = subject->processors[t];
        model->from[t] = subject->from[t];
    }
    for (size_t t = 0; t < subject->instance->types && !subject->released; t++) {
        if (subject->into[t] >= 0) {
            model->processors[subject->into[t]] += subject->instance->processors[t];
        }
    }
    for (int t = 0; t < model->types; t++) {
        if (model->types == 2) {
            memcpy(model->name[t], names[t], sizeof names[t]);
            memcpy(model->plural[t], plurals[t], sizeof plurals[t]);
        } else {
            snprintf(model->name[t], sizeof model->name[t], "type %u", (unsigned)t % 100);
            memcpy(model->plural[t], model->name[t], sizeof model->name[t]);
        }
    }
}

duet_proof_subject duet_proof_subject_of(const duet_instance *instance, int64_t guess)
{
    duet_proof_subject subject = {
        .instance = instance, .guess = guess, .within = guess, .types = (int)instance->types};
    for (size_t t = 0; t < instance->types; t++) {
        subject.into[t] = (int)t;
    }
    return subject;
}

// The processors of a type that are busy until `from`. *next: the next such time that there is, or
// INT64_MAX.
static int64_t count_busy(const duet_instance *instance, size_t type, int64_t from, int64_t *next)
{
    int64_t busy = instance->busy_count[type];
    int64_t count = from == 0 ? instance->processors[type] - busy : 0;
    *next = INT64_MAX;
    for (int64_t p = 0; p < busy; p++) {
        int64_t until = duet_busy_until(instance, type, p);
        count += until == from ? 1 : 0;
        *next = until > from && until < *next ? until : *next;
    }
    return count;
}

duet_code duet_proof_subject_release(duet_proof_subject *subject, duet_error *error)
{
    const duet_instance *instance = subject->instance;
    subject->released = true;
    subject->types = 0;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t next;
        for (int64_t from = 0; from < INT64_MAX; from = next) {
            int64_t count = count_busy(instance, t, from, &next);
            if (count > 0 && subject->types == DUET_MAX_TYPES) {
                return duet_error_set(error, DUET_E_INPUT,
                                      "with busy processors there are more than %d types",
                                      DUET_MAX_TYPES);
            }
            if (count > 0) {
                subject->origin[subject->types] = t;
                subject->from[subject->types] = from;
                subject->processors[subject->types++] = count;
            }
        }
    }
    return DUET_OK;
}

duet_code duet_proof_model_of(duet_proof_model *model, const duet_proof_subject *subject,
                              duet_watch *watch, duet_error *error)
{
    DUET_ASSERT(subject->guess >= 0 && subject->within >= subject->guess);
    *model = (duet_proof_model){.guess = subject->guess, .within = subject->within};
    if (!subject->instance->has_platform) {
        return duet_error_set(error, DUET_E_USAGE,
                              "the instance has no platform: expected processor counts (-m, -k)");
    }
    take_platform(model, subject);
    duet_code code = subject->released ? DUET_OK : check_equal_types(subject, error);
    DUET_THEN(code, group(model, subject, watch, error));
    if (code != DUET_OK) {
        duet_proof_model_free(model);
    }
    return code;
}

duet_code duet_proof_model_init(duet_proof_model *model, const duet_instance *instance,
                                int64_t guess, duet_watch *watch, duet_error *error)
{
    const duet_proof_subject subject = duet_proof_subject_of(instance, guess);
    return duet_proof_model_of(model, &subject, watch, error);
}

// leader[c]: the first of the classes that have tasks and the same time as c; SIZE_MAX where c has
// no task. Counts the merged classes.
static duet_code merge_by_time(duet_proof_model *model, const duet_proof_alone *alone,
                               size_t *leader, duet_watch *watch, duet_error *error)
{
    const duet_proof_model *of = alone->of;
    keyed_class *sorted = duet_alloc(of->classes + 1, sizeof *sorted, error);
    DUET_NEED(sorted);
    size_t kept = 0;
    for (size_t c = 0; c < of->classes; c++) {
        leader[c] = SIZE_MAX;
        if (alone->tasks[c] > 0) {
            sorted[kept++] = (keyed_class){of->time[alone->type][c], c};
        }
    }
    duet_code code = duet_check_sort(sorted, kept, sizeof *sorted, compare_classes, watch, error);
    size_t first = 0;
    for (size_t i = 0; i < kept && code == DUET_OK; i++) {
        if (i == 0 || sorted[i].time != sorted[first].time) {
            first = i;
            model->classes++;
        }
        leader[sorted[i].class] = sorted[first].class;
    }
    duet_free(sorted);
    return code;
}

// Numbers the merged classes in the order of the first of each.
static void number_merged(duet_proof_model *model, const duet_proof_alone *alone, size_t *leader)
{
    size_t numbered = 0;
    for (size_t c = 0; c < alone->of->classes; c++) {
        if (leader[c] == SIZE_MAX) {
            continue;
        }
        if (leader[c] == c) {
            model->time[0][numbered] = alone->of->time[alone->type][c];
            leader[c] = numbered++;
        } else {
            leader[c] = leader[leader[c]];
        }
        model->count[leader[c]] += alone->tasks[c];
    }
    DUET_ASSERT(numbered == model->classes);
}

duet_code duet_proof_model_alone(duet_proof_model *model, const duet_proof_alone *alone,
                                 duet_watch *watch, duet_error *error)
{
    const duet_proof_model *of = alone->of;
    DUET_ASSERT(alone->guess >= of->guess);
    *model = (duet_proof_model){.guess = alone->guess, .within = alone->guess, .types = 1};
    model->processors[0] = alone->processors;
    memcpy(model->name[0], of->name[alone->type], sizeof model->name[0]);
    memcpy(model->plural[0], of->plural[alone->type], sizeof model->plural[0]);
    size_t *leader = duet_alloc(of->classes, sizeof *leader, error);
    duet_code code =
        leader != NULL ? merge_by_time(model, alone, leader, watch, error) : DUET_E_MEMORY;
    DUET_THEN(code, make_room(model, error));
    if (code == DUET_OK) {
        number_merged(model, alone, leader);
        code = complete(model, watch, error);
    }
    duet_free(leader);
    if (code != DUET_OK) {
        duet_proof_model_free(model);
    }
    return code;
}

void duet_proof_model_free(duet_proof_model *model)
{
    duet_free(model->count);
    duet_free(model->release);
    for (int t = 0; t < model->types; t++) {
        duet_free(model->time[t]);
        duet_free(model->order[t]);
    }
    *model = (duet_proof_model){0};
}
