// SPDX-License-Identifier: Apache-2.0
// Enumerates patterns: depth-first over the classes by decreasing time, cut by the completion
// bounds of the pricing problem. Includes no solver header: this is what an outsider trusts.
#include "check/proof/tree/pool.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// A class that has tasks left, ready for the search.
typedef struct duet_proof_choice {
    size_t class;
    size_t position; // in model->order
    int64_t time;
    int64_t price;
    int64_t available;
} choice;

// Tasks taken of one choice, and what was left before.
typedef struct duet_proof_level {
    size_t choice;
    int64_t count;
    int64_t most;   // the count to end with
    int64_t room;   // time
    int64_t needed; // price, above 0 where more must come
    bool ranged;    // the counts to try of the choice are known
} level;

typedef struct search {
    const duet_proof_model *model;
    duet_proof_patterns *list;
    const duet_proof_pricing *pricing;
    const duet_proof_wanted *wanted;
    duet_watch *watch;
    size_t choices;
    size_t depth;
    duet_code code; // of the first failure
    duet_error *error;
} search;

duet_code duet_proof_patterns_init(duet_proof_patterns *list, const duet_proof_model *model,
                                   duet_error *error)
{
    *list = (duet_proof_patterns){.count = 0};
    list->level = duet_alloc(model->classes + 1, sizeof *list->level, error);
    list->choice = duet_alloc(model->classes + 1, sizeof *list->choice, error);
    list->available = duet_alloc(model->classes, sizeof *list->available, error);
    return list->level != NULL && list->choice != NULL && list->available != NULL ? DUET_OK
                                                                                  : DUET_E_MEMORY;
}

void duet_proof_patterns_free(duet_proof_patterns *list)
{
    duet_free(list->pattern);
    duet_free(list->item);
    duet_free(list->level);
    duet_free(list->choice);
    duet_free(list->available);
    *list = (duet_proof_patterns){.count = 0};
}

// Whether tasks of the choices from `from` on may have the price that is needed within the room.
static inline bool is_possible(const search *state, size_t from, int64_t needed, int64_t room)
{
    if (needed <= 0) {
        return true;
    }
    if (from == state->choices) {
        return false;
    }
    const duet_proof_pricing *pricing = state->pricing;
    size_t position = state->list->choice[from].position;
    int64_t column = ((needed - 1) >> pricing->shift) + 1;
    return pricing->least[(int64_t)position * pricing->columns + column] <= room;
}

// Whether the pattern that stands on the levels fits the releases of its tasks: for each, what is
// released then or later fits between its start and the guess.
static bool fits_releases(const search *state)
{
    const duet_proof_model *model = state->model;
    const duet_proof_patterns *list = state->list;
    int type = state->wanted->type;
    bool fits = true;
    for (size_t d = 0; model->release != NULL && d < state->depth && fits; d++) {
        size_t class = list->choice[list->level[d].choice].class;
        int64_t late = 0; // at most the capacity
        for (size_t e = 0; e < state->depth; e++) {
            const choice *other = &list->choice[list->level[e].choice];
            bool counts = model->release[other->class] >= model->release[class];
            late += counts ? list->level[e].count * other->time : 0;
        }
        fits = duet_proof_start(model, type, class) + late <= model->guess;
    }
    return fits;
}

// Keeps the pattern that stands on the levels, its items by class. `needed` is at most 0: what its
// price has above the least that is wanted.
static void keep(search *state, int64_t needed)
{
    DUET_ASSERT(needed <= 0);
    duet_proof_patterns *list = state->list;
    if (!fits_releases(state)) {
        return;
    }
    if (list->count == state->wanted->most_patterns ||
        list->items + state->depth > state->wanted->most_items) {
        list->cut = true;
        return;
    }
    state->code = duet_vec_grow(list->pattern, list->count, state->error);
    DUET_THEN(state->code, duet_vec_reserve(list->item, list->items + state->depth, state->error));
    duet_proof_pattern kept = {state->wanted->slack + needed, list->items, state->depth, NULL};
    for (size_t d = 0; d < state->depth && state->code == DUET_OK; d++) {
        duet_proof_item item = {list->choice[list->level[d].choice].class, list->level[d].count};
        size_t at = list->items++;
        for (; at > kept.first && list->item[at - 1].class > item.class; at--) {
            list->item[at] = list->item[at - 1];
        }
        list->item[at] = item;
    }
    if (state->code == DUET_OK) {
        list->pattern[list->count++] = kept;
    }
}

enum { STEP = 8 }; // units of work

// Counts a step. False where it was one too many, or where it is time to stop.
static inline bool step(search *state)
{
    duet_proof_patterns *list = state->list;
    if (++list->steps > state->wanted->most_steps) {
        list->cut = list->tired = true;
    } else if (duet_watch_spend(state->watch, STEP)) {
        state->code = duet_check_stopped(state->watch, state->error);
    }
    return !list->cut && state->code == DUET_OK;
}

// With fewer numbers of tasks to try, the arithmetic of a narrower range costs more than it saves.
enum { FEW_COUNTS = 8 };

// Sets the numbers of tasks to try of the choice that stands on a level: between 1 and what is
// available and fits. Where there are many, those are left out after which the choices that follow
// would need a higher price per time than the densest of them has.
static void set_range(const search *state, level *top)
{
    const choice *now = &state->list->choice[top->choice];
    top->most = top->room / now->time;
    top->most = duet_min(top->most, now->available);
    top->count = 0;
    if (top->most < FEW_COUNTS) {
        return;
    }
    duet_int128 price = 0; // of the densest class that follows
    duet_int128 time = 1;
    if (top->choice + 1 < state->choices) {
        size_t next = state->pricing->densest[state->list->choice[top->choice + 1].position];
        price = state->pricing->price[next];
        time = state->pricing->time[next];
    }
    // needed - count * now->price <= (room - count * now->time) * price / time
    duet_int128 gain = now->price * time - now->time * price;
    duet_int128 missing = top->needed * time - top->room * price;
    if (gain > 0) {
        duet_int128 few = (missing - 1) / gain; // one more may be enough
        few = duet_min(few, top->most);
        top->count = few > 0 ? (int64_t)few : 0;
    } else if (missing > 0) {
        top->most = 0; // each task makes it worse
    } else if (gain < 0 && -missing / -gain < top->most) {
        top->most = (int64_t)(-missing / -gain);
    }
}

