// SPDX-License-Identifier: Apache-2.0
// Tables and CSV of `duet bench dp-scaling`.
#include <inttypes.h>
#include <math.h>

#include "bench/dp_scaling/dp_scaling.h"
#include "bench/run/columns.h"
#include "bench/run/fit.h"
#include "console/table.h"
#include "core/system/memory.h"

static double rate(const void *row)
{
    return duet_scaling_rate(row);
}

static double of_triad(const void *row)
{
    double triad = ((const duet_scaling_row *)row)->triad;
    return triad > 0 ? duet_scaling_rate(row) / triad : 0;
}

static void write_how(const void *row, char text[DUET_COLUMN_ROOM])
{
    snprintf(text, DUET_COLUMN_ROOM, "%s",
             ((const duet_scaling_row *)row)->by_rate ? "by rate" : "measured");
}

#define COLUMN(member, kind) DUET_COLUMN_OF(duet_scaling_row, member, DUET_COLUMN_##kind)
static const duet_column columns[] = {
    {"family", COLUMN(family, TEXT)},
    {"n", COLUMN(n, INTEGER)},
    {"m", COLUMN(m, INTEGER)},
    {"k", COLUMN(k, INTEGER)},
    {"form", COLUMN(form, NAME), .names = duet_bench_form_names},
    {"threads", COLUMN(threads, INT)},
    {"guesses", COLUMN(guesses, INT)},
    {"yes", COLUMN(decided.yes, INT)},
    {"how", .type = DUET_COLUMN_OWN, .write = write_how},
    {"cells", COLUMN(decided.cells, REAL), .format = "%.0f"},
    {"bytes", COLUMN(decided.bytes, NUMBER)},
    {"by_misfit", COLUMN(decided.settled[DUET_SETTLED_MISFIT], INT)},
    {"by_lp", COLUMN(decided.settled[DUET_SETTLED_LP], INT)},
    {"by_rounding", COLUMN(decided.settled[DUET_SETTLED_ROUNDING], INT)},
    {"by_list", COLUMN(decided.settled[DUET_SETTLED_LIST], INT)},
    {"by_table", COLUMN(decided.settled[DUET_SETTLED_TABLE], INT)},
    {"seconds", COLUMN(seconds, REAL), .format = "%.9g"},
    {"cells_per_second", .type = DUET_COLUMN_REAL, .value = rate, .format = "%.6g"},
    {"triad_cells_per_second", COLUMN(triad, REAL), .format = "%.6g"},
    {"of_triad", .type = DUET_COLUMN_REAL, .value = of_triad, .format = "%.4f"},
    {.name = NULL}};

static void add_row(duet_cli_table *table, const duet_scaling_row *row)
{
    char text[32];
    duet_cells_addf(table, "%s\t%" PRId64 "\t%" PRId64 ",%" PRId64 "\t%s\t%d\t%s\t%s\t%.3g",
                    row->family, row->n, row->m, row->k, duet_bench_form_names[row->form],
                    row->threads, duet_bench_format_seconds(row->seconds, text),
                    row->by_rate ? "by rate" : "measured", row->decided.cells);
    duet_cells_add_positive(table, "%.3g", duet_scaling_rate(row) * 1e-9);
    duet_cli_table_add(table, duet_bench_format_bytes((double)row->decided.bytes, text));
    duet_cells_add_positive(table, "%.3g", row->triad * 1e-9);
    duet_cells_add_positive(table, "%.0f %%", 100 * of_triad(row));
}

void duet_scaling_print(const duet_scaling *scaling, FILE *stream)
{
    duet_cli_table table;
    duet_cells_begin(
        &table, "lrrlrrlrrrrr",
        "family\tn\tm,k\tform\tthreads\tper guess\t\tcells\tGcell/s\tmemory\ttriad\tof triad");
    for (size_t i = 0; i < scaling->count; i++) {
        add_row(&table, &scaling->rows[i]);
    }
    duet_cells_end(&table, 0, stream);
}

