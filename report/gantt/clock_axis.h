// SPDX-License-Identifier: Apache-2.0
// The times that are marked below a picture where times of day are known: whole hours, quarters of
// them, or days.
#ifndef DUET_REPORT_GANTT_CLOCK_AXIS_H
#define DUET_REPORT_GANTT_CLOCK_AXIS_H

#include "core/instance/clock.h"
#include "report/gantt/layout.h"

// Distance in ticks between labelled times such that neighbours are at least `distance` apart, and
// the first of them. 0 where times of day are not known, or there is less than a second between.
int64_t duet_gantt_clock_step(const duet_instance *instance, const duet_gantt_layout *layout,
                              double distance, int64_t *first);

#endif
