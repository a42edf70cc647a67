// SPDX-License-Identifier: Apache-2.0
// Branching rows, and the node `count`, which opens one: it branches on how many processors hold
// patterns with some tasks, or on how many of these tasks they hold together. Includes no solver
// header: this is what an outsider trusts.
#include "check/proof/tree/nodes.h"

#include <inttypes.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_int128 duet_proof_row_term(const duet_proof_tree *tree, const duet_proof_vector *vector)
{
    DUET_ASSERT(vector->rows <= tree->rows);
    duet_int128 term = 0;
    for (size_t i = 0; i < vector->rows; i++) {
        duet_int128 part = (duet_int128)vector->row_price[i] * tree->row[i].bound;
        term += tree->row[i].at_least ? -part : part;
    }
    return term;
}

bool duet_proof_rows_price_tasks(const duet_proof_tree *tree, const duet_proof_vector *vector)
{
    DUET_ASSERT(vector->rows <= tree->rows);
    for (size_t i = 0; i < vector->rows; i++) {
        if (vector->row_price[i] > 0 && !vector->listed[tree->row[i].type]) {
            return true;
        }
    }
    return false;
}

// The price of a task of a class on a type with the prices of rows: more by the price of a row that
// says *at most*, less by that of one that says *at least*.
static duet_int128 price_with_rows(const duet_proof_tree *tree, const duet_proof_vector *vector,
                                   int type, size_t class)
{
    duet_int128 price = duet_proof_price_of(vector, type, class);
    for (size_t i = 0; i < vector->rows; i++) {
        const duet_proof_row *row = &tree->row[i];
        if (row->type == type && !vector->listed[type] && row->has[class]) {
            price += row->at_least ? -vector->row_price[i] : vector->row_price[i];
        }
    }
    return price;
}

enum { ROW = 4 }; // units of work

duet_int128 duet_proof_demand_with_rows(const duet_proof_tree *tree,
                                        const duet_proof_vector *vector)
{
    duet_int128 demand = 0;
    for (size_t c = 0; c < tree->model->classes; c++) {
        const duet_proof_residual *left = duet_proof_left(&tree->state.residual, c);
        duet_int128 price[DUET_MAX_TYPES] = {0};
        if (duet_watch_spend(tree->watch, (int64_t)(vector->rows + ROW) * vector->types)) {
            return 0; // asked at the next node
        }
        for (int t = 0; t < vector->types; t++) {
            price[t] = price_with_rows(tree, vector, t, c);
        }
        demand += vector->types == 2 ? duet_proof_least_of_two(left, price[0], price[1])
                                     : duet_proof_least_price(left, vector->types, price);
    }
    return demand;
}

// Opens the row of a node. Its bound is that of the child under way, which comes later.
static duet_code add_row(duet_proof_tree *tree, const duet_proof_node *node, duet_error *error)
{
    duet_code code = duet_vec_grow(tree->row, tree->rows, error);
    bool *has = code == DUET_OK ? duet_alloc(tree->model->classes, sizeof *has, error) : NULL;
    DUET_NEED(has);
    tree->row[tree->rows++] = (duet_proof_row){
        .type = node->type, .tasks = node->tasks, .has = has, .covers = tree->covers};
    for (size_t i = 0; i < node->class_count && code == DUET_OK; i++) {
        code = duet_proof_check_class(tree, node->classes[i], error);
        if (code == DUET_OK) {
            has[node->classes[i]] = true;
        }
    }
    return code;
}

duet_code duet_proof_count_begin(duet_proof_tree *tree, const duet_proof_node *node,
                                 duet_proof_frame *frame, duet_error *error)
{
    if (node->split > DUET_MAX_WORK) {
        return duet_error_set(error, DUET_E_INPUT, "count at %" PRId64 ": expected at most 2^62",
                              node->split);
    }
    if (tree->rows + 1 > tree->memory_limit / 8 / (tree->model->classes + 1)) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "%zu counts below each other take more than the %zu MiB of memory",
                              tree->rows + 1, tree->memory_limit >> 20);
    }
    frame->children = 2;
    return add_row(tree, node, error);
}

duet_code duet_proof_count_enter(duet_proof_tree *tree, const duet_proof_frame *frame,
                                 duet_error *error)
{
    (void)error;
    DUET_ASSERT(tree->rows > 0);
    duet_proof_row *row = &tree->row[tree->rows - 1];
    row->at_least = duet_proof_is_more(frame);
    row->bound = frame->split + (row->at_least ? 1 : 0);
    return DUET_OK;
}

void duet_proof_count_leave(duet_proof_tree *tree, const duet_proof_frame *frame)
{
    (void)frame;
    DUET_ASSERT(tree->rows > 0);
    duet_free(tree->row[--tree->rows].has);
}
