// SPDX-License-Identifier: Apache-2.0
// Allocations of Duet's own objects pass through here (the linker's --wrap): each can be made to
// fail, and what is not given back is counted. Other libraries' allocations are not touched.
#ifndef DUET_TESTS_FAULTS_FAILING_H
#define DUET_TESTS_FAULTS_FAILING_H

#include <stdbool.h>
#include <stdint.h>

#include <duet/allocator.h>

// From now on the `turn`-th allocation fails (from 1; 0: none): that one alone, or with all after
// it.
void failing_arm(int64_t turn, bool lasting);
// Ends it. Whether the failing one was reached.
bool failing_disarm(void);
// Allocations since it was armed last.
int64_t failing_taken(void);
// Blocks that were allocated and not freed, in all.
int64_t failing_live(void);

// An allocator that has memory while all of the above fails.
extern const duet_allocator failing_other;
// Its blocks that were not given back.
int64_t failing_other_live(void);

#endif
