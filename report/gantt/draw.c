// SPDX-License-Identifier: Apache-2.0
// Draws the rows, the time axis, bound and makespan, and puts a picture together.
#include "report/gantt/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/clean_text.h"
#include "report/gantt/text.h"

static const duet_colour GRID = {0.83, 0.85, 0.88};
static const duet_colour BOUND = {0.00, 0.45, 0.32};
static const duet_colour MAKESPAN = {0.72, 0.18, 0.08};

static void draw_rows(cairo_t *cr, const duet_gantt *gantt)
{
    const duet_gantt_layout *layout = &gantt->layout;
    duet_gantt_ink(cr, duet_gantt_idle_colour());
    for (size_t i = 0; i < layout->rows; i++) {
        const duet_gantt_row *row = &layout->row[i];
        cairo_rectangle(cr, layout->plot_x, row->y, layout->plot_width,
                        duet_gantt_inner(layout, i));
    }
    cairo_fill(cr);
}

static void row_text(const duet_gantt_row *row, char *text, size_t size)
{
    if (row->processors == 1) {
        snprintf(text, size, "%lld", (long long)row->first);
    } else {
        snprintf(text, size, "%lld\xE2\x80\x93%lld", (long long)row->first,
                 (long long)(row->first + row->processors - 1));
    }
}

// Numbers every row, or every 2nd, 5th, 10th, ... where rows are thinner than a line. Returns the
// left edge of the numbers.
static double number_rows(cairo_t *cr, const duet_gantt *gantt, const duet_gantt_group *group)
{
    const duet_gantt_layout *layout = &gantt->layout;
    char text[48];
    double height = layout->row[group->first_row].height;
    double size = fmin(fmax(height * 0.5, 9), 11);
    double right = layout->plot_x - 7;
    double left = right;
    size_t every = 1;
    for (size_t i = 0; (double)every * height < size + 1; i++) {
        every = i % 3 == 1 ? every / 2 * 5 : every * 2;
    }
    duet_gantt_font(cr, size, false);
    duet_gantt_ink(cr, DUET_GANTT_SOFT);
    for (size_t i = 0; i < group->rows; i += every) {
        const duet_gantt_row *row = &layout->row[group->first_row + i];
        row_text(row, text, sizeof text);
        double middle = row->y + (row->height - layout->gap) / 2;
        duet_gantt_text(cr, right, middle + size * 0.36, DUET_ALIGN_RIGHT, text);
        left = fmin(left, right - duet_gantt_text_width(cr, text));
    }
    return left;
}

static void draw_group(cairo_t *cr, const duet_gantt *gantt, const duet_gantt_group *group)
{
    char lines[5][96];
    size_t count = 0;
    double room = number_rows(cr, gantt, group) - 12 - DUET_GANTT_MARGIN;
    int64_t processors = gantt->instance->processors[group->type];
    const char *name = gantt->instance->type_names[group->type];
    duet_clean_text(name, SIZE_MAX, lines[count++], sizeof lines[0]);
    if (gantt->layout.empty) {
        snprintf(lines[count++], sizeof lines[0], "idle");
    } else {
        snprintf(lines[count++], sizeof lines[0], "%.1f %% idle", group->idle * 100);
    }
    if (group->lost > 0) {
        snprintf(lines[count++], sizeof lines[0], "%.1f %% aborted", group->lost * 100);
    }
    const char *what = group->bundle > 1 ? "in all" : processors == 1 ? "processor" : "processors";
    snprintf(lines[count++], sizeof lines[0], "%lld %s", (long long)processors, what);
    if (group->bundle > 1) {
        snprintf(lines[count++], sizeof lines[0], "%lld per row", (long long)group->bundle);
    }
    size_t fit = (size_t)fmax(group->height / 15, 1);
    size_t shown = count < fit ? count : fit;
    double y = group->y + group->height / 2 - (double)shown * 7.5 + 11.5;
    duet_gantt_font(cr, 13, true);
    duet_gantt_ink(cr, DUET_GANTT_INK);
    duet_gantt_fit(cr, lines[0], sizeof lines[0], shown > 1 ? room : room * 0.5);
    double used = duet_gantt_text_width(cr, lines[0]) + 8;
    duet_gantt_text(cr, DUET_GANTT_MARGIN, y, DUET_ALIGN_LEFT, lines[0]);
    duet_gantt_font(cr, 11, false);
    duet_gantt_ink(cr, DUET_GANTT_SOFT);
    if (shown == 1) { // name and idle time stand on one line
        duet_gantt_fit(cr, lines[1], sizeof lines[1], room - used);
        duet_gantt_text(cr, DUET_GANTT_MARGIN + used, y, DUET_ALIGN_LEFT, lines[1]);
    }
    for (size_t i = 1; i < shown; i++) {
        duet_gantt_fit(cr, lines[i], sizeof lines[i], room);
        duet_gantt_text(cr, DUET_GANTT_MARGIN, y + 15 * (double)i, DUET_ALIGN_LEFT, lines[i]);
    }
}

