// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/pack.h"

#include <stdlib.h>

#include "core/memory.h"
#include "heuristics/packing/fill.h"
#include "heuristics/packing/packing.h"

void duet_loads_free(duet_loads *loads)
{
    duet_free(loads->load);
    duet_free(loads->part);
    *loads = (duet_loads){.loads = 0};
}

duet_code duet_loads_push(duet_loads *loads, size_t type, const duet_pattern_part *part,
                          size_t parts, duet_error *error)
{
    duet_code code =
        duet_grow(&loads->load, loads->loads, &loads->load_room, sizeof *loads->load, error);
    if (code == DUET_OK) {
        loads->load[loads->loads++] = (duet_load){type, loads->parts, parts};
    }
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        code = duet_grow(&loads->part, loads->parts, &loads->part_room, sizeof *loads->part, error);
        if (code == DUET_OK) {
            loads->part[loads->parts++] = part[p];
        }
    }
    return code;
}

duet_code duet_loads_add(duet_loads *loads, uint32_t class, duet_error *error)
{
    duet_code code =
        duet_grow(&loads->part, loads->parts, &loads->part_room, sizeof *loads->part, error);
    if (code == DUET_OK) {
        loads->part[loads->parts++] = (duet_pattern_part){class, 1};
        loads->load[loads->loads - 1].parts++;
    }
    return code;
}

// The items of one type: every task that it may get.
static void list_items(const duet_classes *classes, const duet_residual *state, size_t type,
                       duet_packing *packing, uint32_t *class)
{
    size_t at = 0;
    for (size_t c = 0; c < classes->count; c++) {
        int64_t tasks = duet_residual_most(state, c, type);
        for (int64_t j = 0; j < tasks; j++) {
            class[at] = (uint32_t)c;
            packing->time[at++] = classes->time[type][c];
        }
    }
}

static duet_code push_machine(const duet_packing *packing, size_t processor, const uint32_t *class,
                              size_t type, duet_loads *loads, duet_error *error)
{
    duet_code code = duet_loads_push(loads, type, NULL, 0, error);
    for (size_t j = packing->first[processor]; j != SIZE_MAX && code == DUET_OK;
         j = packing->next[j]) {
        code = duet_loads_add(loads, class[j], error);
    }
    return code;
}

// Levels the items of a type towards a target; the loads grow by them where they reach it, or
// anyhow.
static duet_code level(const duet_classes *classes, const duet_residual *state, size_t type,
                       int64_t target, bool anyhow, int64_t effort, duet_random *random,
                       const duet_context *context, duet_loads *loads, bool *fits,
                       duet_error *error)
{
    size_t items = 0;
    for (size_t c = 0; c < classes->count; c++) {
        items += (size_t)duet_residual_most(state, c, type);
    }
    *fits = items == 0;
    if (items == 0 || state->processors[type] == 0) {
        return DUET_OK;
    }
    size_t processors = (size_t)state->processors[type];
    duet_packing packing;
    duet_code code =
        duet_packing_create(items, processors < items ? processors : items, &packing, error);
    if (code != DUET_OK) {
        return code;
    }
    uint32_t *class = duet_alloc(items, sizeof *class, error);
    code = class == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        list_items(classes, state, type, &packing, class);
        code = duet_packing_longest_first(&packing, error);
    }
    if (code == DUET_OK) {
        *fits = duet_packing_level(&packing, target, effort, random, context) <= target;
    }
    if (code == DUET_OK && !*fits && !anyhow) {
        bool filled = false;
        code = duet_packing_fill(&packing, target, effort, random, context, &filled, error);
        *fits = filled;
    }
    for (size_t i = 0; i < packing.processors && code == DUET_OK && (*fits || anyhow); i++) {
        code = push_machine(&packing, i, class, type, loads, error);
    }
    duet_free(class);
    duet_packing_free(&packing);
    return code;
}

duet_code duet_cover_pack(const duet_classes *classes, const duet_residual *state, size_t type,
                          int64_t effort, duet_random *random, const duet_context *context,
                          duet_loads *loads, bool *fits, duet_error *error)
{
    return level(classes, state, type, classes->capacity[type], false, effort, random, context,
                 loads, fits, error);
}

duet_code duet_cover_level(const duet_classes *classes, const duet_residual *state, size_t type,
                           int64_t target, int64_t effort, duet_random *random,
                           const duet_context *context, duet_loads *loads, duet_error *error)
{
    bool fits;
    return level(classes, state, type, target, true, effort, random, context, loads, &fits, error);
}
