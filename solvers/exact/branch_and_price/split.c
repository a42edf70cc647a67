// SPDX-License-Identifier: Apache-2.0
// Parts of a tree that become trees of their own: the second child of a node whose first child is
// under way. What the nodes below have changed is taken back in a copy.
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/branch_and_price/tree_state.h"

// What there was at a node on the way down, once it was to be divided.
typedef struct place {
    size_t changes, rows;
    duet_pool_place pool;
    bool pooled, levelled;
} place;

static place place_at(const duet_tree *s, size_t depth)
{
    place at = {.changes = s->node[depth + 1].changes,
                .rows = s->rows,
                .pooled = s->pool != NULL,
                .levelled = s->levelled};
    if (at.pooled) {
        at.pool = duet_pool_here(s->pool);
    }
    for (size_t i = s->nodes - 1; i > depth; i--) {
        const duet_tree_node *node = &s->node[i];
        at.pool.levels = node->narrows_pool ? node->pool_mark : at.pool.levels;
        at.pooled = at.pooled && !node->makes_pool;
        at.levelled = at.levelled && node->by != DUET_TREE_LEVELLED;
        if (s->node[i - 1].by == DUET_TREE_BY_ROW) {
            at.pool.opened = node->counts_before;
            at.rows = node->rows_before;
        }
    }
    return at;
}

size_t duet_tree_open_depth(const duet_part *part)
{
    const duet_tree *s = (const duet_tree *)part;
    for (size_t i = 0; i + 1 < s->nodes; i++) {
        const duet_tree_node *node = &s->node[i];
        bool divides = node->by == DUET_TREE_BY_CLASS || node->by == DUET_TREE_BY_ROW;
        if (divides && node->children == 1 && node->taker == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

size_t duet_tree_split_bytes(const duet_part *part, size_t depth)
{
    const duet_tree *s = (const duet_tree *)part;
    place at = place_at(s, depth);
    enum { of_class = 16 * sizeof(int64_t) };
    size_t bytes =
        s->classes->count * of_class + s->search->store->parts * sizeof(duet_stored_part);
    return at.pooled ? bytes + duet_pool_copy_bytes(s->pool, at.pool) : bytes;
}

// Means of its own, as the other tree has them.
static duet_code give_own(duet_tree *to, const duet_tree *from, duet_error *error)
{
    duet_code code = duet_residual_create(from->classes, &to->own.state, error);
    if (code == DUET_OK) {
        duet_residual_copy(from->classes, from->state, &to->own.state);
        code = duet_column_store_copy(from->search->store, &to->own.store, error);
    }
    duet_random_seed(&to->own.random, duet_random_next(from->search->random));
    to->state = &to->own.state;
    to->copy.state = &to->own.state;
    to->copy.random = &to->own.random;
    to->copy.store = &to->own.store;
    to->copy.loads = &to->own.loads;
    to->copy.stats = &to->own.counted;
    if (from->search->log != NULL) {
        duet_log_start_like(&to->own.log, from->search->log);
        to->copy.log = to->part.log = &to->own.log;
    }
    return code;
}

// The state, the branching rows and the pool of the place.
static duet_code go_to(duet_tree *to, const duet_tree *from, const place *at, duet_error *error)
{
    for (size_t i = from->changes; i > at->changes; i--) {
        const duet_tree_change *change = &from->change[i - 1];
        duet_residual_set_pair(to->state, change->class, to->state->left[change->class],
                               change->low, change->high);
    }
    duet_code code = duet_vec_reserve(to->row, at->rows, error);
    if (code == DUET_OK && at->rows > 0) {
        memcpy(to->row, from->row, at->rows * sizeof *to->row);
        to->rows = at->rows;
    }
    to->width = from->width;
    to->too_wide = from->too_wide;
    to->levelled = at->levelled;
    to->decided = from->decided;
    return code == DUET_OK && at->pooled
               ? duet_pool_copy(from->pool, at->pool, &to->own.counted.programs, &to->pool, error)
               : code;
}

// The divided node, without the child that stays, and the one that goes. Where the program of the
// other child has begun, what it began with goes, too.
static duet_code begin_child(duet_tree *to, duet_tree_node *node, bool begun, duet_error *error)
{
    DUET_TRY(duet_tree_push(to, error));
    duet_tree_node *top = duet_tree_top(to);
    top->by = node->by;
    top->class = node->class;
    top->count = node->count;
    top->most = node->most;
    top->children = 1;
    if (begun) {
        top->start = node->start;
        node->start = (duet_configuration_start){.classes = 0};
    }
    return duet_tree_descend(to, error);
}

duet_code duet_tree_split(duet_part *part, size_t depth, size_t taker, size_t seat, duet_part **out,
                          duet_error *error)
{
    duet_tree *s = (duet_tree *)part;
    place at = place_at(s, depth);
    duet_tree *made;
    DUET_TRY(duet_tree_create(s->search, &made, error));
    duet_code code = give_own(made, s, error);
    DUET_THEN(code, go_to(made, s, &at, error));
    if (code == DUET_OK) {
        bool begun = depth + 2 < s->nodes || !s->fresh;
        code = begin_child(made, &s->node[depth], begun, error);
    }
    if (code != DUET_OK) {
        duet_tree_free(&made->part);
        return code;
    }
    s->node[depth].taker = taker;
    made->part.seat = seat;
    *out = &made->part;
    return DUET_OK;
}
