// SPDX-License-Identifier: Apache-2.0
// Dividing work between the types: a dynamic program over lists. Includes no solver header: this is
// what an outsider trusts.
//
// Method: every class begins wholly on the side that is cheaper by the weights. Each task moved to
// the other side costs the difference d of its two prices, of a budget: what the processors can
// fetch less what all tasks fetch at least. A class with d beyond the budget stays; the others are
// moved in lumps of 1, 2, 4, ... tasks, one lump after the other, over a list of pairs (CPU work,
// GPU work) sorted by CPU work. A pair goes where it costs more than the budget, where another has
// no more of either work (all that may follow is open to that one too), or where even all that
// may still move would not bring it within the room.
// Cost:   O(lumps x pairs) time; O(pairs) memory.
#include "check/proof/knapsack.h"

#include <stdlib.h>

#include "core/memory.h"

typedef struct work_pair {
    int64_t on[DUET_PROOF_TYPES];
} work_pair;

// Tasks of one class that move together, or not.
typedef struct lump {
    duet_int128 cost; // by the weights
    work_pair move;   // what it adds to the work of each type; one is negative
} lump;

typedef struct division {
    const duet_proof_vector *vector;
    work_pair room;      // the work within which the types must stay
    duet_int128 dearest; // most weighted work
    lump *lumps;
    size_t lump_count;
    size_t lump_capacity;
    work_pair *pairs;
    size_t count;
    size_t capacity;
    work_pair *next; // the list being made
    size_t next_count;
    size_t next_capacity;
    work_pair relief; // how much less of each work the lumps that remain can bring; <= 0
} division;

// Places a class on its cheaper side and cuts the rest into lumps.
static duet_code add_class(division *state, const duet_proof_model *model, size_t class,
                           const duet_proof_left *left, duet_int128 budget, duet_error *error)
{
    const duet_proof_vector *vector = state->vector;
    int64_t free_tasks = left->high - left->low;
    duet_int128 gain =
        duet_proof_fetch(vector, class, 1, 0) - duet_proof_fetch(vector, class, 0, 1);
    bool to_cpu = gain < 0; // wholly on the CPUs, but for those that must not
    int64_t cpus = to_cpu ? left->high : left->low;
    state->pairs[0].on[0] += cpus * model->time[0][class];
    state->pairs[0].on[1] += (left->count - cpus) * model->time[1][class];
    duet_int128 cost = to_cpu ? -gain : gain;
    if (cost > 0 && budget / cost < free_tasks) {
        free_tasks = (int64_t)(budget / cost);
    }
    for (int64_t size = 1; free_tasks > 0; size *= 2) {
        size = size < free_tasks ? size : free_tasks;
        int64_t sign = to_cpu ? -1 : 1;
        lump piece = {
            .cost = cost * size,
            .move = {{sign * size * model->time[0][class], -sign * size * model->time[1][class]}}};
        duet_code code =
            duet_grow(&state->lumps, state->lump_count, &state->lump_capacity, sizeof piece, error);
        if (code != DUET_OK) {
            return code;
        }
        state->lumps[state->lump_count++] = piece;
        for (int t = 0; t < DUET_PROOF_TYPES; t++) {
            state->relief.on[t] += piece.move.on[t] < 0 ? piece.move.on[t] : 0;
        }
        free_tasks -= size;
    }
    return DUET_OK;
}

// Whether a pair may still come within the room.
static bool is_hopeful(const division *state, const work_pair *pair)
{
    duet_int128 weighted = (duet_int128)state->vector->factor[0] * pair->on[0] +
                           (duet_int128)state->vector->factor[1] * pair->on[1];
    return weighted <= state->dearest && pair->on[0] + state->relief.on[0] <= state->room.on[0] &&
           pair->on[1] + state->relief.on[1] <= state->room.on[1];
}

// Appends a pair that has at least the CPU work of those before it.
static duet_code append(division *state, const work_pair *pair, duet_error *error)
{
    if (!is_hopeful(state, pair)) {
        return DUET_OK;
    }
    if (state->next_count > 0) {
        work_pair *last = &state->next[state->next_count - 1];
        if (last->on[1] <= pair->on[1]) {
            return DUET_OK;
        }
        if (last->on[0] == pair->on[0]) {
            *last = *pair;
            return DUET_OK;
        }
    }
    if (state->next_count == DUET_PROOF_MAX_PAIRS) {
        return duet_error_set(error, DUET_E_INPUT,
                              "a knapsack with more than 2^24 pairs of works: expected an easier "
                              "one");
    }
    duet_code code =
        duet_grow(&state->next, state->next_count, &state->next_capacity, sizeof *pair, error);
    if (code == DUET_OK) {
        state->next[state->next_count++] = *pair;
    }
    return code;
}

