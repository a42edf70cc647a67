// SPDX-License-Identifier: Apache-2.0
// Whether any set of tasks that fits one processor is priced above a limit, mostly answered by few
// of the classes: the core of a knapsack.
#ifndef DUET_CHECK_PROOF_TREE_CORE_KNAPSACK_H
#define DUET_CHECK_PROOF_TREE_CORE_KNAPSACK_H

#include "check/proof/tree/model.h"

#define DUET_PROOF_MAX_SET (INT64_C(1) << 26)

// What is asked of the sets of one type.
typedef struct duet_proof_core_question {
    int type;
    const int64_t *price; // per class, 0 to 2^31 - 1; 0 where the class is unusable
    int64_t limit;        // 0 to DUET_PROOF_MAX_SET
    size_t most;          // states that are kept at once
} duet_proof_core_question;

typedef enum duet_proof_core_verdict {
    DUET_PROOF_CORE_OPEN,  // more states than allowed
    DUET_PROOF_CORE_HOLDS, // no set that fits is priced above the limit
    DUET_PROOF_CORE_BROKEN // some set is
} duet_proof_core_verdict;

typedef struct duet_proof_core_answer {
    duet_proof_core_verdict verdict;
    int64_t time; // BROKEN: of such a set
} duet_proof_core_answer;

// `watch` can stop it: DUET_E_LIMIT or DUET_E_CANCELLED. Errors also:
// DUET_E_MEMORY.
duet_code duet_proof_core_knapsack(const duet_proof_model *model,
                                   const duet_proof_core_question *question, duet_watch *watch,
                                   duet_proof_core_answer *answer, duet_error *error);

#endif
