// SPDX-License-Identifier: Apache-2.0
// Listed patterns, and the node `list`: below it, a processor of the type holds one of the patterns
// that it lists, and limits need to hold for these alone. Includes no solver header: this is what
// an outsider trusts.
//
// Method: the first list of a type is enumerated as the patterns of a cover are. Each list below it
// takes those of the list above that the state has tasks for and whose reduced cost by its own
// vector is within the slack. A vector whose limits were held against the patterns at an open list
// need not be held again below it: fewer patterns are possible there.
#include "check/proof/tree/nodes.h"

#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// Whether the state has the tasks of a pattern, and the price of these, with the prices of the rows
// that list_priced_rows() found.
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
    for (size_t i = 0; i < tree->priced_rows; i++) {
        const duet_proof_row *row = &tree->row[tree->priced_row[i]];
        size_t first = listing->first[pattern];
        duet_int128 part =
            (duet_int128)vector->row_price[tree->priced_row[i]] *
            duet_proof_row_counts(row, &listing->item[first], listing->first[pattern + 1] - first);
        *price += row->at_least ? part : -part;
    }
    return true;
}

// Before patterns are looked at: the rows of the type that the vector has prices of.
static duet_code list_priced_rows(duet_proof_tree *tree, const duet_proof_vector *vector, int type,
                                  duet_error *error)
{
    tree->priced_rows = 0;
    for (size_t i = 0; i < vector->rows && vector->listed[type]; i++) {
        if (vector->row_price[i] == 0 || tree->row[i].type != type) {
            continue;
        }
        DUET_TRY(duet_vec_push(tree->priced_row, tree->priced_rows, error, i));
    }
    return DUET_OK;
}

// DUET_E_INPUT unless every row that the vector has a price of can be priced here: its type's limit
// is one of listed patterns, or it counts tasks; and no cover has come between.
static duet_code check_rows(const duet_proof_tree *tree, size_t number, duet_error *error)
{
    const duet_proof_vector *vector = &tree->priced[number].vector;
    if (vector->rows > tree->rows) {
        return duet_error_set(error, DUET_E_INPUT,
                              "vector %zu has prices of %zu counts: expected at most the %zu that "
                              "are open",
                              number, vector->rows, tree->rows);
    }
    for (size_t i = 0; i < vector->rows; i++) {
        const duet_proof_row *row = &tree->row[i];
        bool usable = vector->listed[row->type] || row->tasks == 0;
        if (vector->row_price[i] > 0 && (!usable || row->covers != tree->covers)) {
            return duet_error_set(
                error, DUET_E_INPUT, "vector %zu has a price of count %zu: expected 0, as %s",
                number, i,
                usable ? "a cover has come between"
                       : "it counts patterns, and its limit is not one of listed patterns");
        }
    }
    return DUET_OK;
}

// Whether to stop. The clock is read once in some patterns, more often with more rows.
static duet_code now_and_then(const duet_proof_tree *tree, const duet_proof_vector *vector,
                              size_t at, duet_error *error)
{
    enum { often = 16384, PATTERN = 16 };
    size_t every = often / (vector->rows + 1) + 1;
    return at % every == 0 ? duet_check_spend(tree->watch, (int64_t)often * PATTERN, error)
                           : DUET_OK;
}

// Holds the limit of a type against the listed patterns that are still possible.
static duet_code hold_type(duet_proof_tree *tree, size_t number, int type, duet_error *error)
{
    const duet_proof_listing *listing = &tree->listing[type];
    const duet_proof_vector *vector = &tree->priced[number].vector;
    if (!listing->open) {
        return duet_error_set(error, DUET_E_INPUT,
                              "the limit of vector %zu holds for listed patterns: expected a list "
                              "of the %s above",
                              number, tree->model->plural[type]);
    }
    duet_code code = list_priced_rows(tree, vector, type, error);
    for (size_t i = listing->from; i < listing->picks && code == DUET_OK; i++) {
        duet_int128 price;
        code = now_and_then(tree, vector, i, error);
        if (look_at(tree, vector, type, listing->pick[i], &price) &&
            price > (duet_int128)vector->factor[type] * vector->limit[type]) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "a listed pattern of the %s is priced above the limit %" PRId64
                                  " of vector %zu: expected this of none",
                                  tree->model->plural[type], vector->limit[type], number);
        }
    }
    return code;
}

duet_code duet_proof_check_limits(duet_proof_tree *tree, size_t vector, duet_error *error)
{
    const duet_proof_priced *priced = &tree->priced[vector];
    bool held = priced->held_serial != 0 && priced->held_frame < tree->depth &&
                tree->frame[priced->held_frame].serial == priced->held_serial;
    duet_code code = check_rows(tree, vector, error);
    if (code != DUET_OK) {
        return code;
    }
    for (int t = 0; t < tree->model->types && code == DUET_OK && !held; t++) {
        code = priced->vector.listed[t] ? hold_type(tree, vector, t, error) : DUET_OK;
    }
    return code;
}

// Takes over what was enumerated. Its items stand pattern after pattern, and stay as they are.
static duet_code take_patterns(duet_proof_tree *tree, int type, duet_error *error)
{
    duet_proof_listing *listing = &tree->listing[type];
    duet_proof_patterns *list = &tree->patterns;
    DUET_ASSERT(!listing->open && !list->cut);
    size_t *first = duet_alloc_raw(list->count + 1, sizeof *first, error);
    duet_code code =
        first == NULL ? DUET_E_MEMORY : duet_vec_reserve(listing->pick, list->count, error);
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
    listing->bytes = duet_vec_bytes(list->item) + (list->count + 1) * sizeof *listing->first;
    list->item = NULL;
    list->items = 0;
    list->count = 0;
    return DUET_OK;
}

