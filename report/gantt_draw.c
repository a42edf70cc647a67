// SPDX-License-Identifier: Apache-2.0
// Draws all of a picture but the runs: titles, rows, time axis, bound and makespan, legend.
#include "report/gantt_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/exact.h"
#include "report/gantt_text.h"

#define MARGIN 24.0

static const duet_colour INK = {0.10, 0.11, 0.14};
static const duet_colour SOFT = {0.38, 0.40, 0.45};
static const duet_colour GRID = {0.83, 0.85, 0.88};
static const duet_colour BOUND = {0.00, 0.45, 0.32};
static const duet_colour MAKESPAN = {0.72, 0.18, 0.08};

// "15.6 ms" into `text` of at least 96 bytes.
static void time_text(const duet_instance *instance, int64_t ticks, char *text)
{
    char number[32];
    char unit[40];
    duet_gantt_clean(instance->time_unit, SIZE_MAX, unit, sizeof unit);
    snprintf(text, 96, "%s%s%s", duet_instance_format_time(instance, ticks, number),
             unit[0] != '\0' ? " " : "", unit);
}

// How far the makespan may be above the optimum, in percent, never rounded to less than it is.
static void gap_text(const duet_solution *solution, char *text, size_t size)
{
    duet_uint128 over = (duet_uint128)(solution->makespan - solution->lower_bound) * 10000;
    duet_uint128 share =
        duet_fraction_ceil((duet_fraction){over, (duet_uint128)solution->lower_bound});
    if (share < 1000000) {
        unsigned hundredths = (unsigned)share;
        snprintf(text, size, "%u.%02u %%", hundredths / 100, hundredths % 100);
    } else {
        snprintf(text, size, "over 10000 %%");
    }
}

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used > 0 ? "  \xC2\xB7  " : "", more);
}

static void summary_text(const duet_gantt *gantt, char *text, size_t size)
{
    const duet_solution *solution = gantt->solution;
    char part[256];
    char value[96];
    text[0] = '\0';
    if (solution->algorithm[0] != '\0') {
        duet_gantt_clean(solution->algorithm, sizeof solution->algorithm, value, sizeof value);
        snprintf(part, sizeof part, "algorithm %s", value);
        append(text, size, part);
    }
    time_text(gantt->instance, solution->makespan, value);
    snprintf(part, sizeof part, "makespan %s", value);
    append(text, size, part);
    if (solution->lower_bound > 0) {
        char name[64];
        time_text(gantt->instance, solution->lower_bound, value);
        duet_gantt_clean(solution->bound_name, sizeof solution->bound_name, name, sizeof name);
        snprintf(part, sizeof part, name[0] != '\0' ? "lower bound %s (%s)" : "lower bound %s",
                 value, name);
        append(text, size, part);
    }
    if (solution->status == DUET_OPTIMAL) {
        append(text, size, "optimal");
    } else if (solution->lower_bound > 0 && solution->makespan >= solution->lower_bound) {
        gap_text(solution, value, sizeof value);
        snprintf(part, sizeof part, "gap %s", value);
        append(text, size, part);
    }
    if (solution->interrupted) {
        append(text, size, "interrupted");
    }
}

