// SPDX-License-Identifier: Apache-2.0
// Which tasks share a colour in a picture.
#include "report/gantt/classes.h"

#include <stdio.h>
#include <string.h>

#include "core/system/memory.h"
#include "report/clean_text.h"
#include "report/gantt/ramp.h"

// Most groups of ids that are told apart while looking for few.
enum { MAX_GROUPS = 64 };

// Candidates for a colour of their own: kinds, or groups of kinds.
typedef struct candidates {
    size_t count;
    size_t *of_kind; // candidate of each kind
    double *work;    // per candidate
    size_t *sample;  // a kind of each
    bool grouped;    // by id up to the first digit
} candidates;

static bool separates(char character)
{
    return character != '\0' && strchr("_-.:#/([ ", character) != NULL;
}

size_t duet_gantt_stem(const char *id)
{
    size_t length = strcspn(id, "0123456789");
    if (id[length] == '\0') {
        return length;
    }
    while (length > 0 && separates(id[length - 1])) {
        length--;
    }
    return length;
}

static bool same_stem(const char *a, const char *b)
{
    size_t length = duet_gantt_stem(a);
    return length == duet_gantt_stem(b) && memcmp(a, b, length) == 0;
}

// Groups the kinds by stem. False where there are more than MAX_GROUPS groups.
static bool group_kinds(const duet_instance *instance, candidates *found)
{
    found->count = 0;
    found->grouped = true;
    size_t last = 0;
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        const char *id = duet_instance_kind_id(instance, kind);
        size_t group = last; // neighbouring kinds mostly have the same group
        if (found->count == 0 ||
            !same_stem(id, duet_instance_kind_id(instance, found->sample[last]))) {
            group = 0;
            while (group < found->count &&
                   !same_stem(id, duet_instance_kind_id(instance, found->sample[group]))) {
                group++;
            }
        }
        if (group == MAX_GROUPS) {
            return false;
        }
        if (group == found->count) {
            found->sample[found->count++] = kind;
        }
        found->of_kind[kind] = last = group;
    }
    return true;
}

static void each_kind(const duet_instance *instance, candidates *found)
{
    found->count = instance->kinds;
    found->grouped = false;
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        found->of_kind[kind] = found->sample[kind] = kind;
    }
}

static bool all_single(const duet_instance *instance)
{
    return duet_tasks(instance) == (int64_t)instance->kinds;
}

// Fills `found` with what is best coloured apart; false where nothing is and times say more.
static bool choose(const duet_instance *instance, candidates *found)
{
    bool few_groups = group_kinds(instance, found);
    if (few_groups && found->count == 1 && instance->kinds > 1 && all_single(instance)) {
        return false; // "t0", "t1", ...: every task is its own kind
    }
    if (instance->kinds <= DUET_PALETTE_SIZE || !few_groups || found->count == 1) {
        each_kind(instance, found);
    }
    return true;
}

static double sum_work(const duet_intervals *intervals, candidates *found)
{
    double total = 0;
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *interval = &intervals->interval[i];
        if (!interval->aborted) {
            double time = (double)(interval->end - interval->start);
            found->work[found->of_kind[interval->kind]] += time;
            total += time;
        }
    }
    return total;
}

// The candidates with most work, in order of appearance, at most `wanted`. Returns how many, and
// adds up their work.
static size_t select_top(const candidates *found, size_t wanted, size_t *top, double *work)
{
    size_t count = 0;
    for (size_t c = 0; c < found->count; c++) {
        if (count < wanted) {
            top[count++] = c;
            continue;
        }
        size_t least = 0;
        for (size_t i = 1; i < count; i++) {
            // Of two with the same work the later one is left out.
            if (found->work[top[i]] <= found->work[top[least]]) {
                least = i;
            }
        }
        if (found->work[c] > found->work[top[least]]) {
            memmove(&top[least], &top[least + 1], (count - 1 - least) * sizeof *top);
            top[count - 1] = c;
        }
    }
    *work = 0;
    for (size_t i = 0; i < count; i++) {
        *work += found->work[top[i]];
    }
    return count;
}

static void name_candidate(const duet_instance *instance, const candidates *found, size_t which,
                           char *name, size_t size)
{
    const char *id = duet_instance_kind_id(instance, found->sample[which]);
    size_t length = found->grouped ? duet_gantt_stem(id) : strlen(id);
    duet_clean_text(length > 0 ? id : "(numbers)", length > 0 ? length : 9, name, size);
}

static void label_classes(const duet_instance *instance, const candidates *found, const size_t *top,
                          size_t count, duet_gantt_classes *classes)
{
    const char *names[DUET_PALETTE_SIZE];
    duet_shades shades[DUET_PALETTE_SIZE];
    for (size_t i = 0; i < count; i++) {
        name_candidate(instance, found, top[i], classes->list[i].label, DUET_GANTT_LABEL);
        names[i] = classes->list[i].label;
    }
    duet_palette_assign(count, names, shades);
    for (size_t i = 0; i < count; i++) {
        classes->list[i].shades = shades[i];
        classes->list[i].grouped = found->grouped;
    }
    classes->count = count;
    if (found->count > count) {
        duet_gantt_class *rest = &classes->list[classes->count++];
        snprintf(rest->label, sizeof rest->label, "and %zu more %s", found->count - count,
                 found->count < instance->kinds ? "groups of kinds" : "kinds");
        rest->shades = duet_palette_grey();
    }
}

// Tells each kind its class. False where the classes with a colour hold too little of the work.
static bool classify(const duet_instance *instance, const duet_intervals *intervals,
                     candidates *found, duet_gantt_classes *classes)
{
    size_t top[DUET_PALETTE_SIZE] = {0};
    size_t wanted = found->count <= DUET_PALETTE_SIZE ? found->count : DUET_PALETTE_SIZE - 1;
    double work;
    double total = sum_work(intervals, found);
    size_t count = select_top(found, wanted, top, &work);
    if (2 * work < total) {
        return false;
    }
    label_classes(instance, found, top, count, classes);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        size_t class = 0;
        while (class < count && top[class] != found->of_kind[kind]) {
            class ++;
        }
        classes->of_kind[kind] = (uint8_t) class;
        classes->list[class].tasks += duet_count(instance, kind);
        classes->list[class].kinds++;
    }
    return true;
}

static void free_candidates(candidates *found)
{
    duet_free(found->of_kind);
    duet_free(found->work);
    duet_free(found->sample);
}

duet_code duet_gantt_classes_create(const duet_instance *instance, const duet_intervals *intervals,
                                    duet_gantt_classes *classes, duet_error *error)
{
    memset(classes, 0, sizeof *classes);
    candidates found = {0};
    classes->of_kind = duet_alloc(instance->kinds, 1, error);
    found.of_kind = duet_alloc(instance->kinds, sizeof *found.of_kind, error);
    found.work = duet_alloc(instance->kinds, sizeof *found.work, error);
    found.sample = duet_alloc(instance->kinds, sizeof *found.sample, error);
    if (classes->of_kind == NULL || found.of_kind == NULL || found.work == NULL ||
        found.sample == NULL) {
        free_candidates(&found);
        duet_gantt_classes_free(classes);
        return DUET_E_MEMORY;
    }
    if (!choose(instance, &found) || !classify(instance, intervals, &found, classes)) {
        duet_gantt_ramp(instance, classes);
    }
    free_candidates(&found);
    return DUET_OK;
}

void duet_gantt_classes_free(duet_gantt_classes *classes)
{
    duet_free(classes->of_kind);
    classes->of_kind = NULL;
}
