// SPDX-License-Identifier: Apache-2.0
#include "dp/table/table.h"

#include "core/system/try.h"
#include "dp/table/adaptive.h"
#include "dp/table/problem.h"

// A task that takes more than lambda wherever it may run.
static void refuse_misfit(const duet_table_problem *problem, duet_table_answer *answer)
{
    const duet_table_guess *guess = problem->guess;
    answer->settled_by = DUET_SETTLED_MISFIT;
    answer->certificate = (duet_certificate){
        .proof = DUET_PROOF_LONGEST,
        .lambda = guess->lambda + 1,
        .task = guess->instance->first[problem->misfit],
    };
}

duet_code duet_table_decide(duet_table_form form, const duet_table_guess *guess,
                            const duet_context *context, duet_table_answer *answer,
                            duet_error *error)
{
    duet_table_problem problem;
    duet_code code = duet_table_problem_create(guess, &problem, error);
    if (code != DUET_OK) {
        return code;
    }
    answer->settled_by = DUET_SETTLED_TABLE;
    if (problem.misfit >= 0) {
        refuse_misfit(&problem, answer);
    } else if (form == DUET_TABLE_PUBLISHED) {
        code = duet_published_decide(&problem, context, answer, error);
    } else if (form == DUET_TABLE_COLLAPSED) {
        code = duet_collapsed_decide(&problem, context, answer, error);
    } else {
        code = duet_adaptive_decide(&problem, context, DUET_ADAPTIVE_ALL, answer, error);
    }
    if (code == DUET_OK && !answer->yes && !answer->stopped &&
        answer->certificate.proof == DUET_PROOF_NONE) {
        // A relaxed NO is one of the 4/3 table as well: it has more constraints and finer units.
        answer->certificate = (duet_certificate){
            .proof = DUET_PROOF_TABLE,
            .lambda = guess->lambda + 1,
            .rounded = guess->rounded,
            .grid = guess->grid,
        };
    }
    duet_table_problem_free(&problem);
    return code;
}

duet_code duet_table_measure(duet_table_form form, const duet_table_guess *guess,
                             bool allocation_wanted, duet_table_size *size, duet_error *error)
{
    duet_table_problem problem;
    DUET_TRY(duet_table_problem_create(guess, &problem, error));
    duet_code code = form == DUET_TABLE_PUBLISHED
                         ? duet_published_measure(&problem, allocation_wanted, size)
                         : duet_collapsed_measure(&problem, allocation_wanted, size, error);
    duet_table_problem_free(&problem);
    return code;
}
