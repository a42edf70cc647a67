// SPDX-License-Identifier: Apache-2.0
// The learning search's part of `exact`; see learning.h.
#include "solvers/graph/learning.h"

#include "solvers/graph/tuning.h"

void duet_learning_free(duet_learning *learning)
{
    duet_certificate_release(&learning->certificate);
    duet_learn_free(learning->search);
    *learning = (duet_learning){.search = NULL};
}

static duet_code begin(duet_learning *learning, const duet_instance *instance,
                       const duet_context *context, const duet_solution *best, duet_error *why)
{
    duet_code code = duet_learn_create(instance, context, best, &learning->search, why);
    learning->over = learning->search == NULL;
    return code;
}

duet_code duet_learning_turn(duet_learning *learning, const duet_instance *instance,
                             const duet_context *context, int64_t work, duet_solution *best,
                             duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    int64_t start = duet_clock_ns();
    duet_code code = duet_solution_hold_placements(best, error);
    if (code != DUET_OK) {
        return code;
    }
    if (learning->search == NULL) {
        code = begin(learning, instance, context, best, &why);
    }
    if (code == DUET_OK && learning->search != NULL) {
        code = duet_learn_run(learning->search, best->lower_bound, work, best, &why);
        learning->proven = code == DUET_OK && duet_learn_is_proven(learning->search);
        learning->work = duet_learn_work(learning->search);
        learning->conflicts = duet_learn_conflicts(learning->search);
    }
    learning->ns += duet_clock_ns() - start;
    if (code != DUET_OK) { // all else goes on without it
        duet_learn_free(learning->search);
        learning->search = NULL;
        learning->over = true;
    }
    return DUET_OK;
}

// Keeps the lines for a file. Those that are too long for a solution are left out of the bound.
static void keep_lines(duet_learning *learning, duet_bound *bound)
{
    duet_certificate_retain(&bound->certificate);
    learning->certificate = bound->certificate;
    if (bound->certificate.lines->length > DUET_GRAPH_PROOF_BYTES) {
        duet_bound plain = {.name = bound->name, .value = bound->value};
        duet_bound_release(bound);
        *bound = plain;
    }
}

duet_code duet_learning_claim(duet_learning *learning, duet_solution *best, bool asked,
                              duet_error *error)
{
    const duet_bound plain = {.name = "exact", .value = best->makespan};
    duet_bound bound = plain;
    if (!learning->proven || best->lower_bound >= best->makespan) {
        return DUET_OK;
    }
    if (duet_learn_has_proof(learning->search)) {
        size_t most = asked ? DUET_GRAPH_FILE_BYTES : DUET_GRAPH_PROOF_BYTES;
        duet_code code = duet_learn_certify(learning->search, plain.name, most, &bound, error);
        if (code == DUET_E_MEMORY) {
            return code;
        }
        bound = code == DUET_OK ? bound : plain;
    }
    if (asked && bound.certificate.proof == DUET_PROOF_LINES) {
        keep_lines(learning, &bound);
    }
    if (!asked || learning->certificate.proof == DUET_PROOF_LINES) {
        duet_solution_offer_bound(best, &bound);
    }
    duet_bound_release(&bound);
    return DUET_OK;
}
