// SPDX-License-Identifier: Apache-2.0
// The chart of `duet solve` and `duet bound` over several platforms.
#include <stdio.h>

#include "cli/what_if.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "report/chart/chart.h"
#include "report/gantt/clock_axis.h"

// Lines of a chart: makespan and bound of each choice of the other types.
enum { MOST_CHOICES = 12, LABEL = 120 };

typedef struct lines {
    int64_t horizon;             // the longest time, whose unit is the axis's
    size_t axis;                 // the type whose processors are counted along x
    size_t others;               // choices of the other types' counts
    size_t sample[MOST_CHOICES]; // a point of each
    double *x;                   // `count` of the table for each line, as y
    double *makespan;
    double *bound;
    size_t length[MOST_CHOICES];
    char label[2 * MOST_CHOICES][LABEL];
    duet_chart_series series[2 * MOST_CHOICES];
} lines;

static bool same_line(const duet_cli_what_if *table, const duet_cli_point *a,
                      const duet_cli_point *b, size_t axis)
{
    bool same = true;
    for (size_t t = 0; t < duet_instance_types(table->instance); t++) {
        same = same && (t == axis || a->counts[t] == b->counts[t]);
    }
    return same;
}

static double in_units(const duet_cli_what_if *table, int64_t horizon, int64_t ticks)
{
    double value = (double)ticks;
    int places =
        duet_instance_decimals(table->instance) + duet_gantt_axis_shift(table->instance, horizon);
    for (int i = 0; i < places; i++) {
        value /= 10;
    }
    return value;
}

static void add_point(const duet_cli_what_if *table, const duet_cli_point *point, lines *made)
{
    size_t line = 0;
    while (line < made->others &&
           !same_line(table, point, &table->point[made->sample[line]], made->axis)) {
        line++;
    }
    if (point->why[0] != '\0' || line == MOST_CHOICES) {
        return;
    }
    if (line == made->others) {
        made->sample[made->others++] = (size_t)(point - table->point);
    }
    size_t at = line * table->count + made->length[line]++;
    made->x[at] = (double)point->counts[made->axis];
    made->bound[at] = in_units(table, made->horizon, point->bound);
    made->makespan[at] = in_units(table, made->horizon, table->bounds_only ? 0 : point->makespan);
}

// "makespan, 4 big": the other varied types tell the lines apart.
static void name_line(const duet_cli_what_if *table, const lines *made, size_t line,
                      const char *what, char label[LABEL])
{
    const duet_cli_point *point = &table->point[made->sample[line]];
    size_t used = (size_t)snprintf(label, LABEL, "%s", what);
    for (size_t t = 0; t < duet_instance_types(table->instance) && used < LABEL; t++) {
        if (t != made->axis && table->varied[t]) {
            used += (size_t)snprintf(label + used, LABEL - used, ", %lld %.40s",
                                     (long long)point->counts[t],
                                     duet_instance_type_name(table->instance, t));
        }
    }
}

static size_t make_series(const duet_cli_what_if *table, lines *made)
{
    size_t count = 0;
    for (size_t line = 0; line < made->others; line++) {
        const double *x = made->x + line * table->count;
        for (int bound = table->bounds_only; bound < 2; bound++) {
            const double *y = (bound ? made->bound : made->makespan) + line * table->count;
            name_line(table, made, line, bound ? "lower bound" : "makespan", made->label[count]);
            made->series[count] = (duet_chart_series){
                made->label[count], (int)line, bound && !table->bounds_only, x, y,
                made->length[line]};
            count++;
        }
    }
    return count;
}

duet_code duet_cli_what_if_chart(const duet_cli_what_if *table, const char *path,
                                 const duet_cli_chart *look, duet_error *error)
{
    size_t cells = MOST_CHOICES * table->count;
    double *room = duet_alloc(3 * cells, sizeof *room, error);
    DUET_NEED(room);
    lines made = {.x = room, .makespan = room + cells, .bound = room + 2 * cells};
    while (made.axis + 1 < duet_instance_types(table->instance) && !table->varied[made.axis]) {
        made.axis++;
    }
    for (size_t i = 0; i < table->count; i++) {
        const duet_cli_point *point = &table->point[i];
        int64_t longest = table->bounds_only ? point->bound : point->makespan;
        made.horizon = point->why[0] == '\0' && longest > made.horizon ? longest : made.horizon;
    }
    for (size_t i = 0; i < table->count; i++) {
        add_point(table, &table->point[i], &made);
    }
    char x_label[100];
    char y_label[100];
    const char *unit = duet_gantt_axis_unit(table->instance, made.horizon);
    snprintf(x_label, sizeof x_label, "%.60s", duet_instance_type_name(table->instance, made.axis));
    snprintf(y_label, sizeof y_label, "time%s%.60s%s", unit[0] == '\0' ? "" : " (", unit,
             unit[0] == '\0' ? "" : ")");
    const duet_chart chart = {.title = look->title != NULL ? look->title
                                                           : duet_instance_name(table->instance),
                              .width = look->width,
                              .height = look->height,
                              .x_label = x_label,
                              .y_label = y_label,
                              .linear_x = true,
                              .linear_y = true,
                              .counts = DUET_CHART_COUNTS_X,
                              .series = made.series,
                              .count = make_series(table, &made)};
    duet_code code = duet_chart_write(path, &chart, error);
    duet_free(room);
    return code;
}
