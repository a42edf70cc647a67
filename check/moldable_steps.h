// SPDX-License-Identifier: Apache-2.0
// Values of times on processors as a certificate of moldable tasks.
#ifndef DUET_CHECK_MOLDABLE_STEPS_H
#define DUET_CHECK_MOLDABLE_STEPS_H

#include "check/limits.h"
#include "core/solution/certificate.h"

// DUET_PROOF_MOLDABLE_STEPS, as duet/certificate.h states it. DUET_E_INPUT where it does not hold.
// O(sizes of all tables x log steps + steps x limits).
duet_code duet_check_moldable_steps(const duet_certificate *certificate,
                                    const duet_instance *instance, duet_watch *watch,
                                    duet_error *error);

#endif
