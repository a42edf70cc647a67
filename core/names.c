// SPDX-License-Identifier: Apache-2.0
#include "core/names.h"

#include <string.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { FEWEST_SLOTS = 16 };

// --- index -------------------------------------------------------------------------------------

// FNV-1a, then mixed, because the index takes the low bits.
static uint64_t hash_of(uint32_t salt, const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ salt * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    hash ^= hash >> 32;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

// The slot of a text. Where texts have salts (`salts` is not NULL), both must be the same.
static inline size_t *find_slot(const duet_name_index *index, duet_texts texts,
                                const uint32_t *salts, uint32_t salt, const char *text,
                                size_t length)
{
    size_t mask = index->slots - 1;
    DUET_ASSERT(index->slots != 0 && (index->slots & mask) == 0);
    for (size_t at = (size_t)hash_of(salt, text, length) & mask;; at = (at + 1) & mask) {
        size_t *slot = &index->slot[at];
        if (*slot == 0) {
            return slot;
        }
        const char *known = texts.block + texts.at[*slot - 1];
        if ((salts == NULL || salts[*slot - 1] == salt) && strncmp(known, text, length) == 0 &&
            known[length] == '\0') {
            return slot;
        }
    }
}

duet_code duet_name_index_create(duet_name_index *index, size_t count, duet_error *error)
{
    size_t slots = FEWEST_SLOTS;
    while (slots / 2 < count) {
        slots *= 2;
    }
    *index = (duet_name_index){duet_alloc(slots, sizeof *index->slot, error), slots};
    return index->slot == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_name_index_free(duet_name_index *index)
{
    duet_free(index->slot);
    *index = (duet_name_index){NULL, 0};
}

size_t *duet_name_index_slot(const duet_name_index *index, duet_texts texts, const char *text,
                             size_t length)
{
    return find_slot(index, texts, NULL, 0, text, length);
}

// --- names -------------------------------------------------------------------------------------

static size_t *slot_of(const duet_names *names, const duet_name_index *index, uint32_t salt,
                       const char *text)
{
    duet_texts texts = {names->text, names->at};
    return find_slot(index, texts, names->salt, salt, text, strlen(text));
}

// Doubles the index where one more name would fill more than half of it.
static duet_code grow_index(duet_names *names, duet_error *error)
{
    if (names->count < names->index.slots / 2) {
        return DUET_OK;
    }
    duet_name_index larger;
    DUET_TRY(duet_name_index_create(&larger, names->index.slots, error));
    for (size_t i = 0; i < names->count; i++) {
        *slot_of(names, &larger, names->salt[i], duet_names_text(names, i)) = i + 1;
    }
    duet_name_index_free(&names->index);
    names->index = larger;
    return DUET_OK;
}

// Room for one more name in all arrays.
static duet_code grow_arrays(duet_names *names, size_t size, duet_error *error)
{
    return duet_vec_grow(names->at, names->count, error) == DUET_OK &&
                   duet_vec_grow(names->salt, names->count, error) == DUET_OK
               ? duet_vec_reserve(names->text, names->used + size, error)
               : DUET_E_MEMORY;
}

duet_code duet_names_add(duet_names *names, uint32_t salt, const char *text, uint32_t *number,
                         duet_error *error)
{
    DUET_TRY(grow_index(names, error));
    size_t *slot = slot_of(names, &names->index, salt, text);
    if (*slot != 0) {
        *number = (uint32_t)(*slot - 1);
        return DUET_OK;
    }
    if (names->count == UINT32_MAX - 1) {
        return duet_error_set(error, DUET_E_LIMIT, "too many different names; expected fewer");
    }
    size_t size = strlen(text) + 1;
    DUET_TRY(grow_arrays(names, size, error));
    memcpy(names->text + names->used, text, size);
    names->at[names->count] = names->used;
    names->salt[names->count] = salt;
    names->used += size;
    *number = (uint32_t)names->count++;
    *slot = names->count;
    return DUET_OK;
}

void duet_names_free(duet_names *names)
{
    duet_free(names->text);
    duet_free(names->at);
    duet_free(names->salt);
    duet_name_index_free(&names->index);
    *names = (duet_names){0};
}
