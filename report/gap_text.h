// SPDX-License-Identifier: Apache-2.0
// The gap between a makespan and a lower bound as pictures and pages show it.
#ifndef DUET_REPORT_GAP_TEXT_H
#define DUET_REPORT_GAP_TEXT_H

#include <stddef.h>
#include <stdint.h>

// How far the makespan may be above the optimum, in percent, never rounded to less than it is; by
// exact arithmetic. 0 < bound <= makespan. Cut to `size`.
void duet_gap_text(int64_t makespan, int64_t bound, char *text, size_t size);

#endif
