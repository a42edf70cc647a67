// SPDX-License-Identifier: Apache-2.0
// A picture: what is in it, where it is, and the parts that draw it.
//
//   gantt.c    prepares a picture and writes it
//   arrange.c  says where everything goes on the page
//   draw.c     rows, time axis, all together; title.c, limits.c, boxes.c, critical.c and legend.c
//              draw the rest
#ifndef DUET_REPORT_GANTT_DRAW_H
#define DUET_REPORT_GANTT_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/report.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "report/canvas/canvas.h"
#include "report/gantt/classes.h"
#include "report/gantt/layout.h"
#include "report/gantt/marks.h"
#include "report/palette.h"
#include "report/reasons.h"

// theme.c
typedef struct duet_gantt_theme {
    duet_colour page;
    duet_colour ink;  // text that matters
    duet_colour soft; // text of less weight
    duet_colour grid;
    duet_colour idle;
    duet_colour bound;
    duet_colour optimum; // as the instance claims it
    duet_colour makespan;
    duet_colour lost; // strokes across aborted intervals
} duet_gantt_theme;

const duet_gantt_theme *duet_gantt_theme_of(bool dark);

enum {
    DUET_GANTT_PANELS = 2,
    DUET_GANTT_LIMITS = 4,
    DUET_GANTT_TEXT = 512,
    DUET_GANTT_SUMMARY_LINE = 17, // height of a line of the summary
    DUET_GANTT_LIMIT_LINE = 16    // height of a line of labels above the plot
};

// A time that is marked across all rows: makespan, bound, claimed optimum, now.
typedef struct duet_gantt_limit {
    int64_t at;
    char text[160];
    duet_colour colour;
    duet_dash dash;
    double left; // of its label
    size_t line; // of labels, 0 the lowest
} duet_gantt_limit;

// One schedule of the picture.
typedef struct duet_gantt_panel {
    const duet_solution *solution;
    duet_intervals intervals;
    duet_reasons reasons; // of a task graph, whose intervals are sorted; else empty
    duet_gantt_layout layout;
    duet_gantt_marks marks;
    double head_y; // upper edge of its lines of text
    size_t summary_lines;
    size_t limits;
    size_t limit_lines;
    duet_gantt_limit limit[DUET_GANTT_LIMITS];
} duet_gantt_panel;

typedef struct duet_gantt {
    // What is drawn.
    const duet_instance *instance;
    const duet_gantt_theme *theme;
    bool transparent;
    bool sized; // a size was asked for
    char title[DUET_GANTT_TEXT];
    duet_gantt_classes classes;
    bool pale; // some merged marks are only partly busy, which the legend explains
    size_t panels;
    duet_gantt_panel panel[DUET_GANTT_PANELS];
    // Where. In units, of which a picture that is larger than usual has `scale` pixels each.
    double width;
    double height;
    double scale;
    double margin;
    double plot_x;
    double plot_width;
    int64_t horizon; // ticks across the plots
    double legend_y; // base line of its first entry
} duet_gantt;

// Finds where everything goes: fills what stands under "Where", the layouts and the limits.
// DUET_E_USAGE where a size that was asked for is too small.
duet_code duet_gantt_arrange(duet_gantt *gantt, const duet_gantt_options *options,
                             duet_error *error);

// Draws everything.
void duet_gantt_draw(duet_canvas *canvas, const duet_gantt *gantt);
// Its parts. Without a canvas the summary and the legend are only measured: they return the number
// of lines, and the base line of the last one.
void duet_gantt_draw_title(duet_canvas *canvas, const duet_gantt *gantt);
size_t duet_gantt_draw_summary(duet_canvas *canvas, const duet_gantt *gantt,
                               const duet_gantt_panel *panel);
double duet_gantt_draw_legend(duet_canvas *canvas, const duet_gantt *gantt);
void duet_gantt_draw_boxes(duet_canvas *canvas, const duet_gantt *gantt,
                           const duet_gantt_panel *panel);
// The names of tasks, on their boxes and on the critical path.
void duet_gantt_draw_labels(duet_canvas *canvas, const duet_gantt *gantt,
                            const duet_gantt_panel *panel);
// Whether a line of the critical path may run through a place.
bool duet_gantt_is_crossed(const duet_gantt_panel *panel, duet_rect place);
// Marks the critical path, and a swatch that says what that is.
void duet_gantt_draw_critical(duet_canvas *canvas, const duet_gantt *gantt,
                              const duet_gantt_panel *panel);
void duet_gantt_draw_frame(duet_canvas *canvas, const duet_gantt *gantt, duet_rect place);
// Finds the limits of a panel and where their labels go.
void duet_gantt_find_limits(const duet_gantt *gantt, duet_gantt_panel *panel);
void duet_gantt_draw_limits(duet_canvas *canvas, const duet_gantt *gantt,
                            const duet_gantt_panel *panel);

// The summary of a panel as one line of text, for who does not see the picture.
void duet_gantt_summary_text(const duet_gantt *gantt, const duet_gantt_panel *panel, char *text,
                             size_t size);
// "15.6 ms" into `text` of at least 96 bytes.
void duet_gantt_time(const duet_instance *instance, int64_t ticks, char *text);
// The schedule that says the best bound that is known: of two the larger, unless it is above one of
// their makespans, which no bound is.
const duet_solution *duet_gantt_bounded(const duet_gantt *gantt, const duet_gantt_panel *panel);
// What the instance claims to be its optimum; 0: nothing.
int64_t duet_gantt_claimed_optimum(const duet_instance *instance);

// text.c
// Width of valid UTF-8.
double duet_gantt_text_width(const duet_letters *letters, const char *text);
// Cuts `text` (in place) until it is at most `width` wide, with an ellipsis for what went.
void duet_gantt_fit(const duet_letters *letters, char *text, size_t size, double width);

// ramp.c
// Fills `classes` (its of_kind is there already) with steps of the acceleration factor: time on the
// first type by the best time on another. With a single type to choose from, or where all factors
// are alike, with steps of the time itself.
void duet_gantt_ramp(const duet_instance *instance, duet_gantt_classes *classes);

#endif
