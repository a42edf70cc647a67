// SPDX-License-Identifier: Apache-2.0
// Whether a line of a chart leaves the label of a mark readable.
#ifndef DUET_REPORT_CHART_LABEL_H
#define DUET_REPORT_CHART_LABEL_H

#include <stdbool.h>

#include "report/canvas/canvas.h"

// Whether the straight line from `a` to `b` passes through the inside of the box.
bool duet_label_is_crossed(duet_rect box, duet_point a, duet_point b);

#endif
