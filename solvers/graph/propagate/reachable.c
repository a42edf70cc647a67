// SPDX-License-Identifier: Apache-2.0
// The transitive closure of a task graph.
// Method:    depth first from each task, once to count and once to list.
// Guarantee: the lists are left away if they are too long.
// Cost:      O(tasks x edges).
// Memory:    4 bytes a pair, of up to 2^24.
// Reference: folklore.
#include "solvers/graph/propagate/reachable.h"

#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/graph/propagate/tuning.h"

typedef struct closing {
    const duet_network *network;
    int32_t *seen; // per task: the task from which it was reached last, plus 1
    int32_t *stack;
} closing;

// Lists what a task reaches in `out` (NULL: only counts it).
static int64_t reach_from(closing *c, int32_t task, bool before, int32_t *out)
{
    const duet_graph *graph = c->network->graph;
    const int64_t *at = before ? graph->enter_at : graph->leave_at;
    const int32_t *row = before ? graph->entering : graph->leaving;
    const int32_t *other = before ? graph->tail : graph->head;
    int64_t count = 0;
    int64_t top = 0;
    for (int32_t i = task;; i = c->stack[--top]) {
        for (int64_t e = at[i]; e < at[i + 1]; e++) {
            int32_t k = other[row[e]];
            if (c->seen[k] != task + 1) {
                c->seen[k] = task + 1;
                c->stack[top++] = k;
                if (out != NULL) {
                    out[count] = k;
                }
                count++;
            }
        }
        if (top == 0) {
            return count;
        }
    }
}

static duet_code close_graph(closing *c, bool before, duet_reachable *reachable, duet_error *error)
{
    int64_t tasks = c->network->tasks;
    reachable->at = duet_alloc((size_t)tasks + 1, sizeof *reachable->at, error);
    DUET_NEED(reachable->at);
    for (int64_t j = 0; j < tasks; j++) {
        reachable->at[j + 1] = reachable->at[j] + reach_from(c, (int32_t)j, before, NULL);
        if (reachable->at[j + 1] > DUET_CLOSURE_PAIRS) { // too many to list
            return DUET_OK;
        }
    }
    for (int64_t j = 0; j < tasks; j++) {
        c->seen[j] = 0;
    }
    reachable->task =
        duet_alloc_raw((size_t)reachable->at[tasks] + 1, sizeof *reachable->task, error);
    for (int64_t j = 0; j < tasks && reachable->task != NULL; j++) {
        reach_from(c, (int32_t)j, before, reachable->task + reachable->at[j]);
    }
    for (int64_t j = 0; j < tasks; j++) {
        c->seen[j] = 0;
    }
    return reachable->task != NULL ? DUET_OK : DUET_E_MEMORY;
}

duet_code duet_reachable_create(const duet_network *network, duet_reachable *before,
                                duet_reachable *after, duet_error *error)
{
    size_t tasks = (size_t)network->tasks;
    closing c = {.network = network,
                 .seen = duet_alloc(tasks, sizeof *c.seen, error),
                 .stack = duet_alloc_raw(tasks + 1, sizeof *c.stack, error)};
    duet_code code = c.seen == NULL || c.stack == NULL ? DUET_E_MEMORY : DUET_OK;
    DUET_THEN(code, close_graph(&c, true, before, error));
    if (code == DUET_OK && before->task != NULL) {
        code = close_graph(&c, false, after, error);
    }
    duet_free(c.seen);
    duet_free(c.stack);
    return code;
}

void duet_reachable_free(duet_reachable *reachable)
{
    duet_free(reachable->at);
    duet_free(reachable->task);
    *reachable = (duet_reachable){.at = NULL};
}
