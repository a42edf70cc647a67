// SPDX-License-Identifier: Apache-2.0
// Instances of which something is given (<duet/replan.h>): planning the rest around it.
//
// core/instance/rest.c makes an instance of what is left, which any row solves that handles it;
// solve.c puts its schedule into the whole. Where the rest does not say all that is given, carry.c
// carries its order out in the whole, search.c changes the order, and branch.c tries all schedules.
// conflict.c: which fixed tasks contradict each other.
// model.c: tasks and processors as these see them. replan.c: what is given, made from a plan that
// is under way.
#ifndef DUET_SOLVERS_FIXED_FIXED_H
#define DUET_SOLVERS_FIXED_FIXED_H

#include "core/algorithm.h"
#include "core/solution/solution.h"
#include "solvers/fixed/carry.h"

// Solves an instance without anything given.
typedef duet_code duet_plain_solve(const duet_instance *instance, const duet_algorithm *row,
                                   const duet_context *context, duet_solution **out,
                                   duet_error *error);

// Runs a row on the rest of an instance, and makes a solution of the whole. Errors: those of
// `plain`; DUET_E_INFEASIBLE where no schedule keeps what is given, DUET_E_LIMIT where none was
// found.
duet_code duet_fixed_solve(const duet_instance *instance, const duet_algorithm *row,
                           const duet_context *context, duet_plain_solve *plain,
                           duet_solution **out, duet_error *error);

// Tries all schedules shorter than that of the solution, if it is *found; leaves the best one
// there. *proven: there is no shorter one, or, where none is found, none at all. Ends after `most`
// nodes; leaves all as it is where there are more tasks than it takes. DUET_E_MEMORY.
duet_code duet_fixed_branch(const duet_fixed_model *model, duet_carry *carry,
                            const duet_context *context, int64_t most, duet_solution *solution,
                            bool *found, bool *proven, duet_error *error);

// Names fixed tasks, and what is fixed of them, that no schedule keeps together, none of which can
// be left out of these as far as could be tried. *count: how many; 0: there are too many to name.
// It must be proven that no schedule of the instance keeps what is fixed. DUET_E_MEMORY.
duet_code duet_fixed_conflict(const duet_instance *whole, const duet_context *context, char *text,
                              size_t size, size_t *count, duet_error *error);

// Changes the order and the types of the tasks from the schedule of the solution, down to `target`,
// until the time or `rounds` rounds are over. DUET_E_MEMORY.
duet_code duet_fixed_search(const duet_fixed_model *model, duet_carry *carry,
                            const duet_context *context, int64_t rounds, int64_t target,
                            duet_solution *solution, duet_error *error);

// Carries out the order of a schedule of the whole in which the tasks of the rest may be anywhere,
// and takes what comes of it where it is shorter than that of the solution, or the first.
// DUET_E_MEMORY.
duet_code duet_fixed_carry_on(duet_carry *carry, const duet_solution *from, duet_carry_way way,
                              duet_solution *solution, bool *found, duet_error *error);

#endif
