// SPDX-License-Identifier: Apache-2.0
#include "tests/support/loads.h"

#include <stdlib.h>

// Takes the tasks of a load off those that are left.
static const char *take_load(const duet_classes *classes, const duet_loads *loads, size_t index,
                             int64_t *left, int64_t *time)
{
    const duet_load *load = &loads->load[index];
    *time = 0;
    for (size_t p = load->begin; p < load->begin + load->parts; p++) {
        size_t class = loads->part[p].class;
        if (class >= classes->count || !duet_class_fits(classes, class, load->type)) {
            return "a task where it cannot run";
        }
        left[class] -= loads->part[p].tasks;
        *time += classes->time[load->type][class] * loads->part[p].tasks;
    }
    return NULL;
}

const char *duet_loads_fault(const duet_classes *classes, const duet_loads *loads, int64_t *longest)
{
    int64_t *left = calloc(classes->count + 1, sizeof *left);
    int64_t used[2] = {0, 0};
    const char *fault = left == NULL ? "out of memory" : NULL;
    *longest = 0;
    for (size_t c = 0; c < classes->count && fault == NULL; c++) {
        left[c] = classes->tasks[c];
    }
    for (size_t l = 0; l < loads->loads && fault == NULL; l++) {
        int64_t time = 0;
        used[loads->load[l].type]++;
        fault = take_load(classes, loads, l, left, &time);
        *longest = time > *longest ? time : *longest;
    }
    for (size_t c = 0; c < classes->count && fault == NULL; c++) {
        fault = left[c] == 0 ? NULL : "a class of which not all tasks are placed once";
    }
    if (fault == NULL && (used[0] > classes->processors[0] || used[1] > classes->processors[1])) {
        fault = "more loads than processors";
    }
    free(left);
    return fault;
}
