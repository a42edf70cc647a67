// SPDX-License-Identifier: Apache-2.0
// What is given of tasks beforehand, and processors that are lost.
#include "core/instance/pins.h"

#include <duet/replan.h>

#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_code duet_pins_create(size_t kinds, duet_pins **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    DUET_NEED(*out);
    (*out)->pin = duet_alloc(kinds, sizeof *(*out)->pin, error);
    if ((*out)->pin == NULL) {
        duet_pins_free(*out);
        *out = NULL;
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < kinds; i++) {
        (*out)->pin[i] = (duet_pin){.start = DUET_FORBIDDEN, .end = DUET_FORBIDDEN};
    }
    return DUET_OK;
}

void duet_pins_free(duet_pins *pins)
{
    if (pins == NULL) {
        return;
    }
    duet_free(pins->pin);
    duet_free(pins->range);
    duet_free(pins->given_up);
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        duet_free(pins->lost[t]);
    }
    duet_free(pins);
}

duet_code duet_pins_copy(const duet_instance *from, duet_instance *to, duet_error *error)
{
    if (from->pins == NULL) {
        return DUET_OK;
    }
    DUET_TRY(duet_pins_create(to->kinds, &to->pins, error));
    memcpy(to->pins->pin, from->pins->pin, to->kinds * sizeof *to->pins->pin);
    to->pins->range = duet_alloc(from->pins->ranges, sizeof *to->pins->range, error);
    DUET_NEED(to->pins->range);
    to->pins->ranges = from->pins->ranges;
    for (size_t r = 0; r < to->pins->ranges; r++) {
        to->pins->range[r] = from->pins->range[r];
    }
    for (size_t t = 0; t < from->types; t++) {
        for (size_t i = 0; i < from->pins->lost_count[t]; i++) {
            DUET_TRY(duet_vec_push(to->pins->lost[t], to->pins->lost_count[t], error,
                                   from->pins->lost[t][i]));
        }
    }
    for (size_t i = 0; i < from->pins->given_ups; i++) {
        DUET_TRY(
            duet_vec_push(to->pins->given_up, to->pins->given_ups, error, from->pins->given_up[i]));
    }
    return DUET_OK;
}

int64_t duet_pin_end(const duet_instance *instance, size_t kind)
{
    const duet_pin *pin = &instance->pins->pin[kind];
    if (pin->end != DUET_FORBIDDEN) {
        return pin->end;
    }
    duet_processor_set set = duet_pin_set(instance, pin);
    return pin->start + (instance->moldable == NULL
                             ? duet_time(instance, kind, (size_t)set.range[0].type)
                             : duet_moldable_duration(instance, kind, set));
}

int64_t duet_lost_below(const duet_instance *instance, size_t type, int64_t processor)
{
    const duet_pins *pins = instance->pins;
    size_t low = 0;
    size_t high = pins == NULL ? 0 : pins->lost_count[type];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool below = pins->lost[type][middle] < processor;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return (int64_t)low;
}

bool duet_is_lost(const duet_instance *instance, size_t type, int64_t processor)
{
    int64_t at = duet_lost_below(instance, type, processor);
    const duet_pins *pins = instance->pins;
    return pins != NULL && (size_t)at < pins->lost_count[type] && pins->lost[type][at] == processor;
}

bool duet_instance_is_lost(const duet_instance *instance, size_t type, int64_t processor)
{
    return duet_is_lost(instance, type, processor);
}

int64_t duet_instance_now(const duet_instance *instance)
{
    int64_t ticks;
    bool exact;
    bool fits =
        duet_decimal_raise(instance->now, DUET_DECIMAL_NO_TAIL, instance->decimals, &ticks, &exact);
    return !fits ? DUET_MAX_WORK : exact ? ticks : ticks - 1;
}

// Below the i-th lost processor there are lost[i] - i others.
int64_t duet_kept_processor(const duet_instance *instance, size_t type, int64_t number)
{
    const duet_pins *pins = instance->pins;
    size_t low = 0;
    size_t high = pins == NULL ? 0 : pins->lost_count[type];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool below = pins->lost[type][middle] - (int64_t)middle <= number;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return number + (int64_t)low;
}
