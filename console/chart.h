// SPDX-License-Identifier: Apache-2.0
// Charts on logarithmic axes (each may be linear), for papers, drawn by gnuplot where it is
// installed.
#ifndef DUET_CONSOLE_CHART_H
#define DUET_CONSOLE_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include <duet/error.h>

typedef struct duet_chart_series {
    const char *label;
    int style;       // 0 .. : colour and mark; equal styles with different `dash` belong together
    int dash;        // 0 .. : kind of line
    const double *x; // > 0
    const double *y; // > 0 on a logarithmic axis; NAN: no value, a gap
    size_t count;
} duet_chart_series;

typedef struct duet_chart {
    const char *title;
    const char *x_label; // with its unit
    const char *y_label;
    bool points;   // marks without lines
    bool plain;    // lines without marks
    bool linear_x; // x from 0, not logarithmic
    bool linear_y; // y from `least_y`, not logarithmic
    double least_y;
    const duet_chart_series *series;
    size_t count;
} duet_chart;

// Writes a chart to `path`, which ends in .svg, .pdf or .png, whole or not at all. Errors:
// DUET_E_UNSUPPORTED where gnuplot is not in the PATH, DUET_E_USAGE for another ending,
// DUET_E_OUTPUT.
duet_code duet_chart_write(const char *path, const duet_chart *chart, duet_error *error);
// The same without gnuplot where it is an SVG file with linear axes, whose text stays text.
duet_code duet_chart_draw(const char *path, const duet_chart *chart, duet_error *error);
// What became of such a call: that gnuplot is missing is a note, not a failure.
duet_code duet_chart_excuse_gnuplot(duet_code code, duet_error *error);

#endif
