// SPDX-License-Identifier: Apache-2.0
#include "dp/moldable/mode_choice.h"

#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

typedef struct state {
    duet_taken taken;
    uint32_t link; // the state of the layer before times DUET_CHOICE_MODES, and the mode
} state;

typedef struct chooser {
    // Inputs.
    const duet_taken *limit;
    const duet_context *context;
    size_t most; // states in a layer

    // The last layer and the next one; each has room for `most` states.
    state *layer, *next;
    size_t count, next_count;
    bool dropped;

    // The links of all layers.
    uint32_t *link;
    size_t links;
} chooser;

// The order of the states in a layer.
static int by_key(const duet_taken *a, const duet_taken *b)
{
    return 4 * duet_order(a->width, b->width) + 2 * duet_order(a->longs, b->longs) +
           duet_order(a->gpu_area, b->gpu_area);
}

static int by_cost(const void *left, const void *right)
{
    const state *a = left;
    const state *b = right;
    int order = duet_order(a->taken.cost, b->taken.cost);
    return order != 0 ? order : by_key(&a->taken, &b->taken);
}

static int by_state_key(const void *left, const void *right)
{
    const state *a = left;
    const state *b = right;
    return by_key(&a->taken, &b->taken);
}

static duet_taken add(const duet_taken *a, const duet_taken *b)
{
    return (duet_taken){a->cpu_area + b->cpu_area, a->gpu_area + b->gpu_area, a->width + b->width,
                        a->longs + b->longs, a->cost + b->cost};
}

static bool fits(const duet_taken *taken, const duet_taken *limit)
{
    return taken->cpu_area <= limit->cpu_area && taken->gpu_area <= limit->gpu_area &&
           taken->width <= limit->width && taken->longs <= limit->longs &&
           taken->cost <= limit->cost;
}

// One more state at the end of the next layer, or a better one of the same key.
static void append(chooser *c, const duet_taken *taken, uint32_t link)
{
    state *last = c->next_count > 0 ? &c->next[c->next_count - 1] : NULL;
    if (last == NULL || by_key(&last->taken, taken) != 0) {
        c->next[c->next_count++] = (state){*taken, link};
        return;
    }
    // GPU areas are rounded, so that the costs of one key differ: the lesser ones bound both.
    duet_int128 cost = duet_min(taken->cost, last->taken.cost);
    if (taken->cpu_area < last->taken.cpu_area) {
        *last = (state){*taken, link};
    }
    last->taken.cost = cost;
}

// The next state of the layer, from *at on, to which the mode can be added.
static bool skip_to_fit(const chooser *c, const duet_taken *mode, size_t *at, duet_taken *sum)
{
    for (; *at < c->count; (*at)++) {
        *sum = add(&c->layer[*at].taken, mode);
        if (fits(sum, c->limit)) {
            return true;
        }
    }
    return false;
}

// Adding a mode keeps the order of a layer: the next one is a merge of as many as there are modes.
static void merge(chooser *c, const duet_choice_item *item)
{
    size_t at[DUET_CHOICE_MODES] = {0};
    c->next_count = 0;
    for (;;) {
        int best = -1;
        duet_taken least = {.width = 0};
        for (int m = 0; m < item->modes; m++) {
            duet_taken sum;
            if (skip_to_fit(c, &item->mode[m], &at[m], &sum) &&
                (best < 0 || by_key(&sum, &least) < 0)) {
                best = m;
                least = sum;
            }
        }
        if (best < 0) {
            return;
        }
        append(c, &least, (uint32_t)(at[best] * DUET_CHOICE_MODES) + (uint32_t)best);
        at[best]++;
    }
}

// Keeps the states of the least costs.
static void cut(chooser *c)
{
    if (c->next_count <= c->most) {
        return;
    }
    qsort(c->next, c->next_count, sizeof *c->next, by_cost);
    c->next_count = c->most;
    qsort(c->next, c->next_count, sizeof *c->next, by_state_key);
    c->dropped = true;
}

static duet_code keep_links(chooser *c, duet_error *error)
{
    DUET_TRY(duet_vec_reserve(c->link, c->links + c->next_count, error));
    for (size_t s = 0; s < c->next_count; s++) {
        c->link[c->links++] = c->next[s].link;
    }
    return DUET_OK;
}

// Which modes lead to the first state of the last layer. `begin`: where the links of each layer
// are.
static void trace(const chooser *c, duet_choice_item *item, size_t count, const size_t *begin)
{
    uint32_t at = 0;
    for (size_t i = count; i-- > 0;) {
        uint32_t link = c->link[begin[i] + at];
        item[i].chosen = (int)(link % DUET_CHOICE_MODES);
        at = link / DUET_CHOICE_MODES;
    }
}

static duet_code choose(chooser *c, duet_choice_item *item, size_t count, size_t *begin,
                        duet_choice_answer *answer, duet_error *error)
{
    c->layer[0] = (state){.link = 0};
    c->count = 1;
    for (size_t i = 0; i < count && c->count > 0; i++) {
        if (duet_context_stop(c->context)) {
            *answer = DUET_CHOICE_STOPPED;
            return DUET_OK;
        }
        merge(c, &item[i]);
        cut(c);
        begin[i] = c->links;
        DUET_TRY(keep_links(c, error));
        state *kept = c->layer;
        c->layer = c->next;
        c->next = kept;
        c->count = c->next_count;
    }
    *answer = c->count > 0 ? DUET_CHOICE_FITS
              : c->dropped ? DUET_CHOICE_UNKNOWN
                           : DUET_CHOICE_NEVER;
    if (c->count > 0) {
        trace(c, item, count, begin);
    }
    return DUET_OK;
}

duet_code duet_choose_modes(duet_choice_item *item, size_t count, const duet_taken *limit,
                            size_t states, const duet_context *context, duet_choice_answer *answer,
                            duet_error *error)
{
    chooser c = {.limit = limit, .context = context, .most = states};
    // Before it is cut, a merge makes at most DUET_CHOICE_MODES times the states of a layer.
    size_t room = states * DUET_CHOICE_MODES;
    DUET_ASSERT(states <= UINT32_MAX / DUET_CHOICE_MODES);
    uint64_t bytes = 2 * (uint64_t)room * sizeof(state) + (uint64_t)count * states * 4;
    DUET_TRY(duet_memory_check(bytes, 1, context->memory_limit, "the states of CPU and GPU modes",
                               error));
    c.layer = duet_alloc_raw(room, sizeof *c.layer, error);
    c.next = duet_alloc_raw(room, sizeof *c.next, error);
    size_t *begin = duet_alloc_raw(count, sizeof *begin, error);
    duet_code code = c.layer == NULL || c.next == NULL || begin == NULL ? DUET_E_MEMORY : DUET_OK;
    DUET_THEN(code, choose(&c, item, count, begin, answer, error));
    duet_free(c.layer);
    duet_free(c.next);
    duet_free(c.link);
    duet_free(begin);
    return code;
}
