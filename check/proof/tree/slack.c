// SPDX-License-Identifier: Apache-2.0
// Demand and slack. Includes no solver header: this is what an outsider trusts.
//
// Method: each open node keeps the demand of its own state by a few vectors. A node below it adds
// what the journal says has changed since, which is much less than to sum over all classes.
#include "check/proof/tree/nodes.h"

#include "core/system/assert.h"

// Units of work of the demand of a class. Whether to stop is asked at the next node.
enum { CLASS = 8 };

// How much the demand has grown since a mark in the journal.
static duet_int128 change_since(duet_proof_tree *tree, const duet_proof_vector *vector, size_t mark)
{
    const duet_proof_state *state = &tree->state;
    DUET_ASSERT(mark <= state->changes);
    duet_int128 change = 0;
    tree->question++;
    (void)duet_watch_spend(tree->watch, CLASS * (int64_t)(state->changes - mark));
    for (size_t i = mark; i < state->changes; i++) {
        size_t class = state->changed[i];
        if (tree->seen[class] != tree->question) { // the oldest entry has what was at the mark
            tree->seen[class] = tree->question;
            change +=
                duet_proof_class_demand(vector, class, duet_proof_left(&state->residual, class)) -
                duet_proof_class_demand(vector, class, duet_proof_left(&state->before, i));
        }
    }
    return change;
}

static const duet_proof_known *find_known(const duet_proof_frame *frame, size_t vector)
{
    for (int i = 0; i < DUET_PROOF_KNOWN; i++) {
        if (frame->known[i].key == vector + 1) {
            return &frame->known[i];
        }
    }
    return NULL;
}

// Notes the demand of an open node's own state, worked out from that of the state under way.
static void note_known(duet_proof_tree *tree, duet_proof_frame *frame, size_t vector,
                       duet_int128 demand)
{
    const duet_proof_vector *prices = &tree->priced[vector].vector;
    frame->known[frame->turn] =
        (duet_proof_known){vector + 1, demand - change_since(tree, prices, frame->mark)};
    frame->turn = (frame->turn + 1) % DUET_PROOF_KNOWN;
}

// The demand of the state under way: that of the nearest open node of which it is known, and what
// has changed since. Where no near one knows it, it is worked out afresh and noted at the farthest
// of them too, for all that comes below there.
static duet_int128 find_demand(duet_proof_tree *tree, size_t vector)
{
    enum { REACH = 8 };
    const duet_proof_vector *prices = &tree->priced[vector].vector;
    if (duet_proof_rows_price_tasks(tree, prices)) { // an open node may have other rows
        return duet_proof_demand_with_rows(tree, prices);
    }
    const duet_proof_known *known = NULL;
    size_t up = 0;
    while (known == NULL && up < tree->depth && up < REACH) {
        known = find_known(&tree->frame[tree->depth - 1 - up++], vector);
    }
    duet_int128 demand =
        known != NULL
            ? known->demand + change_since(tree, prices, tree->frame[tree->depth - up].mark)
            : duet_proof_demand(prices, tree->model, &tree->state.residual);
    DUET_ASSERT(demand == duet_proof_demand(prices, tree->model, &tree->state.residual));
    if (known == NULL) {
        (void)duet_watch_spend(tree->watch, CLASS * (int64_t)tree->model->classes);
    }
    if (known == NULL && up > 1) {
        note_known(tree, &tree->frame[tree->depth - up], vector, demand);
    }
    if (tree->depth > 0 && (known == NULL || up > 1)) {
        note_known(tree, &tree->frame[tree->depth - 1], vector, demand);
    }
    return demand;
}

duet_int128 duet_proof_slack(duet_proof_tree *tree, size_t vector)
{
    const duet_proof_vector *prices = &tree->priced[vector].vector;
    return duet_proof_supply(prices, tree->state.processors) + duet_proof_row_term(tree, prices) -
           find_demand(tree, vector);
}
