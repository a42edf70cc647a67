// SPDX-License-Identifier: Apache-2.0
// Parts of a task graph in a proof: some tasks before, or behind, another one, by themselves.
// Includes no solver header: this is what an outsider trusts.
#include "check/proof/graph/graph.h"

#include <inttypes.h>

#include "core/instance/part.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { SIZE = 8 }; // units of work

// Marks the tasks before `task`, or behind it. state->level is room for those whose neighbours have
// not been looked at; the marks are taken back by unmark().
static void mark(duet_proof_graph_state *state, int64_t task, bool before)
{
    const duet_graph *graph = state->graph;
    const int64_t *at = before ? graph->enter_at : graph->leave_at;
    const int32_t *row = before ? graph->entering : graph->leaving;
    const int32_t *other = before ? graph->tail : graph->head;
    int64_t waiting = 0;
    state->level[waiting++] = task;
    while (waiting > 0) {
        int64_t j = state->level[--waiting];
        for (int64_t i = at[j]; i < at[j + 1]; i++) {
            int32_t next = other[row[i]];
            if (!state->marked[next]) {
                state->marked[next] = true;
                state->level[waiting++] = next;
            }
        }
    }
}

static void unmark(duet_proof_graph_state *state)
{
    for (int64_t j = 0; j < state->tasks; j++) {
        state->marked[j] = false;
    }
}

// Whether the members are what they should be: rising, on the right side of the task, and known to
// start, or to have a tail, as they say. In a state that is refuted everything is known.
static duet_code check_members(duet_proof_graph_state *state, const duet_proof_graph_part *part,
                               duet_error *error)
{
    if (state->graph == NULL || part->count == 0 || part->length >= DUET_MAX_WORK) {
        return duet_error_set(error, DUET_E_INPUT,
                              "a part: expected tasks of a graph with edges, and a length below "
                              "2^62");
    }
    // So much takes what is done for a part.
    int64_t size =
        state->tasks + state->graph->edges + part->count * (int64_t)state->instance->types;
    duet_code code = duet_check_spend(state->watch, SIZE * size, error);
    if (code != DUET_OK) {
        return code;
    }
    mark(state, part->task, part->before);
    for (int64_t i = 0; i < part->count && code == DUET_OK; i++) {
        int32_t member = part->member[i];
        const duet_task_window *window = &state->window[member];
        int64_t known = part->before ? window->start : window->tail;
        if (i > 0 && part->member[i - 1] >= member) {
            code = duet_error_set(error, DUET_E_INPUT, "task %" PRId32 ": expected rising numbers",
                                  member);
        } else if (!state->marked[member]) {
            code = duet_error_set(error, DUET_E_INPUT,
                                  "task %" PRId32 ": expected one %s task %" PRId64, member,
                                  part->before ? "before" : "behind", part->task);
        } else if (!state->closed && part->given[i] > known) {
            code = duet_error_set(error, DUET_E_INPUT,
                                  "task %" PRId32 ": %" PRId64 ": expected at most %" PRId64
                                  ", which is known of it",
                                  member, part->given[i], known);
        }
    }
    unmark(state);
    return code;
}

duet_code duet_proof_graph_part_open(duet_proof_graph_state *state, duet_proof_graph_part *part,
                                     duet_error *error)
{
    enum { BYTES = 128 }; // a task, besides its times and edges
    duet_code code = check_members(state, part, error);
    if (code == DUET_OK) {
        size_t bytes = BYTES + 2 * state->instance->types * sizeof(int64_t);
        code = duet_memory_check((uint64_t)part->count, bytes, state->watch->context->memory_limit,
                                 "a part", error);
    }
    DUET_THEN(code, duet_instance_part(state->instance, part->member, part->count, &part->instance,
                                       error));
    DUET_THEN(code, duet_proof_graph_state_init(&part->state, part->instance, part->length,
                                                state->watch, error));
    for (int64_t i = 0; i < part->count && code == DUET_OK; i++) {
        code = part->before ? duet_proof_graph_raise_start(&part->state, i, part->given[i], error)
                            : duet_proof_graph_raise_tail(&part->state, i, part->given[i], error);
    }
    part->state.release = part->before ? part->given : NULL;
    part->state.is_part = true;
    return code;
}

duet_code duet_proof_graph_part_close(duet_proof_graph_state *state,
                                      const duet_proof_graph_part *part, duet_error *error)
{
    if (!part->state.closed) {
        return duet_error_set(error, DUET_E_INPUT,
                              "'end' before the part is refuted: expected more lines");
    }
    return part->before ? duet_proof_graph_raise_start(state, part->task, part->length + 1, error)
                        : duet_proof_graph_raise_tail(state, part->task, part->length + 1, error);
}

void duet_proof_graph_part_free(duet_proof_graph_part *part)
{
    duet_proof_graph_state_free(&part->state);
    duet_instance_free(part->instance);
    duet_free(part->member);
    duet_free(part->given);
    *part = (duet_proof_graph_part){.count = 0};
}
