// SPDX-License-Identifier: Apache-2.0
// The shipped table of measured kernel times (instances/data/kernel-timings.csv).
#ifndef DUET_INSTANCES_KERNEL_TABLE_H
#define DUET_INSTANCES_KERNEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/decimal.h"

// The lines of the file, comments included; ends in NULL.
extern const char *const duet_kernel_timings[];

typedef struct duet_kernel_timing {
    duet_decimal cpu;
    duet_decimal gpu;
    char unit[8];
} duet_kernel_timing;

// The times of `kernel` in a factorisation ("cholesky", "lu") on the machine, precision and tile
// that `row` names ("sirocco-single-960"; "canon2018-960" without a precision). False where the
// table has none.
bool duet_kernel_find(const char *factorisation, const char *row, const char *kernel,
                      duet_kernel_timing *timing);

// The rows of a factorisation for people: "attila-single-{320|640|960}, ...". Returns `buffer`.
char *duet_kernel_rows(const char *factorisation, char *buffer, size_t size);

#endif
