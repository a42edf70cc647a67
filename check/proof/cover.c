// SPDX-License-Identifier: Apache-2.0
// Covers: what one processor runs is one of a list of patterns, a child for each. Includes no
// solver header: this is what an outsider trusts.
//
// Method: the patterns of a cover are enumerated, or picked from the pool of a cover above by the
// same vector on the same type. Down the tree tasks and budget only grow less, so that such a pool
// has them all (which is tested, not assumed). Pools are made when they pay: once the covers below
// an open one have taken about as much work as its own pool would, it is made; then those below
// look through less. So all work is within a constant factor of the best choice of pools.
#include "check/proof/tree.h"

#include <inttypes.h>

#include "core/memory.h"

enum { FIRST_PATIENCE = 256 };

static duet_proof_pricing *pricing_of(duet_proof_tree *tree, const duet_proof_frame *frame)
{
    return &tree->priced[frame->vector].pricing[frame->type];
}

// Frees tariffs until a quarter of the memory is enough for all: those that no open cover uses, or
// those that one does.
static void free_tariffs(duet_proof_tree *tree, const duet_proof_pricing *keep, bool idle)
{
    for (size_t i = 2 * tree->vectors; i-- > 0 && tree->tariff_bytes > tree->memory_limit / 4;) {
        duet_proof_pricing *other = &tree->priced[i / 2].pricing[i % 2];
        if (other != keep && other->tariff != NULL &&
            idle == (other->last == DUET_PROOF_NO_FRAME)) {
            tree->tariff_bytes -= other->tariff->bytes;
            duet_proof_tariff_free(other->tariff);
            other->tariff = NULL;
        }
    }
}

duet_code duet_proof_need_tariff(duet_proof_tree *tree, size_t vector, int type, duet_error *error)
{
    duet_proof_pricing *pricing = &tree->priced[vector].pricing[type];
    if (pricing->tariff != NULL) {
        return DUET_OK;
    }
    duet_code code =
        duet_proof_tariff_create(&pricing->tariff, tree->model, &tree->priced[vector].vector, type,
                                 tree->memory_limit / 16, tree->context, error);
    if (code == DUET_OK) {
        tree->tariff_bytes += pricing->tariff->bytes;
        free_tariffs(tree, pricing, true);
        free_tariffs(tree, pricing, false);
    }
    return code;
}

// The next open cover below the one where a pool was, or was not, made.
static void go_below(duet_proof_tree *tree, duet_proof_pricing *pricing)
{
    size_t below = DUET_PROOF_NO_FRAME;
    for (size_t at = pricing->last; at != pricing->first; at = tree->frame[at].above) {
        below = at;
    }
    pricing->first = below;
    if (below != DUET_PROOF_NO_FRAME && pricing->pool != NULL) {
        tree->frame[below].patience = pricing->pool->count + tree->model->classes;
    }
}

// Bytes that pools may still take: half of the memory is theirs, and none is kept beyond it.
static size_t pool_room(const duet_proof_tree *tree)
{
    return tree->memory_limit / 2 - tree->pool_bytes;
}

// Tries to enumerate all patterns of an open cover; *made stays NULL where that takes too much.
static duet_code enumerate_pool(duet_proof_tree *tree, duet_proof_frame *frame,
                                const duet_proof_scope *scope, duet_proof_pool **made, bool *retry,
                                duet_error *error)
{
    const duet_proof_places *places = &tree->state.places[frame->type];
    duet_proof_patterns *list = &tree->patterns;
    size_t room = pool_room(tree); // for the list and the pool
    size_t most = room / 2 / (2 * sizeof(duet_proof_pattern) + places->words * 8);
    duet_proof_wanted wanted = {.type = frame->type,
                                .class = SIZE_MAX,
                                .budget = scope->budget,
                                .most_steps = 8 * (tree->work - frame->work) + FIRST_PATIENCE,
                                .most_patterns = most < UINT32_MAX ? most : UINT32_MAX,
                                .most_items = room / 4 / sizeof(duet_proof_item)};
    for (size_t c = 0; c < tree->model->classes; c++) {
        list->available[c] = duet_proof_marked(places, scope->bits, c);
    }
    duet_code code = duet_proof_enumerate(list, tree->model, pricing_of(tree, frame)->tariff,
                                          &wanted, tree->context, error);
    *retry = list->tired;
    if (code == DUET_OK && !list->cut) {
        code = duet_proof_pool_create(made, list, places, tree->model->classes, scope, error);
    }
    return code;
}

