// SPDX-License-Identifier: Apache-2.0
#include "check/waits.h"

#include "core/instance/available.h"
#include "core/number/minmax.h"

int64_t duet_check_earliest(const duet_instance *instance, size_t kind, size_t type)
{
    return duet_max(duet_release(instance, kind), duet_first_free(instance, type));
}

duet_int128 duet_check_room(const duet_instance *instance, size_t type, int64_t begin, int64_t end)
{
    int64_t busy = instance->busy_count[type];
    duet_int128 room = (duet_int128)duet_max(end - begin, 0) * (instance->processors[type] - busy);
    for (int64_t p = 0; p < busy; p++) {
        int64_t from = duet_max(instance->busy[type][p], begin);
        room += duet_max(end - from, 0);
    }
    return room;
}
