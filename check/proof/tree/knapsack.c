// SPDX-License-Identifier: Apache-2.0
// Dividing work between the types: a dynamic program over a list of pairs. Includes no solver
// header: this is what an outsider trusts.
//
// Method: every class begins wholly on its cheaper type by the weights. A task moved to the other
// type costs the difference d of its two prices. All moves together may cost at most the slack. A
// class with d above the slack stays. The others are moved in lumps of 1, 2, 4, ... tasks, one lump
// after the other, over a list of pairs (CPU work, GPU work) sorted by CPU work. A pair is dropped
// where it costs more than the slack, where another pair has no more of either work, or where all
// lumps that follow cannot bring it within the room. A pair with no more of either work can be
// followed by the same lumps, so nothing is lost.
// Cost:   O(lumps x pairs) time, O(pairs) memory.
#include "check/proof/tree/knapsack.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { TYPES = 2 };
enum { PAIR = 8 }; // units of work that a pair takes

typedef struct work_pair {
    int64_t on[TYPES];
} work_pair;

// Tasks of one class that move together, or not.
typedef struct lump {
    duet_int128 cost; // by the weights
    work_pair move;   // what it adds to the work of each type; one is negative
} lump;

typedef struct division {
    const duet_proof_vector *vector;
    work_pair room;     // the work within which the types must stay
    duet_int128 supply; // the weighted work that fits at most
    lump *lumps;
    size_t lump_count;
    work_pair *pairs;
    size_t count;
    work_pair *next; // the list being made
    size_t next_count;
    size_t most;       // pairs that the memory holds
    work_pair savings; // how much less of each work the lumps that follow can bring; <= 0
} division;

// Gives a class to its cheaper type, and cuts what may move into lumps.
static duet_code add_class(division *state, const duet_proof_model *model, size_t class,
                           const duet_proof_residual *left, duet_int128 slack, duet_error *error)
{
    const duet_proof_vector *vector = state->vector;
    const duet_proof_range *range = &left->on[DUET_PROOF_CPU];
    int64_t free_tasks = range->high - range->low;
    duet_int128 gain = duet_proof_price_of(vector, DUET_PROOF_CPU, class) -
                       duet_proof_price_of(vector, DUET_PROOF_GPU, class);
    bool to_cpu = gain < 0; // all that may go there
    int64_t cpus = to_cpu ? range->high : range->low;
    state->pairs[0].on[0] += cpus * model->time[0][class];
    state->pairs[0].on[1] += (left->count - cpus) * model->time[1][class];
    duet_int128 cost = to_cpu ? -gain : gain;
    if (cost > 0 && slack / cost < free_tasks) {
        free_tasks = (int64_t)(slack / cost);
    }
    for (int64_t size = 1; free_tasks > 0; size *= 2) {
        size = duet_min(size, free_tasks);
        int64_t sign = to_cpu ? -1 : 1;
        lump piece = {
            .cost = cost * size,
            .move = {{sign * size * model->time[0][class], -sign * size * model->time[1][class]}}};
        DUET_TRY(duet_vec_push(state->lumps, state->lump_count, error, piece));
        for (int t = 0; t < TYPES; t++) {
            state->savings.on[t] += duet_min(piece.move.on[t], 0);
        }
        free_tasks -= size;
    }
    return DUET_OK;
}

// Whether a pair may come within the room yet.
static bool is_hopeful(const division *state, const work_pair *pair)
{
    duet_int128 weighted = (duet_int128)state->vector->factor[0] * pair->on[0] +
                           (duet_int128)state->vector->factor[1] * pair->on[1];
    return weighted <= state->supply && pair->on[0] + state->savings.on[0] <= state->room.on[0] &&
           pair->on[1] + state->savings.on[1] <= state->room.on[1];
}

// Appends a pair that has at least the CPU work of those before it.
static duet_code append(division *state, const work_pair *pair, duet_watch *watch,
                        duet_error *error)
{
    DUET_ASSERT(state->next_count == 0 || state->next[state->next_count - 1].on[0] <= pair->on[0]);
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
    if (state->next_count == state->most) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "a knapsack has more pairs of works than the %zu MiB of memory hold",
                              watch->context->memory_limit >> 20);
    }
    if (state->next_count == DUET_PROOF_MAX_PAIRS) {
        return duet_error_set(error, DUET_E_INPUT,
                              "a knapsack with more than 2^24 pairs of works: expected an easier "
                              "one");
    }
    return duet_vec_push(state->next, state->next_count, error, *pair);
}

