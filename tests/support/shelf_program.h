// SPDX-License-Identifier: Apache-2.0
// A guess of shelf-3-2 as a linear program, solved by the solver.
#ifndef DUET_TESTS_SUPPORT_SHELF_PROGRAM_H
#define DUET_TESTS_SUPPORT_SHELF_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/instance.h>

// Times as the relaxation sees them at a guess: allowed and within lambda, or DUET_FORBIDDEN.
int64_t duet_shelf_time_within(const duet_instance *instance, size_t kind, size_t type,
                               int64_t lambda);
bool duet_shelf_is_long(int64_t time, int64_t lambda);

// The optimal CPU work by the solver, fixed kinds included; -INFINITY: infeasible. Needs a build
// with GLPK.
double duet_shelf_program_value(const duet_instance *instance, int64_t lambda);

#endif
