// SPDX-License-Identifier: Apache-2.0
// The text of a proof in a certificate.
#ifndef DUET_CHECK_PROOF_PROOF_H
#define DUET_CHECK_PROOF_PROOF_H

#include "check/limits.h"
#include "core/instance/moved.h"
#include "core/solution/certificate.h"

// Whether a DUET_PROOF_LINES proves its lambda. DUET_E_INPUT: no, and why; DUET_E_MEMORY, or what
// `watch` says, whose context has the limit of memory.
duet_code duet_check_lines(const duet_certificate *certificate, const duet_instance *instance,
                           duet_watch *watch, duet_error *error);

// moved.c
// Compares processors, times, edges and costs one by one, so that every schedule of `from` is one
// of the moved instance where the source comes first and all else DUET_MOVED_TICKS later. NULL
// where it holds; else which part differs, in static storage. O(types x (processors listed as busy
// + kinds + types x edges)).
const char *duet_proof_moved_differs(const duet_instance *from, const duet_moved *moved);

#endif
