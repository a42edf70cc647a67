// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/pack.h"

#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/packing/packing.h"
#include "solvers/exact/tuning.h"

// The items of one type: every task that it may get.
static void list_items(const duet_search *search, size_t type, duet_packing *packing,
                       uint32_t *class)
{
    size_t at = 0;
    for (size_t c = 0; c < search->classes->count; c++) {
        int64_t tasks = duet_residual_most(search->state, c, type);
        for (int64_t j = 0; j < tasks; j++) {
            class[at] = (uint32_t)c;
            packing->time[at++] = search->classes->time[type][c];
        }
    }
}

static size_t count_items(const duet_search *search, size_t type)
{
    size_t items = 0;
    for (size_t c = 0; c < search->classes->count; c++) {
        items += (size_t)duet_residual_most(search->state, c, type);
    }
    return items;
}

static duet_code push_processor(const duet_packing *packing, size_t processor,
                                const uint32_t *class, size_t type, duet_loads *loads,
                                duet_error *error)
{
    duet_code code = duet_loads_push(loads, type, NULL, 0, error);
    for (size_t j = packing->first[processor]; j != SIZE_MAX && code == DUET_OK;
         j = packing->next[j]) {
        code = duet_loads_add(loads, class[j], error);
    }
    return code;
}

// What a packing is asked for.
typedef struct aim {
    size_t type;
    int64_t target;
    bool anyhow; // the loads are wanted even where they miss the target
} aim;

// Levels the items of a type towards a target, and fills processors where that misses it.
static duet_code level(duet_search *search, const aim *wanted, bool *fits, duet_error *error)
{
    size_t type = wanted->type;
    size_t items = count_items(search, type);
    int64_t effort = search->limits.pack_effort;
    int64_t share = (effort + DUET_PACK_FILL_SHARE - 1) / DUET_PACK_FILL_SHARE;
    int64_t fill = wanted->anyhow ? search->limits.fill_effort : share;
    *fits = items == 0;
    if (items == 0 || search->state->processors[type] == 0) {
        return DUET_OK;
    }
    size_t processors = (size_t)search->state->processors[type];
    duet_packing packing;
    DUET_TRY(duet_packing_create(items, duet_min(processors, items), &packing, error));
    uint32_t *class = duet_alloc(items, sizeof *class, error);
    duet_code code = class == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        list_items(search, type, &packing, class);
        code = duet_packing_longest_first(&packing, error);
    }
    if (code == DUET_OK) {
        *fits = duet_packing_level(&packing, wanted->target, effort, search->random,
                                   search->context) <= wanted->target;
    }
    if (code == DUET_OK && !*fits && fill > 0) {
        bool filled = false;
        code = duet_packing_fill(&packing, wanted->target, fill, search->random, search->context,
                                 &filled, error);
        *fits = filled;
    }
    for (size_t i = 0; i < packing.processors && code == DUET_OK && (*fits || wanted->anyhow);
         i++) {
        code = push_processor(&packing, i, class, type, search->loads, error);
    }
    duet_free(class);
    duet_packing_free(&packing);
    return code;
}

duet_code duet_pack_type(duet_search *search, size_t type, bool *fits, duet_error *error)
{
    const aim wanted = {.type = type, .target = search->classes->capacity[type]};
    return level(search, &wanted, fits, error);
}

duet_code duet_pack_level(duet_search *search, size_t type, int64_t target, duet_error *error)
{
    const aim wanted = {.type = type, .target = target, .anyhow = true};
    bool fits;
    return level(search, &wanted, &fits, error);
}
