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
    DUET_PROOF_AREA,     ///< weights on the types show that the work does not fit into lambda - 1
    DUET_PROOF_SHELF,    ///< weights on work and on long tasks show it
    DUET_PROOF_TABLE     ///< the 4/3 table answers NO at lambda - 1: see duet_verify_table()
} duet_proof;

/// A proof that no schedule has a makespan below `lambda`, checkable in integers by
/// duet_certificate_check() without any solver (but for DUET_PROOF_TABLE). L stands for lambda - 1;
/// a type *can run* task j if it has processors, allows j, and p_jt <= L.
///
/// - DUET_PROOF_LONGEST: task `task` takes >= lambda on every type that has processors.
/// - DUET_PROOF_AREA: with weights u_t >= 0, not all 0, the sum over the tasks of
///   min { u_t p_jt : type t can run j } exceeds L * sum u_t m_t; a task that fits nowhere within L
///   proves it alone.
/// - DUET_PROOF_SHELF: in a schedule of length L a processor runs at most one task longer than L/2;
///   of tasks longer than L/3 at most two, and only one where one of them is longer than 2L/3. So
///   with w_t(j) = 1 if 2 p_jt > L, else 0 (`parts` = 2), or w_t(j) = 2 if 3 p_jt > 2 L, 1 if
///   3 p_jt > L, else 0 (`parts` = 3), the tasks of a processor have w of at most parts - 1 in sum.
///   For any u_t, a_t >= 0 such a schedule has
///   sum_j min { u_t p_jt + a_t w_t(j) : type t can run j } <= sum_t m_t (u_t L + a_t (parts - 1));
///   weights that break this inequality prove that there is none.
/// - DUET_PROOF_TABLE: the table of the 4/3 approximation, with the work of type `rounded` counted
///   on the grid `grid` (0: exactly), answers NO at L. Only computing it again can confirm this.
typedef struct duet_certificate {
    duet_proof proof;
    int64_t lambda;                 ///< the proven bound, in ticks
    int64_t task;                   ///< DUET_PROOF_LONGEST
    size_t types;                   ///< DUET_PROOF_AREA, DUET_PROOF_SHELF: number of weights
    int64_t weight[DUET_MAX_TYPES]; ///< u_t: DUET_PROOF_AREA, DUET_PROOF_SHELF
    /// a_t = count_weight_high[t] * 2^62 + count_weight[t], each part >= 0: DUET_PROOF_SHELF.
    /// (Times of up to 2^62 ticks need products of two of them.)
    int64_t count_weight[DUET_MAX_TYPES];
    int64_t count_weight_high[DUET_MAX_TYPES];
    int parts;      ///< 2 or 3: DUET_PROOF_SHELF
    size_t rounded; ///< index of a type: DUET_PROOF_TABLE
    int64_t grid;   ///< grid steps per unit of the published rounding; 0: exact: DUET_PROOF_TABLE
} duet_certificate;

/// A lower bound: its exact value as a reduced fraction of ticks, and as an integer (the ceiling).
typedef struct duet_bound {
    const char *name;             ///< of the bound, a static string
    int64_t value;                ///< ticks: no schedule is shorter
    char exact[96];               ///< "p/q" in ticks, or "p" where it is whole
    duet_certificate certificate; ///< proof NONE where the bound has none
} duet_bound;

/// Whether `certificate` proves that no schedule of `instance` is shorter than its lambda. Integer
/// arithmetic only. On a certificate that does not hold: DUET_E_INPUT with the reason. A
/// well-formed DUET_PROOF_TABLE: DUET_E_UNSUPPORTED, since it takes duet_verify_table(). O(kinds x
/// types).
DUET_API duet_code duet_certificate_check(const duet_certificate *certificate,
                                          const duet_instance *instance, duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