// Makes the pool of the first open cover that has none, where its time has come.
static duet_code consider_pool(duet_proof_tree *tree, duet_proof_pricing *pricing,
                               duet_error *error)
{
    if (pricing->first == DUET_PROOF_NO_FRAME) {
        return DUET_OK;
    }
    duet_proof_frame *frame = &tree->frame[pricing->first];
    uint64_t done = tree->work - frame->work;
    if (done < frame->patience) {
        return DUET_OK;
    }
    duet_proof_scope scope = {tree->bits + frame->bit_mark, frame->budget};
    duet_proof_pool *made = NULL;
    bool retry = false;
    duet_code code =
        pricing->pool == NULL
            ? enumerate_pool(tree, frame, &scope, &made, &retry, error)
            : duet_proof_pool_narrow(&made, pricing->pool, tree->model->classes, &scope, error);
    if (code != DUET_OK) {
        return code;
    }
    if (retry) {
        frame->patience = 4 * done;
        return DUET_OK;
    }
    if (made != NULL && made->bytes > pool_room(tree)) {
        duet_proof_pool_free(made);
        made = NULL;
    }
    if (made != NULL) {
        frame->made = made;
        pricing->pool = made;
        tree->pool_bytes += made->bytes;
    }
    go_below(tree, pricing);
    return DUET_OK;
}

// Picks the children from a pool.
static duet_code pick_children(duet_proof_tree *tree, duet_proof_frame *frame,
                               const duet_proof_pool *pool, const duet_proof_scope *scope,
                               int64_t *found, duet_error *error)
{
    size_t most = pool->first[frame->class + 1] - pool->first[frame->class];
    duet_code code = duet_reserve(&tree->pick, tree->picks + most, &tree->pick_capacity,
                                  sizeof *tree->pick, error);
    if (code != DUET_OK) {
        return code;
    }
    size_t count = most == 0 ? 0
                             : duet_proof_pool_pick(pool, frame->class, scope,
                                                    tree->pick + tree->picks, &tree->work);
    frame->pool = pool;
    tree->picks += count;
    *found = (int64_t)count;
    return DUET_OK;
}

// Enumerates the children by themselves.
static duet_code list_children(duet_proof_tree *tree, duet_proof_frame *frame, int64_t *found,
                               duet_error *error)
{
    duet_proof_patterns *list = &tree->patterns;
    duet_proof_wanted wanted = {.type = frame->type,
                                .class = frame->class,
                                .budget = frame->budget,
                                .most_steps = UINT64_MAX,
                                .most_patterns = (size_t)frame->children,
                                .most_items = tree->memory_limit / 8 / sizeof(duet_proof_item)};
    for (size_t c = 0; c < tree->model->classes; c++) {
        list->available[c] = duet_proof_available(&tree->state, frame->type, c);
    }
    duet_code code = duet_proof_enumerate(list, tree->model, pricing_of(tree, frame)->tariff,
                                          &wanted, tree->context, error);
    tree->work += list->steps + tree->model->classes / 4 + 1;
    if (code == DUET_OK && list->cut) {
        if (list->count < wanted.most_patterns) {
            return duet_error_set(error, DUET_E_LIMIT,
                                  "a cover has more patterns than the %zu MiB of memory hold",
                                  tree->memory_limit >> 20);
        }
        *found = frame->children + 1; // or more
        return DUET_OK;
    }
    for (size_t i = 0; i < list->count && code == DUET_OK; i++) {
        const duet_proof_pattern *pattern = &list->pattern[i];
        code = duet_grow(&tree->child, tree->children, &tree->child_capacity, sizeof *tree->child,
                         error);
        if (code == DUET_OK) {
            tree->child[tree->children++] = (duet_proof_child){tree->items, pattern->length};
        }
        for (size_t j = 0; j < pattern->length && code == DUET_OK; j++) {
            code = duet_grow(&tree->item, tree->items, &tree->item_capacity, sizeof *tree->item,
                             error);
            if (code == DUET_OK) {
                tree->item[tree->items++] = pattern->item[j];
            }
        }
    }
    *found = (int64_t)list->count;
    return code;
}

