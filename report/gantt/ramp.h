// SPDX-License-Identifier: Apache-2.0
// Colours by time, for tasks that have nothing but their times to tell them apart.
#ifndef DUET_REPORT_GANTT_RAMP_H
#define DUET_REPORT_GANTT_RAMP_H

#include "report/gantt/classes.h"

// Fills `classes` (its of_kind is there already) with steps of the acceleration factor: time on the
// first type by the best time on another. With a single type to choose from, or where all factors
// are alike, with steps of the time itself.
void duet_gantt_ramp(const duet_instance *instance, duet_gantt_classes *classes);

#endif
