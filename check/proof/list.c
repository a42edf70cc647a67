// SPDX-License-Identifier: Apache-2.0
// Lists: from such a node on, a processor of the type holds one of the listed patterns, and limits
// need to hold for these alone. Includes no solver header: this is what an outsider trusts.
//
// Method: the first list of a type is enumerated as the patterns of a cover are; each list below it
// is picked from the one above, by the same conditions in the state and by the vector of its own.
// A vector whose limits were held against the patterns at an open list need not be looked at again
// below it: fewer patterns are left there.
#include "check/proof/tree.h"

#include <inttypes.h>

#include "core/memory.h"

static const char *const type_names[DUET_PROOF_TYPES] = {"CPUs", "GPUs"};

// Whether what is left has the tasks of a pattern, and what they fetch, by a limit of listed
// patterns with the prices of counts.
static inline bool look_at(const duet_proof_tree *tree, const duet_proof_vector *vector, int type,
                           uint32_t pattern, duet_int128 *price)
{
    const duet_proof_listing *listing = &tree->listing[type];
    *price = 0;
    for (size_t i = listing->first[pattern]; i < listing->first[pattern + 1]; i++) {
        const duet_proof_item *item = &listing->item[i];
        if (item->count > duet_proof_available(&tree->state, type, item->class)) {
            return false;
        }
        *price += (duet_int128)vector->price[type][item->class] * item->count;
    }
    *price *= vector->factor[type];
    for (size_t i = 0; i < tree->priced_counts; i++) {
        const duet_proof_count *count = &tree->count[tree->priced_count[i]];
        size_t first = listing->first[pattern];
        duet_int128 part =
            (duet_int128)vector->count[tree->priced_count[i]] *
            duet_proof_counted(count, &listing->item[first], listing->first[pattern + 1] - first);
        *price += count->at_least ? part : -part;
    }
    return true;
}

// Before patterns are looked at: the counts of the type that the vector has prices of.
static duet_code list_priced_counts(duet_proof_tree *tree, const duet_proof_vector *vector,
                                    int type, duet_error *error)
{
    tree->priced_counts = 0;
    for (size_t i = 0; i < vector->counts && vector->listed[type]; i++) {
        if (vector->count[i] == 0 || tree->count[i].type != type) {
            continue;
        }
        duet_code code = duet_grow(&tree->priced_count, tree->priced_counts,
                                   &tree->priced_count_capacity, sizeof *tree->priced_count, error);
        if (code != DUET_OK) {
            return code;
        }
        tree->priced_count[tree->priced_counts++] = i;
    }
    return DUET_OK;
}

// Whether the prices of counts are of use here: each for a type whose limit is held against the
// patterns, or of a number of tasks, and not below a cover.
static duet_code check_counts(const duet_proof_tree *tree, size_t number, duet_error *error)
{
    const duet_proof_vector *vector = &tree->priced[number].vector;
    if (vector->counts > tree->counts) {
        return duet_error_set(error, DUET_E_INPUT,
                              "vector %zu has prices of %zu counts: expected at most the %zu that "
                              "are open",
                              number, vector->counts, tree->counts);
    }
    for (size_t i = 0; i < vector->counts; i++) {
        const duet_proof_count *count = &tree->count[i];
        bool usable = vector->listed[count->type] || count->tasks == 0;
        if (vector->count[i] > 0 && (!usable || count->covers != tree->covers)) {
            return duet_error_set(
                error, DUET_E_INPUT, "vector %zu has a price of count %zu: expected 0, as %s",
                number, i,
                usable ? "a cover has come between"
                       : "it counts patterns, and its limit is not one of listed patterns");
        }
    }
    return DUET_OK;
}

// Whether to stop, asked once in so many patterns; each takes longer with more counts.
static duet_code now_and_then(const duet_proof_tree *tree, const duet_proof_vector *vector,
                              size_t at, duet_error *error)
{
    enum { often = 16384 };
    size_t every = often / (vector->counts + 1) + 1;
    return at % every == 0 ? duet_proof_stop(tree->context, error) : DUET_OK;
}

