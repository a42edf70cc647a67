// SPDX-License-Identifier: Apache-2.0
// The node `cover`: what one processor of a type runs is one of some patterns, a child for each.
// Includes no solver header: this is what an outsider trusts.
//
// Method: the patterns of a cover are enumerated, or picked from the pool of a cover above by the
// same vector on the same type. Down the tree tasks and slack only shrink, so such a pool has them
// all; this is tested each time, not assumed. Pools are made when they pay. Once the covers below
// an open cover have taken about as much work as its own pool would, the pool is made, and those
// below look through less. So all work is within a constant factor of the best choice of pools.
#include <inttypes.h>

#include "check/proof/tree/nodes.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { FIRST_PATIENCE = 256 };

static duet_proof_covering *covering_of(duet_proof_tree *tree, const duet_proof_frame *frame)
{
    return &tree->priced[frame->vector].covering[frame->type];
}

// Goes on to the next open cover below the first one, whose pool was made or given up.
static void go_below(duet_proof_tree *tree, duet_proof_covering *covering)
{
    size_t below = DUET_PROOF_NO_FRAME;
    for (size_t at = covering->last; at != covering->first; at = tree->frame[at].cover.above) {
        below = at;
    }
    covering->first = below;
    if (below != DUET_PROOF_NO_FRAME && covering->pool != NULL) {
        tree->frame[below].cover.patience = covering->pool->count + tree->model->classes;
    }
}

// Bytes that pools may still take: half of the memory is theirs, and none is kept beyond it.
static size_t pool_room(const duet_proof_tree *tree)
{
    DUET_ASSERT(tree->pool_bytes <= tree->memory_limit / 2);
    return tree->memory_limit / 2 - tree->pool_bytes;
}

// Tries to enumerate all patterns of an open cover. *made stays NULL where that takes too much;
// *retry: of steps alone, so that it may pay later.
static duet_code enumerate_pool(duet_proof_tree *tree, duet_proof_frame *frame,
                                const duet_proof_scope *scope, duet_proof_pool **made, bool *retry,
                                duet_error *error)
{
    const duet_proof_bitmap *bitmap = &tree->state.bitmap[frame->type];
    duet_proof_patterns *list = &tree->patterns;
    size_t room = pool_room(tree); // for the list and the pool
    size_t most = room / 2 / (2 * sizeof(duet_proof_pattern) + bitmap->words * 8);
    duet_proof_wanted wanted = {.type = frame->type,
                                .class = SIZE_MAX,
                                .slack = scope->slack,
                                .most_steps = 8 * (tree->work - frame->cover.work) + FIRST_PATIENCE,
                                .most_patterns = duet_min(most, UINT32_MAX),
                                .most_items = room / 4 / sizeof(duet_proof_item)};
    for (size_t c = 0; c < tree->model->classes; c++) {
        list->available[c] = duet_proof_marked(bitmap, scope->bits, c);
    }
    duet_code code = duet_proof_enumerate(list, tree->model, covering_of(tree, frame)->pricing,
                                          &wanted, tree->watch, error);
    *retry = list->tired;
    if (code == DUET_OK && !list->cut) {
        code = duet_proof_pool_create(made, list, bitmap, tree->model->classes, scope, tree->watch,
                                      error);
    }
    return code;
}

// Makes the pool of the first open cover that may get one, where the work below it says that it
// pays.
static duet_code consider_pool(duet_proof_tree *tree, duet_proof_covering *covering,
                               duet_error *error)
{
    if (covering->first == DUET_PROOF_NO_FRAME) {
        return DUET_OK;
    }
    duet_proof_frame *frame = &tree->frame[covering->first];
    uint64_t done = tree->work - frame->cover.work;
    if (done < frame->cover.patience) {
        return DUET_OK;
    }
    duet_proof_scope scope = {tree->bits + frame->cover.bit_mark, frame->cover.slack};
    duet_proof_pool *made = NULL;
    bool retry = false;
    DUET_TRY(covering->pool == NULL
                 ? enumerate_pool(tree, frame, &scope, &made, &retry, error)
                 : duet_proof_pool_narrow(&made, covering->pool, tree->model->classes, &scope,
                                          tree->watch, error));
    if (retry) {
        frame->cover.patience = 4 * done;
        return DUET_OK;
    }
    if (made != NULL && made->bytes > pool_room(tree)) {
        duet_proof_pool_free(made);
        made = NULL;
    }
    if (made != NULL) {
        frame->cover.made = made;
        covering->pool = made;
        tree->pool_bytes += made->bytes;
    }
    go_below(tree, covering);
    return DUET_OK;
}

