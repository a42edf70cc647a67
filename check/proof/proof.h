// SPDX-License-Identifier: Apache-2.0
// The text of a proof in a certificate.
#ifndef DUET_CHECK_PROOF_PROOF_H
#define DUET_CHECK_PROOF_PROOF_H

#include "check/limits.h"
#include "core/solution/certificate.h"

// Whether a DUET_PROOF_LINES proves its lambda. DUET_E_INPUT: no, and why; DUET_E_MEMORY, or what
// `watch` says, whose context has the limit of memory.
duet_code duet_check_lines(const duet_certificate *certificate, const duet_instance *instance,
                           duet_watch *watch, duet_error *error);

#endif
