// SPDX-License-Identifier: Apache-2.0
// Whether a moved instance (core/instance/moved.h) is one of an instance: what made it need not be
// trusted.
#ifndef DUET_CHECK_PROOF_MOVED_H
#define DUET_CHECK_PROOF_MOVED_H

#include "core/instance/moved.h"

// Compares processors, times, edges and costs one by one, so that every schedule of `from` is one
// of the moved instance where the source comes first and all else DUET_MOVED_TICKS later. NULL
// where it holds; else which part differs, in static storage. O(types x (processors listed as busy
// + kinds + types x edges)).
const char *duet_proof_moved_differs(const duet_instance *from, const duet_moved *moved);

#endif
