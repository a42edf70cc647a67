// SPDX-License-Identifier: Apache-2.0
// Charts for papers, on linear or logarithmic axes, on the canvas that pictures of schedules have.
//
//   chart.c  arranges and draws one
//   axis.c   finds the range and the ticks of an axis
//   label.c  says which lines leave a label readable
//   look.c   gives each series a look of its own
#ifndef DUET_REPORT_CHART_CHART_H
#define DUET_REPORT_CHART_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include <duet/error.h>

enum { DUET_CHART_SERIES = 64 };

typedef struct duet_chart_series {
    const char *label;
    int style; // 0 .. : colour and mark; equal styles with different `dash` belong together
    int dash;  // 0 .. : kind of line
    const double *x;
    const double *y; // NAN, and 0 or less on a logarithmic axis: no value, a gap
    size_t count;
} duet_chart_series;

typedef enum duet_chart_kind {
    DUET_CHART_MARKED_LINES,
    DUET_CHART_LINES,
    DUET_CHART_MARKS
} duet_chart_kind;

typedef enum duet_chart_counts {
    DUET_CHART_NO_COUNTS,
    DUET_CHART_COUNTS_X, // x are whole numbers, and both axes are linear; values are written
                         // beside their marks unless they are many
    DUET_CHART_COUNTS    // so are y
} duet_chart_counts;

typedef struct duet_chart {
    const char *title;
    int width; // pixels; 0: the usual size
    int height;
    const char *x_label; // with its unit
    const char *y_label;
    duet_chart_kind kind;
    bool linear_x; // else logarithmic; a linear axis begins where the values do, or at 0 near them
    bool linear_y;
    duet_chart_counts counts;
    const duet_chart_series *series;
    size_t count; // at most DUET_CHART_SERIES
} duet_chart;

// Draws a chart into a file whose name ends in .svg, .pdf or .png, whole or not at all. Texts are
// shown as duet_utf8_show() has them. DUET_E_USAGE where the size has no room for the legend, and
// errors of duet_canvas_write().
duet_code duet_chart_write(const char *path, const duet_chart *chart, duet_error *error);

#endif
