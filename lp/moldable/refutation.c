// SPDX-License-Identifier: Apache-2.0
// Whether prices of moldable tasks refute a guess.
#include "lp/moldable/prices.h"

#include "core/number/minmax.h"

// What a mode costs: below 2^63 * 2^62 + 2^63 * 2^31.
static duet_int128 cost(const duet_mode *mode, const duet_mode_prices *multipliers)
{
    return (duet_int128)multipliers->area[mode->type] * mode->area +
           (duet_int128)multipliers->width[mode->type] * mode->width;
}

// What the rows have. False where it overflows.
static bool find_supply(const duet_modes *modes, const duet_mode_prices *multipliers,
                        duet_int128 *supply)
{
    const duet_instance *instance = modes->instance;
    *supply = 0;
    for (size_t t = 0; t < instance->types; t++) {
        duet_int128 each = (duet_int128)multipliers->area[t] * modes->guess + multipliers->width[t];
        duet_int128 of_type;
        if (__builtin_mul_overflow(each, (duet_int128)instance->processors[t], &of_type) ||
            __builtin_add_overflow(*supply, of_type, supply)) {
            return false;
        }
    }
    return true;
}

bool duet_mode_prices_refute(const duet_modes *modes, const duet_mode_prices *multipliers)
{
    const duet_instance *instance = modes->instance;
    duet_int128 supply;
    if (modes->nowhere < SIZE_MAX) {
        return true;
    }
    if (!find_supply(modes, multipliers, &supply)) {
        return false;
    }
    duet_int128 demand = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t at = modes->first[i];
        duet_int128 least = cost(&modes->mode[at], multipliers);
        for (at++; at < modes->first[i + 1]; at++) {
            duet_int128 other = cost(&modes->mode[at], multipliers);
            least = duet_min(other, least);
        }
        duet_int128 of_kind;
        if (__builtin_mul_overflow(least, (duet_int128)duet_count(instance, i), &of_kind) ||
            __builtin_add_overflow(demand, of_kind, &demand)) {
            return false;
        }
    }
    return demand > supply;
}
