// SPDX-License-Identifier: Apache-2.0
// min-min, max-min and sufferage where tasks have releases and processors are busy at first.
//
// Method:    as without them, but a round is about the tasks that are released by the instant at
//            which the first task that is left could start, and a task completes no earlier than
//            its time after its release. So no processor waits for a task while another one could
//            run there.
// Cost:      O(n Q kinds), refused where that is too much.
// Memory:    O(kinds + processors).
#ifndef DUET_HEURISTICS_ENGINE_RELEASED_ROUNDS_H
#define DUET_HEURISTICS_ENGINE_RELEASED_ROUNDS_H

#include "core/algorithm.h"

// Which task of a round is placed, on the processor where it is complete first.
typedef enum duet_round_rule {
    DUET_ROUND_FIRST,    // the one that is complete first
    DUET_ROUND_LAST,     // the one that is complete last
    DUET_ROUND_SUFFERING // on each type the one that loses most without that processor
} duet_round_rule;

// `later_first`: of types where a task completes at the same time the last one wins. Errors:
// DUET_E_MEMORY, DUET_E_LIMIT, DUET_E_CANCELLED.
duet_code duet_released_rounds_run(const duet_instance *instance, const duet_context *context,
                                   duet_round_rule rule, bool later_first, duet_solution *solution,
                                   duet_error *error);

#endif
