// SPDX-License-Identifier: Apache-2.0
// Branch and price for independent tasks with releases and busy processors.
//
// Method:    asks whether there is a schedule within a guess. Tasks of equal times and releases are
//            a class, processors of a type that are free at the same time are a type. A node solves
//            the configuration relaxation, whose patterns keep to the releases
//            (lp/configuration/released.c). Its prices refute the node or fix numbers of tasks on
//            types; then it branches on the number of tasks of a class on a type, and once all of
//            these are decided on the pattern of a processor with a task of some class: an exact
//            cover. Before that, dives look for a schedule: the patterns that the relaxation takes
//            most, one or more at a time, until it is a schedule or has none.
// Guarantee: a refutation holds, and its log proves it.
// Cost:      exponential; counted in nodes.
// Memory:    O(classes types) for each node on the way down, and the patterns.
// Reference: Gilmore, Gomory, "A linear programming approach to the cutting-stock problem",
//            Operations Research 9(6), 1961; docs/theory/exact.md.
#ifndef DUET_SOLVERS_RELEASED_DECIDE_H
#define DUET_SOLVERS_RELEASED_DECIDE_H

#include "core/number/random.h"
#include "solvers/exact/log.h"
#include "solvers/exact/search.h"
#include "solvers/released/model.h"

// What the proofs of these searches say of their subject.
#define DUET_RELEASED_LINE "released\n"

typedef struct duet_released_question {
    const duet_released_model *model;
    int64_t guess;
    int64_t nodes; // of the tree, at most
    int64_t dives; // for a schedule, before the tree
    duet_random *random;
} duet_released_question;

// *verdict: whether a schedule is within the guess. On DUET_FOUND the solution has it, on
// DUET_REFUTED `log` is the proof, which may be lost. Errors: DUET_E_MEMORY, DUET_E_UNSUPPORTED
// (no solver of linear programs, or too many types).
duet_code duet_released_decide(const duet_released_question *question, const duet_context *context,
                               duet_log *log, duet_verdict *verdict, duet_solution *solution,
                               duet_error *error);

#endif