// Merges the list with the same list moved by a lump.
static duet_code apply(division *state, const lump *piece, duet_watch *watch, duet_error *error)
{
    size_t stay = 0;
    size_t move = 0;
    const int64_t stretch = PAIR * (int64_t)DUET_WATCH_STRETCH;
    int64_t units = (int64_t)state->count * PAIR * 2; // the others are spent stretch by stretch
    duet_code code = duet_check_spend(watch, duet_min(units, stretch), error);
    state->next_count = 0;
    while ((stay < state->count || move < state->count) && code == DUET_OK) {
        work_pair moved = {{0, 0}};
        if (move < state->count) {
            moved = (work_pair){{state->pairs[move].on[0] + piece->move.on[0],
                                 state->pairs[move].on[1] + piece->move.on[1]}};
        }
        bool take_moved =
            stay == state->count || (move < state->count && moved.on[0] < state->pairs[stay].on[0]);
        code = append(state, take_moved ? &moved : &state->pairs[stay], watch, error);
        if ((stay + move) % DUET_WATCH_STRETCH == DUET_WATCH_STRETCH - 1 &&
            duet_watch_spend(watch, stretch)) {
            return duet_check_stopped(watch, error);
        }
        stay += take_moved ? 0 : 1;
        move += take_moved ? 1 : 0;
    }
    work_pair *pairs = state->pairs;
    state->pairs = state->next;
    state->count = state->next_count;
    state->next = pairs;
    return code;
}

// The most expensive lumps first: they leave the shortest lists.
static int compare_lumps(const void *left, const void *right)
{
    const lump *a = left;
    const lump *b = right;
    return 2 * duet_order(b->cost, a->cost) + duet_order(b->move.on[0], a->move.on[0]);
}

static duet_code divide(division *state, duet_watch *watch, duet_error *error)
{
    duet_code code = duet_check_sort(state->lumps, state->lump_count, sizeof *state->lumps,
                                     compare_lumps, watch, error);
    state->count = is_hopeful(state, &state->pairs[0]) ? 1 : 0;
    for (size_t i = 0; i < state->lump_count && state->count > 0 && code == DUET_OK; i++) {
        const lump *piece = &state->lumps[i];
        for (int t = 0; t < TYPES; t++) {
            state->savings.on[t] -= duet_min(piece->move.on[t], 0);
        }
        code = apply(state, piece, watch, error);
    }
    if (code == DUET_OK && state->count > 0) {
        code = duet_error_set(error, DUET_E_INPUT,
                              "the work can be divided between the types: expected it not to fit");
    }
    return code;
}

// Gives all classes to their cheaper types and divides them. A class that can run nowhere has no
// allocation at all.
static duet_code allocate(division *state, const duet_proof_model *model,
                          const duet_proof_residuals *all, duet_int128 slack, duet_watch *watch,
                          duet_error *error)
{
    duet_code code = duet_vec_grow(state->pairs, 0, error);
    if (code != DUET_OK) {
        return code;
    }
    state->pairs[0] = (work_pair){{0, 0}};
    for (size_t c = 0; c < model->classes && code == DUET_OK; c++) {
        const duet_proof_residual *left = duet_proof_left(all, c);
        if (left->on[DUET_PROOF_CPU].low > left->on[DUET_PROOF_CPU].high) {
            return DUET_OK;
        }
        code = add_class(state, model, c, left, slack, error);
    }
    return code == DUET_OK ? divide(state, watch, error) : code;
}

duet_code duet_proof_knapsack(const duet_proof_model *model, const duet_proof_vector *vector,
                              const duet_proof_residuals *left, const int64_t *processors,
                              duet_watch *watch, duet_error *error)
{
    if (model->types != TYPES) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "a knapsack needs a platform of two types, this one has %d",
                              model->types);
    }
    enum { LISTS = 3 }; // both, and what their growing takes
    division state = {.vector = vector,
                      .supply = duet_proof_supply(vector, processors),
                      .most = watch->context->memory_limit / LISTS / sizeof(work_pair)};
    duet_int128 slack = state.supply - duet_proof_demand(vector, model, left);
    if (slack < 0) {
        return DUET_OK;
    }
    for (int t = 0; t < TYPES; t++) {
        // All work is at most DUET_MAX_WORK.
        duet_int128 room = (duet_int128)model->capacity[t] * processors[t];
        state.room.on[t] = room < DUET_MAX_WORK ? (int64_t)room : DUET_MAX_WORK;
    }
    duet_code code = allocate(&state, model, left, slack, watch, error);
    duet_free(state.lumps);
    duet_free(state.pairs);
    duet_free(state.next);
    return code;
}
