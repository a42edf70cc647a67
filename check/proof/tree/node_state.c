// SPDX-License-Identifier: Apache-2.0
// The state of a node, its bitmaps and its journal. Includes no solver header: this is what an
// outsider trusts.
#include "check/proof/tree/node_state.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static duet_code init_bitmap(duet_proof_bitmap *bitmap, const duet_proof_model *model, int type,
                             duet_error *error)
{
    bitmap->first = duet_alloc(model->classes, sizeof *bitmap->first, error);
    bitmap->count = duet_alloc(model->classes, sizeof *bitmap->count, error);
    DUET_NEED(bitmap->first != NULL && bitmap->count != NULL);
    int64_t total = 0;
    for (size_t c = 0; c < model->classes; c++) {
        bitmap->first[c] = (size_t)total;
        bitmap->count[c] = duet_proof_most(model, type, c);
        if (bitmap->count[c] > INT64_C(64) * DUET_PROOF_MAX_WORDS - total) {
            return DUET_OK; // too many: without bits
        }
        total += bitmap->count[c];
    }
    // 0 words says that there are too many bits, so there is one where there is nothing to mark.
    bitmap->words = total == 0 ? 1 : (size_t)(total + 63) / 64;
    bitmap->bits = duet_alloc(bitmap->words, sizeof *bitmap->bits, error);
    return bitmap->bits == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_proof_mark(const duet_proof_bitmap *bitmap, uint64_t *bits, size_t class, int64_t count)
{
    DUET_ASSERT(bitmap->words > 0);
    size_t first = bitmap->first[class];
    size_t end = first + (size_t)bitmap->count[class];
    size_t set = first + (size_t)duet_min(count, bitmap->count[class]);
    for (size_t at = first; at < end;) {
        size_t word = at / 64;
        size_t next = 64 * (word + 1);
        size_t stop = duet_min(end, next);
        uint64_t all = UINT64_MAX >> (at % 64);
        if (stop % 64 != 0) {
            all &= ~(UINT64_MAX >> (stop % 64));
        }
        uint64_t on = all;
        size_t clear = duet_max(set, at);
        if (clear < stop) {
            on &= ~(UINT64_MAX >> (clear % 64));
        }
        bits[word] = (bits[word] & ~all) | on;
        at = stop;
    }
}

int64_t duet_proof_marked(const duet_proof_bitmap *bitmap, const uint64_t *bits, size_t class)
{
    int64_t marked = 0;
    for (; marked < bitmap->count[class]; marked++) {
        size_t bit = bitmap->first[class] + (size_t)marked;
        if ((bits[bit / 64] >> (63 - bit % 64) & 1) == 0) {
            break;
        }
    }
    return marked;
}

// Updates the bits of a class after its residual has changed.
static void mark_class(duet_proof_state *state, size_t class)
{
    for (int t = 0; t < state->model->types; t++) {
        const duet_proof_bitmap *bitmap = &state->bitmap[t];
        if (bitmap->words > 0) {
            duet_proof_mark(bitmap, bitmap->bits, class, duet_proof_available(state, t, class));
        }
    }
}

duet_code duet_proof_state_init(duet_proof_state *state, const duet_proof_model *model,
                                duet_error *error)
{
    *state = (duet_proof_state){.model = model};
    duet_code code = duet_proof_residuals_init(&state->residual, model, error);
    state->before = (duet_proof_residuals){.types = model->types, .bytes = state->residual.bytes};
    for (int t = 0; t < model->types && code == DUET_OK; t++) {
        state->processors[t] = model->processors[t];
        code = init_bitmap(&state->bitmap[t], model, t, error);
    }
    for (size_t c = 0; c < model->classes && code == DUET_OK; c++) {
        mark_class(state, c);
    }
    return code;
}

void duet_proof_state_free(duet_proof_state *state)
{
    duet_proof_residuals_free(&state->residual);
    duet_proof_residuals_free(&state->before);
    duet_free(state->changed);
    for (int t = 0; t < DUET_MAX_TYPES; t++) {
        duet_free(state->bitmap[t].first);
        duet_free(state->bitmap[t].count);
        duet_free(state->bitmap[t].bits);
    }
    *state = (duet_proof_state){.model = NULL};
}

// Notes in the journal what a class is before it changes.
static duet_code note(duet_proof_state *state, size_t class, duet_error *error)
{
    size_t at = state->changes;
    DUET_TRY(duet_vec_grow(state->changed, at, error));
    DUET_TRY(duet_vec_grow_bytes(&state->before.row, at, state->before.bytes, error));
    state->changed[at] = class;
    memcpy(duet_proof_left(&state->before, at), duet_proof_left(&state->residual, class),
           state->before.bytes);
    state->changes++;
    return DUET_OK;
}

duet_code duet_proof_state_take(duet_proof_state *state, size_t class, int type, int64_t count,
                                duet_error *error)
{
    duet_proof_residual *left = duet_proof_left(&state->residual, class);
    duet_proof_range *own = &left->on[type];
    DUET_ASSERT(0 <= count && count <= own->high);
    DUET_TRY(note(state, class, error));
    left->count -= count;
    own->low = own->low > count ? own->low - count : 0;
    own->high -= count;
    duet_proof_narrow(left, state->model->types, type);
    mark_class(state, class);
    return DUET_OK;
}

duet_code duet_proof_state_limit(duet_proof_state *state, size_t class, int type,
                                 duet_proof_range range, duet_error *error)
{
    duet_proof_residual *left = duet_proof_left(&state->residual, class);
    DUET_ASSERT(left->on[type].low <= range.low && range.high <= left->on[type].high);
    DUET_ASSERT(range.low <= range.high);
    DUET_TRY(note(state, class, error));
    left->on[type] = range;
    duet_proof_narrow(left, state->model->types, type);
    mark_class(state, class);
    return DUET_OK;
}

void duet_proof_state_undo(duet_proof_state *state, size_t changes)
{
    DUET_ASSERT(state->changes >= changes);
    while (state->changes > changes) {
        size_t class = state->changed[--state->changes];
        memcpy(duet_proof_left(&state->residual, class),
               duet_proof_left(&state->before, state->changes), state->before.bytes);
        mark_class(state, class);
    }
}

size_t duet_proof_state_bytes(const duet_proof_state *state)
{
    return duet_vec_bytes(state->changed) + duet_vec_bytes(state->before.row);
}
