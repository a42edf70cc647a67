// SPDX-License-Identifier: Apache-2.0
// Whether whole tasks can be allocated to the types so that what each release leaves is enough.
#ifndef DUET_CHECK_RELEASED_KNAPSACK_H
#define DUET_CHECK_RELEASED_KNAPSACK_H

#include "core/instance/instance.h"
#include "core/solution/certificate.h"
#include "core/system/watch.h"

// DUET_PROOF_KNAPSACK with releases or busy processors, as duet/certificate.h states it, on any
// number of types. DUET_E_INPUT: some allocation fits, or the list of works is too long.
// DUET_E_MEMORY, DUET_E_LIMIT, DUET_E_CANCELLED.
duet_code duet_check_released_knapsack(const duet_certificate *certificate,
                                       const duet_instance *instance, duet_watch *watch,
                                       duet_error *error);

#endif
