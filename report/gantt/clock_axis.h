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
// The unit of what stands at an axis of that horizon, where times of day are not known: that of the
// instance, or one that is a thousand times it, or so, where that reads better.
const char *duet_gantt_axis_unit(const duet_instance *instance, int64_t horizon);
// How many places are between the unit of the instance and that one.
int duet_gantt_axis_shift(const duet_instance *instance, int64_t horizon);
// What stands there: the time of day, with the day where the horizon is on a later one; else the
// time in that unit. `text` has DUET_CLOCK_TEXT bytes.
char *duet_gantt_axis_text(const duet_instance *instance, int64_t horizon, int64_t ticks,
                           char *text);

#endif
