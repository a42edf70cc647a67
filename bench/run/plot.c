// SPDX-License-Identifier: Apache-2.0
#include "bench/run/plot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include "console/paths.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "report/canvas/canvas.h"

duet_code duet_drawing_check(const duet_drawing *drawing, duet_error *error)
{
    char path[4096];
    if (drawing->prefix == NULL) {
        return DUET_OK;
    }
    int length = snprintf(path, sizeof path, "%s-.%s", drawing->prefix, drawing->ending);
    if (length < 0 || (size_t)length >= sizeof path) {
        return duet_error_set(error, DUET_E_OUTPUT, "%.200s: the name is too long",
                              drawing->prefix);
    }
    duet_code code = duet_canvas_can_write(path, error);
    struct stat status; // a folder of that name is in nobody's way
    return code != DUET_OK || stat(path, &status) == 0 ? code : duet_cli_check_target(path, error);
}

bool duet_plot_line(duet_plot *plot, int style, int dash, const char *label, ...)
{
    size_t at = plot->chart.count;
    if (at == DUET_PLOT_LINES) {
        return false;
    }
    va_list arguments;
    va_start(arguments, label);
    vsnprintf(plot->label[at], DUET_PLOT_LABEL, label, arguments);
    va_end(arguments);
    plot->line[at] = (duet_chart_series){.label = plot->label[at], .style = style, .dash = dash};
    plot->first[at] = plot->points;
    plot->chart.count++;
    return true;
}

void duet_plot_add(duet_plot *plot, double x, double y)
{
    plot->failed = plot->failed || duet_vec_grow(plot->x, plot->points, NULL) != DUET_OK ||
                   duet_vec_grow(plot->y, plot->points, NULL) != DUET_OK;
    if (!plot->failed) {
        plot->x[plot->points] = x;
        plot->y[plot->points++] = y > 0 ? y : NAN;
        plot->line[plot->chart.count - 1].count++;
    }
}

duet_code duet_plot_draw(duet_plot *plot, const char *name, const duet_drawing *drawing,
                         duet_error *error)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s-%s.%s", drawing->prefix, name, drawing->ending);
    duet_code code = DUET_OK;
    for (size_t i = 0; i < plot->chart.count && !plot->failed; i++) {
        plot->line[i].x = plot->x + plot->first[i];
        plot->line[i].y = plot->y + plot->first[i];
    }
    plot->chart.series = plot->line;
    if (plot->failed) {
        code = duet_error_set(error, DUET_E_MEMORY, "out of memory");
    } else if (length < 0 || (size_t)length >= sizeof path) {
        code = duet_error_set(error, DUET_E_USAGE, "--chart: expected a shorter path");
    } else if (plot->points > 0) {
        code = duet_chart_write(path, &plot->chart, error);
    }
    duet_free(plot->x);
    duet_free(plot->y);
    return code;
}
