// SPDX-License-Identifier: Apache-2.0
// Figure 3 of Bleuse et al. and Figure 6 of Beaumont et al. as charts.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "bench/run/chart.h"

enum {
    TILES = DUET_PAPERS_MOST_TILES - DUET_PAPERS_FEWEST_TILES + 1,
    POINTS = DUET_PAPERS_SIZES > TILES ? DUET_PAPERS_SIZES : TILES
};

// Coordinates of a chart with a line per algorithm.
typedef struct points {
    double x[POINTS];
    double y[DUET_PAPERS_ALGORITHMS][POINTS];
    size_t count;
} points;

// Named as the papers do, where they do.
static const char *const labels[DUET_PAPERS_ALGORITHMS] = {
    "DP (dual-2)", "HEFT",   "Accel (as published)", "dual-4-3",
    "shelf-3-2",   "DualHP", "HeteroPrio",           "exact"};

static duet_code write_chart(const points *p, const duet_papers_algorithm *shown, size_t count,
                             duet_chart *chart, const char *prefix, const char *what,
                             const char *ending, duet_error *error)
{
    char path[4096];
    duet_chart_series series[DUET_PAPERS_ALGORITHMS];
    int length = snprintf(path, sizeof path, "%s-%s.%s", prefix, what, ending);
    if (length < 0 || (size_t)length >= sizeof path) {
        return duet_error_set(error, DUET_E_USAGE, "--chart: expected a shorter path");
    }
    for (size_t i = 0; i < count; i++) {
        series[i] =
            (duet_chart_series){labels[shown[i]], (int)i, 0, p->x, p->y[shown[i]], p->count};
    }
    chart->linear_x = true;
    chart->series = series;
    chart->count = count;
    return duet_chart_write(path, chart, error);
}

static duet_code chart_figure3(const duet_papers *papers, const char *prefix, const char *ending,
                               duet_error *error)
{
    static const duet_papers_algorithm shown[] = {DUET_PAPERS_DP, DUET_PAPERS_HEFT,
                                                  DUET_PAPERS_ACCEL, DUET_PAPERS_DUAL_4_3,
                                                  DUET_PAPERS_SHELF};
    static const int64_t step = 10;
    points p = {.count = 0};
    for (int64_t n = step; n <= step * DUET_PAPERS_SIZES; n += step) {
        duet_papers_figures figures;
        for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
            duet_papers_figures_of(papers, a, DUET_PAPERS_FROM_SEARCH, n, &figures);
            p.y[a][p.count] = figures.mean;
        }
        if (figures.runs > 0) {
            p.x[p.count++] = (double)n;
        }
    }
    duet_chart chart = {.title = "Mean deviation over all platforms (Bleuse et al. 2015, Figure 3)",
                        .x_label = "tasks",
                        .y_label = "% above the bound of dual-2's search"};
    return p.count == 0 ? DUET_OK
                        : write_chart(&p, shown, sizeof shown / sizeof *shown, &chart, prefix,
                                      "figure3", ending, error);
}

static duet_code chart_figure6(const duet_papers *papers, size_t family, const char *prefix,
                               const char *ending, duet_error *error)
{
    static const duet_papers_algorithm shown[] = {DUET_PAPERS_HETEROPRIO, DUET_PAPERS_HEFT,
                                                  DUET_PAPERS_DUALHP, DUET_PAPERS_EXACT};
    points p = {.count = 0};
    char title[96];
    char what[32];
    for (int64_t n = DUET_PAPERS_FEWEST_TILES; n <= DUET_PAPERS_MOST_TILES; n++) {
        const duet_papers_case *c = duet_papers_find(papers, family, n);
        for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS && c != NULL; a++) {
            double ratio = duet_papers_to_area(papers, c, a);
            p.y[a][p.count] = ratio > 0 ? ratio : NAN; // where the run failed
        }
        if (c != NULL) {
            p.x[p.count++] = (double)n;
        }
    }
    snprintf(title, sizeof title, "%s, 20 CPUs and 4 GPUs (Beaumont et al. 2017, Figure 6)",
             duet_papers_family[family]);
    snprintf(what, sizeof what, "figure6-%s", duet_papers_family[family]);
    duet_chart chart = {.title = title,
                        .x_label = "tiles of a side",
                        .y_label = "makespan / area bound",
                        .linear_y = true,
                        .least_y = 1};
    return p.count == 0 ? DUET_OK
                        : write_chart(&p, shown, sizeof shown / sizeof *shown, &chart, prefix, what,
                                      ending, error);
}

duet_code duet_papers_chart(const duet_papers *papers, const char *prefix, const char *ending,
                            duet_error *error)
{
    duet_code code = DUET_OK;
    if ((papers->settings.parts & DUET_PAPERS_FIGURE3) != 0) {
        code = chart_figure3(papers, prefix, ending, error);
    }
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES && code == DUET_OK; f++) {
        code = chart_figure6(papers, f, prefix, ending, error);
    }
    return code;
}
