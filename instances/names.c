// SPDX-License-Identifier: Apache-2.0
// Strings numbered in the order in which they first appear: open addressing, at most half full.
#include "instances/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

// FNV-1a, then mixed: the table takes the low bits.
static uint64_t hash_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    }
    hash ^= hash >> 32;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

const char *duet_names_text(const duet_names *names, size_t index)
{
    return names->text + names->at[index];
}

static size_t *find_slot(const duet_names *names, const char *name)
{
    size_t at = (size_t)hash_name(name) & (names->slots - 1);
    while (names->slot[at] != 0 && strcmp(duet_names_text(names, names->slot[at] - 1), name) != 0) {
        at = (at + 1) & (names->slots - 1);
    }
    return &names->slot[at];
}

static duet_code grow_table(duet_names *names, duet_error *error)
{
    if (names->count < names->slots / 2) {
        return DUET_OK;
    }
    size_t slots = names->slots == 0 ? 16 : names->slots * 2;
    size_t *slot = duet_alloc(slots, sizeof *slot, error);
    if (slot == NULL) {
        return DUET_E_MEMORY;
    }
    free(names->slot);
    names->slot = slot;
    names->slots = slots;
    for (size_t i = 0; i < names->count; i++) {
        *find_slot(names, duet_names_text(names, i)) = i + 1;
    }
    return DUET_OK;
}

static duet_code append(duet_names *names, const char *name, duet_error *error)
{
    size_t size = strlen(name) + 1;
    duet_code code =
        duet_grow(&names->at, names->count, &names->at_capacity, sizeof *names->at, error);
    while (code == DUET_OK && names->text_capacity - names->used < size) {
        code = duet_grow(&names->text, names->text_capacity, &names->text_capacity, 1, error);
    }
    if (code == DUET_OK) {
        memcpy(names->text + names->used, name, size);
        names->at[names->count++] = names->used;
        names->used += size;
    }
    return code;
}

duet_code duet_names_add(duet_names *names, const char *name, size_t *index, duet_error *error)
{
    duet_code code = grow_table(names, error);
    if (code != DUET_OK) {
        return code;
    }
    size_t *slot = find_slot(names, name);
    if (*slot == 0) {
        code = append(names, name, error);
        *slot = code == DUET_OK ? names->count : 0;
    }
    *index = *slot - 1;
    return code;
}

void duet_names_free(duet_names *names)
{
    free(names->text);
    free(names->at);
    free(names->slot);
}