static duet_code hold_type(duet_proof_tree *tree, size_t number, int type, duet_error *error)
{
    const duet_proof_listing *listing = &tree->listing[type];
    const duet_proof_vector *vector = &tree->priced[number].vector;
    if (!listing->open) {
        return duet_error_set(error, DUET_E_INPUT,
                              "the limit of vector %zu holds for listed patterns: expected a list "
                              "of the %s above",
                              number, type_names[type]);
    }
    duet_code code = list_priced_counts(tree, vector, type, error);
    for (size_t i = listing->from; i < listing->picks && code == DUET_OK; i++) {
        duet_int128 price;
        code = now_and_then(tree, vector, i, error);
        if (look_at(tree, vector, type, listing->pick[i], &price) &&
            price > (duet_int128)vector->factor[type] * vector->limit[type]) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "a listed pattern of the %s fetches more than the limit %" PRId64
                                  " of vector %zu: expected this of none",
                                  type_names[type], vector->limit[type], number);
        }
    }
    return code;
}

duet_code duet_proof_hold(duet_proof_tree *tree, size_t vector, duet_error *error)
{
    const duet_proof_priced *priced = &tree->priced[vector];
    bool held = priced->held_serial != 0 && priced->held_frame < tree->depth &&
                tree->frame[priced->held_frame].serial == priced->held_serial;
    duet_code code = check_counts(tree, vector, error);
    if (code != DUET_OK) {
        return code;
    }
    // What the tasks need with counts takes so long.
    enum { long_work = 1 << 14 };
    if (tree->model->classes > long_work / (priced->vector.counts + 1)) {
        code = duet_proof_stop(tree->context, error);
    }
    for (int t = 0; t < DUET_PROOF_TYPES && code == DUET_OK && !held; t++) {
        code = priced->vector.listed[t] ? hold_type(tree, vector, t, error) : DUET_OK;
    }
    return code;
}

// Takes over what was enumerated: its items as they are, which stand pattern after pattern.
static duet_code take_patterns(duet_proof_tree *tree, int type, duet_error *error)
{
    duet_proof_listing *listing = &tree->listing[type];
    duet_proof_patterns *list = &tree->patterns;
    size_t *first = duet_alloc_raw(list->count + 1, sizeof *first, error);
    duet_code code = first == NULL
                         ? DUET_E_MEMORY
                         : duet_reserve(&listing->pick, list->count, &listing->pick_capacity,
                                        sizeof *listing->pick, error);
    if (code != DUET_OK) {
        duet_free(first);
        return code;
    }
    for (size_t i = 0; i < list->count; i++) {
        first[i] = list->pattern[i].first;
        listing->pick[i] = (uint32_t)i;
    }
    first[list->count] = list->items;
    listing->first = first;
    listing->item = list->item;
    listing->open = true;
    listing->patterns = listing->picks = list->count;
    listing->from = 0;
    listing->bytes =
        list->item_capacity * sizeof *listing->item + (list->count + 1) * sizeof *listing->first;
    list->item = NULL;
    list->items = list->item_capacity = 0;
    list->count = 0;
    return DUET_OK;
}

// The first list of a type.
static duet_code enumerate_list(duet_proof_tree *tree, const duet_proof_frame *frame,
                                duet_int128 budget, size_t *found, duet_error *error)
{
    duet_proof_patterns *list = &tree->patterns;
    duet_code code = duet_proof_need_tariff(tree, frame->vector, frame->type, error);
    if (code != DUET_OK) {
        return code;
    }
    const duet_proof_tariff *tariff = tree->priced[frame->vector].pricing[frame->type].tariff;
    size_t most = tree->memory_limit / 8 / sizeof(duet_proof_pattern);
    most = most < UINT32_MAX ? most : UINT32_MAX;
    size_t wanted_patterns = *found;
    duet_proof_wanted wanted = {.type = frame->type,
                                .class = SIZE_MAX,
                                .unordered = true,
                                .budget = duet_proof_tariff_budget(tariff, budget),
                                .most_steps = UINT64_MAX,
                                .most_patterns = wanted_patterns < most ? wanted_patterns : most,
                                .most_items = tree->memory_limit / 8 / sizeof(duet_proof_item)};
    for (size_t c = 0; c < tree->model->classes; c++) {
        list->available[c] = duet_proof_available(&tree->state, frame->type, c);
    }
    code = duet_proof_enumerate(list, tree->model, tariff, &wanted, tree->context, error);
    if (code == DUET_OK && list->cut && list->count < wanted_patterns) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "a list has more patterns than the %zu MiB of memory hold",
                              tree->memory_limit >> 20);
    }
    *found = list->cut ? wanted_patterns + 1 : list->count; // or more
    return code == DUET_OK && !list->cut ? take_patterns(tree, frame->type, error) : code;
}

