// SPDX-License-Identifier: Apache-2.0
// Which tasks share a colour in a picture, and the legend's entries.
#ifndef DUET_REPORT_GANTT_CLASSES_H
#define DUET_REPORT_GANTT_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/instance/instance.h"
#include "report/intervals.h"
#include "report/palette.h"

enum { DUET_GANTT_MAX_CLASSES = 16, DUET_GANTT_LABEL = 96 };

typedef struct duet_gantt_class {
    char label[DUET_GANTT_LABEL]; // valid UTF-8
    duet_colour colour;
    int64_t tasks; // 0: no entry in the legend
    size_t kinds;  // that have it
    size_t prefix; // so much of the ids of its kinds says the group; 0: all of it tells them apart
} duet_gantt_class;

typedef struct duet_gantt_classes {
    char heading[DUET_GANTT_LABEL]; // "": the labels need none
    size_t count;
    duet_gantt_class list[DUET_GANTT_MAX_CLASSES];
    uint8_t *of_kind;
} duet_gantt_classes;

// Chooses, in this order: one colour per group of tasks (core/instance/groups.h), where there are
// few; the ones with most work and a common grey for the rest, where those are most of the work;
// else, and where ids differ in numbers alone, a ramp over the kinds' times, see gantt/ramp.c.
duet_code duet_gantt_classes_create(const duet_instance *instance, const duet_intervals *intervals,
                                    duet_gantt_classes *classes, duet_error *error);
void duet_gantt_classes_free(duet_gantt_classes *classes);

#endif
