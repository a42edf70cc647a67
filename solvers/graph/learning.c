// SPDX-License-Identifier: Apache-2.0
// The learning search's part of `exact`; see learning.h.
#include "solvers/graph/learning.h"

#include "solvers/graph/tuning.h"

void duet_learning_free(duet_learning *learning)
{
    duet_certificate_release(&learning->certificate);
    duet_learn_free(learning->search);
    duet_ideals_free(learning->ideals);
    *learning = (duet_learning){.search = NULL};
}

static duet_code begin(duet_learning *learning, const duet_instance *instance,
                       const duet_context *context, const duet_solution *best, duet_error *why)
{
    duet_code code = duet_learn_create(instance, context, best, &learning->search, why);
    learning->over = learning->search == NULL;
    return code;
}

// Continues the search over ideals. It is over if it fails.
static void run_ideals(duet_learning *learning, const duet_instance *instance,
                       const duet_context *context, int64_t work, bool asked, duet_solution *best)
{
    duet_error why = DUET_ERROR_INIT;
    duet_code code = DUET_OK;
    if (learning->ideals == NULL) {
        code = duet_ideals_create(instance, context, best->makespan, &learning->ideals, &why);
    }
    if (code == DUET_OK && learning->ideals != NULL) {
        duet_ideals_width width = duet_ideals_get_width(learning->ideals);
        work /= width == DUET_IDEALS_WIDE     ? DUET_GRAPH_WIDE_PART
                : width == DUET_IDEALS_MIDDLE ? DUET_GRAPH_MIDDLE_PART
                                              : 1;
        code = duet_ideals_run(learning->ideals, work, best, &why);
    }
    bool done =
        code == DUET_OK && learning->ideals != NULL && duet_ideals_is_proven(learning->ideals);
    learning->proven = learning->proven || (done && !asked);
    learning->ideals_over = done || code != DUET_OK || learning->ideals == NULL;
    if (learning->ideals_over) {
        duet_ideals_free(learning->ideals);
        learning->ideals = NULL;
    }
}

duet_code duet_learning_turn(duet_learning *learning, const duet_instance *instance,
                             const duet_context *context, int64_t work, bool asked,
                             duet_solution *best, duet_error *error)
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
        learning->by_lines = code == DUET_OK && duet_learn_is_proven(learning->search);
        learning->proven = learning->by_lines;
        learning->work = duet_learn_work(learning->search);
        learning->conflicts = duet_learn_conflicts(learning->search);
    }
    if (code == DUET_OK && !learning->proven && !learning->ideals_over &&
        best->makespan > duet_context_target(context, best->lower_bound)) {
        run_ideals(learning, instance, context, work, asked, best);
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

void duet_learning_prove(duet_learning *learning, duet_solution *best)
{
    duet_error why = DUET_ERROR_INIT;
    if (learning->proven && !learning->by_lines && learning->search != NULL) {
        int64_t work = duet_learn_work(learning->search) + DUET_GRAPH_LINES_WORK;
        duet_code code = duet_learn_run(learning->search, best->lower_bound, work, best, &why);
        learning->by_lines = code == DUET_OK && duet_learn_is_proven(learning->search);
        learning->conflicts = duet_learn_conflicts(learning->search);
    }
}

bool duet_learning_has_proof(const duet_learning *learning)
{
    return learning->by_lines && duet_learn_has_proof(learning->search);
}

duet_code duet_learning_claim(duet_learning *learning, duet_solution *best, bool asked,
                              duet_error *error)
{
    const duet_bound plain = {.name = "exact", .value = best->makespan};
    duet_bound bound = plain;
    if (!learning->proven || best->lower_bound >= best->makespan) {
        return DUET_OK;
    }
    if (duet_learning_has_proof(learning)) {
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
