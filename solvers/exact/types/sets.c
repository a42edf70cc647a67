// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/sets.h"

#include "core/system/memory.h"
#include "core/system/vec.h"

// All sets are forgotten once their parts and loads, or the bytes of their proofs, exceed these.
enum { MOST_PARTS = 1 << 22, MOST_TEXT = 1 << 26 };

void duet_types_sets_free(duet_types_sets *sets)
{
    duet_free(sets->set);
    duet_free(sets->part);
    duet_free(sets->slot);
    duet_loads_free(&sets->found);
    duet_proof_writer_free(&sets->text);
    *sets = (duet_types_sets){.count = 0};
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static void place(duet_types_sets *sets, size_t index)
{
    size_t at = (size_t)sets->set[index].hash & (sets->slots - 1);
    while (sets->slot[at] != 0) {
        at = (at + 1) & (sets->slots - 1);
    }
    sets->slot[at] = index + 1;
}

// Twice as many slots as sets, at least. False: no memory.
static bool make_room(duet_types_sets *sets)
{
    if (sets->parts + sets->found.parts + sets->found.loads >= MOST_PARTS ||
        sets->text.length >= MOST_TEXT) {
        duet_types_sets_free(sets);
    }
    if (duet_vec_grow(sets->set, sets->count, NULL) != DUET_OK) {
        return false;
    }
    if (2 * (sets->count + 1) <= sets->slots) {
        return true;
    }
    size_t slots = sets->slots == 0 ? 64 : 2 * sets->slots;
    size_t *slot = duet_alloc(slots, sizeof *slot, NULL);
    if (slot == NULL) {
        return false;
    }
    duet_free(sets->slot);
    sets->slot = slot;
    sets->slots = slots;
    for (size_t i = 0; i < sets->count; i++) {
        place(sets, i);
    }
    return true;
}

// The tasks of the type behind the parts that there are. False: no memory.
static bool list_parts(duet_types_sets *sets, const duet_classes *classes, const int64_t *tasks,
                       duet_types_set *set)
{
    set->hash = set->type;
    set->parts = 0;
    set->begin = sets->parts;
    for (size_t c = 0; c < classes->count; c++) {
        int64_t some = tasks[c * classes->types + set->type];
        if (some == 0) {
            continue;
        }
        size_t at = set->begin + set->parts;
        if (duet_vec_grow(sets->part, at, NULL) != DUET_OK) {
            return false;
        }
        sets->part[at] = (duet_types_part){c, some};
        set->parts++;
        set->hash = mix(set->hash, mix(c, (uint64_t)some));
    }
    return true;
}

static bool is_same(const duet_types_sets *sets, const duet_types_set *a, const duet_types_set *b)
{
    bool same = a->hash == b->hash && a->type == b->type && a->parts == b->parts;
    for (size_t p = 0; p < a->parts && same; p++) {
        same = sets->part[a->begin + p].class == sets->part[b->begin + p].class &&
               sets->part[a->begin + p].tasks == sets->part[b->begin + p].tasks;
    }
    return same;
}

duet_types_set *duet_types_sets_find(duet_types_sets *sets, const duet_classes *classes,
                                     const int64_t *tasks, size_t type)
{
    duet_types_set set = {.type = type, .found = INT64_MAX, .refuted = -1};
    if (!make_room(sets) || !list_parts(sets, classes, tasks, &set)) {
        return NULL;
    }
    size_t at = (size_t)set.hash & (sets->slots - 1);
    for (; sets->slot[at] != 0; at = (at + 1) & (sets->slots - 1)) {
        duet_types_set *known = &sets->set[sets->slot[at] - 1];
        if (is_same(sets, known, &set)) {
            return known;
        }
    }
    sets->parts += set.parts;
    sets->set[sets->count++] = set;
    place(sets, sets->count - 1);
    return &sets->set[sets->count - 1];
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