// Many lists may stand below each other.
static duet_code check_room(const duet_proof_tree *tree, size_t picks, duet_error *error)
{
    if (picks > tree->memory_limit / 4 / sizeof(uint32_t)) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "lists below each other have more patterns than the %zu MiB of "
                              "memory hold",
                              tree->memory_limit >> 20);
    }
    return DUET_OK;
}

// A list below another: what is left of that one.
static duet_code narrow_list(duet_proof_tree *tree, const duet_proof_frame *frame,
                             duet_int128 budget, size_t *found, duet_error *error)
{
    duet_proof_listing *listing = &tree->listing[frame->type];
    const duet_proof_vector *vector = &tree->priced[frame->vector].vector;
    size_t room = 2 * listing->picks - listing->from;
    duet_code code = check_room(tree, room, error);
    if (code == DUET_OK) {
        code = duet_reserve(&listing->pick, room, &listing->pick_capacity, sizeof *listing->pick,
                            error);
    }
    if (code == DUET_OK) {
        code = list_priced_counts(tree, vector, frame->type, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    duet_int128 least =
        (duet_int128)vector->factor[frame->type] * vector->limit[frame->type] - budget;
    size_t end = listing->picks;
    for (size_t i = listing->from; i < end && code == DUET_OK; i++) {
        duet_int128 price;
        code = now_and_then(tree, vector, i, error);
        if (look_at(tree, vector, frame->type, listing->pick[i], &price) && price >= least) {
            listing->pick[listing->picks++] = listing->pick[i];
        }
    }
    listing->from = end;
    *found = listing->picks - end;
    return code;
}

void duet_proof_list_leave(duet_proof_tree *tree, const duet_proof_frame *frame)
{
    duet_proof_listing *listing = &tree->listing[frame->type];
    listing->from = frame->list_from;
    listing->picks = frame->list_mark;
    if (frame->is_first) {
        duet_free(listing->item);
        duet_free(listing->first);
        listing->item = NULL;
        listing->first = NULL;
        listing->open = false;
        listing->bytes = 0;
    }
}

void duet_proof_lists_free(duet_proof_tree *tree)
{
    for (int t = 0; t < DUET_PROOF_TYPES; t++) {
        duet_free(tree->listing[t].item);
        duet_free(tree->listing[t].first);
        duet_free(tree->listing[t].pick);
        tree->listing[t] = (duet_proof_listing){.open = false};
    }
}

duet_code duet_proof_list(duet_proof_tree *tree, int64_t vector, int type, int64_t patterns,
                          duet_error *error)
{
    duet_code code = duet_proof_begin(tree, error);
    code = code == DUET_OK ? duet_proof_check_vector(tree, vector, error) : code;
    code = code == DUET_OK ? duet_proof_hold(tree, (size_t)vector, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    const duet_proof_listing *listing = &tree->listing[type];
    duet_proof_frame frame = {.is_list = true,
                              .type = type,
                              .children = 1,
                              .vector = (size_t)vector,
                              .is_first = !listing->open,
                              .list_from = listing->from,
                              .list_mark = listing->picks};
    const duet_proof_vector *prices = &tree->priced[vector].vector;
    duet_int128 budget = duet_proof_budget(tree, (size_t)vector);
    duet_int128 most =
        duet_proof_cap(prices, tree->state.processors) + duet_proof_relief(tree, prices);
    if (!duet_proof_counts_tasks(tree, prices)) {
        frame.known[0] = (duet_proof_known){(size_t)vector + 1, most - budget};
        frame.turn = 1;
    }
    size_t found = (size_t)patterns;
    code = frame.is_first ? enumerate_list(tree, &frame, budget, &found, error)
                          : narrow_list(tree, &frame, budget, &found, error);
    if (code == DUET_OK && found != (size_t)patterns) {
        code = duet_error_set(error, DUET_E_INPUT, "list of %" PRId64 " patterns: expected %s%zu",
                              patterns,
                              found > (size_t)patterns && frame.is_first ? "at least " : "", found);
    }
    if (code == DUET_OK) {
        code = duet_proof_open(tree, &frame, error);
    }
    if (code == DUET_OK) {
        tree->priced[vector].held_frame = tree->depth - 1;
        tree->priced[vector].held_serial = tree->frame[tree->depth - 1].serial;
    }
    return code;
}
