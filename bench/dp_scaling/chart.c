// SPDX-License-Identifier: Apache-2.0
// Charts of `duet bench dp-scaling`: time per guess over each variable, the others held, and the
// cell rate over the table's size.
#include <inttypes.h>
#include <string.h>

#include "bench/dp_scaling/dp_scaling.h"
#include "console/chart.h"
#include "core/memory.h"

enum { VARIABLES = DUET_SCALING_VARIABLES, MAX_SERIES = 64, MAX_LABEL = 96 };

static const char *const variable_names[VARIABLES] = {"n", "m", "k", "threads"};
static const char *const axis_labels[VARIABLES] = {"tasks n", "CPUs m", "GPUs k", "threads"};

// A chart under construction: every series is a slice of the points.
typedef struct builder {
    duet_chart_series series[MAX_SERIES];
    char label[MAX_SERIES][MAX_LABEL];
    double *x;
    double *y;
    size_t points;
    size_t count;
} builder;

// Adds a point to the last series, keeping its points by increasing x.
static void add_point(builder *b, double x, double y)
{
    duet_chart_series *series = &b->series[b->count - 1];
    size_t at = b->points++;
    while (at > b->points - 1 - series->count && b->x[at - 1] > x) {
        b->x[at] = b->x[at - 1];
        b->y[at] = b->y[at - 1];
        at--;
    }
    b->x[at] = x;
    b->y[at] = y;
    series->count++;
}

static bool start_series(builder *b, int style, int dash)
{
    if (b->count == MAX_SERIES) {
        return false;
    }
    b->series[b->count] =
        (duet_chart_series){b->label[b->count], style, dash, b->x + b->points, b->y + b->points, 0};
    b->count++;
    return true;
}

// Forgets the last series where it has no line to show.
static void end_series(builder *b, size_t least)
{
    if (b->series[b->count - 1].count < least) {
        b->points -= b->series[b->count - 1].count;
        b->count--;
    }
}

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

static void add_time_series(const duet_scaling *scaling, const duet_scaling_row *base, int variable,
                            builder *b)
{
    for (size_t f = 0; f < scaling->settings.family_count; f++) {
        const char *family = scaling->settings.family[f];
        for (int form = 0; form < DUET_BENCH_FORMS && start_series(b, form, (int)f); form++) {
            for (size_t i = 0; i < scaling->count; i++) {
                const duet_scaling_row *row = &scaling->rows[i];
                if (row->form == (duet_table_form)form && strcmp(row->family, family) == 0 &&
                    duet_scaling_value(row, variable) > 0 && same_but(base, row, variable)) {
                    add_point(b, (double)duet_scaling_value(row, variable), row->seconds);
                }
            }
            snprintf(b->label[b->count - 1], MAX_LABEL, "%s, %s", duet_bench_form_names[form],
                     family);
            end_series(b, 2);
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

static void add_rate_series(const duet_scaling *scaling, builder *b)
{
    for (size_t t = 0; t < scaling->settings.thread_count; t++) {
        int threads = (int)scaling->settings.threads[t];
        for (int triad = 0; triad < 2 && start_series(b, 3 * triad + (int)t % 3, 0); triad++) {
            for (size_t i = 0; i < scaling->count; i++) {
                const duet_scaling_row *row = &scaling->rows[i];
                if (row->triad > 0 && row->threads == threads) {
                    add_point(b, (double)row->decided.bytes / 1048576.0,
                              triad == 0 ? duet_scaling_rate(row) : row->triad);
                }
            }
            snprintf(b->label[b->count - 1], MAX_LABEL, "%s, %d thread%s",
                     triad == 0 ? "collapsed table" : "min-plus triad", threads,
                     threads == 1 ? "" : "s");
            end_series(b, 1);
        }
    }
}

// The chart over a variable; over the memory where `variable` is VARIABLES.
static duet_code draw(const duet_scaling *scaling, int variable, const char *prefix,
                      const char *ending, duet_error *error)
{
    bool over_memory = variable == VARIABLES;
    const duet_scaling_row *base = over_memory ? NULL : choose_base(scaling, variable);
    if (base == NULL && !over_memory) {
        return DUET_OK;
    }
    char title[160] = "Cell rate of the collapsed table";
    // A family or a number of threads that is given twice is drawn twice.
    const duet_scaling_settings *settings = &scaling->settings;
    size_t room = scaling->count * (settings->family_count + 2 * settings->thread_count);
    double *values = duet_alloc(2 * room, sizeof *values, error);
    if (values == NULL) {
        return DUET_E_MEMORY;
    }
    builder b = {.x = values, .y = values + room};
    duet_chart chart = {.title = title,
                        .x_label = over_memory ? "memory (MiB)" : axis_labels[variable],
                        .y_label = over_memory ? "cells per second" : "seconds per guess",
                        .points = over_memory,
                        .series = b.series};
    if (over_memory) {
        add_rate_series(scaling, &b);
    } else {
        describe_base(base, variable, title, sizeof title);
        add_time_series(scaling, base, variable, &b);
    }
    chart.count = b.count;
    const char *name = over_memory ? "rate" : variable_names[variable];
    duet_code code =
        b.count == 0 ? DUET_OK : duet_chart_write_as(prefix, name, ending, &chart, error);
    duet_free(values);
    return code;
}

duet_code duet_scaling_charts(const duet_scaling *scaling, const char *prefix, const char *ending,
                              duet_error *error)
{
    duet_code code = DUET_OK;
    for (int variable = 0; variable <= VARIABLES && code == DUET_OK; variable++) {
        code = draw(scaling, variable, prefix, ending, error);
    }
    return code;
}
