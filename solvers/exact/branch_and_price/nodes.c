// SPDX-License-Identifier: Apache-2.0
// The nodes on the way down: what each changes, and what they take.
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "solvers/exact/branch_and_price/tree_state.h"

duet_code duet_tree_bound(duet_tree *s, size_t class, int64_t low, int64_t high, duet_error *error)
{
    DUET_ASSERT(s->state->low[0][class] <= low && low <= high && high <= s->state->high[0][class]);
    duet_code code = duet_vec_grow(s->change, s->changes, error);
    if (code == DUET_OK) {
        s->change[s->changes++] =
            (duet_tree_change){class, s->state->low[0][class], s->state->high[0][class]};
        duet_residual_set_pair(s->state, class, s->state->left[class], low, high);
    }
    return code;
}

void duet_tree_return(duet_tree *s, size_t changes)
{
    DUET_ASSERT(s->changes >= changes);
    while (s->changes > changes) {
        const duet_tree_change *last = &s->change[--s->changes];
        duet_residual_set_pair(s->state, last->class, s->state->left[last->class], last->low,
                               last->high);
    }
}

// The same for the nodes, for the pool, and for what remains of it further down.
size_t duet_tree_memory(const duet_tree *s)
{
    return duet_memory_steady(s->search->context->memory_limit) / DUET_TREE_MEMORY_SHARE;
}

// About: its prices, program and trail.
void duet_tree_count_bytes(duet_tree *s)
{
    duet_tree_node *top = duet_tree_top(s);
    const duet_lp_position *at = &top->solved.at;
    s->bytes -= top->bytes;
    top->bytes = sizeof(duet_tree_node) + 2 * sizeof(int64_t) * s->classes->count +
                 (at->rows + at->columns) * sizeof *at->row +
                 duet_configuration_start_bytes(&top->start);
    s->bytes += top->bytes;
}

duet_code duet_tree_push(duet_tree *s, duet_error *error)
{
    duet_code code = duet_vec_grow(s->node, s->nodes, error);
    if (code == DUET_OK) {
        s->node[s->nodes] = (duet_tree_node){.changes = s->changes};
        code = duet_prices_create(s->classes, &s->node[s->nodes].prices, error);
    }
    if (code == DUET_OK) {
        s->nodes++;
        duet_tree_count_bytes(s);
    }
    return code;
}

void duet_tree_free_node(duet_tree_node *at)
{
    duet_prices_free(&at->prices);
    duet_pool_position_free(&at->solved);
    duet_configuration_start_free(&at->start);
}

void duet_tree_pop(duet_tree *s)
{
    duet_tree_node *top = &s->node[--s->nodes];
    s->bytes -= top->bytes;
    for (; top->after > 0; top->after--) {
        duet_log_price(s->search->log, &top->prices);
    }
    if (top->narrows_pool) {
        duet_pool_back(s->pool, top->pool_mark);
    }
    if (s->nodes > 0 && duet_tree_top(s)->by == DUET_TREE_BY_ROW) {
        if (s->pool != NULL) {
            duet_pool_close(s->pool, top->counts_before);
        }
        s->rows = top->rows_before;
    }
    if (top->by == DUET_TREE_LEVELLED) {
        s->levelled = false;
    }
    if (top->makes_pool) {
        duet_pool_free(s->pool);
        s->pool = NULL;
    }
    duet_tree_return(s, top->changes);
    duet_tree_free_node(top);
}

// Over the pool where there is one, else over all patterns.
duet_code duet_tree_open_row(duet_tree *s, duet_branching_count count, bool at_least, int64_t bound,
                             duet_error *error)
{
    duet_tree_node *top = duet_tree_top(s);
    top->rows_before = s->rows;
    if (s->pool != NULL) {
        top->counts_before = duet_pool_open_counts(s->pool);
        return duet_pool_open(s->pool, count, at_least, bound, error);
    }
    duet_code code = duet_vec_grow(s->row, s->rows, error);
    if (code == DUET_OK) {
        s->row[s->rows++] =
            (duet_branching_row){s->search->divisible[0], count.time, at_least, bound, 0};
    }
    return code;
}
