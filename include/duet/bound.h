// SPDX-License-Identifier: Apache-2.0
/// @file
/// Lower bounds on the makespan, and the certificates that prove them.
#ifndef DUET_BOUND_H
#define DUET_BOUND_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What kind of argument proves a bound.
typedef enum duet_proof {
    DUET_PROOF_NONE = 0, ///< no certificate: the bound rests on the algorithm that claims it
    DUET_PROOF_LONGEST,  ///< one task takes at least lambda wherever it runs
    DUET_PROOF_AREA      ///< weights on the types show that the work does not fit into lambda - 1
} duet_proof;

/// A proof that no schedule has a makespan below `lambda`, checkable in integers by
/// duet_certificate_check() without any solver.
///
/// - DUET_PROOF_LONGEST: task `task` takes >= lambda on every type that has processors.
/// - DUET_PROOF_AREA: with weights w_t >= 0, not all 0, the sum over the tasks of
///   min { w_t p_jt : type t can run j within lambda - 1 } exceeds (lambda - 1) * sum w_t m_t; a
///   task that fits nowhere within lambda - 1 proves it alone.
typedef struct duet_certificate {
    duet_proof proof;
    int64_t lambda;                 ///< the proven bound, in ticks
    int64_t task;                   ///< DUET_PROOF_LONGEST
    size_t types;                   ///< DUET_PROOF_AREA: number of weights
    int64_t weight[DUET_MAX_TYPES]; ///< DUET_PROOF_AREA
} duet_certificate;

/// A lower bound: its exact value as a reduced fraction of ticks, and as an integer (the ceiling).
typedef struct duet_bound {
    const char *name;             ///< of the bound, a static string
    int64_t value;                ///< ticks: no schedule is shorter
    char exact[96];               ///< "p/q" in ticks, or "p" where it is whole
    duet_certificate certificate; ///< proof NONE where the bound has none
} duet_bound;

/// Whether `certificate` proves that no schedule of `instance` is shorter than its lambda. Integer
/// arithmetic only. On a certificate that does not hold: DUET_E_INPUT with the reason. O(kinds).
DUET_API duet_code duet_certificate_check(const duet_certificate *certificate,
                                          const duet_instance *instance, duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
