// SPDX-License-Identifier: Apache-2.0
// What the open nodes of a tree share, and the memory it takes. Includes no solver header: this is
// what an outsider trusts.
#include "check/proof/tree/tree.h"

#include <inttypes.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_code duet_proof_tree_init(duet_proof_tree *tree, const duet_proof_model *model,
                               size_t memory_limit, duet_watch *watch, duet_error *error)
{
    *tree = (duet_proof_tree){.model = model, .watch = watch};
    tree->memory_limit = memory_limit;
    DUET_TRY(duet_proof_state_init(&tree->state, model, error));
    DUET_TRY(duet_proof_patterns_init(&tree->patterns, model, error));
    tree->seen = duet_alloc(model->classes, sizeof *tree->seen, error);
    return tree->seen == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_proof_tree_free(duet_proof_tree *tree)
{
    for (size_t d = 0; d < tree->depth; d++) {
        duet_proof_pool_free(tree->frame[d].cover.made);
    }
    for (size_t i = 0; i < tree->rows; i++) {
        duet_free(tree->row[i].has);
    }
    for (size_t v = 0; v < tree->vectors; v++) {
        duet_proof_vector_free(&tree->priced[v].vector);
        for (int t = 0; t < tree->model->types; t++) {
            duet_proof_pricing_free(tree->priced[v].covering[t].pricing);
        }
        duet_free(tree->priced[v].covering);
    }
    for (int t = 0; t < DUET_MAX_TYPES; t++) {
        duet_free(tree->listing[t].item);
        duet_free(tree->listing[t].first);
        duet_free(tree->listing[t].pick);
    }
    duet_proof_state_free(&tree->state);
    duet_proof_patterns_free(&tree->patterns);
    duet_free(tree->row);
    duet_free(tree->priced_row);
    duet_free(tree->priced);
    duet_free(tree->frame);
    duet_free(tree->pick);
    duet_free(tree->child);
    duet_free(tree->item);
    duet_free(tree->bits);
    duet_free(tree->seen);
    *tree = (duet_proof_tree){.model = NULL};
}

// Bytes of the vectors, at most a quarter of the memory.
static size_t vectors_take(const duet_proof_tree *tree)
{
    DUET_ASSERT(tree->vectors * sizeof *tree->priced + tree->vector_bytes <=
                tree->memory_limit / 4);
    return tree->vectors * sizeof *tree->priced + tree->vector_bytes;
}

duet_code duet_proof_tree_add_vector(duet_proof_tree *tree, const duet_proof_vector *vector,
                                     duet_error *error)
{
    size_t types = (size_t)tree->model->types;
    size_t bytes =
        types * (sizeof(duet_proof_covering) + 4 * sizeof *vector->limit) +
        (vector->owned == NULL ? 0 : types * tree->model->classes * sizeof *vector->owned) +
        vector->rows * sizeof *vector->row_price;
    if (bytes + sizeof *tree->priced > tree->memory_limit / 4 - vectors_take(tree)) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "%zu vectors take more than a quarter of the %zu MiB of memory",
                              tree->vectors + 1, tree->memory_limit >> 20);
    }
    duet_code code = duet_vec_grow(tree->priced, tree->vectors, error);
    duet_proof_covering *covering =
        code == DUET_OK ? duet_alloc(types, sizeof *covering, error) : NULL;
    DUET_NEED(covering);
    for (size_t t = 0; t < types; t++) {
        covering[t] =
            (duet_proof_covering){.last = DUET_PROOF_NO_FRAME, .first = DUET_PROOF_NO_FRAME};
    }
    const duet_proof_frame *above = tree->depth > 0 ? &tree->frame[tree->depth - 1] : NULL;
    tree->priced[tree->vectors++] = (duet_proof_priced){.vector = *vector,
                                                        .covering = covering,
                                                        .depth = tree->depth,
                                                        .serial = above != NULL ? above->serial : 0,
                                                        .child = above != NULL ? above->next : 0};
    tree->vector_bytes += bytes;
    return DUET_OK;
}

