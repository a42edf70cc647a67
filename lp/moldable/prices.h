// SPDX-License-Identifier: Apache-2.0
// Lower bounds of moldable tasks by prices: multipliers of what a guess (λ) has of each type.
//
// Method:    a schedule of length L runs every task in a mode of at most L; the areas on a type of
//            m processors are at most mL together, and the modes longer than L/2, which all run at
//            the same time, have at most m processors. Multipliers y, z >= 0 of these rows refute L
//            where the tasks cost more, each in its cheapest mode, than the rows have:
//              sum_j min { y_t area + z_t width } > sum_t m_t (y_t L + z_t).
//            On one type the best multipliers are found exactly: the left side is concave and made
//            of lines in z/y. On several, a subgradient method in floating point looks for them.
//            What refutes one guess or not is asked by bisection: a longer guess is easier.
// Guarantee: multipliers are whole and the inequality is decided in integers.
// Cost:      O(modes log modes) for a guess on one type, some hundred passes over them on several.
// Memory:    O(modes).
// Proof:     DUET_PROOF_MOLDABLE_PRICES.
// Reference: ours; the subgradient steps are those of Polyak, "Minimization of unsmooth
//            functionals", USSR Computational Mathematics and Mathematical Physics 9(3), 1969.
#ifndef DUET_LP_MOLDABLE_PRICES_H
#define DUET_LP_MOLDABLE_PRICES_H

#include "core/algorithm.h"
#include "lp/moldable/modes.h"

typedef struct duet_mode_prices {
    int64_t area[DUET_MAX_TYPES];  // y
    int64_t width[DUET_MAX_TYPES]; // z
} duet_mode_prices;

// Whether the multipliers refute the guess of the modes. False where a sum overflows. O(modes).
bool duet_mode_prices_refute(const duet_modes *modes, const duet_mode_prices *multipliers);
// The certificate that says so: of guess + 1.
duet_certificate duet_mode_prices_certificate(const duet_modes *modes,
                                              const duet_mode_prices *multipliers);

// Which rows the multipliers are of.
typedef enum duet_priced {
    DUET_PRICED_AREA, // of areas alone
    DUET_PRICED_ALL
} duet_priced;

// Looks for multipliers that refute the guess of the modes; on several types from `*multipliers`
// on. Errors: DUET_E_MEMORY.
duet_code duet_mode_prices_find(const duet_modes *modes, duet_priced priced,
                                const duet_context *context, duet_mode_prices *multipliers,
                                bool *refuted, duet_error *error);

// The largest bound so found, and at least that of the longest task.
duet_code duet_moldable_bound(const duet_instance *instance, duet_priced priced,
                              const duet_context *context, duet_bound *bound, duet_error *error);

#endif
