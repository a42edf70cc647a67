// SPDX-License-Identifier: Apache-2.0
// How the series of a chart are told apart: by colour, kind of line and mark, no two alike.
#ifndef DUET_REPORT_CHART_LOOK_H
#define DUET_REPORT_CHART_LOOK_H

#include "report/canvas/canvas.h"
#include "report/chart/chart.h"

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

#endif
