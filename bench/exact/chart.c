// SPDX-License-Identifier: Apache-2.0
// The cactus plot of `duet bench exact`.
#include "bench/exact/exact.h"
#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Steps of the clock would draw a line down to nothing.
static const double least_seconds = 1e-5;

// The times of an algorithm's proofs, each above as many as are done by then.
static void add_proofs(const duet_exact_plan *plan, size_t algorithm, double *seconds,
                       duet_plot *plot)
{
    const char *name = plan->settings.algorithm[algorithm];
    size_t count = 0;
    for (size_t r = 0; r < plan->row_count; r++) {
        const duet_exact_row *row = &plan->rows[r];
        if (row->outcome == DUET_EXACT_PROVEN && !row->faulty &&
            duet_exact_is_algorithm(row, name)) {
            seconds[count++] = duet_max(row->seconds, least_seconds);
        }
    }
    duet_sort_doubles(seconds, count);
    for (size_t i = 0; i < count && (i > 0 || duet_plot_line(plot, (int)algorithm, 0, "%s", name));
         i++) {
        duet_plot_add(plot, (double)(i + 1), seconds[i]);
    }
}

duet_code duet_exact_chart(const duet_exact_plan *plan, const duet_drawing *drawing,
                           duet_error *error)
{
    const duet_exact_settings *settings = &plan->settings;
    char title[96];
    snprintf(title, sizeof title, "Set %s: proven optimal, of %zu instances", settings->set->name,
             plan->summary.jobs);
    duet_plot plot = {.chart = {.title = title,
                                .x_label = "instances proven",
                                .y_label = "seconds for each",
                                .linear_x = true}};
    double *seconds = duet_alloc(plan->row_count, sizeof *seconds, error);
    DUET_NEED(seconds);
    for (size_t a = 0; a < settings->algorithm_count; a++) {
        add_proofs(plan, a, seconds, &plot);
    }
    duet_free(seconds);
    duet_code code = duet_plot_draw(&plot, "cactus", drawing, error);
    return code == DUET_OK && duet_exact_has_edges(settings->set)
               ? duet_exact_chart_graphs(plan, drawing, error)
               : code;
}
