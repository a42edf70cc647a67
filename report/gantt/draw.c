// SPDX-License-Identifier: Apache-2.0
// Draws the rows and the time axis, and puts a picture together.
#include <math.h>
#include <stdio.h>

#include "core/instance/clock.h"
#include "core/number/minmax.h"
#include "report/gantt/clock_axis.h"
#include "report/gantt/draw.h"
#include "report/texts.h"

static void draw_rows(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_panel *panel)
{
    const duet_gantt_layout *layout = &panel->layout;
    canvas->does->begin(canvas, gantt->theme->idle);
    for (size_t i = 0; i < layout->rows; i++) {
        canvas->does->add(canvas, (duet_rect){layout->plot_x, layout->row[i].y, layout->plot_width,
                                              duet_gantt_inner(layout, i)});
    }
    canvas->does->end(canvas);
}

// The name of a row's processor, or its number, or the numbers of several.
static void row_text(const duet_instance *instance, const duet_gantt_group *group,
                     const duet_gantt_row *row, char *text, size_t size)
{
    const char *name = duet_processor_name(instance, group->type, row->first);
    if (row->processors == 1 && name != NULL) {
        duet_clean_text(name, SIZE_MAX, text, size);
    } else if (row->processors == 1) {
        snprintf(text, size, "%lld", (long long)row->first);
    } else {
        snprintf(text, size, "%lld\xE2\x80\x93%lld", (long long)row->first,
                 (long long)(row->first + row->processors - 1));
    }
}

// Numbers every row, or every 2nd, 5th, 10th, ... where rows are thinner than a line. Returns the
// left edge of the numbers.
static double number_rows(duet_canvas *canvas, const duet_gantt *gantt,
                          const duet_gantt_layout *layout, const duet_gantt_group *group)
{
    char text[96];
    double height = layout->row[group->first_row].height;
    const duet_letters letters = {fmin(fmax(height * 0.5, 9), 11), false, gantt->theme->soft};
    double right = layout->plot_x - 7;
    double left = right;
    size_t every = 1;
    for (size_t i = 0; (double)every * height < letters.size + 1; i++) {
        every = i % 3 == 1 ? every / 2 * 5 : every * 2;
    }
    for (size_t i = 0; i < group->rows; i += every) {
        const duet_gantt_row *row = &layout->row[group->first_row + i];
        row_text(gantt->instance, group, row, text, sizeof text);
        duet_gantt_fit(&letters, text, sizeof text, (right - gantt->margin) * 0.55);
        double middle = row->y + (row->height - layout->gap) / 2;
        canvas->does->text(canvas, &letters, right, middle + letters.size * 0.36, DUET_ALIGN_RIGHT,
                           text);
        left = fmin(left, right - duet_gantt_text_width(&letters, text));
    }
    return left;
}

