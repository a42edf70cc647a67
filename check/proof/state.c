// SPDX-License-Identifier: Apache-2.0
// The state of the checker in a tree. Includes no solver header: this is what an outsider trusts.
#include "check/proof/state.h"

#include "core/memory.h"

static duet_code init_places(duet_proof_places *places, const duet_proof_model *model, int type,
                             duet_error *error)
{
    places->first = duet_alloc(model->classes, sizeof *places->first, error);
    places->count = duet_alloc(model->classes, sizeof *places->count, error);
    if (places->first == NULL || places->count == NULL) {
        return DUET_E_MEMORY;
    }
    int64_t total = 0;
    for (size_t c = 0; c < model->classes; c++) {
        places->first[c] = (size_t)total;
        places->count[c] = duet_proof_most(model, type, c);
        if (places->count[c] > INT64_C(64) * DUET_PROOF_MAX_WORDS - total) {
            return DUET_OK; // too many: without bits
        }
        total += places->count[c];
    }
    // At least one word where there is nothing to mark either: 0 says that there are too many.
    places->words = total == 0 ? 1 : (size_t)(total + 63) / 64;
    places->bits = duet_alloc(places->words, sizeof *places->bits, error);
    return places->bits == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_proof_mark(const duet_proof_places *places, uint64_t *bits, size_t class, int64_t count)
{
    size_t first = places->first[class];
    size_t end = first + (size_t)places->count[class];
    size_t set = first + (size_t)(count < places->count[class] ? count : places->count[class]);
    for (size_t at = first; at < end;) {
        size_t word = at / 64;
        size_t next = 64 * (word + 1);
        size_t stop = end < next ? end : next;
        uint64_t all = UINT64_MAX >> (at % 64);
        if (stop % 64 != 0) {
            all &= ~(UINT64_MAX >> (stop % 64));
        }
        uint64_t on = all;
        size_t clear = set > at ? set : at;
        if (clear < stop) {
            on &= ~(UINT64_MAX >> (clear % 64));
        }
        bits[word] = (bits[word] & ~all) | on;
        at = stop;
    }
}

int64_t duet_proof_marked(const duet_proof_places *places, const uint64_t *bits, size_t class)
{
    int64_t marked = 0;
    for (; marked < places->count[class]; marked++) {
        size_t place = places->first[class] + (size_t)marked;
        if ((bits[place / 64] >> (63 - place % 64) & 1) == 0) {
            break;
        }
    }
    return marked;
}

// Brings the bits of a class up to date.
static void mark_class(duet_proof_state *state, size_t class)
{
    for (int t = 0; t < DUET_PROOF_TYPES; t++) {
        const duet_proof_places *places = &state->places[t];
        if (places->words > 0) {
            duet_proof_mark(places, places->bits, class, duet_proof_available(state, t, class));
        }
    }
}

duet_code duet_proof_state_init(duet_proof_state *state, const duet_proof_model *model,
                                duet_error *error)
{
    *state = (duet_proof_state){.model = model};
    state->left = duet_alloc(model->classes, sizeof *state->left, error);
    duet_code code = state->left == NULL ? DUET_E_MEMORY : DUET_OK;
    for (int t = 0; t < DUET_PROOF_TYPES && code == DUET_OK; t++) {
        state->processors[t] = model->processors[t];
        code = init_places(&state->places[t], model, t, error);
    }
    for (size_t c = 0; c < model->classes && code == DUET_OK; c++) {
        state->left[c] = duet_proof_root(model, c);
        mark_class(state, c);
    }
    return code;
}

void duet_proof_state_free(duet_proof_state *state)
{
    duet_free(state->left);
    duet_free(state->journal);
    for (int t = 0; t < DUET_PROOF_TYPES; t++) {
        duet_free(state->places[t].first);
        duet_free(state->places[t].count);
        duet_free(state->places[t].bits);
    }
    *state = (duet_proof_state){.model = NULL};
}

duet_code duet_proof_state_set(duet_proof_state *state, size_t class, duet_proof_left left,
                               duet_error *error)
{
    duet_code code =
        duet_grow(&state->journal, state->changes, &state->capacity, sizeof *state->journal, error);
    if (code == DUET_OK) {
        state->journal[state->changes++] = (duet_proof_change){class, state->left[class]};
        state->left[class] = left;
        mark_class(state, class);
    }
    return code;
}

void duet_proof_state_undo(duet_proof_state *state, size_t changes)
{
    while (state->changes > changes) {
        const duet_proof_change *change = &state->journal[--state->changes];
        state->left[change->class] = change->before;
        mark_class(state, change->class);
    }
}

duet_proof_left duet_proof_after(const duet_proof_left *left, int type, int64_t count)
{
    duet_proof_left after = *left;
    after.count -= count;
    if (type == DUET_PROOF_CPU) {
        after.low = after.low > count ? after.low - count : 0;
        after.high -= count;
    } else {
        after.high = after.high < after.count ? after.high : after.count;
    }
    return after;
}