static void draw_title(cairo_t *cr, const duet_gantt *gantt)
{
    const duet_gantt_layout *layout = &gantt->layout;
    char text[512];
    char counts[64];
    double right = layout->plot_x + layout->plot_width;
    long long tasks = (long long)duet_tasks(gantt->instance);
    snprintf(counts, sizeof counts, "%lld task%s", tasks, tasks == 1 ? "" : "s");
    duet_gantt_font(cr, 12, false);
    duet_gantt_ink(cr, SOFT);
    double taken = duet_gantt_text_width(cr, counts);
    duet_gantt_text(cr, right, 34, DUET_ALIGN_RIGHT, counts);
    summary_text(gantt, text, sizeof text);
    duet_gantt_fit(cr, text, sizeof text, right - MARGIN);
    duet_gantt_text(cr, MARGIN, 55, DUET_ALIGN_LEFT, text);
    duet_gantt_clean(gantt->instance->name, SIZE_MAX, text, sizeof text);
    duet_gantt_font(cr, 18, true);
    duet_gantt_ink(cr, INK);
    duet_gantt_fit(cr, text, sizeof text, right - MARGIN - taken - 20);
    duet_gantt_text(cr, MARGIN, 35, DUET_ALIGN_LEFT, text);
}

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
    duet_gantt_ink(cr, SOFT);
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
    double room = number_rows(cr, gantt, group) - 12 - MARGIN;
    int64_t processors = gantt->instance->processors[group->type];
    const char *name = gantt->instance->type_names[group->type];
    duet_gantt_clean(name, SIZE_MAX, lines[count++], sizeof lines[0]);
    if (gantt->layout.empty) {
        snprintf(lines[count++], sizeof lines[0], "idle");
    } else {
        snprintf(lines[count++], sizeof lines[0], "%.1f %% idle", group->idle * 100);
    }
    snprintf(lines[count++], sizeof lines[0], "%lld processor%s", (long long)processors,
             processors == 1 ? "" : "s");
    if (group->lost > 0) {
        snprintf(lines[count++], sizeof lines[0], "%.1f %% aborted", group->lost * 100);
    }
    if (group->bundle > 1) {
        snprintf(lines[count++], sizeof lines[0], "%lld per row", (long long)group->bundle);
    }
    size_t fit = (size_t)fmax(group->height / 15, 1);
    size_t shown = count < fit ? count : fit;
    double y = group->y + group->height / 2 - (double)shown * 7.5 + 11.5;
    duet_gantt_font(cr, 13, true);
    duet_gantt_ink(cr, INK);
    duet_gantt_fit(cr, lines[0], sizeof lines[0], shown > 1 ? room : room * 0.5);
    double used = duet_gantt_text_width(cr, lines[0]) + 8;
    duet_gantt_text(cr, MARGIN, y, DUET_ALIGN_LEFT, lines[0]);
    duet_gantt_font(cr, 11, false);
    duet_gantt_ink(cr, SOFT);
    if (shown == 1) { // one line has to hold name and idle share
        duet_gantt_fit(cr, lines[1], sizeof lines[1], room - used);
        duet_gantt_text(cr, MARGIN + used, y, DUET_ALIGN_LEFT, lines[1]);
    }
    for (size_t i = 1; i < shown; i++) {
        duet_gantt_fit(cr, lines[i], sizeof lines[i], room);
        duet_gantt_text(cr, MARGIN, y + 15 * (double)i, DUET_ALIGN_LEFT, lines[i]);
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
    duet_gantt_ink(cr, labels ? SOFT : GRID);
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
        duet_gantt_clean(gantt->instance->time_unit, SIZE_MAX, unit, sizeof unit);
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
    time_text(gantt->instance, makespan, value);
    snprintf(text, sizeof text, same && bound > 0 ? "makespan = lower bound %s" : "makespan %s",
             value);
    duet_gantt_font(cr, 11.5, true);
    double left = label_left(layout, makespan, duet_gantt_text_width(cr, text));
    if (bound > 0 && !same && bound <= layout->horizon) {
        char other[128];
        time_text(gantt->instance, bound, value);
        snprintf(other, sizeof other, "lower bound %s", value);
        double width = duet_gantt_text_width(cr, other);
        double bound_left = fmin(label_left(layout, bound, width), left - 18 - width);
        draw_line(cr, layout, bound, BOUND, true);
        duet_gantt_text(cr, bound_left, y, DUET_ALIGN_LEFT, other);
    }
    draw_line(cr, layout, makespan, MAKESPAN, false);
    duet_gantt_text(cr, left, y, DUET_ALIGN_LEFT, text);
}

// Where the next entry of the legend goes.
typedef struct pen {
    double x;
    double y;
    double left;
    double right;
} pen;

static void advance(pen *at, double width)
{
    if (at->x > at->left && at->x + width > at->right) {
        at->x = at->left;
        at->y += 20;
    }
}

