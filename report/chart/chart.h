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

#include "report/canvas/canvas.h"

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

// axis.c
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

// look.c
typedef enum duet_mark {
    DUET_MARK_CIRCLE,
    DUET_MARK_SQUARE,
    DUET_MARK_TRIANGLE,
    DUET_MARK_DIAMOND,
    DUET_MARK_WEDGE,
    DUET_MARKS
} duet_mark;

typedef struct duet_look {
    duet_colour colour;
    duet_dash dash;
    duet_mark mark;
    bool hollow;    // the mark
    size_t beneath; // later series that run where it does, which it shows on both sides of
} duet_look;

// All but `beneath`, which is 0.
void duet_look_assign(const duet_chart *chart, duet_look looks[DUET_CHART_SERIES]);
// Gives one of `count` series, whose line runs over that many others', dashes through which they
// are seen, unless it has some already.
void duet_look_let_through(duet_look *looks, size_t count, size_t which, size_t others);
// A mark on a white ground.
void duet_look_draw_mark(duet_canvas *canvas, const duet_look *look, duet_point at);
double duet_look_width(const duet_look *look); // of its line

// label.c
// Whether the straight line from `a` to `b` passes through the inside of the box.
bool duet_label_is_crossed(duet_rect box, duet_point a, duet_point b);

#endif
