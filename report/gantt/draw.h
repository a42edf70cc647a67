// SPDX-License-Identifier: Apache-2.0
// Drawing a laid-out picture with cairo.
#ifndef DUET_REPORT_GANTT_DRAW_H
#define DUET_REPORT_GANTT_DRAW_H

#include <cairo.h>

#include "core/instance.h"
#include "core/solution.h"
#include "report/gantt/classes.h"
#include "report/gantt/layout.h"
#include "report/gantt/marks.h"

// Text that matters, and text beside it.
static const duet_colour DUET_GANTT_INK = {0.10, 0.11, 0.14};
static const duet_colour DUET_GANTT_SOFT = {0.38, 0.40, 0.45};
static const double DUET_GANTT_MARGIN = 24;

// All that is in a picture.
typedef struct duet_gantt {
    const duet_instance *instance;
    const duet_solution *solution;
    duet_intervals intervals;
    duet_gantt_layout layout;
    duet_gantt_classes classes;
    duet_gantt_marks marks;
} duet_gantt;

// Background of a row: what is seen where a processor is idle.
duet_colour duet_gantt_idle_colour(void);
// Strokes of the hatching over the current clip, within a rectangle.
void duet_gantt_hatch(cairo_t *cr, double x, double y, double width, double height);

// Draws everything on a page of the layout's width. Returns the height it took; with `cr` on a
// surface that is thrown away, that measures a page before it is made.
double duet_gantt_draw(cairo_t *cr, const duet_gantt *gantt);
// Its parts: the lines at the top; the rows' contents; the legend, whose last base line is
// returned.
void duet_gantt_draw_title(cairo_t *cr, const duet_gantt *gantt);
double duet_gantt_draw_legend(cairo_t *cr, const duet_gantt *gantt);
void duet_gantt_draw_boxes(cairo_t *cr, const duet_gantt *gantt);

// "15.6 ms" into `text` of at least 96 bytes.
void duet_gantt_time(const duet_instance *instance, int64_t ticks, char *text);

#endif
