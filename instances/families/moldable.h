// SPDX-License-Identifier: Apache-2.0
// Random moldable tasks: what their families have in common. A cluster of CPUs, where tasks are
// moldable, and GPUs, where they are sequential; without GPUs the platform has one type.
#ifndef DUET_INSTANCES_FAMILIES_MOLDABLE_H
#define DUET_INSTANCES_FAMILIES_MOLDABLE_H

#include "instances/families/family.h"

// The rows of these for the table of a family's options.
#define DUET_WORK_OPTIONS                                                                          \
    {"work-min", DUET_OPTION_INTEGER, "100", 1, 1000000000, NULL, "", "shortest time on one CPU"}, \
        {"work-max", DUET_OPTION_INTEGER,      "10000", 1, 1000000000, NULL,                       \
         "",         "longest time on one CPU"},                                                   \
    {                                                                                              \
        "speedup", DUET_OPTION_INTEGER, "20", 1, 1000000, NULL, "",                                \
            "a GPU takes at least this part of the time of one CPU, and at most that time"         \
    }

enum { DUET_MOLDABLE_MAX_TASKS = 1000000, DUET_MOLDABLE_PROCESSORS = 32 };

// Fills in what a task of so much work takes on the CPUs: a law, or a table. `values` has room for
// a time for each CPU.
typedef void duet_draw_table(duet_family_request *request, int64_t work, duet_read_time *values,
                             duet_read_table *table);

// Names the instance "FAMILY-N-SEED" and adds the types and n tasks t0, t1, ...
duet_code duet_moldable_draw(duet_family_request *request, duet_builder *builder,
                             const char *family, duet_draw_table *draw, duet_error *error);
// 32 CPUs and no GPUs where the user gave none.
duet_family_platform duet_moldable_platform;

// Random tables that never increase and whose areas p t(p) never decrease: of any kind, of tasks
// that often get no faster, or as fast as may be.
typedef enum duet_monotone_style {
    DUET_MONOTONE_ANY,
    DUET_MONOTONE_SLOW,
    DUET_MONOTONE_FAST
} duet_monotone_style;
duet_monotone_style duet_monotone_draw(duet_random *random);
// t(p), p >= 2, behind t(p - 1) = before.
int64_t duet_monotone_next(duet_random *random, duet_monotone_style style, int64_t p,
                           int64_t before);

#endif
