// SPDX-License-Identifier: Apache-2.0
// Lateness: by how much tasks end after their deadlines.
#include "core/instance/lateness.h"

#include "core/number/fraction.h"
#include "core/number/minmax.h"

int64_t duet_instance_deadline(const duet_instance *instance, size_t kind)
{
    int64_t ticks;
    bool exact;
    if (!duet_has_deadline(instance, kind)) {
        return DUET_FORBIDDEN;
    }
    bool fits = duet_decimal_raise(instance->deadline[kind], DUET_DECIMAL_NO_TAIL,
                                   instance->decimals, &ticks, &exact);
    return !fits ? DUET_MAX_WORK : exact ? ticks : ticks - 1;
}

bool duet_lateness(const duet_instance *instance, int64_t task, int64_t end, duet_decimal *by)
{
    size_t kind = duet_instance_kind_of(instance, task);
    int64_t due = duet_instance_deadline(instance, kind);
    if (due == DUET_FORBIDDEN || end <= due) {
        return false;
    }
    duet_decimal given = instance->deadline[kind];
    int places = duet_min(duet_max(given.places, instance->decimals), DUET_MAX_DECIMALS);
    duet_int128 late = end * (duet_int128)duet_power_of_ten(places - instance->decimals);
    late -= given.places <= places
                ? given.mantissa * (duet_int128)duet_power_of_ten(places - given.places)
                : given.mantissa / (duet_int128)duet_power_of_ten(given.places - places);
    *by = late <= INT64_MAX ? (duet_decimal){(int64_t)late, places}
                            : (duet_decimal){end - due, instance->decimals};
    return true;
}
