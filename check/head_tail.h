// SPDX-License-Identifier: Apache-2.0
// The certificate of a task graph: the work between a head and a tail.
#ifndef DUET_CHECK_HEAD_TAIL_H
#define DUET_CHECK_HEAD_TAIL_H

#include "check/limits.h"
#include "core/solution/certificate.h"

// Whether a DUET_PROOF_HEAD_TAIL holds. DUET_E_INPUT: no, and why; DUET_E_MEMORY. O(edges + tasks x
// types) time, 24 bytes a task.
duet_code duet_check_head_tail(const duet_certificate *certificate, const duet_instance *instance,
                               duet_watch *watch, duet_error *error);

#endif