// Merges the list with itself moved by a lump.
static duet_code apply(division *state, const lump *piece, duet_error *error)
{
    size_t stay = 0;
    size_t move = 0;
    duet_code code = DUET_OK;
    state->next_count = 0;
    while ((stay < state->count || move < state->count) && code == DUET_OK) {
        work_pair moved = {{0, 0}};
        if (move < state->count) {
            moved = (work_pair){{state->pairs[move].on[0] + piece->move.on[0],
                                 state->pairs[move].on[1] + piece->move.on[1]}};
        }
        bool take_moved =
            stay == state->count || (move < state->count && moved.on[0] < state->pairs[stay].on[0]);
        code = append(state, take_moved ? &moved : &state->pairs[stay], error);
        stay += take_moved ? 0 : 1;
        move += take_moved ? 1 : 0;
    }
    work_pair *pairs = state->pairs;
    size_t capacity = state->capacity;
    state->pairs = state->next;
    state->count = state->next_count;
    state->capacity = state->next_capacity;
    state->next = pairs;
    state->next_capacity = capacity;
    return code;
}

// The dearest lumps first: they leave the shortest lists.
static int compare_lumps(const void *left, const void *right)
{
    const lump *a = left;
    const lump *b = right;
    return 2 * duet_order(b->cost, a->cost) + duet_order(b->move.on[0], a->move.on[0]);
}

static duet_code divide(division *state, const duet_context *context, duet_error *error)
{
    duet_code code = DUET_OK;
    if (state->lump_count > 0) {
        qsort(state->lumps, state->lump_count, sizeof *state->lumps, compare_lumps);
    }
    state->count = is_hopeful(state, &state->pairs[0]) ? 1 : 0;
    for (size_t i = 0; i < state->lump_count && state->count > 0 && code == DUET_OK; i++) {
        const lump *piece = &state->lumps[i];
        for (int t = 0; t < DUET_PROOF_TYPES; t++) {
            state->relief.on[t] -= piece->move.on[t] < 0 ? piece->move.on[t] : 0;
        }
        code = apply(state, piece, error);
        code = code == DUET_OK ? duet_proof_stop(context, error) : code;
    }
    if (code == DUET_OK && state->count > 0) {
        code = duet_error_set(error, DUET_E_INPUT,
                              "the work can be divided between the types: expected it not to fit");
    }
    return code;
}

// Places all classes and divides them. A class that can run nowhere leaves nothing to show.
static duet_code place(division *state, const duet_proof_model *model, const duet_proof_left *left,
                       duet_int128 budget, const duet_context *context, duet_error *error)
{
    duet_code code = duet_grow(&state->pairs, 0, &state->capacity, sizeof *state->pairs, error);
    if (code != DUET_OK) {
        return code;
    }
    state->pairs[0] = (work_pair){{0, 0}};
    for (size_t c = 0; c < model->classes && code == DUET_OK; c++) {
        if (left[c].low > left[c].high) {
            return DUET_OK;
        }
        code = add_class(state, model, c, &left[c], budget, error);
    }
    return code == DUET_OK ? divide(state, context, error) : code;
}

duet_code duet_proof_knapsack(const duet_proof_model *model, const duet_proof_vector *vector,
                              const duet_proof_left *left, const int64_t *processors,
                              const duet_context *context, duet_error *error)
{
    division state = {.vector = vector, .dearest = duet_proof_cap(vector, processors)};
    duet_int128 budget = state.dearest - duet_proof_need(vector, model, left);
    if (budget < 0) {
        return DUET_OK;
    }
    for (int t = 0; t < DUET_PROOF_TYPES; t++) {
        // All work is at most DUET_MAX_WORK.
        duet_int128 room = (duet_int128)model->capacity[t] * processors[t];
        state.room.on[t] = room < DUET_MAX_WORK ? (int64_t)room : DUET_MAX_WORK;
    }
    duet_code code = place(&state, model, left, budget, context, error);
    duet_free(state.lumps);
    duet_free(state.pairs);
    duet_free(state.next);
    return code;
}
