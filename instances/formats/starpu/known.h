// SPDX-License-Identifier: Apache-2.0
// What StarPU calls the tasks and processors of an instance that was read from its records.
#ifndef DUET_INSTANCES_FORMATS_STARPU_KNOWN_H
#define DUET_INSTANCES_FORMATS_STARPU_KNOWN_H

#include "core/instance/instance.h"

// StarPU's number, and the task or the place among all processors that has it.
typedef struct duet_starpu_number {
    int64_t number;
    int64_t means;
} duet_starpu_number;

typedef struct duet_starpu_known {
    duet_starpu_number *order; // SubmitOrder and task, without main memory, which is none
    size_t orders;
    duet_starpu_number *worker;
    size_t workers;
} duet_starpu_known;

// Whether the instance was read from StarPU's records of tasks.
bool duet_starpu_is_origin(const duet_instance *instance);
// Lists both of such an instance. DUET_E_MEMORY; duet_starpu_free_known() in any case. O(n log n).
duet_code duet_starpu_list_known(const duet_instance *instance, duet_starpu_known *known,
                                 duet_error *error);
void duet_starpu_free_known(duet_starpu_known *known);
// What a number means; -1: nothing. O(log n).
int64_t duet_starpu_find_number(const duet_starpu_number *numbers, size_t count, int64_t number);

#endif
