// SPDX-License-Identifier: Apache-2.0
// A subproblem of a task graph, its bound and its line of the proof; see subproblem.h.
#include "solvers/graph/bound/subproblem.h"

#include "core/instance/part.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"

// What is known of the members on the side that counts.
static int64_t *copy_known(const duet_windows *known, const duet_subproblem_choice *choice,
                           duet_error *error)
{
    int64_t *given = duet_alloc_raw((size_t)choice->count, sizeof *given, error);
    for (int64_t i = 0; given != NULL && i < choice->count; i++) {
        const duet_window *window = &known->window[choice->member[i]];
        given[i] = choice->before ? window->start : window->tail;
    }
    return given;
}

// No schedule of the whole graph within the guess has the subproblem take longer: what must run on
// the other side of its task fits beside it.
static int64_t longest_length(const duet_windows *known, const duet_subproblem_choice *choice)
{
    const duet_window *window = &known->window[choice->task];
    return known->guess + 1 - (choice->before ? window->rest : window->end);
}

duet_code duet_subproblem_create(duet_subproblem *sub, const duet_windows *known,
                                 const duet_subproblem_choice *choice, int64_t lower,
                                 const duet_context *context, duet_error *error)
{
    *sub = (duet_subproblem){.choice = *choice};
    int64_t *given = copy_known(known, choice, error);
    if (given == NULL) {
        return DUET_E_MEMORY;
    }
    *(choice->before ? &sub->start : &sub->tail) = given;
    duet_code code =
        duet_instance_part(known->instance, choice->member, choice->count, &sub->instance, error);
    if (code == DUET_OK) {
        code = duet_destructive_create(sub->instance, context, lower, &sub->bound, error);
    }
    if (code == DUET_OK) {
        duet_given all = {sub->start, sub->tail, true};
        duet_destructive_give(sub->bound, &all, NULL);
        code = duet_subproblem_schedule(sub, error);
        int64_t longest = longest_length(known, choice);
        sub->upper = duet_min(sub->upper, longest);
    }
    return code;
}

void duet_subproblem_free(duet_subproblem *sub)
{
    duet_destructive_free(sub->bound);
    duet_instance_free(sub->instance);
    duet_free(sub->start);
    duet_free(sub->tail);
    *sub = (duet_subproblem){.instance = NULL};
}

duet_code duet_subproblem_work(duet_subproblem *sub, int64_t work, duet_error *error)
{
    int64_t before = duet_destructive_spent(sub->bound);
    duet_code code =
        duet_destructive_work(sub->bound, sub->upper, work, DUET_PHASE_BRANCHING, error);
    sub->spent += duet_destructive_spent(sub->bound) - before;
    return code;
}

bool duet_subproblem_done(const duet_subproblem *sub)
{
    return duet_destructive_done(sub->bound, sub->upper, DUET_PHASE_BRANCHING);
}

bool duet_subproblem_write(const duet_subproblem *sub, duet_proof_writer *proof)
{
    enum { LINE = 64 };
    const duet_subproblem_choice *choice = &sub->choice;
    const duet_proof_writer *lines = duet_destructive_lines(sub->bound);
    const int64_t *given = choice->before ? sub->start : sub->tail;
    size_t numbers = 3 + 2 * (size_t)choice->count;
    DUET_ASSERT(duet_destructive_proven(sub->bound));
    if (!duet_proof_begin(proof, LINE + numbers * DUET_PROOF_NUMBER + lines->length)) {
        return false;
    }
    duet_proof_put(proof, choice->before ? "before" : "behind");
    duet_proof_put_number(proof, choice->task);
    duet_proof_put_number(proof, duet_destructive_lower(sub->bound) - 1);
    duet_proof_put_number(proof, choice->count);
    for (int64_t i = 0; i < choice->count; i++) {
        duet_proof_put_number(proof, choice->member[i]);
        duet_proof_put_number(proof, given[i]);
    }
    duet_proof_put(proof, "\n");
    duet_proof_put_text(proof, lines->text, lines->length);
    duet_proof_put(proof, "end\n");
    return true;
}
