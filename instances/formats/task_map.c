// SPDX-License-Identifier: Apache-2.0
// From a task's id to its number, through an index of the kinds' ids.
#include "instances/formats/task_map.h"

#include <string.h>

#include "core/system/try.h"

static size_t *find_slot(const duet_task_map *map, const char *id, size_t length)
{
    duet_texts ids = {map->instance->ids, map->instance->id_at};
    return duet_name_index_slot(&map->kinds, ids, id, length);
}

duet_code duet_task_map_create(duet_task_map *map, const duet_instance *instance, duet_error *error)
{
    map->instance = instance;
    DUET_TRY(duet_name_index_create(&map->kinds, instance->kinds, error));
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        const char *id = duet_instance_kind_id(instance, kind);
        *find_slot(map, id, strlen(id)) = kind + 1;
    }
    return DUET_OK;
}

void duet_task_map_free(duet_task_map *map)
{
    duet_name_index_free(&map->kinds);
}

// The number after the last '#', written without leading zeros; -1 if no such number follows.
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
