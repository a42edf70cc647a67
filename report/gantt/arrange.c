// SPDX-License-Identifier: Apache-2.0
// Where everything goes on the page, from the top: the title; for each schedule its summary, the
// labels of its limits, its rows and times; the legend. Only the rows give way where the page has
// a height of its own.
#include <math.h>

#include "core/number/minmax.h"
#include "core/system/try.h"
#include "report/gantt/draw.h"

static const double USUAL_WIDTH = 1200;
static const double USUAL_PLOT = 552;  // height of the rows of one schedule
static const double USUAL_HALF = 300;  // and of each of two
static const double NARROW = 600;      // below that, margins and labels are smaller
static const double TITLE = 46;        // height of the title
static const double ABOVE_PLOT = 8;    // between labels and rows
static const double TIMES = 24;        // the numbers below the rows
static const double UNIT = 16;         // the words below the last of them
static const double BETWEEN = 14;      // two schedules
static const double LEGEND = 24;       // from there to the first base line of the legend
static const double LEAST_WIDTH = 280; // of a picture
static const double LEAST_PLOT = 24;   // height of the rows of a schedule

// What all stands under is as wide as usual, and larger pictures are magnified: letters on a
// projector grow with the slide.
static void find_scale(duet_gantt *gantt, const duet_gantt_options *options)
{
    gantt->width = options->width > 0 ? options->width : USUAL_WIDTH;
    gantt->scale = 1;
    if (options->width > USUAL_WIDTH) {
        gantt->scale = options->width / USUAL_WIDTH;
        gantt->width = USUAL_WIDTH;
    }
    bool narrow = gantt->width < NARROW;
    gantt->margin = narrow ? 12 : 24;
    gantt->plot_x = narrow ? 136 : 196;
    gantt->plot_width = gantt->width - gantt->plot_x - gantt->margin - 4;
}

static int64_t latest_end(const duet_gantt *gantt)
{
    int64_t horizon = 0;
    for (size_t p = 0; p < gantt->panels; p++) {
        int64_t end = gantt->panel[p].intervals.end;
        int64_t makespan = gantt->panel[p].solution->makespan;
        horizon = duet_max(end, horizon);
        horizon = duet_max(makespan, horizon);
    }
    return horizon;
}

static double head_height(const duet_gantt_panel *panel)
{
    return (double)(panel->summary_lines * DUET_GANTT_SUMMARY_LINE +
                    panel->limit_lines * DUET_GANTT_LIMIT_LINE) +
           ABOVE_PLOT;
}

// Height of all but the rows.
static double fixed_height(duet_gantt *gantt)
{
    double height = TITLE + UNIT + LEGEND + gantt->margin;
    for (size_t p = 0; p < gantt->panels; p++) {
        height += head_height(&gantt->panel[p]) + TIMES + (p > 0 ? BETWEEN : 0);
    }
    gantt->legend_y = 0;
    return height + duet_gantt_draw_legend(NULL, gantt);
}

static void stack(duet_gantt *gantt)
{
    double y = TITLE;
    for (size_t p = 0; p < gantt->panels; p++) {
        duet_gantt_panel *panel = &gantt->panel[p];
        y += p > 0 ? BETWEEN : 0;
        panel->head_y = y;
        y += head_height(panel);
        duet_gantt_layout_move(&panel->layout, y);
        y += panel->layout.plot_height + TIMES;
    }
    gantt->legend_y = y + UNIT + LEGEND;
    gantt->height = ceil(duet_gantt_draw_legend(NULL, gantt) + gantt->margin);
}

// The rows of a schedule have that height in all, or as much as they need.
static duet_code lay_out(duet_gantt *gantt, double height, bool fill, duet_error *error)
{
    const duet_gantt_place place = {gantt->width,      gantt->plot_x, 0,
                                    gantt->plot_width, height,        fill};
    for (size_t p = 0; p < gantt->panels; p++) {
        duet_gantt_panel *panel = &gantt->panel[p];
        DUET_TRY(duet_gantt_layout_create(gantt->instance, &panel->intervals, gantt->horizon,
                                          &place, &panel->layout, error));
    }
    return DUET_OK;
}

static duet_code too_small(const duet_gantt *gantt, double height, duet_error *error)
{
    return duet_error_set(error, DUET_E_USAGE,
                          "this schedule needs a picture of at least %d by %d pixels",
                          (int)(LEAST_WIDTH * gantt->scale), (int)ceil(height * gantt->scale));
}

duet_code duet_gantt_arrange(duet_gantt *gantt, const duet_gantt_options *options,
                             duet_error *error)
{
    find_scale(gantt, options);
    int64_t horizon = latest_end(gantt);
    gantt->horizon = horizon > 0 ? horizon : 1;
    for (size_t p = 0; p < gantt->panels; p++) {
        duet_gantt_panel *panel = &gantt->panel[p];
        panel->summary_lines = duet_gantt_draw_summary(NULL, gantt, panel);
        duet_gantt_find_limits(gantt, panel);
    }
    double fixed = fixed_height(gantt);
    bool fill = options->height > 0;
    double plots = fill ? (options->height / gantt->scale - fixed) / (double)gantt->panels
                        : (gantt->panels == 1 ? USUAL_PLOT : USUAL_HALF);
    if (plots < LEAST_PLOT || gantt->width < LEAST_WIDTH) {
        return too_small(gantt, fixed + LEAST_PLOT * (double)gantt->panels, error);
    }
    DUET_TRY(lay_out(gantt, plots, fill, error));
    stack(gantt);
    if (fill && gantt->height * gantt->scale > options->height + 2) {
        return too_small(gantt, gantt->height, error);
    }
    gantt->height = fill ? options->height / gantt->scale : gantt->height;
    return DUET_OK;
}
