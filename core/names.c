// SPDX-License-Identifier: Apache-2.0
// A hash table with open addressing, at most half full.
#include "core/names.h"

#include <stdbool.h>
#include <string.h>

#include "core/memory.h"

// FNV-1a.
static uint32_t hash_of(uint32_t salt, const char *text)
{
    uint32_t hash = UINT32_C(2166136261) ^ (salt * UINT32_C(2654435761));
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT32_C(16777619);
    }
    return hash ^ hash >> 15;
}

static duet_code make_slots(duet_names *names, duet_error *error)
{
    if (2 * (names->count + 1) <= names->slots) {
        return DUET_OK;
    }
    size_t wanted = names->slots == 0 ? 64 : 2 * names->slots;
    uint32_t *slot = duet_alloc(wanted, sizeof *slot, error);
    if (slot == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < names->count; i++) {
        size_t at = names->name[i].hash & (wanted - 1);
        while (slot[at] != 0) {
            at = (at + 1) & (wanted - 1);
        }
        slot[at] = (uint32_t)i + 1;
    }
    duet_free(names->slot);
    names->slot = slot;
    names->slots = wanted;
    return DUET_OK;
}

static duet_code append_text(duet_names *names, const char *text, duet_error *error)
{
    for (size_t i = 0, size = strlen(text) + 1; i < size; i++) {
        duet_code code = duet_grow(&names->text, names->used, &names->text_capacity, 1, error);
        if (code != DUET_OK) {
            return code;
        }
        names->text[names->used++] = text[i];
    }
    return DUET_OK;
}

static bool is_name(const duet_names *names, size_t number, uint32_t salt, uint32_t hash,
                    const char *text)
{
    const duet_name *name = &names->name[number];
    return name->hash == hash && name->salt == salt && strcmp(names->text + name->at, text) == 0;
}

duet_code duet_names_add(duet_names *names, uint32_t salt, const char *text, uint32_t *number,
                         duet_error *error)
{
    duet_code code = make_slots(names, error);
    if (code != DUET_OK) {
        return code;
    }
    uint32_t hash = hash_of(salt, text);
    size_t slot = hash & (names->slots - 1);
    for (; names->slot[slot] != 0; slot = (slot + 1) & (names->slots - 1)) {
        if (is_name(names, names->slot[slot] - 1, salt, hash, text)) {
            *number = names->slot[slot] - 1;
            return DUET_OK;
        }
    }
    if (names->count == UINT32_MAX - 1) {
        return duet_error_set(error, DUET_E_LIMIT, "too many different names; expected fewer");
    }
    size_t at = names->used;
    code = duet_grow(&names->name, names->count, &names->capacity, sizeof *names->name, error);
    code = code == DUET_OK ? append_text(names, text, error) : code;
    if (code != DUET_OK) {
        return code;
    }
    names->name[names->count] = (duet_name){at, salt, hash};
    *number = (uint32_t)names->count++;
    names->slot[slot] = *number + 1;
    return DUET_OK;
}

void duet_names_free(duet_names *names)
{
    duet_free(names->text);
    duet_free(names->name);
    duet_free(names->slot);
    *names = (duet_names){0};
}
