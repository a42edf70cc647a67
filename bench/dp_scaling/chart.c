// SPDX-License-Identifier: Apache-2.0
// Charts of `duet bench dp-scaling`: time per guess over each variable, the others held, and the
// cell rate over the table's size.
#include <inttypes.h>
#include <string.h>

#include "bench/dp_scaling/dp_scaling.h"
#include "core/system/try.h"

enum { VARIABLES = DUET_SCALING_VARIABLES };

static const char *const variable_names[VARIABLES] = {"n", "m", "k", "threads"};
static const char *const axis_labels[VARIABLES] = {"tasks n", "CPUs m", "GPUs k", "threads"};

static bool same_but(const duet_scaling_row *a, const duet_scaling_row *b, int variable)
{
    for (int v = 0; v < VARIABLES; v++) {
        if (v != variable && duet_scaling_value(a, v) != duet_scaling_value(b, v)) {
            return false;
        }
    }
    return true;
}

// The row whose other variables leave the most values of `variable`; of equals the last, which is
// the largest where lists are increasing. NULL where no variable has two values.
static const duet_scaling_row *choose_base(const duet_scaling *scaling, int variable)
{
    const duet_scaling_row *best = NULL;
    size_t best_count = 1;
    for (size_t i = 0; i < scaling->count; i++) {
        const duet_scaling_row *row = &scaling->rows[i];
        size_t count = 0;
        for (size_t j = 0; j < scaling->count; j++) {
            const duet_scaling_row *other = &scaling->rows[j];
            count += other->form == row->form && other->family == row->family &&
                     same_but(row, other, variable);
        }
        // Threads are held at the first number, where every form was timed.
        bool all_forms = variable == 3 || row->threads == (int)scaling->settings.threads[0];
        if (count > 1 && count >= best_count && all_forms) {
            best = row;
            best_count = count;
        }
    }
    return best;
}

static void add_times(const duet_scaling *scaling, const duet_scaling_row *base, int variable,
                      duet_plot *plot)
{
    for (size_t f = 0; f < scaling->settings.family_count; f++) {
        const char *family = scaling->settings.family[f];
        for (int form = 0; form < DUET_BENCH_FORMS; form++) {
            if (!duet_plot_line(plot, form, (int)f, "%s, %s", duet_bench_form_names[form],
                                family)) {
                return;
            }
            for (size_t i = 0; i < scaling->count; i++) {
                const duet_scaling_row *row = &scaling->rows[i];
                if (row->form == (duet_table_form)form && strcmp(row->family, family) == 0 &&
                    duet_scaling_value(row, variable) > 0 && same_but(base, row, variable)) {
                    duet_plot_add(plot, (double)duet_scaling_value(row, variable), row->seconds);
                }
            }
            duet_plot_sort(plot, 2);
        }
    }
}

static void describe_base(const duet_scaling_row *base, int variable, char *title, size_t size)
{
    snprintf(title, size, "4/3 table, time per guess");
    for (int v = 0; v < VARIABLES; v++) {
        if (v != variable) {
            duet_bench_append(title, size, ", %s = %" PRId64, variable_names[v],
                              duet_scaling_value(base, v));
        }
    }
}

static void add_rates(const duet_scaling *scaling, duet_plot *plot)
{
    for (size_t t = 0; t < 2 * scaling->settings.thread_count; t++) {
        int threads = (int)scaling->settings.threads[t / 2];
        bool triad = t % 2 == 1;
        if (!duet_plot_line(plot, 3 * triad + (int)(t / 2) % 3, 0, "%s, %d thread%s",
                            triad ? "min-plus triad" : "collapsed table", threads,
                            threads == 1 ? "" : "s")) {
            return;
        }
        for (size_t i = 0; i < scaling->count; i++) {
            const duet_scaling_row *row = &scaling->rows[i];
            if (row->triad > 0 && row->threads == threads) {
                duet_plot_add(plot, (double)row->decided.bytes / 1048576.0,
                              triad ? row->triad : duet_scaling_rate(row));
            }
        }
        duet_plot_sort(plot, 1);
    }
}

// The chart over a variable.
static duet_code draw(const duet_scaling *scaling, int variable, const duet_drawing *drawing,
                      duet_error *error)
{
    const duet_scaling_row *base = choose_base(scaling, variable);
    char title[160];
    if (base == NULL) {
        return DUET_OK;
    }
    describe_base(base, variable, title, sizeof title);
    duet_plot plot = {.chart = {.title = title,
                                .x_label = axis_labels[variable],
                                .y_label = "seconds per guess"}};
    add_times(scaling, base, variable, &plot);
    return duet_plot_draw(&plot, variable_names[variable], drawing, error);
}

duet_code duet_scaling_charts(const duet_scaling *scaling, const duet_drawing *drawing,
                              duet_error *error)
{
    for (int variable = 0; variable < VARIABLES; variable++) {
        DUET_TRY(draw(scaling, variable, drawing, error));
    }
    duet_plot rates = {.chart = {.title = "Cell rate of the collapsed table",
                                 .x_label = "memory (MiB)",
                                 .y_label = "cells per second",
                                 .kind = DUET_CHART_MARKS}};
    add_rates(scaling, &rates);
    return duet_plot_draw(&rates, "rate", drawing, error);
}
