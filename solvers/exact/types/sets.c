// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/sets.h"

#include "core/system/memory.h"
#include "core/system/vec.h"

// All sets are forgotten once their parts and loads, or the bytes of their proofs, exceed these.
enum { MOST_PARTS = 1 << 22, MOST_TEXT = 1 << 26 };

void duet_types_sets_free(duet_types_sets *sets)
{
    duet_free(sets->set);
    duet_free(sets->key);
    duet_seen_free(&sets->known);
    duet_loads_free(&sets->found);
    duet_proof_writer_free(&sets->text);
    *sets = (duet_types_sets){.set = NULL};
}

duet_types_set *duet_types_sets_find(duet_types_sets *sets, const duet_classes *classes,
                                     const int64_t *tasks, size_t type)
{
    size_t length = 0;
    size_t which = SIZE_MAX;
    if (sets->known.numbers / 2 + sets->found.parts + sets->found.loads >= MOST_PARTS ||
        sets->text.length >= MOST_TEXT) {
        duet_types_sets_free(sets);
    }
    sets->known.most = 2 * (size_t)MOST_PARTS;
    if (duet_vec_grow(sets->set, sets->known.states, NULL) != DUET_OK ||
        duet_vec_reserve(sets->key, 1 + 2 * classes->count, NULL) != DUET_OK) {
        return NULL;
    }
    sets->key[length++] = (int64_t)type;
    for (size_t c = 0; c < classes->count; c++) {
        if (tasks[c * classes->types + type] > 0) {
            sets->key[length++] = (int64_t)c;
            sets->key[length++] = tasks[c * classes->types + type];
        }
    }
    size_t before = sets->known.states;
    if (duet_seen_number(&sets->known, sets->key, length, &which, NULL) != DUET_OK ||
        which == SIZE_MAX) {
        return NULL;
    }
    if (which == before) {
        sets->set[which] = (duet_types_set){.type = type, .found = INT64_MAX, .refuted = -1};
    }
    return &sets->set[which];
}

// Adds the loads between two marks to others.
static duet_code add_loads(const duet_loads *from, duet_loads_mark mark, size_t end, duet_loads *to,
                           duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t l = mark.loads; l < end && code == DUET_OK; l++) {
        const duet_load *load = &from->load[l];
        code = duet_loads_push(to, load->type, &from->part[load->begin], load->parts, error);
    }
    return code;
}

void duet_types_sets_keep(duet_types_sets *sets, duet_types_set *set, const duet_loads *loads,
                          duet_loads_mark from, int64_t found)
{
    duet_loads_mark mark = duet_loads_here(&sets->found);
    if (add_loads(loads, from, loads->loads, &sets->found, NULL) != DUET_OK) {
        duet_loads_rewind(&sets->found, mark);
        return;
    }
    set->found = found;
    set->loads = mark;
    set->loads_end = duet_loads_here(&sets->found);
}

void duet_types_sets_keep_proof(duet_types_sets *sets, duet_types_set *set, int64_t refuted,
                                const char *text, size_t length)
{
    if (refuted <= set->refuted) {
        return;
    }
    sets->text.limit = 2 * (size_t)MOST_TEXT;
    sets->text.lost = false;
    if (duet_proof_begin(&sets->text, length + 1)) {
        set->refuted = refuted;
        set->proof = sets->text.length;
        set->proof_length = length;
        duet_proof_put_text(&sets->text, text, length);
    }
}

duet_code duet_types_sets_load(const duet_types_sets *sets, const duet_types_set *set,
                               duet_loads *loads, duet_error *error)
{
    return add_loads(&sets->found, set->loads, set->loads_end.loads, loads, error);
}
