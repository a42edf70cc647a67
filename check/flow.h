// SPDX-License-Identifier: Apache-2.0
// The certificate of a task graph: prices of the types and a flow along its edges.
#ifndef DUET_CHECK_FLOW_H
#define DUET_CHECK_FLOW_H

#include "check/limits.h"
#include "core/solution/certificate.h"

// Whether a DUET_PROOF_FLOW holds. DUET_E_INPUT: no, and why; DUET_E_MEMORY. O(entries of the flow
// + tasks x types) time, 32 bytes a task.
duet_code duet_check_flow(const duet_certificate *certificate, const duet_instance *instance,
                          duet_watch *watch, duet_error *error);

#endif