// What the sizes of the tables alone say; NAN where nothing is predicted.
static const double predicted[DUET_BENCH_FORMS][DUET_SCALING_VARIABLES] = {
    [DUET_TABLE_PUBLISHED] = {2, 2, 3, NAN},
    [DUET_TABLE_COLLAPSED] = {2, 1, 2, -1},
    [DUET_TABLE_ADAPTIVE] = {NAN, NAN, NAN, NAN},
};

// The points of a form: each has the variables, and what is fitted.
typedef struct points {
    double *x, *seconds, *cells;
    size_t count;
    bool has_cells; // not where a guess was settled without a table
} points;

static void collect(const duet_scaling *scaling, duet_table_form form, points *p)
{
    p->has_cells = true;
    for (size_t i = 0; i < scaling->count; i++) {
        const duet_scaling_row *row = &scaling->rows[i];
        // A time from a rate would only repeat the count of the cells.
        if (row->form != form || row->by_rate || row->seconds <= 0 || row->m == 0 || row->k == 0) {
            continue;
        }
        for (int v = 0; v < DUET_SCALING_VARIABLES; v++) {
            p->x[p->count * DUET_SCALING_VARIABLES + (size_t)v] =
                (double)duet_scaling_value(row, v);
        }
        p->seconds[p->count] = row->seconds;
        p->cells[p->count++] = row->decided.cells;
        p->has_cells = p->has_cells && row->decided.cells > 0;
    }
}

static void add_exponents(duet_cli_table *table, const char *what, bool known,
                          const double *exponent, double determination)
{
    duet_cli_table_add(table, what);
    for (int v = 0; v < DUET_SCALING_VARIABLES; v++) {
        if (known && !isnan(exponent[v])) {
            duet_cells_add_number(table, "%.2f", fabs(exponent[v]) < 0.005 ? 0.0 : exponent[v]);
        } else {
            duet_cli_table_add(table, "-");
        }
    }
    if (known && !isnan(determination)) {
        duet_cells_add_number(table, "%.3f", determination);
    } else {
        duet_cli_table_add(table, "");
    }
}

// False where there are points and no fit.
static bool print_fit(const duet_scaling *scaling, duet_table_form form, points *p,
                      duet_cli_table *table)
{
    duet_fit time_fit;
    duet_fit cell_fit;
    p->count = 0;
    collect(scaling, form, p);
    if (p->count == 0) {
        return true;
    }
    bool fitted = duet_fit_powers(p->x, DUET_SCALING_VARIABLES, p->seconds, p->count, &time_fit) &&
                  (!p->has_cells ||
                   duet_fit_powers(p->x, DUET_SCALING_VARIABLES, p->cells, p->count, &cell_fit));
    char name[64];
    snprintf(name, sizeof name, "%s (%zu points)", duet_bench_form_names[form], p->count);
    duet_cli_table_add(table, name);
    add_exponents(table, "predicted", true, predicted[form], NAN);
    if (p->has_cells) {
        duet_cli_table_add(table, "");
        add_exponents(table, "cells", fitted, cell_fit.exponent, NAN);
    }
    duet_cli_table_add(table, "");
    add_exponents(table, "time", fitted, time_fit.exponent, time_fit.determination);
    return fitted;
}

void duet_scaling_print_fits(const duet_scaling *scaling, FILE *stream)
{
    duet_cli_table table;
    duet_cells_begin(&table, "llrrrrr", "exponents of\t\tn\tm\tk\tthreads\tR^2");
    size_t room = scaling->count + 1;
    double *values = duet_alloc(room * (DUET_SCALING_VARIABLES + 2), sizeof *values, NULL);
    points p = {values, values + room * DUET_SCALING_VARIABLES,
                values + room * (DUET_SCALING_VARIABLES + 1), 0, true};
    bool all = values != NULL;
    for (int form = 0; form < DUET_BENCH_FORMS && values != NULL; form++) {
        all = print_fit(scaling, (duet_table_form)form, &p, &table) && all;
    }
    duet_free(values);
    duet_cells_end(&table, 0, stream);
    if (!all) {
        fprintf(stream, "(no fit where the sizes do not determine it)\n");
    }
}

duet_code duet_scaling_csv(const duet_scaling *scaling, const char *path, duet_error *error)
{
    return duet_columns_save(columns, scaling->rows, scaling->count, sizeof *scaling->rows, path,
                             error);
}