// Whether the state under way is the one that a vector stands at, or below it.
static bool is_below(const duet_proof_tree *tree, const duet_proof_priced *priced)
{
    if (priced->depth == 0) {
        return true;
    }
    const duet_proof_frame *above = &tree->frame[priced->depth - 1];
    return tree->depth >= priced->depth && above->serial == priced->serial &&
           above->next == priced->child;
}

duet_code duet_proof_check_vector(const duet_proof_tree *tree, int64_t vector, duet_error *error)
{
    if (vector < 0 || (uint64_t)vector >= tree->vectors) {
        return duet_error_set(error, DUET_E_INPUT,
                              "vector %" PRId64 ": expected one of the %zu declared so far", vector,
                              tree->vectors);
    }
    if (tree->priced[vector].vector.here && !is_below(tree, &tree->priced[vector])) {
        return duet_error_set(error, DUET_E_INPUT,
                              "vector %" PRId64 " has limits of another state: expected one of "
                              "this state or of those above",
                              vector);
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

// Frees pricing problems until a quarter of the memory is enough for all: where `idle`, those that
// no open cover uses, else those that one does.
static void free_pricings(duet_proof_tree *tree, const duet_proof_covering *keep, bool idle)
{
    size_t types = (size_t)tree->model->types;
    for (size_t i = types * tree->vectors;
         i-- > 0 && tree->pricing_bytes > tree->memory_limit / 4;) {
        duet_proof_covering *other = &tree->priced[i / types].covering[i % types];
        if (other != keep && other->pricing != NULL &&
            idle == (other->last == DUET_PROOF_NO_FRAME)) {
            DUET_ASSERT(tree->pricing_bytes >= other->pricing->bytes);
            tree->pricing_bytes -= other->pricing->bytes;
            duet_proof_pricing_free(other->pricing);
            other->pricing = NULL;
        }
    }
}

duet_code duet_proof_require_pricing(duet_proof_tree *tree, size_t vector, int type,
                                     duet_error *error)
{
    duet_proof_covering *covering = &tree->priced[vector].covering[type];
    if (covering->pricing != NULL) {
        return DUET_OK;
    }
    DUET_TRY(duet_proof_pricing_create(&covering->pricing, tree->model,
                                       &tree->priced[vector].vector, type, tree->memory_limit / 16,
                                       tree->watch, error));
    tree->pricing_bytes += covering->pricing->bytes;
    free_pricings(tree, covering, true);
    free_pricings(tree, covering, false);
    return DUET_OK;
}

static size_t listing_bytes(const duet_proof_tree *tree)
{
    size_t bytes = 0;
    for (int t = 0; t < tree->model->types; t++) {
        const duet_proof_listing *listing = &tree->listing[t];
        bytes += listing->bytes + duet_vec_bytes(listing->pick);
    }
    return bytes;
}

duet_code duet_proof_check_memory(const duet_proof_tree *tree, duet_error *error)
{
    size_t held = duet_vec_bytes(tree->frame) + duet_proof_state_bytes(&tree->state) +
                  duet_vec_bytes(tree->priced) + tree->vector_bytes + duet_vec_bytes(tree->pick) +
                  duet_vec_bytes(tree->child) + duet_vec_bytes(tree->item) +
                  duet_vec_bytes(tree->bits) + tree->pricing_bytes + tree->pool_bytes +
                  listing_bytes(tree) + tree->rows * tree->model->classes +
                  duet_vec_bytes(tree->row);
    if (held > tree->memory_limit) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "checking the proof takes more than the %zu MiB of memory",
                              tree->memory_limit >> 20);
    }
    return DUET_OK;
}

duet_code duet_proof_push(duet_proof_tree *tree, const duet_proof_frame *frame, duet_error *error)
{
    DUET_ASSERT(frame->children > 0 && frame->next == 0);
    DUET_TRY(duet_vec_grow(tree->frame, tree->depth, error));
    duet_proof_frame *top = &tree->frame[tree->depth++];
    *top = *frame;
    top->serial = ++tree->opened;
    top->mark = tree->state.changes;
    return DUET_OK;
}
