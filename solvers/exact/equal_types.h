// SPDX-License-Identifier: Apache-2.0
// Types of processors that take the same time for every task are one type with all their
// processors, and types without processors are none: the same problem with fewer choices.
//
// Method:    a type joins the first one with the same times on all kinds. A schedule of the merged
//            instance is one of the instance, whose types have the merged type's processors one
//            after the other; a certificate counts with the merged type's numbers on each of them.
// Guarantee: exact: the two have the same optimum.
// Cost:      O(kinds types^2) time, O(kinds types) memory; back again O(tasks + kinds types).
#ifndef DUET_SOLVERS_EXACT_EQUAL_TYPES_H
#define DUET_SOLVERS_EXACT_EQUAL_TYPES_H

#include "core/instance/instance.h"
#include "core/solution/solution.h"

typedef struct duet_equal_types {
    const duet_instance *instance;
    duet_instance merged;          // two types at least; shares all but its times with the instance
    size_t into[DUET_MAX_TYPES];   // the merged type of each; SIZE_MAX: it has no processors
    int64_t first[DUET_MAX_TYPES]; // its first processor there
} duet_equal_types;

enum { DUET_EQUAL_TYPES_LINE = 16 + 4 * DUET_MAX_TYPES }; // bytes

// The line of a proof about the merged instance that says which types are one.
void duet_equal_types_line(const duet_equal_types *types, char line[DUET_EQUAL_TYPES_LINE]);

// *useful: the merged instance has fewer types with processors, or two where there was one; else
// nothing is made. Two processors stay apart, on which a knapsack is the whole problem. The
// instance outlives the merged one, and has neither edges nor moldable tasks. Errors:
// DUET_E_MEMORY.
duet_code duet_equal_types_create(const duet_instance *instance, duet_equal_types *types,
                                  bool *useful, duet_error *error);
void duet_equal_types_free(duet_equal_types *types);

// The schedule and the bound of a solution of the instance, as one of the merged instance. The
// bound has no certificate: that of the instance need not count alike on types that are equal.
duet_code duet_equal_types_merge(const duet_equal_types *types, const duet_solution *known,
                                 duet_solution **out, duet_error *error);
// Makes of a solution of the merged instance one of the instance. A certificate that cannot be
// said of its types is dropped; the bound stays. One of lines has that line.
duet_code duet_equal_types_restore(const duet_equal_types *types, duet_solution *solution,
                                   duet_error *error);

#endif