// Lines at round times, under the boxes; their labels below the plot.
static void draw_axis(cairo_t *cr, const duet_gantt *gantt, bool labels)
{
    const duet_gantt_layout *layout = &gantt->layout;
    double bottom = layout->plot_y + layout->plot_height;
    char widest[96];
    char number[32];
    duet_gantt_font(cr, 11, false);
    double wide = duet_gantt_text_width(
        cr, duet_instance_format_time(gantt->instance, layout->horizon, number));
    int64_t step = duet_gantt_tick_step(layout, fmax(1.6 * wide, 70));
    duet_gantt_ink(cr, labels ? DUET_GANTT_SOFT : GRID);
    cairo_set_line_width(cr, 1);
    int64_t last = layout->empty ? 0 : layout->horizon;
    for (int64_t at = 0; at <= last; at += step) {
        double x = floor(duet_gantt_x(layout, at)) + 0.5;
        if (labels) {
            duet_instance_format_time(gantt->instance, at, number);
            double middle = fmin(x, layout->width - 8 - duet_gantt_text_width(cr, number) / 2);
            duet_gantt_text(cr, middle, bottom + 18, DUET_ALIGN_CENTRE, number);
        }
        cairo_move_to(cr, x, labels ? bottom + 1 : layout->plot_y);
        cairo_line_to(cr, x, bottom + (labels ? 5 : 0));
        cairo_stroke(cr);
        if (at > INT64_MAX - step) {
            break;
        }
    }
    if (labels) {
        char unit[40];
        duet_clean_text(gantt->instance->time_unit, SIZE_MAX, unit, sizeof unit);
        snprintf(widest, sizeof widest, unit[0] != '\0' ? "time (%s)" : "time", unit);
        duet_gantt_text(cr, layout->plot_x + layout->plot_width / 2, bottom + 35, DUET_ALIGN_CENTRE,
                        widest);
    }
}

static void draw_line(cairo_t *cr, const duet_gantt_layout *layout, int64_t at, duet_colour colour,
                      bool dashed)
{
    static const double dashes[] = {6, 3};
    double x = duet_gantt_x(layout, at);
    double top = layout->plot_y - 6;
    double bottom = layout->plot_y + layout->plot_height + 5;
    for (int halo = 1; halo >= 0; halo--) { // a light edge keeps the line visible on any box
        if (halo) {
            cairo_set_source_rgba(cr, 1, 1, 1, 0.75);
        } else {
            duet_gantt_ink(cr, colour);
        }
        cairo_set_line_width(cr, halo ? 4 : 1.8);
        cairo_set_dash(cr, dashes, dashed && !halo ? 2 : 0, 0);
        cairo_move_to(cr, x, top);
        cairo_line_to(cr, x, bottom);
        cairo_stroke(cr);
    }
    cairo_set_dash(cr, dashes, 0, 0);
}

// Where a label of that width goes: centred on its line, within the plot.
static double label_left(const duet_gantt_layout *layout, int64_t at, double width)
{
    double right = layout->plot_x + layout->plot_width;
    return fmax(fmin(duet_gantt_x(layout, at) - width / 2, right - width), layout->plot_x);
}

// The makespan and the bound as lines with labels above the plot, which keep clear of each other.
static void draw_limits(cairo_t *cr, const duet_gantt *gantt)
{
    const duet_gantt_layout *layout = &gantt->layout;
    int64_t makespan = gantt->solution->makespan;
    int64_t bound = gantt->solution->lower_bound;
    bool same = bound == makespan;
    double y = layout->plot_y - 11;
    char text[128];
    char value[96];
    duet_gantt_time(gantt->instance, makespan, value);
    snprintf(text, sizeof text, same && bound > 0 ? "makespan = lower bound %s" : "makespan %s",
             value);
    duet_gantt_font(cr, 11.5, true);
    double left = label_left(layout, makespan, duet_gantt_text_width(cr, text));
    if (bound > 0 && !same && bound <= layout->horizon) {
        char other[128];
        duet_gantt_time(gantt->instance, bound, value);
        snprintf(other, sizeof other, "lower bound %s", value);
        double width = duet_gantt_text_width(cr, other);
        double bound_left = fmin(label_left(layout, bound, width), left - 18 - width);
        draw_line(cr, layout, bound, BOUND, true);
        duet_gantt_text(cr, bound_left, y, DUET_ALIGN_LEFT, other);
    }
    draw_line(cr, layout, makespan, MAKESPAN, false);
    duet_gantt_text(cr, left, y, DUET_ALIGN_LEFT, text);
}

static void draw_nothing(cairo_t *cr, const duet_gantt *gantt)
{
    const duet_gantt_layout *layout = &gantt->layout;
    duet_gantt_font(cr, 13, false);
    duet_gantt_ink(cr, DUET_GANTT_SOFT);
    duet_gantt_text(cr, layout->plot_x + layout->plot_width / 2,
                    layout->plot_y + layout->plot_height / 2 + 4, DUET_ALIGN_CENTRE,
                    duet_tasks(gantt->instance) == 0 ? "no tasks" : "no task takes any time");
}

double duet_gantt_draw(cairo_t *cr, const duet_gantt *gantt)
{
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    duet_gantt_draw_title(cr, gantt);
    draw_rows(cr, gantt);
    draw_axis(cr, gantt, false);
    for (size_t g = 0; g < gantt->layout.groups; g++) {
        draw_group(cr, gantt, &gantt->layout.group[g]);
    }
    duet_gantt_draw_boxes(cr, gantt);
    if (gantt->marks.count == 0) {
        draw_nothing(cr, gantt);
    }
    draw_axis(cr, gantt, true);
    draw_limits(cr, gantt);
    return duet_gantt_draw_legend(cr, gantt) + DUET_GANTT_MARGIN;
}
