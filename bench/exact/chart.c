// SPDX-License-Identifier: Apache-2.0
// The cactus plot of `duet bench exact`.
#include "console/chart.h"

#include "bench/exact/exact.h"
#include "bench/run/statistics.h"
#include "core/memory.h"

// Steps of the clock would draw a line down to nothing.
static const double least_seconds = 1e-5;

// The times of an algorithm's proofs by increasing time, and how many are done by then.
static size_t collect(const duet_exact_plan *plan, const char *algorithm, double *x, double *y)
{
    size_t count = 0;
    for (size_t r = 0; r < plan->row_count; r++) {
        const duet_exact_row *row = &plan->rows[r];
        if (row->outcome == DUET_EXACT_PROVEN && !row->faulty &&
            duet_exact_is_algorithm(row, algorithm)) {
            y[count++] = row->seconds > least_seconds ? row->seconds : least_seconds;
        }
    }
    duet_sort_doubles(y, count);
    for (size_t i = 0; i < count; i++) {
        x[i] = (double)(i + 1);
    }
    return count;
}

duet_code duet_exact_chart(const duet_exact_plan *plan, const char *prefix, const char *ending,
                           duet_error *error)
{
    const duet_exact_settings *settings = &plan->settings;
    char title[96];
    snprintf(title, sizeof title, "Set %s: proven optimal, of %zu instances", settings->set->name,
             plan->summary.jobs);
    double *x = duet_alloc(plan->row_count, sizeof *x, error);
    double *y = duet_alloc(plan->row_count, sizeof *y, error);
    duet_code code = x == NULL || y == NULL ? DUET_E_MEMORY : DUET_OK;
    duet_chart_series series[DUET_EXACT_MAX_ALGORITHMS];
    duet_chart chart = {.title = title,
                        .x_label = "instances proven",
                        .y_label = "seconds for each",
                        .linear_x = true,
                        .series = series};
    size_t used = 0;
    for (size_t a = 0; a < settings->algorithm_count && code == DUET_OK; a++) {
        size_t count = collect(plan, settings->algorithm[a], x + used, y + used);
        if (count > 0) {
            series[chart.count++] =
                (duet_chart_series){settings->algorithm[a], (int)a, 0, x + used, y + used, count};
            used += count;
        }
    }
    if (code == DUET_OK && chart.count > 0) {
        code = duet_chart_write_as(prefix, "cactus", ending, &chart, error);
    }
    if (code == DUET_OK && duet_exact_has_edges(settings->set)) {
        code = duet_exact_chart_graphs(plan, prefix, ending, error);
    }
    duet_free(x);
    duet_free(y);
    return code;
}