// Picks the children from a pool.
static duet_code pick_children(duet_proof_tree *tree, duet_proof_frame *frame,
                               const duet_proof_pool *pool, const duet_proof_scope *scope,
                               int64_t *found, duet_error *error)
{
    size_t most = pool->first[frame->class + 1] - pool->first[frame->class];
    DUET_TRY(duet_vec_reserve(tree->pick, tree->picks + most, error));
    size_t count = most == 0 ? 0
                             : duet_proof_pool_pick(pool, frame->class, scope,
                                                    tree->pick + tree->picks, &tree->work);
    frame->cover.pool = pool;
    tree->picks += count;
    *found = (int64_t)count;
    return DUET_OK;
}

// Enumerates the children.
static duet_code list_children(duet_proof_tree *tree, duet_proof_frame *frame, int64_t *found,
                               duet_error *error)
{
    duet_proof_patterns *list = &tree->patterns;
    duet_proof_wanted wanted = {.type = frame->type,
                                .class = frame->class,
                                .slack = frame->cover.slack,
                                .most_steps = UINT64_MAX,
                                .most_patterns = (size_t)frame->children,
                                .most_items = tree->memory_limit / 8 / sizeof(duet_proof_item)};
    for (size_t c = 0; c < tree->model->classes; c++) {
        list->available[c] = duet_proof_available(&tree->state, frame->type, c);
    }
    duet_code code = duet_proof_enumerate(list, tree->model, covering_of(tree, frame)->pricing,
                                          &wanted, tree->watch, error);
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
        code = duet_vec_push(tree->child, tree->children, error,
                             (duet_proof_child){tree->items, pattern->length});
        for (size_t j = 0; j < pattern->length && code == DUET_OK; j++) {
            code = duet_vec_push(tree->item, tree->items, error, pattern->item[j]);
        }
    }
    *found = (int64_t)list->count;
    return code;
}

