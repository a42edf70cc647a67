// SPDX-License-Identifier: Apache-2.0
// A schedule that a caller has already, from which searches may start (duet_params.start_from).
#ifndef DUET_SOLVERS_HINT_H
#define DUET_SOLVERS_HINT_H

#include "core/solution/solution.h"
#include "core/system/context.h"

// A copy of the caller's schedule with the cheap bounds, as duet_context.known has it; owned by the
// caller. DUET_E_INPUT where it is no schedule of the instance.
duet_code duet_hint_create(const duet_instance *instance, const duet_context *context,
                           const duet_solution *given, duet_solution **out, duet_error *error);
// Copies a schedule of the same instance, task by task.
duet_code duet_hint_copy(const duet_solution *from, const duet_instance *instance,
                         duet_solution *to, duet_error *error);
// Takes the hint's schedule, with its bound, where it is shorter than the solution's.
duet_code duet_hint_keep(const duet_solution *hint, const duet_instance *instance,
                         duet_solution *solution, duet_error *error);

#endif
