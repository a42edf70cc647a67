// SPDX-License-Identifier: Apache-2.0
// The file of a proof of `exact` on a task graph; see proof_file.h.
#include "solvers/graph/proof_file.h"

#include <stdio.h>

#include "core/instance/moved.h"
#include "core/solution/solution.h"
#include "core/system/try.h"
#include "solvers/graph/tuning.h"
#include "solvers/proof_text.h"

// Finds lines for a bound that was proven otherwise, by a path, by the work, by a flow: one tick
// less is refuted anew, in the memory that subproblems leave. NULL: they are not found.
static duet_code prove_again(const duet_graph_claim *s, duet_destructive **out, duet_error *error)
{
    int64_t lower = s->best->lower_bound;
    *out = NULL;
    if (lower < 1 || duet_context_stop(s->context)) {
        return DUET_OK;
    }
    duet_subproblems_free(*s->subproblems);
    *s->subproblems = NULL;
    duet_code code = duet_destructive_create(s->instance, s->context, lower - 1, out, error);
    DUET_THEN(code, duet_destructive_work(*out, lower, DUET_GRAPH_PROOF_WORK, DUET_PHASE_BRANCHING,
                                          error));
    if (code != DUET_OK || duet_destructive_lower(*out) < lower) {
        duet_destructive_free(*out);
        *out = NULL;
    }
    return code;
}

// The lines of the learning search, or those of the bound's own certificate; NULL: it has none.
static const duet_proof_lines *ready_lines(const duet_graph_claim *s)
{
    const duet_certificate *certificate = &s->best->certificate;
    if (s->learned != NULL) {
        return s->learned;
    }
    return certificate->proof == DUET_PROOF_LINES && certificate->lambda == s->best->lower_bound
               ? certificate->lines
               : NULL;
}

// A bound of 0 needs no lines. In a moved instance that is what the source's tick leaves.
static bool is_nothing(const duet_graph_claim *s, const duet_graph_proof *proof)
{
    return s->best->lower_bound <= (proof->moved ? DUET_MOVED_TICKS : 0);
}

static void write_nothing(duet_solution *best, const duet_graph_proof *proof)
{
    duet_error why = DUET_ERROR_INIT;
    fputs("duet-proof 1\nbound 0\nend\n", proof->output->stream);
    if (duet_output_commit(proof->output, &why) != DUET_OK) {
        snprintf(best->note, sizeof best->note, "no proof was written");
        best->output_failed = true;
    }
}

// Writes the lines of a refutation, or those that are there.
static void write_proof_of(const duet_graph_claim *s, const duet_destructive *bound,
                           const duet_graph_proof *proof)
{
    duet_solution *best = s->best;
    const duet_proof_lines *lines = ready_lines(s);
    if (is_nothing(s, proof)) {
        write_nothing(best, proof);
        return;
    }
    if (bound == NULL && lines == NULL) {
        snprintf(best->note, sizeof best->note, "no proof was written: %s",
                 best->certificate.proof != DUET_PROOF_NONE
                     ? "none was found in the time; the bound's certificate is in the solution"
                     : "none was found in the time");
        best->output_failed = true;
        duet_output_abandon(proof->output);
        return;
    }
    duet_error why = DUET_ERROR_INIT;
    duet_code code = lines != NULL
                         ? duet_proof_lines_write(lines, proof->moved, proof->output, &why)
                         : duet_destructive_write_proof(bound, proof->moved, proof->output, &why);
    if (code != DUET_OK) {
        char text[sizeof best->note - 32]; // what is longer is cut
        snprintf(best->note, sizeof best->note, "no proof was written: %s",
                 duet_error_format(&why, text, sizeof text));
        best->output_failed = true;
    }
}

duet_code duet_graph_write_proof(const duet_graph_claim *s, const duet_graph_proof *proof,
                                 duet_error *error)
{
    const duet_destructive *whole =
        *s->subproblems != NULL ? duet_subproblems_whole(*s->subproblems) : NULL;
    bool proven = whole != NULL && duet_destructive_proven(whole) &&
                  duet_destructive_lower(whole) == s->best->lower_bound;
    duet_destructive *again = NULL;
    duet_error why = DUET_ERROR_INIT;
    if (!proven && ready_lines(s) == NULL && prove_again(s, &again, &why) == DUET_E_MEMORY) {
        return duet_error_set(error, DUET_E_MEMORY, "%s", why.message);
    }
    write_proof_of(s, proven ? whole : again, proof);
    duet_destructive_free(again);
    return DUET_OK;
}
