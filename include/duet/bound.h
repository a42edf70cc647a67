// SPDX-License-Identifier: Apache-2.0
/// @file
/// Lower bounds on the makespan. duet_compute_bound() (<duet/solve.h>) makes them.
#ifndef DUET_BOUND_H
#define DUET_BOUND_H

#include <stdint.h>

#include <duet/certificate.h>
#include <duet/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A lower bound: no schedule is shorter. Immutable.
typedef struct duet_bound duet_bound;

/// Frees a bound with all that it holds. NULL is allowed.
DUET_API void duet_bound_free(duet_bound *bound);
/// Its name, a static string.
DUET_API const char *duet_bound_name(const duet_bound *bound);
/// Its value in ticks: the ceiling of the exact one.
DUET_API int64_t duet_bound_value(const duet_bound *bound);
/// Its exact value as a reduced fraction of ticks, "p/q", or "p" where it is whole. "" where there
/// is none: it comes from a linear program, and is at least what its certificate proves.
DUET_API const char *duet_bound_exact(const duet_bound *bound);
/// What proves it, of DUET_PROOF_NONE where nothing does. Belongs to the bound.
DUET_API const duet_certificate *duet_bound_certificate(const duet_bound *bound);

#ifdef __cplusplus
}
#endif

#endif
