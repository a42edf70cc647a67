// SPDX-License-Identifier: Apache-2.0
// The gaps of a comparison as a picture: for each algorithm the share of the files over the gap. Of
// more algorithms than can be told apart it has those of the smallest mean gaps.
#include "cli/compare/compare.h"

#include <stdio.h>
#include <stdlib.h>

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

// Those with a gap, in their order, or the best of them; returns how many. `found` counts them all.
static size_t choose(const duet_cli_comparison *files, size_t count, duet_cli_summary *sums,
                     size_t *found)
{
    const duet_cli_comparison *all = duet_cli_longest(files, count);
    *found = 0;
    for (size_t i = 0; i < all->count; i++) {
        sums[*found] = duet_cli_summarise(files, count, i);
        *found += sums[*found].with_gap > 0;
    }
    if (*found > MOST_SERIES) {
        qsort(sums, *found, sizeof *sums, duet_cli_by_mean);
    }
    return duet_min(*found, MOST_SERIES);
}

duet_code duet_cli_compare_chart(const duet_cli_comparison *files, size_t count, const char *path,
                                 const duet_cli_chart *look, duet_error *error)
{
    const duet_cli_comparison *all = duet_cli_longest(files, count);
    duet_chart_series series[MOST_SERIES];
    char title[80] = "Gap to the best bound";
    double *room = duet_alloc((4 * MOST_SERIES + 1) * count, sizeof *room, error);
    duet_cli_summary *sums = duet_alloc(all->count + 1, sizeof *sums, error);
    if (room == NULL || sums == NULL) {
        duet_free(room);
        duet_free(sums);
        return DUET_E_MEMORY;
    }
    size_t found;
    size_t used = choose(files, count, sums, &found);
    for (size_t i = 0; i < used; i++) {
        double *x = room + (4 * i + 1) * count;
        double *y = x + 2 * count;
        size_t points = make_steps(files, count, sums[i].index, room, x, y);
        series[i] = (duet_chart_series){
            all->results[sums[i].index].algorithm, (int)i, (int)i / 7, x, y, points};
    }
    if (used < found) {
        snprintf(title, sizeof title, "Gap to the best bound, the best %zu of %zu algorithms", used,
                 found);
    }
    const duet_chart chart = {.title = look->title != NULL ? look->title : title,
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
    duet_free(sums);
    return code;
}
