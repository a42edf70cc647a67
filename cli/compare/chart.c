// SPDX-License-Identifier: Apache-2.0
// The gaps of a comparison as a picture: for each algorithm the share of the files over the gap.
#include "cli/compare/compare.h"

#include "console/texts.h"
#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "report/chart/chart.h"

enum { MOST_SERIES = 12 };

// Gaps in ascending order, each with the share of the files that do not exceed it: two points for
// each file, so that the line has steps. Returns how many.
static size_t make_steps(const duet_cli_comparison *files, size_t count, size_t algorithm,
                         double *gaps, double *x, double *y)
{
    size_t known = 0;
    for (size_t f = 0; f < count; f++) {
        const duet_cli_comparison *file = &files[f];
        bool there = algorithm < file->count && file->results[algorithm].skipped.code == DUET_OK;
        double gap = there ? duet_cli_gap(file->results[algorithm].makespan, file->bound) : -1;
        if (gap >= 0) {
            gaps[known++] = gap;
        }
    }
    duet_sort_doubles(gaps, known);
    for (size_t i = 0; i < known; i++) {
        x[2 * i] = x[2 * i + 1] = gaps[i];
        y[2 * i] = 100.0 * (double)i / (double)known;
        y[2 * i + 1] = 100.0 * (double)(i + 1) / (double)known;
    }
    return 2 * known;
}

duet_code duet_cli_compare_chart(const duet_cli_comparison *files, size_t count, const char *path,
                                 const duet_cli_chart *look, duet_error *error)
{
    const duet_cli_comparison *all = duet_cli_longest(files, count);
    size_t lines = duet_min(all->count, MOST_SERIES);
    duet_chart_series series[MOST_SERIES];
    double *room = duet_alloc((4 * MOST_SERIES + 1) * count, sizeof *room, error);
    DUET_NEED(room);
    size_t used = 0;
    for (size_t i = 0; i < lines; i++) {
        double *x = room + (4 * used + 1) * count;
        double *y = x + 2 * count;
        size_t points = make_steps(files, count, i, room, x, y);
        if (points > 0) {
            series[used] = (duet_chart_series){
                all->results[i].algorithm, (int)used, (int)used / 7, x, y, points};
            used++;
        }
    }
    const duet_chart chart = {.title = look->title != NULL ? look->title : "Gap to the best bound",
                              .width = look->width,
                              .height = look->height,
                              .x_label = "gap (%)",
                              .y_label = "files up to this gap (%)",
                              .linear_x = true,
                              .linear_y = true,
                              .kind = DUET_CHART_LINES,
                              .series = series,
                              .count = used};
    duet_code code = duet_chart_write(path, &chart, error);
    duet_free(room);
    return code;
}
