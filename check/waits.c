// SPDX-License-Identifier: Apache-2.0
// What releases and busy processors leave, for the checks of certificates.
#include "check/certificates.h"

#include "core/number/minmax.h"

// When the first processor of a type is free. Those behind the listed ones are free from 0. What
// bounds ask for the same (core/instance/available.h) is not called: it would not be checked.
static int64_t first_free(const duet_instance *instance, size_t type)
{
    int64_t listed = instance->busy_count[type];
    int64_t least = listed < instance->processors[type] || listed == 0 ? 0 : INT64_MAX;
    for (int64_t p = 0; p < listed && least > 0; p++) {
        least = duet_min(instance->busy[type][p], least);
    }
    return least;
}

int64_t duet_check_earliest(const duet_instance *instance, size_t kind, size_t type)
{
    return duet_max(duet_release(instance, kind), first_free(instance, type));
}

int64_t duet_check_earliest_anywhere(const duet_instance *instance, size_t kind)
{
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t start = duet_check_earliest(instance, kind, t);
        least = duet_allowed(instance, kind, t) ? duet_min(start, least) : least;
    }
    return least == INT64_MAX ? duet_release(instance, kind) : least;
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
