// SPDX-License-Identifier: Apache-2.0
#include "solvers/dual/table_dual.h"

#include "core/system/memory.h"
#include "core/system/threads.h"
#include "core/system/try.h"
#include "solvers/dual/shelves.h"
#include "solvers/dual/two_types.h"

duet_code duet_table_dual_create(const duet_context *context, duet_table_form form,
                                 const duet_table_guess *guess, duet_table_dual *out,
                                 duet_error *error)
{
    *out = (duet_table_dual){.context = *context, .form = form, .guess = *guess};
    if (form == DUET_TABLE_COLLAPSED) { // the one form that uses threads
        out->context.threads = duet_threads_startable(context->threads);
    }
    DUET_TRY(duet_allocation_create(guess->instance, &out->allocation, error));
    out->on_gpu = duet_alloc(guess->instance->kinds, sizeof *out->on_gpu, error);
    return out->on_gpu == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_table_dual_free(duet_table_dual *state)
{
    duet_free(state->on_gpu);
    state->on_gpu = NULL;
    duet_allocation_free(&state->allocation);
}

static duet_code guess(void *opaque, int64_t lambda, duet_answer *answer, duet_error *error)
{
    duet_table_dual *state = opaque;
    state->guess.lambda = lambda;
    duet_table_answer table = {.on_gpu = state->on_gpu};
    DUET_TRY(duet_table_decide(state->form, &state->guess, &state->context, &table, error));
    answer->yes = table.yes;
    answer->stopped = table.stopped;
    answer->certificate = table.certificate;
    state->tables += table.settled_by == DUET_SETTLED_TABLE;
    state->cells += table.cells;
    return DUET_OK;
}

static duet_code build(void *opaque, duet_solution *solution, duet_error *error)
{
    duet_table_dual *state = opaque;
    const duet_instance *instance = state->guess.instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_allocate_two(instance, &state->allocation, i, state->on_gpu[i]);
    }
    return state->shelves
               ? duet_schedule_shelves(&state->guess, &state->allocation, solution, error)
               : duet_schedule_longest_first(instance, &state->allocation, solution, error);
}

duet_dual duet_table_dual_driver(duet_table_dual *state, const char *name)
{
    return (duet_dual){name, state, guess, build};
}

void duet_table_dual_count(const duet_table_dual *state, duet_solution *solution)
{
    duet_solution_count(solution, "tables", state->tables);
    duet_solution_count(solution, "cells", (int64_t)state->cells);
}
