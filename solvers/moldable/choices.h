// SPDX-License-Identifier: Apache-2.0
// What the annealings of moldable tasks change, those of independent tasks and those of graphs.
#ifndef DUET_SOLVERS_MOLDABLE_CHOICES_H
#define DUET_SOLVERS_MOLDABLE_CHOICES_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "core/number/random.h"

// How a task runs: its type, its number of processors, and the time that it takes there.
typedef struct duet_moldable_choice {
    int64_t time;
    int32_t size;
    int32_t type;
} duet_moldable_choice;

// A choice for each task, and an order of the tasks.
typedef struct duet_moldable_choices {
    duet_moldable_choice *choice; // of each task
    int32_t *order;               // tasks
} duet_moldable_choices;

// Without contents. DUET_E_MEMORY. Free with duet_moldable_choices_free(), also after an error.
duet_code duet_moldable_choices_create(size_t tasks, duet_moldable_choices *choices,
                                       duet_error *error);
void duet_moldable_choices_free(duet_moldable_choices *choices);
void duet_moldable_choices_copy(duet_moldable_choices *to, const duet_moldable_choices *from,
                                int32_t tasks);

// A number of processors within a quarter of `size`, at most `sizes`.
int64_t duet_draw_near_size(duet_random *random, int64_t size, int64_t sizes);

#endif