// Finds the children of a cover. Where the budget is below 0, or no processor is left, it has none.
static duet_code find_children(duet_proof_tree *tree, duet_proof_frame *frame, int64_t *found,
                               duet_error *error)
{
    *found = 0;
    if (tree->state.processors[frame->type] == 0) {
        return DUET_OK;
    }
    const duet_proof_vector *vector = &tree->priced[frame->vector].vector;
    duet_int128 budget = duet_proof_budget(tree, frame->vector);
    if (budget < 0) {
        return DUET_OK;
    }
    frame->known[0] = (duet_proof_known){frame->vector + 1,
                                         duet_proof_cap(vector, tree->state.processors) - budget};
    duet_code code = duet_proof_need_tariff(tree, frame->vector, frame->type, error);
    duet_proof_pricing *pricing = pricing_of(tree, frame);
    const duet_proof_places *places = &tree->state.places[frame->type];
    if (code == DUET_OK && places->words > 0) {
        code = consider_pool(tree, pricing, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    frame->budget = duet_proof_tariff_budget(pricing->tariff, budget);
    duet_proof_scope scope = {places->bits, frame->budget};
    if (pricing->pool != NULL && duet_proof_pool_covers(pricing->pool, &scope)) {
        return pick_children(tree, frame, pricing->pool, &scope, found, error);
    }
    return list_children(tree, frame, found, error);
}

// Opens a cover that has children.
static duet_code open_cover(duet_proof_tree *tree, duet_proof_frame *frame, duet_error *error)
{
    duet_proof_pricing *pricing = pricing_of(tree, frame);
    const duet_proof_places *places = &tree->state.places[frame->type];
    duet_code code = duet_reserve(&tree->bits, tree->bit_words + places->words, &tree->bit_capacity,
                                  sizeof *tree->bits, error);
    if (code != DUET_OK) {
        return code;
    }
    for (size_t w = 0; w < places->words; w++) {
        tree->bits[tree->bit_words++] = places->bits[w];
    }
    frame->above = pricing->last;
    frame->work = tree->work;
    frame->patience =
        pricing->pool == NULL ? FIRST_PATIENCE : pricing->pool->count + tree->model->classes;
    pricing->last = tree->depth;
    pricing->first = pricing->first == DUET_PROOF_NO_FRAME ? tree->depth : pricing->first;
    return duet_proof_open(tree, frame, error);
}

static duet_code check_forced(const duet_proof_tree *tree, const duet_proof_frame *frame,
                              duet_error *error)
{
    static const char *const names[DUET_PROOF_TYPES] = {"cpu", "gpu"};
    const duet_proof_left *left = &tree->state.left[frame->class];
    if (frame->type == DUET_PROOF_CPU ? left->low < 1 : left->count - left->high < 1) {
        return duet_error_set(error, DUET_E_INPUT,
                              "cover on %s: of the %" PRId64 " tasks left of class %zu, %" PRId64
                              " to %" PRId64 " go to CPUs: expected one forced onto the type",
                              names[frame->type], left->count, frame->class, left->low, left->high);
    }
    return DUET_OK;
}

// Its patterns are all there are, not those of a list.
static duet_code check_set(const duet_proof_tree *tree, const duet_proof_frame *frame,
                           duet_error *error)
{
    const duet_proof_vector *vector = &tree->priced[frame->vector].vector;
    if (vector->listed[0] || vector->listed[1] || vector->counts > 0) {
        return duet_error_set(error, DUET_E_INPUT,
                              "cover: vector %zu is for listed patterns, or has prices of counts: "
                              "expected one whose limits "
                              "hold for any set of tasks",
                              frame->vector);
    }
    return DUET_OK;
}

duet_code duet_proof_cover(duet_proof_tree *tree, int64_t vector, int type, int64_t class,
                           int64_t children, duet_error *error)
{
    duet_code code = duet_proof_begin(tree, error);
    code = code == DUET_OK ? duet_proof_check_vector(tree, vector, error) : code;
    code = code == DUET_OK ? duet_proof_check_class(tree, class, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    duet_proof_frame frame = {.is_cover = true,
                              .type = type,
                              .class = (size_t) class,
                              .children = children,
                              .vector = (size_t)vector,
                              .pick_mark = tree->picks,
                              .child_mark = tree->children,
                              .item_mark = tree->items,
                              .bit_mark = tree->bit_words};
    frame.turn = 1;
    code = check_set(tree, &frame, error);
    code = code == DUET_OK ? check_forced(tree, &frame, error) : code;
    int64_t found = 0;
    code = code == DUET_OK ? find_children(tree, &frame, &found, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    if (found != children) {
        return duet_error_set(error, DUET_E_INPUT,
                              "cover with %" PRId64 " children: expected %s%" PRId64
                              ", as many as there are patterns",
                              children, found > children && frame.pool == NULL ? "at least " : "",
                              found);
    }
    return found == 0 ? duet_proof_close(tree, error) : open_cover(tree, &frame, error);
}

duet_code duet_proof_cover_enter(duet_proof_tree *tree, const duet_proof_frame *frame,
                                 duet_error *error)
{
    const duet_proof_item *item;
    size_t length;
    int type = frame->type;
    if (frame->pool != NULL) {
        uint32_t pattern = tree->pick[frame->pick_mark + (size_t)frame->next];
        item = frame->pool->item[pattern];
        length = frame->pool->length[pattern];
    } else {
        const duet_proof_child *child = &tree->child[frame->child_mark + (size_t)frame->next];
        item = tree->item + child->first;
        length = child->length;
    }
    tree->state.processors[type]--;
    for (size_t i = 0; i < length; i++) {
        const duet_proof_left *left = &tree->state.left[item[i].class];
        duet_code code = duet_proof_state_set(&tree->state, item[i].class,
                                              duet_proof_after(left, type, item[i].count), error);
        if (code != DUET_OK) {
            return code;
        }
    }
    return DUET_OK;
}

void duet_proof_cover_leave(duet_proof_tree *tree, size_t index)
{
    duet_proof_frame *frame = &tree->frame[index];
    duet_proof_pricing *pricing = pricing_of(tree, frame);
    pricing->last = frame->above;
    if (frame->made != NULL) {
        pricing->pool = frame->made->parent;
        pricing->first = DUET_PROOF_NO_FRAME;
        tree->pool_bytes -= frame->made->bytes;
        duet_proof_pool_free(frame->made);
    } else if (pricing->first == index) {
        pricing->first = DUET_PROOF_NO_FRAME;
    }
    tree->picks = frame->pick_mark;
    tree->children = frame->child_mark;
    tree->items = frame->item_mark;
    tree->bit_words = frame->bit_mark;
}