// Finds the children of a cover. It has none where the slack is below 0, or where no processor of
// the type is left.
static duet_code find_children(duet_proof_tree *tree, duet_proof_frame *frame, int64_t *found,
                               duet_error *error)
{
    *found = 0;
    if (tree->state.processors[frame->type] == 0) {
        return DUET_OK;
    }
    const duet_proof_vector *vector = &tree->priced[frame->vector].vector;
    duet_int128 slack = duet_proof_slack(tree, frame->vector);
    if (slack < 0) {
        return DUET_OK;
    }
    frame->known[0] = (duet_proof_known){frame->vector + 1,
                                         duet_proof_supply(vector, tree->state.processors) - slack};
    duet_code code = duet_proof_require_pricing(tree, frame->vector, frame->type, error);
    duet_proof_covering *covering = covering_of(tree, frame);
    const duet_proof_bitmap *bitmap = &tree->state.bitmap[frame->type];
    if (code == DUET_OK && bitmap->words > 0) {
        code = consider_pool(tree, covering, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    frame->cover.slack = duet_proof_pricing_slack(covering->pricing, slack);
    duet_proof_scope scope = {bitmap->bits, frame->cover.slack};
    if (covering->pool != NULL && duet_proof_pool_covers(covering->pool, &scope)) {
        return pick_children(tree, frame, covering->pool, &scope, found, error);
    }
    return list_children(tree, frame, found, error);
}

// Keeps what a cover with children needs while it is open, and takes its processor away. Its frame
// comes next on the stack.
static duet_code keep_cover(duet_proof_tree *tree, duet_proof_frame *frame, duet_error *error)
{
    duet_proof_covering *covering = covering_of(tree, frame);
    const duet_proof_bitmap *bitmap = &tree->state.bitmap[frame->type];
    DUET_TRY(duet_vec_reserve(tree->bits, tree->bit_words + bitmap->words, error));
    for (size_t w = 0; w < bitmap->words; w++) {
        tree->bits[tree->bit_words++] = bitmap->bits[w];
    }
    frame->cover.above = covering->last;
    frame->cover.work = tree->work;
    frame->cover.patience =
        covering->pool == NULL ? FIRST_PATIENCE : covering->pool->count + tree->model->classes;
    covering->last = tree->depth;
    covering->first = covering->first == DUET_PROOF_NO_FRAME ? tree->depth : covering->first;
    DUET_ASSERT(tree->state.processors[frame->type] > 0);
    tree->state.processors[frame->type]--;
    tree->covers++;
    return DUET_OK;
}

static duet_code check_forced(const duet_proof_tree *tree, const duet_proof_frame *frame,
                              duet_error *error)
{
    const duet_proof_residual *left = duet_proof_left(&tree->state.residual, frame->class);
    const duet_proof_range *own = &left->on[frame->type];
    if (own->low < 1) {
        return duet_error_set(error, DUET_E_INPUT,
                              "cover: of the %" PRId64 " tasks left of class %zu, %" PRId64
                              " to %" PRId64 " go to %s: expected one forced onto the type",
                              left->count, frame->class, own->low, own->high,
                              tree->model->plural[frame->type]);
    }
    return DUET_OK;
}

// The patterns of a cover are all sets of tasks, so the limits must hold for all of them.
static duet_code check_set(const duet_proof_tree *tree, const duet_proof_frame *frame,
                           duet_error *error)
{
    const duet_proof_vector *vector = &tree->priced[frame->vector].vector;
    bool listed = vector->here;
    for (int t = 0; t < vector->types; t++) {
        listed = listed || vector->listed[t];
    }
    if (listed || vector->rows > 0) {
        return duet_error_set(error, DUET_E_INPUT,
                              "cover: vector %zu is for listed patterns or a state, or has counts: "
                              "expected one whose limits "
                              "hold for any set of tasks",
                              frame->vector);
    }
    return DUET_OK;
}

duet_code duet_proof_cover_begin(duet_proof_tree *tree, const duet_proof_node *node,
                                 duet_proof_frame *frame, duet_error *error)
{
    frame->children = node->size;
    frame->cover = (duet_proof_cover_frame){.pick_mark = tree->picks,
                                            .child_mark = tree->children,
                                            .item_mark = tree->items,
                                            .bit_mark = tree->bit_words};
    frame->turn = 1;
    int64_t found = 0;
    DUET_TRY(duet_proof_check_vector(tree, node->vector, error));
    DUET_TRY(duet_proof_check_class(tree, node->class, error));
    DUET_TRY(check_set(tree, frame, error));
    DUET_TRY(check_forced(tree, frame, error));
    DUET_TRY(find_children(tree, frame, &found, error));
    if (found != node->size) {
        return duet_error_set(
            error, DUET_E_INPUT,
            "cover with %" PRId64 " children: expected %s%" PRId64
            ", as many as there are patterns",
            node->size, found > node->size && frame->cover.pool == NULL ? "at least " : "", found);
    }
    return found == 0 ? DUET_OK : keep_cover(tree, frame, error);
}

duet_code duet_proof_cover_enter(duet_proof_tree *tree, const duet_proof_frame *frame,
                                 duet_error *error)
{
    const duet_proof_item *item;
    size_t length;
    int type = frame->type;
    if (frame->cover.pool != NULL) {
        uint32_t pattern = tree->pick[frame->cover.pick_mark + (size_t)frame->next];
        item = frame->cover.pool->item[pattern];
        length = frame->cover.pool->length[pattern];
    } else {
        const duet_proof_child *child = &tree->child[frame->cover.child_mark + (size_t)frame->next];
        item = tree->item + child->first;
        length = child->length;
    }
    for (size_t i = 0; i < length; i++) {
        DUET_TRY(duet_proof_state_take(&tree->state, item[i].class, type, item[i].count, error));
    }
    return DUET_OK;
}

void duet_proof_cover_leave(duet_proof_tree *tree, const duet_proof_frame *frame)
{
    duet_proof_covering *covering = covering_of(tree, frame);
    size_t index = tree->depth - 1;
    DUET_ASSERT(covering->last == index && tree->covers > 0);
    covering->last = frame->cover.above;
    if (frame->cover.made != NULL) {
        DUET_ASSERT(covering->pool == frame->cover.made);
        covering->pool = frame->cover.made->parent;
        covering->first = DUET_PROOF_NO_FRAME;
        tree->pool_bytes -= frame->cover.made->bytes;
        duet_proof_pool_free(frame->cover.made);
    } else if (covering->first == index) {
        covering->first = DUET_PROOF_NO_FRAME;
    }
    tree->picks = frame->cover.pick_mark;
    tree->children = frame->cover.child_mark;
    tree->items = frame->cover.item_mark;
    tree->bit_words = frame->cover.bit_mark;
    tree->state.processors[frame->type]++;
    tree->covers--;
}
