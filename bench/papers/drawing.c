// SPDX-License-Identifier: Apache-2.0
// The charts of the papers: a line per algorithm.
#include <stdio.h>

#include "bench/papers/papers.h"

// Named as the papers do, where they do.
static const char *const labels[DUET_PAPERS_ALGORITHMS] = {
    "DP (dual-2)", "HEFT",   "Accel (as published)", "dual-4-3",
    "shelf-3-2",   "DualHP", "HeteroPrio",           "exact"};

duet_code duet_papers_draw(const duet_papers_lines *lines, duet_chart *chart, const char *what,
                           const duet_papers_drawing *drawing, duet_error *error)
{
    duet_chart_series series[DUET_PAPERS_ALGORITHMS];
    if (lines->count == 0) {
        return DUET_OK;
    }
    for (size_t i = 0; i < lines->shown_count; i++) {
        size_t a = lines->shown[i];
        series[i] = (duet_chart_series){labels[a], (int)i, 0, lines->x, lines->y[a], lines->count};
    }
    chart->linear_x = true;
    chart->series = series;
    chart->count = lines->shown_count;
    return duet_chart_write_as(drawing->prefix, what, drawing->ending, chart, error);
}
