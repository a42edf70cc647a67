// SPDX-License-Identifier: Apache-2.0
#include "solvers/graph/bound/part.h"

#include "core/instance/part.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"

// What is known of the members on the side that counts.
static int64_t *copy_known(const duet_windows *known, const duet_part_choice *choice,
                           duet_error *error)
{
    int64_t *given = duet_alloc_raw((size_t)choice->count, sizeof *given, error);
    for (int64_t i = 0; given != NULL && i < choice->count; i++) {
        const duet_window *window = &known->window[choice->member[i]];
        given[i] = choice->before ? window->start : window->tail;
    }
    return given;
}

// No schedule of the whole graph within the guess has the part take longer: what else must run
// before, or behind, fits beside it.
static int64_t longest_part(const duet_windows *known, const duet_part_choice *choice)
{
    const duet_window *window = &known->window[choice->task];
    return known->guess + 1 - (choice->before ? window->rest : window->end);
}

duet_code duet_part_create(duet_part *part, const duet_windows *known,
                           const duet_part_choice *choice, int64_t lower,
                           const duet_context *context, duet_error *error)
{
    *part = (duet_part){.choice = *choice};
    int64_t *given = copy_known(known, choice, error);
    if (given == NULL) {
        return DUET_E_MEMORY;
    }
    *(choice->before ? &part->start : &part->tail) = given;
    duet_code code =
        duet_instance_part(known->instance, choice->member, choice->count, &part->instance, error);
    if (code == DUET_OK) {
        code = duet_raise_create(part->instance, context, lower, &part->raise, error);
    }
    if (code == DUET_OK) {
        duet_given all = {part->start, part->tail, true};
        duet_raise_give(part->raise, &all, NULL);
        code = duet_part_schedule(part, error);
        int64_t longest = longest_part(known, choice);
        part->upper = duet_min(part->upper, longest);
    }
    return code;
}

void duet_part_free(duet_part *part)
{
    duet_raise_free(part->raise);
    duet_instance_free(part->instance);
    duet_free(part->start);
    duet_free(part->tail);
    *part = (duet_part){.instance = NULL};
}

duet_code duet_part_work(duet_part *part, int64_t work, duet_error *error)
{
    int64_t before = duet_raise_spent(part->raise);
    duet_code code = duet_raise_work(part->raise, part->upper, work, DUET_RAISE_BRANCHING, error);
    part->spent += duet_raise_spent(part->raise) - before;
    return code;
}

bool duet_part_done(const duet_part *part)
{
    return duet_raise_done(part->raise, part->upper, DUET_RAISE_BRANCHING);
}

bool duet_part_write(const duet_part *part, duet_proof_writer *proof)
{
    enum { LINE = 64 };
    const duet_part_choice *choice = &part->choice;
    const duet_proof_writer *lines = duet_raise_lines(part->raise);
    const int64_t *given = choice->before ? part->start : part->tail;
    size_t numbers = 3 + 2 * (size_t)choice->count;
    DUET_ASSERT(duet_raise_proven(part->raise));
    if (!duet_proof_begin(proof, LINE + numbers * DUET_PROOF_NUMBER + lines->length)) {
        return false;
    }
    duet_proof_put(proof, choice->before ? "before" : "behind");
    duet_proof_put_number(proof, choice->task);
    duet_proof_put_number(proof, duet_raise_lower(part->raise) - 1);
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
