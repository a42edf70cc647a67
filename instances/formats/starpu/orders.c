// SPDX-License-Identifier: Apache-2.0
// A static schedule names tasks by SubmitOrder: no two may have the same. Each rank of an MPI
// application counts its own, so that a file of several ranks has some twice.
#include <inttypes.h>
#include <stdlib.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/starpu/records.h"

int duet_starpu_by_order(const void *left, const void *right)
{
    const duet_starpu_task *const *a = left;
    const duet_starpu_task *const *b = right;
    if ((*a)->submit_order != (*b)->submit_order) {
        return (*a)->submit_order < (*b)->submit_order ? -1 : 1;
    }
    return (*a > *b) - (*a < *b);
}

static duet_code refuse(const duet_starpu_task *first, const duet_starpu_task *second,
                        const char *file, duet_error *error)
{
    if (first->rank != second->rank) {
        return duet_error_set_at(error, DUET_E_INPUT, file, second->line, 0,
                                 "SubmitOrder %" PRId64 " again, on another MPIRank than in line "
                                 "%d; several ranks are not supported, expected the tasks of one",
                                 second->submit_order, first->line);
    }
    return duet_error_set_at(error, DUET_E_INPUT, file, second->line, 0,
                             "SubmitOrder %" PRId64 " again, after line %d; expected each once",
                             second->submit_order, first->line);
}

duet_code duet_starpu_check_orders(const duet_starpu_records *records, const char *file,
                                   duet_error *error)
{
    size_t count = records->task_count;
    const duet_starpu_task *first = NULL;
    const duet_starpu_task *second = NULL;
    const duet_starpu_task **sorted = duet_alloc(count, sizeof *sorted, error);
    DUET_NEED(sorted);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &records->tasks[i];
    }
    qsort(sorted, count, sizeof *sorted, duet_starpu_by_order);
    for (size_t i = 1; i < count; i++) {
        bool again = sorted[i]->submit_order == sorted[i - 1]->submit_order;
        if (again && sorted[i]->submit_order > 0 && (second == NULL || sorted[i] < second)) {
            first = sorted[i - 1];
            second = sorted[i];
        }
    }
    duet_free(sorted);
    return second == NULL ? DUET_OK : refuse(first, second, file, error);
}
