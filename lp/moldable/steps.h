// SPDX-License-Identifier: Apache-2.0
// Lower bounds of moldable tasks by steps: what a time is worth on a processor, a step function.
//
// Method:    a schedule of length L runs tasks on a processor whose times are L at most in sum. If
//            no such times are worth more than V_t on type t, all tasks together are worth at most
//            sum_t m_t V_t, and a mode of p processors is worth p times its time. Values refute L
//            where the least worth of the modes of each task, in sum, is more. The best values are
//            duals of a configuration program (a pattern is what a processor runs), found by column
//            generation, whose times are rounded down to steps. Values are rounded down to whole
//            ones, and their limits V_t computed by an unbounded knapsack.
// Guarantee: at least what `prices` proves before rounding; decided in integers.
// Cost:      some hundred linear programs of at most some hundred rows, for each guess.
// Memory:    O(rows x columns).
// Proof:     DUET_PROOF_MOLDABLE_STEPS.
// Reference: ours; the program is that of Gilmore, Gomory, "A linear programming approach to the
//            cutting-stock problem", Operations Research 9(6), 1961, with modes for demands; such
//            values are dual feasible functions: Fekete, Schepers, "New classes of fast lower
//            bounds for bin packing problems", Mathematical Programming 91(1), 2001.
#ifndef DUET_LP_MOLDABLE_STEPS_H
#define DUET_LP_MOLDABLE_STEPS_H

#include "core/algorithm.h"

// More tasks than that are left alone: the larger, the less there is to win.
enum { DUET_STEPS_TASKS = 128 };

// Raises `bound`, at least the longest task, where values refute longer guesses, up to `upper`, the
// makespan of some schedule; INT64_MAX where none is known. Nothing where the build has no solver
// of linear programs. Errors: DUET_E_MEMORY.
duet_code duet_steps_raise(const duet_instance *instance, const duet_context *context,
                           int64_t upper, duet_bound *bound, duet_error *error);

#endif
