// SPDX-License-Identifier: Apache-2.0
// The walk through the tree of a proof, node by node in preorder. Includes no solver header: this
// is what an outsider trusts.
//
// The state is that of the node under way; an open node's changes are taken back through the
// journal when its child is proven. What the tasks left fetch at least by a vector is kept for a
// few vectors per open node, and brought up to date by what has changed since.
#include "check/proof/tree.h"

#include <inttypes.h>

#include "check/proof/knapsack.h"
#include "core/memory.h"

duet_code duet_proof_tree_init(duet_proof_tree *tree, const duet_proof_model *model,
                               const duet_context *context, duet_error *error)
{
    *tree = (duet_proof_tree){.model = model, .context = context};
    tree->memory_limit = duet_memory_limit(context->memory_limit);
    duet_code code = duet_proof_state_init(&tree->state, model, error);
    if (code == DUET_OK) {
        code = duet_proof_patterns_init(&tree->patterns, model, error);
    }
    if (code == DUET_OK) {
        tree->seen = duet_alloc(model->classes, sizeof *tree->seen, error);
        code = tree->seen == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    return code;
}

void duet_proof_tree_free(duet_proof_tree *tree)
{
    while (tree->depth > 0) {
        if (tree->frame[tree->depth - 1].is_cover) {
            duet_proof_cover_leave(tree, tree->depth - 1);
        }
        tree->depth--;
    }
    duet_proof_lists_free(tree);
    while (tree->counts > 0) {
        duet_proof_count_leave(tree);
    }
    duet_free(tree->count);
    duet_free(tree->priced_count);
    for (size_t v = 0; v < tree->vectors; v++) {
        duet_proof_vector_free(&tree->priced[v].vector);
        for (int t = 0; t < DUET_PROOF_TYPES; t++) {
            duet_proof_tariff_free(tree->priced[v].pricing[t].tariff);
        }
    }
    duet_proof_state_free(&tree->state);
    duet_proof_patterns_free(&tree->patterns);
    duet_free(tree->priced);
    duet_free(tree->frame);
    duet_free(tree->pick);
    duet_free(tree->child);
    duet_free(tree->item);
    duet_free(tree->bits);
    duet_free(tree->seen);
}

duet_code duet_proof_tree_add_vector(duet_proof_tree *tree, const duet_proof_vector *vector,
                                     duet_error *error)
{
    duet_code code = duet_grow(&tree->priced, tree->vectors, &tree->vector_capacity,
                               sizeof *tree->priced, error);
    if (code == DUET_OK) {
        duet_proof_pricing none = {.last = DUET_PROOF_NO_FRAME, .first = DUET_PROOF_NO_FRAME};
        tree->priced[tree->vectors++] =
            (duet_proof_priced){.vector = *vector, .pricing = {none, none}};
        tree->vector_bytes +=
            (vector->owned == NULL ? 0 : tree->model->classes * 2 * sizeof *vector->owned) +
            vector->counts * sizeof *vector->count;
    }
    return code;
}

duet_code duet_proof_check_vector(const duet_proof_tree *tree, int64_t vector, duet_error *error)
{
    if (vector < 0 || (uint64_t)vector >= tree->vectors) {
        return duet_error_set(error, DUET_E_INPUT,
                              "vector %" PRId64 ": expected one of the %zu declared so far", vector,
                              tree->vectors);
    }
    return DUET_OK;
}

duet_code duet_proof_check_class(const duet_proof_tree *tree, int64_t class, duet_error *error)
{
    if (class < 0 || (uint64_t) class >= tree->model->classes) {
        return duet_error_set(error, DUET_E_INPUT, "class %" PRId64 ": expected one of the %zu",
                              class, tree->model->classes);
    }
    return DUET_OK;
}

// How much more the classes that changed since a mark fetch now.
static duet_int128 change_since(duet_proof_tree *tree, const duet_proof_vector *vector, size_t mark)
{
    const duet_proof_state *state = &tree->state;
    duet_int128 change = 0;
    tree->question++;
    for (size_t i = mark; i < state->changes; i++) {
        size_t class = state->journal[i].class;
        if (tree->seen[class] != tree->question) { // the oldest entry has what was at the mark
            tree->seen[class] = tree->question;
            change += duet_proof_term(vector, class, &state->left[class]) -
                      duet_proof_term(vector, class, &state->journal[i].before);
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

// Notes for an open node what its own state needs, from what the state under way does.
static void note_known(duet_proof_tree *tree, duet_proof_frame *frame, size_t vector,
                       duet_int128 need)
{
    const duet_proof_vector *prices = &tree->priced[vector].vector;
    frame->known[frame->turn] =
        (duet_proof_known){vector + 1, need - change_since(tree, prices, frame->mark)};
    frame->turn = (frame->turn + 1) % DUET_PROOF_KNOWN;
}

// From the nearest open node of which it is known. What had to be found afresh is noted some way up
// too, for all that comes below there.
static duet_int128 find_need(duet_proof_tree *tree, size_t vector)
{
    enum { REACH = 8 };
    const duet_proof_vector *prices = &tree->priced[vector].vector;
    if (duet_proof_counts_tasks(tree, prices)) { // it depends on which counts are open
        return duet_proof_counted_need(tree, prices);
    }
    const duet_proof_known *known = NULL;
    size_t up = 0;
    while (known == NULL && up < tree->depth && up < REACH) {
        known = find_known(&tree->frame[tree->depth - 1 - up++], vector);
    }
    duet_int128 need =
        known != NULL ? known->need + change_since(tree, prices, tree->frame[tree->depth - up].mark)
                      : duet_proof_need(prices, tree->model, tree->state.left);
    if (known == NULL && up > 1) {
        note_known(tree, &tree->frame[tree->depth - up], vector, need);
    }
    if (tree->depth > 0 && (known == NULL || up > 1)) {
        note_known(tree, &tree->frame[tree->depth - 1], vector, need);
    }
    return need;
}

duet_int128 duet_proof_budget(duet_proof_tree *tree, size_t vector)
{
    const duet_proof_vector *prices = &tree->priced[vector].vector;
    return duet_proof_cap(prices, tree->state.processors) + duet_proof_relief(tree, prices) -
           find_need(tree, vector);
}

// Into the child that is under way.
static duet_code enter(duet_proof_tree *tree, duet_error *error)
{
    const duet_proof_frame *frame = &tree->frame[tree->depth - 1];
    if (frame->is_list) {
        return DUET_OK;
    }
    if (frame->is_count) {
        duet_proof_count_enter(tree, frame);
        return DUET_OK;
    }
    if (frame->is_cover) {
        return duet_proof_cover_enter(tree, frame, error);
    }
    duet_proof_left left = tree->state.left[frame->class];
    if (frame->next == 0) {
        left.high = frame->split;
    } else {
        left.low = frame->split + 1;
    }
    return duet_proof_state_set(&tree->state, frame->class, left, error);
}

duet_code duet_proof_close(duet_proof_tree *tree, duet_error *error)
{
    while (tree->depth > 0) {
        duet_proof_frame *frame = &tree->frame[tree->depth - 1];
        duet_proof_state_undo(&tree->state, frame->mark);
        tree->state.processors[frame->type] += frame->is_cover ? 1 : 0;
        if (++frame->next < frame->children) {
            return enter(tree, error);
        }
        if (frame->is_cover) {
            duet_proof_cover_leave(tree, tree->depth - 1);
        }
        if (frame->is_list) {
            duet_proof_list_leave(tree, frame);
        }
        if (frame->is_count) {
            duet_proof_count_leave(tree);
        }
        tree->covers -= frame->is_cover ? 1 : 0;
        tree->depth--;
    }
    tree->done = true;
    return DUET_OK;
}

duet_code duet_proof_open(duet_proof_tree *tree, const duet_proof_frame *frame, duet_error *error)
{
    duet_code code =
        duet_grow(&tree->frame, tree->depth, &tree->frame_capacity, sizeof *frame, error);
    if (code != DUET_OK) {
        return code;
    }
    tree->frame[tree->depth] = *frame;
    tree->frame[tree->depth].serial = ++tree->opened;
    tree->covers += frame->is_cover ? 1 : 0;
    tree->frame[tree->depth++].mark = tree->state.changes;
    return enter(tree, error);
}

static size_t bytes_held(const duet_proof_tree *tree)
{
    return tree->frame_capacity * sizeof *tree->frame +
           tree->state.capacity * sizeof *tree->state.journal +
           tree->vector_capacity * sizeof *tree->priced + tree->vector_bytes +
           tree->pick_capacity * sizeof *tree->pick + tree->child_capacity * sizeof *tree->child +
           tree->item_capacity * sizeof *tree->item + tree->bit_capacity * sizeof *tree->bits +
           tree->tariff_bytes + tree->pool_bytes + duet_proof_list_bytes(&tree->listing[0]) +
           duet_proof_list_bytes(&tree->listing[1]) + tree->counts * tree->model->classes +
           tree->count_capacity * sizeof *tree->count;
}

duet_code duet_proof_begin(duet_proof_tree *tree, duet_error *error)
{
    if (tree->done) {
        return duet_error_set(error, DUET_E_INPUT,
                              "a node after the last: expected 'end', the tree is complete");
    }
    tree->nodes++;
    if ((int64_t)tree->depth >= tree->deepest) {
        tree->deepest = (int64_t)tree->depth + 1;
    }
    if (tree->nodes % 1024 != 0) {
        return DUET_OK;
    }
    if (bytes_held(tree) > tree->memory_limit) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "checking the proof takes more than the %zu MiB of memory",
                              tree->memory_limit >> 20);
    }
    return duet_proof_stop(tree->context, error);
}

duet_code duet_proof_nowhere(duet_proof_tree *tree, int64_t class, duet_error *error)
{
    duet_code code = duet_proof_begin(tree, error);
    code = code == DUET_OK ? duet_proof_check_class(tree, class, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    const duet_proof_left *left = &tree->state.left[class];
    if (left->count <= 0 || left->low <= left->high) {
        return duet_error_set(error, DUET_E_INPUT,
                              "nowhere: class %" PRId64 " has %" PRId64 " tasks left, of which "
                              "%" PRId64 " to %" PRId64 " go to CPUs: expected no choice for any",
                              class, left->count, left->low, left->high);
    }
    return duet_proof_close(tree, error);
}

duet_code duet_proof_price(duet_proof_tree *tree, int64_t vector, duet_error *error)
{
    duet_code code = duet_proof_begin(tree, error);
    code = code == DUET_OK ? duet_proof_check_vector(tree, vector, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    code = duet_proof_hold(tree, (size_t)vector, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_int128 budget = duet_proof_budget(tree, (size_t)vector);
    if (budget >= 0) {
        char digits[40];
        return duet_error_set(error, DUET_E_INPUT,
                              "price: by vector %" PRId64 " the processors can fetch %s more than "
                              "the tasks need: expected less",
                              vector, duet_uint128_format((duet_uint128)budget, digits));
    }
    return duet_proof_close(tree, error);
}

duet_code duet_proof_divide(duet_proof_tree *tree, int64_t vector, duet_error *error)
{
    duet_code code = duet_proof_begin(tree, error);
    code = code == DUET_OK ? duet_proof_check_vector(tree, vector, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    const duet_proof_vector *prices = &tree->priced[vector].vector;
    if (prices->owned != NULL) {
        return duet_error_set(error, DUET_E_INPUT,
                              "knapsack: vector %" PRId64 " has prices: expected an area vector",
                              vector);
    }
    code = duet_proof_knapsack(tree->model, prices, tree->state.left, tree->state.processors,
                               tree->context, error);
    return code == DUET_OK ? duet_proof_close(tree, error) : code;
}

duet_code duet_proof_branch(duet_proof_tree *tree, int64_t class, int64_t split, duet_error *error)
{
    duet_code code = duet_proof_begin(tree, error);
    code = code == DUET_OK ? duet_proof_check_class(tree, class, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    const duet_proof_left *left = &tree->state.left[class];
    if (split < left->low || split >= left->high) {
        return duet_error_set(error, DUET_E_INPUT,
                              "branch at %" PRId64 ": of class %" PRId64 ", %" PRId64 " to %" PRId64
                              " tasks go to CPUs: expected a split between",
                              split, class, left->low, left->high);
    }
    duet_proof_frame frame = {.class = (size_t) class, .split = split, .children = 2};
    return duet_proof_open(tree, &frame, error);
}