static void draw_entry(cairo_t *cr, pen *at, duet_colour colour, bool hatched, char *text,
                       size_t size)
{
    duet_gantt_fit(cr, text, size, (at->right - at->left) / 3);
    double width = 18 + duet_gantt_text_width(cr, text) + 20;
    advance(at, width - 20);
    duet_gantt_ink(cr, colour);
    cairo_rectangle(cr, at->x, at->y - 9, 12, 11);
    cairo_fill(cr);
    if (hatched) {
        cairo_save(cr);
        cairo_rectangle(cr, at->x, at->y - 9, 12, 11);
        cairo_clip(cr);
        duet_gantt_hatch(cr, at->x, at->y - 9, 12, 11);
        cairo_restore(cr);
    }
    duet_gantt_ink(cr, INK);
    duet_gantt_text(cr, at->x + 18, at->y, DUET_ALIGN_LEFT, text);
    at->x += width;
}

static void entry_text(const duet_gantt_classes *classes, const duet_gantt_class *class, char *text,
                       size_t size)
{
    if (class->tasks > 1 && classes->heading[0] == '\0') {
        snprintf(text, size, "%s \xC3\x97%lld", class->label, (long long)class->tasks);
    } else {
        snprintf(text, size, "%s", class->label);
    }
}

// Whether some merged marks are only partly busy.
static bool has_pale(const duet_gantt *gantt)
{
    for (size_t i = 0; i < gantt->marks.count; i++) {
        if (gantt->marks.mark[i].level < DUET_GANTT_LEVELS) {
            return true;
        }
    }
    return false;
}

static double draw_legend(cairo_t *cr, const duet_gantt *gantt)
{
    const duet_gantt_layout *layout = &gantt->layout;
    const duet_gantt_classes *classes = &gantt->classes;
    double right = layout->plot_x + layout->plot_width;
    pen at = {layout->plot_x, layout->plot_y + layout->plot_height + 62, layout->plot_x, right};
    char text[DUET_GANTT_LABEL + 32];
    duet_gantt_font(cr, 11.5, false);
    if (classes->heading[0] != '\0') {
        duet_gantt_ink(cr, SOFT);
        duet_gantt_text(cr, at.x, at.y, DUET_ALIGN_LEFT, classes->heading);
        at.x += duet_gantt_text_width(cr, classes->heading) + 14;
    }
    for (size_t i = 0; i < classes->count; i++) {
        if (classes->list[i].tasks > 0) {
            entry_text(classes, &classes->list[i], text, sizeof text);
            draw_entry(cr, &at, classes->list[i].colour, false, text, sizeof text);
        }
    }
    snprintf(text, sizeof text, "idle");
    draw_entry(cr, &at, duet_colour_mix(duet_gantt_idle_colour(), INK, 0.06), false, text,
               sizeof text);
    if (has_pale(gantt)) {
        advance(&at, 120);
        duet_gantt_ink(cr, SOFT);
        duet_gantt_text(cr, at.x, at.y, DUET_ALIGN_LEFT, "(paler: idle in part)");
        at.x += 140;
    }
    if (gantt->solution->aborted_count > 0) {
        snprintf(text, sizeof text, "aborted");
        draw_entry(cr, &at, (duet_colour){0.97, 0.93, 0.93}, true, text, sizeof text);
    }
    return at.y;
}

static void draw_nothing(cairo_t *cr, const duet_gantt *gantt)
{
    const duet_gantt_layout *layout = &gantt->layout;
    duet_gantt_font(cr, 13, false);
    duet_gantt_ink(cr, SOFT);
    duet_gantt_text(cr, layout->plot_x + layout->plot_width / 2,
                    layout->plot_y + layout->plot_height / 2 + 4, DUET_ALIGN_CENTRE,
                    duet_tasks(gantt->instance) == 0 ? "no tasks" : "no task takes any time");
}

double duet_gantt_draw(cairo_t *cr, const duet_gantt *gantt)
{
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    draw_title(cr, gantt);
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
    return draw_legend(cr, gantt) + MARGIN;
}