// Moves the top level to the next number of tasks, or the next choice, that may be completed. False
// if no such number or choice is left.
static bool advance(search *state)
{
    level *top = &state->list->level[state->depth - 1];
    for (;; top->choice++, top->ranged = false) {
        if (top->choice == state->choices) {
            return false;
        }
        if (!top->ranged) {
            if (!is_possible(state, top->choice, top->needed, top->room)) {
                return false; // nor with less to choose from
            }
            set_range(state, top);
            top->ranged = true;
        }
        const choice *now = &state->list->choice[top->choice];
        while (top->count < top->most) {
            top->count++;
            if (!step(state)) {
                return false;
            }
            if (is_possible(state, top->choice + 1, top->needed - top->count * now->price,
                            top->room - top->count * now->time)) {
                return true;
            }
        }
    }
}

// Finds all patterns with what stands on the levels below.
static void descend(search *state, int64_t room, int64_t needed)
{
    duet_proof_patterns *list = state->list;
    size_t base = state->depth;
    list->level[state->depth++] = (level){.room = room, .needed = needed};
    while (state->depth > base && state->code == DUET_OK && !list->cut) {
        if (!advance(state)) {
            state->depth--;
            continue;
        }
        level *top = &list->level[state->depth - 1];
        const choice *taken = &list->choice[top->choice];
        int64_t still_room = top->room - top->count * taken->time;
        int64_t still_needed = top->needed - top->count * taken->price;
        if (still_needed <= 0) {
            keep(state, still_needed);
        }
        if (top->choice + 1 < state->choices) {
            list->level[state->depth++] =
                (level){.choice = top->choice + 1, .room = still_room, .needed = still_needed};
        }
    }
    state->depth = base;
}

// Finds all patterns with a wanted class: first its tasks, then those of the other choices. It
// stands behind the choices that are searched.
static void descend_from(search *state, const choice *wanted, int64_t room, int64_t needed)
{
    duet_proof_patterns *list = state->list;
    list->choice[state->choices] = *wanted;
    int64_t most = room / wanted->time;
    most = duet_min(most, wanted->available);
    for (int64_t count = 1; count <= most && step(state); count++) {
        int64_t still_room = room - count * wanted->time;
        int64_t still_needed = needed - count * wanted->price;
        list->level[0] =
            (level){.choice = state->choices, .count = count, .room = room, .needed = needed};
        state->depth = 1;
        if (still_needed <= 0) {
            keep(state, still_needed);
        }
        if (state->choices > 0 && state->code == DUET_OK && !list->cut) {
            descend(state, still_room, still_needed);
        }
    }
}

// Increasing reduced cost, then decreasing numbers of tasks: at the first difference, the pattern
// with more of the lower class comes first.
static int compare_patterns(const void *left, const void *right)
{
    const duet_proof_pattern *a = left;
    const duet_proof_pattern *b = right;
    int order = duet_order(a->reduced_cost, b->reduced_cost);
    for (size_t i = 0; order == 0 && i < a->length && i < b->length; i++) {
        order = 2 * duet_order(a->item[i].class, b->item[i].class) +
                duet_order(b->item[i].count, a->item[i].count);
    }
    return order == 0 ? duet_order(b->length, a->length) : order;
}

// The classes to choose from; returns the wanted one.
static choice list_choices(search *state, const duet_proof_model *model)
{
    duet_proof_patterns *list = state->list;
    int type = state->wanted->type;
    choice wanted = {.available = 0};
    for (size_t i = 0; i < model->usable[type]; i++) {
        size_t class = model->order[type][i];
        choice made = {class, i, model->time[type][class], state->pricing->price[i],
                       list->available[class]};
        if (class == state->wanted->class) {
            wanted = made;
        } else if (made.available > 0) {
            list->choice[state->choices++] = made;
        }
    }
    return wanted;
}

duet_code duet_proof_enumerate(duet_proof_patterns *list, const duet_proof_model *model,
                               const duet_proof_pricing *pricing, const duet_proof_wanted *wanted,
                               duet_watch *watch, duet_error *error)
{
    search state = {.model = model,
                    .list = list,
                    .pricing = pricing,
                    .wanted = wanted,
                    .watch = watch,
                    .error = error};
    list->count = list->items = 0;
    list->steps = 0;
    list->cut = list->tired = false;
    if (wanted->slack < 0) {
        return DUET_OK;
    }
    choice first = list_choices(&state, model);
    int64_t room = model->capacity[wanted->type];
    int64_t needed = pricing->limit - wanted->slack;
    if (wanted->class != SIZE_MAX) {
        if (first.available > 0) {
            descend_from(&state, &first, room, needed);
        }
    } else if (state.choices > 0) {
        descend(&state, room, needed);
    }
    if (state.code != DUET_OK || list->cut) {
        return state.code;
    }
    for (size_t i = 0; i < list->count; i++) {
        list->pattern[i].item = list->item + list->pattern[i].first;
    }
    return wanted->unordered ? DUET_OK
                             : duet_check_sort(list->pattern, list->count, sizeof *list->pattern,
                                               compare_patterns, watch, error);
}
