// SPDX-License-Identifier: Apache-2.0
// Finer ticks, for schedules that start tasks between those of their instance.
#ifndef DUET_CORE_SOLUTION_FINER_H
#define DUET_CORE_SOLUTION_FINER_H

#include <stdint.h>

#include <duet/error.h>
#include <duet/solution.h>

#include "core/number/decimal.h"

// DUET_OK where the times of the solution are in ticks of its instance; else DUET_E_USAGE.
duet_code duet_solution_require_ticks(const duet_solution *solution, duet_error *error);

// The same instance in ticks that are finer by `places` decimal places; on success the caller's.
// Tasks are sequential. DUET_E_UNSUPPORTED, DUET_E_LIMIT where a time becomes too long,
// DUET_E_MEMORY.
duet_code duet_instance_refine(const duet_instance *instance, int places, duet_instance **out,
                               duet_error *error);

// 10^places, for at most DUET_FINER_PLACES.
static inline int64_t duet_finer_scale(int places)
{
    return (int64_t)duet_power_of_ten(places);
}

#endif