// Enumerates the first list of a type.
static duet_code enumerate_list(duet_proof_tree *tree, const duet_proof_frame *frame,
                                duet_int128 slack, size_t *found, duet_error *error)
{
    duet_proof_patterns *list = &tree->patterns;
    DUET_TRY(duet_proof_require_pricing(tree, frame->vector, frame->type, error));
    const duet_proof_pricing *pricing = tree->priced[frame->vector].covering[frame->type].pricing;
    size_t most = tree->memory_limit / 8 / sizeof(duet_proof_pattern);
    most = duet_min(most, UINT32_MAX);
    size_t wanted_patterns = *found;
    duet_proof_wanted wanted = {.type = frame->type,
                                .class = SIZE_MAX,
                                .unordered = true,
                                .slack = duet_proof_pricing_slack(pricing, slack),
                                .most_steps = UINT64_MAX,
                                .most_patterns = duet_min(wanted_patterns, most),
                                .most_items = tree->memory_limit / 8 / sizeof(duet_proof_item)};
    for (size_t c = 0; c < tree->model->classes; c++) {
        list->available[c] = duet_proof_available(&tree->state, frame->type, c);
    }
    duet_code code = duet_proof_enumerate(list, tree->model, pricing, &wanted, tree->watch, error);
    if (code == DUET_OK && list->cut && list->count < wanted_patterns) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "a list has more patterns than the %zu MiB of memory hold",
                              tree->memory_limit >> 20);
    }
    *found = list->cut ? wanted_patterns + 1 : list->count; // or more
    return code == DUET_OK && !list->cut ? take_patterns(tree, frame->type, error) : code;
}

// Lists below each other may have many patterns together.
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

// Takes the patterns of a list from the list above.
static duet_code narrow_list(duet_proof_tree *tree, const duet_proof_frame *frame,
                             duet_int128 slack, size_t *found, duet_error *error)
{
    duet_proof_listing *listing = &tree->listing[frame->type];
    const duet_proof_vector *vector = &tree->priced[frame->vector].vector;
    DUET_ASSERT(listing->from <= listing->picks);
    size_t room = 2 * listing->picks - listing->from;
    DUET_TRY(check_room(tree, room, error));
    DUET_TRY(duet_vec_reserve(listing->pick, room, error));
    DUET_TRY(list_priced_rows(tree, vector, frame->type, error));
    duet_int128 least =
        (duet_int128)vector->factor[frame->type] * vector->limit[frame->type] - slack;
    size_t end = listing->picks;
    duet_code code = DUET_OK;
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

duet_code duet_proof_list_begin(duet_proof_tree *tree, const duet_proof_node *node,
                                duet_proof_frame *frame, duet_error *error)
{
    DUET_TRY(duet_proof_check_vector(tree, node->vector, error));
    DUET_TRY(duet_proof_check_limits(tree, frame->vector, error));
    if (tree->priced[frame->vector].vector.here) {
        return duet_error_set(error, DUET_E_INPUT,
                              "list: vector %" PRId64 " has limits of a state: expected another",
                              node->vector);
    }
    const duet_proof_listing *listing = &tree->listing[frame->type];
    frame->children = 1;
    frame->list = (duet_proof_list_frame){
        .is_first = !listing->open, .from = listing->from, .mark = listing->picks};
    const duet_proof_vector *prices = &tree->priced[frame->vector].vector;
    duet_int128 slack = duet_proof_slack(tree, frame->vector);
    duet_int128 most =
        duet_proof_supply(prices, tree->state.processors) + duet_proof_row_term(tree, prices);
    if (!duet_proof_rows_price_tasks(tree, prices)) {
        frame->known[0] = (duet_proof_known){frame->vector + 1, most - slack};
        frame->turn = 1;
    }
    size_t patterns = (size_t)node->size;
    size_t found = patterns;
    DUET_TRY(frame->list.is_first ? enumerate_list(tree, frame, slack, &found, error)
                                  : narrow_list(tree, frame, slack, &found, error));
    if (found != patterns) {
        return duet_error_set(error, DUET_E_INPUT, "list of %" PRId64 " patterns: expected %s%zu",
                              node->size,
                              found > patterns && frame->list.is_first ? "at least " : "", found);
    }
    return DUET_OK;
}

// From here on the limits of the list's own vector are known to hold.
duet_code duet_proof_list_enter(duet_proof_tree *tree, const duet_proof_frame *frame,
                                duet_error *error)
{
    (void)error;
    duet_proof_priced *priced = &tree->priced[frame->vector];
    priced->held_frame = tree->depth - 1;
    priced->held_serial = frame->serial;
    return DUET_OK;
}

void duet_proof_list_leave(duet_proof_tree *tree, const duet_proof_frame *frame)
{
    duet_proof_listing *listing = &tree->listing[frame->type];
    DUET_ASSERT(listing->open && frame->list.mark <= listing->picks);
    listing->from = frame->list.from;
    listing->picks = frame->list.mark;
    if (frame->list.is_first) {
        duet_free(listing->item);
        duet_free(listing->first);
        listing->item = NULL;
        listing->first = NULL;
        listing->open = false;
        listing->bytes = 0;
    }
}
