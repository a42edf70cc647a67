// SPDX-License-Identifier: Apache-2.0
// From a task's id to its number: a hash table over the kinds' ids, open addressing.
#include "instances/formats/task_map.h"

#include <string.h>

#include "core/memory.h"

// FNV-1a, then mixed: the table takes the low bits.
static uint64_t hash_id(const char *id, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)id[i]) * UINT64_C(0x100000001b3);
    }
    hash ^= hash >> 32;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static size_t *find_slot(const duet_task_map *map, const char *id, size_t length)
{
    size_t at = (size_t)hash_id(id, length) & map->mask;
    for (;; at = (at + 1) & map->mask) {
        size_t *slot = &map->slot[at];
        if (*slot == 0) {
            return slot;
        }
        const char *known = duet_instance_kind_id(map->instance, *slot - 1);
        if (strncmp(known, id, length) == 0 && known[length] == '\0') {
            return slot;
        }
    }
}

duet_code duet_task_map_create(duet_task_map *map, const duet_instance *instance, duet_error *error)
{
    size_t slots = 16;
    while (slots / 2 < instance->kinds) {
        slots *= 2;
    }
    *map = (duet_task_map){instance, duet_alloc(slots, sizeof *map->slot, error), slots - 1};
    if (map->slot == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        const char *id = duet_instance_kind_id(instance, kind);
        *find_slot(map, id, strlen(id)) = kind + 1;
    }
    return DUET_OK;
}

void duet_task_map_free(duet_task_map *map)
{
    duet_free(map->slot);
    map->slot = NULL;
}

// The number after the last '#', written without leading zeros; -1 where there is none.
static int64_t number_after(const char *digits, size_t length)
{
    if (length == 0 || length > 18 || (digits[0] == '0' && length > 1)) {
        return -1;
    }
    int64_t number = 0;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9') {
            return -1;
        }
        number = number * 10 + (digits[i] - '0');
    }
    return number;
}

int64_t duet_task_map_find(const duet_task_map *map, const char *id, size_t length)
{
    const duet_instance *instance = map->instance;
    size_t slot = *find_slot(map, id, length);
    if (slot != 0 && duet_count(instance, slot - 1) == 1) {
        return instance->first[slot - 1];
    }
    size_t hash = length;
    while (hash > 0 && id[hash - 1] != '#') {
        hash--;
    }
    if (hash == 0) {
        return -1;
    }
    int64_t number = number_after(id + hash, length - hash);
    slot = *find_slot(map, id, hash - 1);
    if (number < 0 || slot == 0 || duet_count(instance, slot - 1) == 1 ||
        number >= duet_count(instance, slot - 1)) {
        return -1;
    }
    return instance->first[slot - 1] + number;
}