// What is told of a type beside its rows, a line each; the name is the first. Returns how many.
static size_t group_lines(const duet_gantt *gantt, const duet_gantt_layout *layout,
                          const duet_gantt_group *group, char lines[5][96])
{
    size_t count = 0;
    int64_t processors = gantt->instance->processors[group->type];
    duet_clean_text(gantt->instance->type_names[group->type], SIZE_MAX, lines[count++],
                    sizeof lines[0]);
    if (layout->empty) {
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
    return count;
}

static void draw_group(duet_canvas *canvas, const duet_gantt *gantt,
                       const duet_gantt_layout *layout, const duet_gantt_group *group)
{
    char lines[5][96];
    double left = gantt->margin;
    double room = number_rows(canvas, gantt, layout, group) - 10 - left;
    size_t count = group_lines(gantt, layout, group, lines);
    size_t fit = (size_t)fmax(group->height / 15, 1);
    size_t shown = duet_min(count, fit);
    double y = group->y + group->height / 2 - (double)shown * 7.5 + 11.5;
    const duet_letters name = {13, true, gantt->theme->ink};
    const duet_letters rest = {11, false, gantt->theme->soft};
    duet_gantt_fit(&name, lines[0], sizeof lines[0], shown > 1 ? room : room * 0.5);
    canvas->does->text(canvas, &name, left, y, DUET_ALIGN_LEFT, lines[0]);
    if (shown == 1) { // name and idle time stand on one line
        double used = duet_gantt_text_width(&name, lines[0]) + 8;
        duet_gantt_fit(&rest, lines[1], sizeof lines[1], room - used);
        canvas->does->text(canvas, &rest, left + used, y, DUET_ALIGN_LEFT, lines[1]);
    }
    for (size_t i = 1; i < shown; i++) {
        duet_gantt_fit(&rest, lines[i], sizeof lines[i], room);
        canvas->does->text(canvas, &rest, left, y + 15 * (double)i, DUET_ALIGN_LEFT, lines[i]);
    }
}

// Calls for each round time that is marked.
typedef void at_time(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_layout *layout,
                     int64_t time);

static void each_time(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_layout *layout,
                      at_time *mark)
{
    char number[DUET_CLOCK_TEXT];
    int64_t at = 0;
    const duet_letters letters = {11, false, gantt->theme->soft};
    double wide = duet_gantt_text_width(
        &letters, duet_gantt_axis_text(gantt->instance, layout->horizon, layout->horizon, number));
    double distance = fmax(1.6 * wide, 70);
    int64_t step = duet_gantt_clock_step(gantt->instance, layout, distance, &at);
    step = step > 0 ? step : duet_gantt_tick_step(layout, distance);
    int64_t last = layout->empty ? 0 : layout->horizon;
    for (at = layout->empty ? 0 : at; at <= last; at += step) {
        mark(canvas, gantt, layout, at);
        if (at > INT64_MAX - step) {
            break;
        }
    }
}

static void grid_line(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_layout *layout,
                      int64_t time)
{
    const duet_stroke stroke = {1, gantt->theme->grid, 1, DUET_DASH_NONE};
    double x = floor(duet_gantt_x(layout, time)) + 0.5;
    canvas->does->line(canvas, &stroke, x, layout->plot_y, x, layout->plot_y + layout->plot_height);
}

static void tick(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_layout *layout,
                 int64_t time)
{
    const duet_stroke stroke = {1, gantt->theme->soft, 1, DUET_DASH_NONE};
    double x = floor(duet_gantt_x(layout, time)) + 0.5;
    double bottom = layout->plot_y + layout->plot_height;
    canvas->does->line(canvas, &stroke, x, bottom + 1, x, bottom + 5);
}

static void tick_label(duet_canvas *canvas, const duet_gantt *gantt,
                       const duet_gantt_layout *layout, int64_t time)
{
    char number[DUET_CLOCK_TEXT];
    const duet_letters letters = {11, false, gantt->theme->soft};
    duet_gantt_axis_text(gantt->instance, layout->horizon, time, number);
    double half = duet_gantt_text_width(&letters, number) / 2;
    double middle = fmin(duet_gantt_x(layout, time), layout->width - 4 - half);
    canvas->does->text(canvas, &letters, middle, layout->plot_y + layout->plot_height + 18,
                       DUET_ALIGN_CENTRE, number);
}

static void draw_unit(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_layout *layout)
{
    char text[96];
    char unit[40];
    char clock[DUET_CLOCK_TEXT];
    const duet_letters letters = {11, false, gantt->theme->soft};
    duet_clean_text(duet_gantt_axis_unit(gantt->instance, layout->horizon), SIZE_MAX, unit,
                    sizeof unit);
    if (duet_clock_is_known(gantt->instance)) {
        snprintf(text, sizeof text, "time of day (from %s)",
                 duet_clock_format(gantt->instance, 0, clock));
    } else {
        snprintf(text, sizeof text, unit[0] != '\0' ? "time (%s)" : "time", unit);
    }
    canvas->does->text(canvas, &letters, layout->plot_x + layout->plot_width / 2,
                       layout->plot_y + layout->plot_height + 35, DUET_ALIGN_CENTRE, text);
}

static void draw_nothing(duet_canvas *canvas, const duet_gantt *gantt,
                         const duet_gantt_layout *layout)
{
    const duet_letters letters = {13, false, gantt->theme->soft};
    canvas->does->text(canvas, &letters, layout->plot_x + layout->plot_width / 2,
                       layout->plot_y + layout->plot_height / 2 + 4, DUET_ALIGN_CENTRE,
                       duet_tasks(gantt->instance) == 0 ? "no tasks" : "no task takes any time");
}

static void draw_panel(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_panel *panel)
{
    const duet_gantt_layout *layout = &panel->layout;
    duet_gantt_draw_summary(canvas, gantt, panel);
    draw_rows(canvas, gantt, panel);
    each_time(canvas, gantt, layout, grid_line); // under the boxes
    for (size_t g = 0; g < layout->groups; g++) {
        draw_group(canvas, gantt, layout, &layout->group[g]);
    }
    duet_gantt_draw_boxes(canvas, gantt, panel);
    duet_gantt_draw_critical(canvas, gantt, panel);
    duet_gantt_draw_labels(canvas, gantt, panel);
    if (panel->marks.count == 0) {
        draw_nothing(canvas, gantt, layout);
    }
    each_time(canvas, gantt, layout, tick);
    each_time(canvas, gantt, layout, tick_label);
    duet_gantt_draw_limits(canvas, gantt, panel);
}

void duet_gantt_draw(duet_canvas *canvas, const duet_gantt *gantt)
{
    duet_gantt_draw_title(canvas, gantt);
    for (size_t p = 0; p < gantt->panels; p++) {
        draw_panel(canvas, gantt, &gantt->panel[p]);
    }
    draw_unit(canvas, gantt, &gantt->panel[gantt->panels - 1].layout);
    duet_gantt_draw_legend(canvas, gantt);
}
