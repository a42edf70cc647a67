// SPDX-License-Identifier: Apache-2.0
// The assignment program of an instance as a file that other solvers read: CPLEX LP or free MPS,
// with whole coefficients in ticks.
//
//     minimise Cmax
//     sum over processors of x[kind][processor] = count of the kind       (row assign_K)
//     sum over kinds of time * x[kind][processor] <= Cmax                 (row load_T_P)
//     Cmax >= a lower bound, x whole
//
// x_K_T_P is the number of tasks of kind K (as the instance numbers them, from 0) on processor P of
// type T. At most as many processors of a type are listed as it has tasks. Equal processors are
// told apart by rank, as algorithm ilp does: with the tasks of a type in order of decreasing time,
// processor P holds none of the first P. (Any schedule's processors can be renumbered so, by their
// first task.) It takes only bounds: columns that can be nothing but 0 are left out.
#ifndef DUET_INSTANCES_FORMATS_TEXT_PROGRAM_H
#define DUET_INSTANCES_FORMATS_TEXT_PROGRAM_H

#include "core/instance/instance.h"

typedef enum duet_program_format { DUET_PROGRAM_LP, DUET_PROGRAM_MPS } duet_program_format;

// More columns than this are refused.
#define DUET_PROGRAM_MAX_COLUMNS 2000000

// A program: which columns there are.
typedef struct duet_program {
    const duet_instance *instance;  // borrowed
    int64_t lower_bound;            // of Cmax, ticks
    int64_t useful[DUET_MAX_TYPES]; // processors listed of every type
    int64_t *ranked; // kinds x types: how many tasks of the type rank before the kind's
    int64_t columns; // of x
} duet_program;

// Prepares the program. `lower_bound` is the caller's claim; 0 is always good. Errors: DUET_E_USAGE
// (no platform), DUET_E_INFEASIBLE, DUET_E_LIMIT (too many columns: decided before they are
// listed), DUET_E_MEMORY.
duet_code duet_program_create(const duet_instance *instance, int64_t lower_bound,
                              duet_program *program, duet_error *error);
void duet_program_free(duet_program *program);

// Largest value of x_K_T_P; 0: there is no such column.
int64_t duet_program_most(const duet_program *program, size_t kind, size_t type, int64_t processor);

// "lp" or "mps"; DUET_E_USAGE for anything else.
duet_code duet_program_find_format(const char *name, duet_program_format *format,
                                   duet_error *error);
// Writes the program, whole or not at all. "-" is standard output. Errors: DUET_E_OUTPUT.
duet_code duet_program_write(const duet_program *program, duet_program_format format,
                             const char *path, duet_error *error);

#endif
