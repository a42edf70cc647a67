// SPDX-License-Identifier: Apache-2.0
// What of a solution the checker refuses: its schedule, or what is claimed of it.
#ifndef DUET_CHECK_VERDICT_H
#define DUET_CHECK_VERDICT_H

#include <duet/check.h>

typedef enum duet_solution_verdict {
    DUET_NOT_JUDGED,          // Nothing was judged, or a limit came first.
    DUET_REFUSES_SCHEDULE,    // The schedule is none of the instance (S1 to S6, I6, I7).
    DUET_REFUSES_NUMBERS,     // The makespan, the bound and the status do not fit together (C2).
    DUET_REFUSES_CERTIFICATE, // A certificate does not prove the bound that is claimed (C1).
    DUET_ACCEPTS              // The schedule is valid, and all that is claimed holds.
} duet_solution_verdict;

// As duet_check_solution(); *verdict receives what the first fault is in.
duet_code duet_judge_solution(const duet_instance *instance, const duet_solution *solution,
                              const duet_params *params, duet_bound_check *bound,
                              duet_solution_verdict *verdict, duet_error *error);

#endif
