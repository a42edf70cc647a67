// SPDX-License-Identifier: Apache-2.0
// The leaves `nowhere`, `price` and `knapsack`, and the node `branch`. None of them keeps anything
// of its own. Includes no solver header: this is what an outsider trusts.
#include <inttypes.h>

#include "check/proof/tree/knapsack.h"
#include "check/proof/tree/nodes.h"
#include "core/system/try.h"

duet_code duet_proof_nowhere_begin(duet_proof_tree *tree, const duet_proof_node *node,
                                   duet_proof_frame *frame, duet_error *error)
{
    (void)frame;
    DUET_TRY(duet_proof_check_class(tree, node->class, error));
    // With no choice for all types together there is none for the first.
    const duet_proof_residual *left = duet_proof_left(&tree->state.residual, (size_t)node->class);
    if (left->count <= 0 || left->on[0].low <= left->on[0].high) {
        return duet_error_set(error, DUET_E_INPUT,
                              "nowhere: class %" PRId64 " has %" PRId64 " tasks left, of which "
                              "%" PRId64 " to %" PRId64 " go to %s: expected no choice for any",
                              node->class, left->count, left->on[0].low, left->on[0].high,
                              tree->model->plural[0]);
    }
    return DUET_OK;
}

duet_code duet_proof_price_begin(duet_proof_tree *tree, const duet_proof_node *node,
                                 duet_proof_frame *frame, duet_error *error)
{
    (void)frame;
    DUET_TRY(duet_proof_check_vector(tree, node->vector, error));
    DUET_TRY(duet_proof_check_limits(tree, (size_t)node->vector, error));
    duet_int128 slack = duet_proof_slack(tree, (size_t)node->vector);
    if (slack >= 0) {
        char digits[40];
        return duet_error_set(error, DUET_E_INPUT,
                              "price: by vector %" PRId64 " the slack is %s: expected below 0",
                              node->vector, duet_uint128_format((duet_uint128)slack, digits));
    }
    return DUET_OK;
}

duet_code duet_proof_knapsack_begin(duet_proof_tree *tree, const duet_proof_node *node,
                                    duet_proof_frame *frame, duet_error *error)
{
    (void)frame;
    DUET_TRY(duet_proof_check_vector(tree, node->vector, error));
    const duet_proof_vector *prices = &tree->priced[node->vector].vector;
    if (prices->owned != NULL) {
        return duet_error_set(error, DUET_E_INPUT,
                              "knapsack: vector %" PRId64 " has prices: expected an area vector",
                              node->vector);
    }
    return duet_proof_knapsack(tree->model, prices, &tree->state.residual, tree->state.processors,
                               tree->watch, error);
}

duet_code duet_proof_branch_begin(duet_proof_tree *tree, const duet_proof_node *node,
                                  duet_proof_frame *frame, duet_error *error)
{
    DUET_TRY(duet_proof_check_class(tree, node->class, error));
    const duet_proof_range *range =
        &duet_proof_left(&tree->state.residual, (size_t)node->class)->on[node->type];
    if (node->split < range->low || node->split >= range->high) {
        return duet_error_set(error, DUET_E_INPUT,
                              "branch at %" PRId64 ": of class %" PRId64 ", %" PRId64 " to %" PRId64
                              " tasks go to %s: expected a split between",
                              node->split, node->class, range->low, range->high,
                              tree->model->plural[node->type]);
    }
    frame->children = 2;
    return DUET_OK;
}

duet_code duet_proof_branch_enter(duet_proof_tree *tree, const duet_proof_frame *frame,
                                  duet_error *error)
{
    duet_proof_range range = duet_proof_left(&tree->state.residual, frame->class)->on[frame->type];
    if (duet_proof_is_more(frame)) {
        range.low = frame->split + 1;
    } else {
        range.high = frame->split;
    }
    return duet_proof_state_limit(&tree->state, frame->class, frame->type, range, error);
}
