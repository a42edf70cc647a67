// SPDX-License-Identifier: Apache-2.0
// The families of worst cases on many platforms, and what the ratio is there.
#ifndef DUET_TESTS_SUPPORT_WORST_CASES_H
#define DUET_TESTS_SUPPORT_WORST_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef double duet_ratio_formula(double m, double k);
// How much the rounding of times to whole ticks takes off it.
typedef double duet_rounding_loss(double m, double k, double ticks);

// A family on one platform.
typedef struct duet_worst_case {
    const char *family;
    int64_t n;
    int64_t cpus, gpus; // -1: the family's own
    const char *assignment;
    duet_ratio_formula *formula; // what the ratio tends to; NULL: exactly what the claim says
    double tolerance;            // how far below it stays, at most
    bool any_order;              // the order of the tasks decides nothing
    duet_rounding_loss *loss; // exactly, instead of a tolerance; then "ticks=..." is the assignment
} duet_worst_case;

extern const duet_worst_case duet_worst_cases[];
extern const size_t duet_worst_case_count;

#endif
