// SPDX-License-Identifier: Apache-2.0
// A chart in the making: line by line, point by point, then its file.
#ifndef DUET_BENCH_RUN_PLOT_H
#define DUET_BENCH_RUN_PLOT_H

#include <duet/export.h>

#include "report/chart/chart.h"

// Where the charts of a study go: PREFIX-NAME.ENDING.
typedef struct duet_drawing {
    const char *prefix; // NULL: none are drawn
    const char *ending;
} duet_drawing;

// Whether such charts can be drawn here, and there: a study asks before it runs. Errors of
// duet_canvas_can_write() and duet_cli_check_target().
duet_code duet_drawing_check(const duet_drawing *drawing, duet_error *error);

enum { DUET_PLOT_LINES = DUET_CHART_SERIES, DUET_PLOT_LABEL = 96 };

// Begins as {.chart = {title, labels and axes}}.
typedef struct duet_plot {
    duet_chart chart;
    duet_chart_series line[DUET_PLOT_LINES];
    char label[DUET_PLOT_LINES][DUET_PLOT_LABEL];
    size_t first[DUET_PLOT_LINES]; // of a line's points
    double *x, *y;
    size_t points;
    bool failed; // out of memory
} duet_plot;

// Begins a line; `label` is a printf format. False where there are DUET_PLOT_LINES already.
bool duet_plot_line(duet_plot *plot, int style, int dash, const char *label, ...) DUET_PRINTF(4, 5);
// Adds a point to it; y of 0 or less, or NAN: a gap.
void duet_plot_add(duet_plot *plot, double x, double y);
// Draws the chart, which is freed; none without a point. Errors as duet_chart_write(), and
// DUET_E_MEMORY.
duet_code duet_plot_draw(duet_plot *plot, const char *name, const duet_drawing *drawing,
                         duet_error *error);

#endif
