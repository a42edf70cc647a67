// SPDX-License-Identifier: Apache-2.0
// From a task's id to its number.
#ifndef DUET_INSTANCES_FORMATS_TASK_MAP_H
#define DUET_INSTANCES_FORMATS_TASK_MAP_H

#include "core/instance/instance.h"
#include "core/names.h"

typedef struct duet_task_map {
    const duet_instance *instance; // borrowed
    duet_name_index kinds;         // by id
} duet_task_map;

// Expected time O(kinds); 16 to 32 bytes per kind. Freed by duet_task_map_free(), also after a
// failure.
duet_code duet_task_map_create(duet_task_map *map, const duet_instance *instance,
                               duet_error *error);
void duet_task_map_free(duet_task_map *map);
// The task of that id ("a", or "a#7" where kind a has several), or -1.
int64_t duet_task_map_find(const duet_task_map *map, const char *id, size_t length);

#endif
