// SPDX-License-Identifier: Apache-2.0
// Which tasks share a colour in a picture.
#include "report/gantt/classes.h"

#include <stdio.h>
#include <string.h>

#include "core/instance/groups.h"
#include "core/system/memory.h"
#include "report/gantt/draw.h"
#include "report/texts.h"

// Candidates for a colour of their own: groups of kinds.
typedef struct candidates {
    duet_task_groups groups;
    double *work; // per group
} candidates;

static double sum_work(const duet_intervals *intervals, candidates *found)
{
    double total = 0;
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *interval = &intervals->interval[i];
        if (!interval->aborted) {
            double time = (double)(interval->end - interval->start);
            found->work[found->groups.of_kind[interval->kind]] += time;
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
    for (size_t c = 0; c < found->groups.count; c++) {
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
    duet_group_name own = duet_task_groups_name(&found->groups, instance, which);
    bool numbers = own.length == 0;
    duet_clean_text(numbers ? "(numbers)" : own.text, numbers ? 9 : own.length, name, size);
}

static void label_classes(const duet_instance *instance, const candidates *found, const size_t *top,
                          size_t count, duet_gantt_classes *classes)
{
    const char *names[DUET_PALETTE_SIZE];
    duet_colour colours[DUET_PALETTE_SIZE];
    for (size_t i = 0; i < count; i++) {
        name_candidate(instance, found, top[i], classes->list[i].label, DUET_GANTT_LABEL);
        names[i] = classes->list[i].label;
    }
    duet_palette_assign(count, names, colours);
    for (size_t i = 0; i < count; i++) {
        classes->list[i].colour = colours[i];
        classes->list[i].prefix =
            found->groups.apart ? 0
                                : duet_task_groups_name(&found->groups, instance, top[i]).length;
    }
    classes->count = count;
    if (found->groups.count > count) {
        duet_gantt_class *rest = &classes->list[classes->count++];
        snprintf(rest->label, sizeof rest->label, "and %zu more %s", found->groups.count - count,
                 found->groups.count < instance->kinds ? "groups of kinds" : "kinds");
        rest->colour = duet_palette_grey();
    }
}

// Tells each kind its class. False where the classes with a colour hold too little of the work.
static bool classify(const duet_instance *instance, const duet_intervals *intervals,
                     candidates *found, duet_gantt_classes *classes)
{
    size_t top[DUET_PALETTE_SIZE] = {0};
    size_t wanted =
        found->groups.count <= DUET_PALETTE_SIZE ? found->groups.count : DUET_PALETTE_SIZE - 1;
    double work;
    double total = sum_work(intervals, found);
    size_t count = select_top(found, wanted, top, &work);
    if (2 * work < total) {
        return false;
    }
    label_classes(instance, found, top, count, classes);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        size_t class = 0;
        while (class < count && top[class] != found->groups.of_kind[kind]) {
            class ++;
        }
        classes->of_kind[kind] = (uint8_t) class;
        classes->list[class].tasks += duet_count(instance, kind);
        classes->list[class].kinds++;
    }
    return true;
}

// Whether ids say what is best coloured apart; else times say more: "t0", "t1", ...
static bool ids_tell(const duet_instance *instance, const duet_task_groups *groups)
{
    bool single = duet_tasks(instance) == (int64_t)instance->kinds;
    return !groups->alike || instance->kinds <= 1 || !single;
}

duet_code duet_gantt_classes_create(const duet_instance *instance, const duet_intervals *intervals,
                                    duet_gantt_classes *classes, duet_error *error)
{
    memset(classes, 0, sizeof *classes);
    candidates found = {.work = NULL};
    classes->of_kind = duet_alloc(instance->kinds, 1, error);
    duet_code code = classes->of_kind == NULL
                         ? DUET_E_MEMORY
                         : duet_task_groups_create(instance, &found.groups, error);
    if (code == DUET_OK) {
        found.work = duet_alloc(found.groups.count, sizeof *found.work, error);
        code = found.work == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    if (code == DUET_OK &&
        (!ids_tell(instance, &found.groups) || !classify(instance, intervals, &found, classes))) {
        duet_gantt_ramp(instance, classes);
    }
    duet_task_groups_free(&found.groups);
    duet_free(found.work);
    if (code != DUET_OK) {
        duet_gantt_classes_free(classes);
    }
    return code;
}

void duet_gantt_classes_free(duet_gantt_classes *classes)
{
    duet_free(classes->of_kind);
    classes->of_kind = NULL;
}
