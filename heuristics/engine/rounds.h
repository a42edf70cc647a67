// SPDX-License-Identifier: Apache-2.0
// Rounds that look at every kind that is left before they start a task: the plain form of max-min
// and sufferage, for other numbers of types than two.
#ifndef DUET_HEURISTICS_ENGINE_ROUNDS_H
#define DUET_HEURISTICS_ENGINE_ROUNDS_H

#include "core/algorithm.h"
#include "heuristics/engine/rule.h"

typedef struct duet_rounds {
    duet_list list;
    int64_t *left; // tasks of each kind
} duet_rounds;

// Starts some tasks with duet_rounds_start(), at least one, and returns how many.
typedef size_t duet_rounds_round(duet_rounds *rounds, bool later_first, duet_solution *solution);

// Runs rounds until every task is scheduled. DUET_E_LIMIT where they would look at kinds times
// types more than some thousand million times in all.
duet_code duet_rounds_run(const duet_instance *instance, const duet_context *context,
                          const char *algorithm, duet_rounds_round *round, bool later_first,
                          duet_solution *solution, duet_error *error);

void duet_rounds_start(duet_rounds *rounds, size_t kind, size_t type, duet_solution *solution);

// released_rounds.c
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
