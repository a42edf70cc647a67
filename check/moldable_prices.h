// SPDX-License-Identifier: Apache-2.0
// Certificates of moldable tasks alone.
#ifndef DUET_CHECK_MOLDABLE_PRICES_H
#define DUET_CHECK_MOLDABLE_PRICES_H

#include "check/limits.h"
#include "core/solution/certificate.h"

// DUET_PROOF_MOLDABLE_PRICES, as duet/certificate.h states it. DUET_E_INPUT where it does not hold.
// O(sizes of all tables).
duet_code duet_check_moldable_prices(const duet_certificate *certificate,
                                     const duet_instance *instance, duet_watch *watch,
                                     duet_error *error);

// DUET_PROOF_MOLDABLE_KNAPSACK: DUET_E_UNSUPPORTED where it may hold, since that has to be computed
// again; DUET_E_INPUT where it cannot be one.
duet_code duet_check_moldable_knapsack(const duet_instance *instance, duet_error *error);

#endif
