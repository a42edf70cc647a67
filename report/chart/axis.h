// SPDX-License-Identifier: Apache-2.0
// The axis of a chart: its range, and ticks at round numbers.
#ifndef DUET_REPORT_CHART_AXIS_H
#define DUET_REPORT_CHART_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { DUET_AXIS_TICKS = 64, DUET_AXIS_LABEL = 32, DUET_AXIS_FEW = 8 };

typedef struct duet_axis_tick {
    double value;
    char label[DUET_AXIS_LABEL]; // "": a line between labelled ones
} duet_axis_tick;

typedef struct duet_axis {
    bool linear;
    double low;
    double high;
    size_t ticks; // in ascending order
    duet_axis_tick tick[DUET_AXIS_TICKS];
} duet_axis;

// A linear axis from `low`, or a round number below `least` where that is less, to `most`, or a
// round number that is not far above.
duet_axis duet_axis_linear(double low, double least, double most);
// A linear axis of the whole numbers from `least` to `most`, with room on both sides.
duet_axis duet_axis_whole(double least, double most);
// A linear axis around values, with room on both sides, from 0 where that is near.
duet_axis duet_axis_around(double least, double most);
// A logarithmic axis around 0 < `least` <= `most`: ticks at powers of ten, or between them where
// there are few of these.
duet_axis duet_axis_logarithmic(double least, double most);
// Puts the ticks of a logarithmic axis at these values, at most DUET_AXIS_FEW in ascending order:
// 50, 100, 200 says more than 10 and 100.
void duet_axis_set_ticks(duet_axis *axis, const double *values, size_t count);
// Where a value is on the axis: 0 at `low`, 1 at `high`.
double duet_axis_place(const duet_axis *axis, double value);

#endif
