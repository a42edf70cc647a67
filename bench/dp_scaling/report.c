// SPDX-License-Identifier: Apache-2.0
// Tables and CSV of `duet bench dp-scaling`.
#include <inttypes.h>
#include <math.h>

#include "bench/dp_scaling/dp_scaling.h"
#include "bench/run/cells.h"
#include "bench/run/fit.h"
#include "console/table.h"
#include "core/memory.h"
#include "core/output.h"

enum { VARIABLES = 4 }; // n, m, k, threads

static void add_row(duet_cli_table *table, const duet_scaling_row *row)
{
    char text[32];
    duet_cli_table_add(table, row->family);
    duet_cells_add_number(table, "%.0f", (double)row->n);
    snprintf(text, sizeof text, "%" PRId64 ",%" PRId64, row->m, row->k);
    duet_cli_table_add(table, text);
    duet_cli_table_add(table, duet_bench_form_names[row->form]);
    duet_cells_add_number(table, "%.0f", row->threads);
    duet_cli_table_add(table, duet_bench_format_seconds(row->seconds, text));
    duet_cli_table_add(table, row->by_rate ? "by rate" : "measured");
    duet_cells_add_number(table, "%.3g", row->decided.cells);
    if (row->decided.cells > 0) {
        duet_cells_add_number(table, "%.3g", duet_scaling_rate(row) * 1e-9);
    } else {
        duet_cli_table_add(table, "-");
    }
    duet_cli_table_add(table, duet_bench_format_bytes((double)row->decided.bytes, text));
    if (row->triad > 0) {
        duet_cells_add_number(table, "%.3g", row->triad * 1e-9);
        duet_cells_add_number(table, "%.0f %%", 100 * duet_scaling_rate(row) / row->triad);
    } else {
        duet_cli_table_add(table, "-");
        duet_cli_table_add(table, "-");
    }
}

void duet_scaling_print(const duet_scaling *scaling, FILE *stream)
{
    static const char *const heads[] = {"family",  "n",         "m,k",   "form",
                                        "threads", "per guess", "",      "cells",
                                        "Gcell/s", "memory",    "triad", "of triad"};
    duet_cli_table table;
    duet_cli_table_init(&table, "lrrlrrlrrrrr");
    duet_cells_add(&table, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < scaling->count; i++) {
        add_row(&table, &scaling->rows[i]);
    }
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
}

// What the sizes of the tables alone say; NAN where nothing is predicted.
static const double predicted[DUET_BENCH_FORMS][VARIABLES] = {
    [DUET_TABLE_PUBLISHED] = {2, 2, 3, NAN},
    [DUET_TABLE_COLLAPSED] = {2, 1, 2, -1},
    [DUET_TABLE_ADAPTIVE] = {NAN, NAN, NAN, NAN},
};

static size_t collect(const duet_scaling *scaling, duet_table_form form, double *x, double *seconds,
                      double *cells)
{
    size_t count = 0;
    for (size_t i = 0; i < scaling->count; i++) {
        const duet_scaling_row *row = &scaling->rows[i];
        // A time from a rate would only repeat the count of the cells.
        if (row->form != form || row->by_rate || row->seconds <= 0 || row->m == 0 || row->k == 0) {
            continue;
        }
        const double values[VARIABLES] = {(double)row->n, (double)row->m, (double)row->k,
                                          row->threads};
        for (int v = 0; v < VARIABLES; v++) {
            x[count * VARIABLES + (size_t)v] = values[v];
        }
        seconds[count] = row->seconds;
        cells[count] = row->decided.cells;
        count++;
    }
    return count;
}

static void add_exponents(duet_cli_table *table, const char *what, bool known,
                          const double *exponent, double determination)
{
    duet_cli_table_add(table, what);
    for (int v = 0; v < VARIABLES; v++) {
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

static bool print_fit(const duet_scaling *scaling, duet_table_form form, duet_cli_table *table)
{
    size_t room = scaling->count + 1;
    double *x = duet_alloc(room * VARIABLES, sizeof *x, NULL);
    double *seconds = duet_alloc(room, sizeof *seconds, NULL);
    double *cells = duet_alloc(room, sizeof *cells, NULL);
    duet_fit time_fit;
    duet_fit cell_fit;
    bool fitted = false;
    bool has_cells = true; // not where a guess was settled without a table
    size_t count = 0;
    if (x != NULL && seconds != NULL && cells != NULL) {
        count = collect(scaling, form, x, seconds, cells);
        for (size_t i = 0; i < count; i++) {
            has_cells = has_cells && cells[i] > 0;
        }
        fitted = duet_fit_powers(x, VARIABLES, seconds, count, &time_fit) &&
                 (!has_cells || duet_fit_powers(x, VARIABLES, cells, count, &cell_fit));
    }
    if (count > 0) {
        char name[64];
        snprintf(name, sizeof name, "%s (%zu points)", duet_bench_form_names[form], count);
        duet_cli_table_add(table, name);
        add_exponents(table, "predicted", true, predicted[form], NAN);
        if (has_cells) {
            duet_cli_table_add(table, "");
            add_exponents(table, "cells", fitted, cell_fit.exponent, NAN);
        }
        duet_cli_table_add(table, "");
        add_exponents(table, "time", fitted, time_fit.exponent, time_fit.determination);
    }
    duet_free(x);
    duet_free(seconds);
    duet_free(cells);
    return fitted || count == 0;
}

void duet_scaling_print_fits(const duet_scaling *scaling, FILE *stream)
{
    static const char *const heads[] = {"exponents of", "", "n", "m", "k", "threads", "R^2"};
    duet_cli_table table;
    duet_cli_table_init(&table, "llrrrrr");
    duet_cells_add(&table, heads, sizeof heads / sizeof *heads);
    bool all = true;
    for (int form = 0; form < DUET_BENCH_FORMS; form++) {
        all = print_fit(scaling, (duet_table_form)form, &table) && all;
    }
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
    if (!all) {
        fprintf(stream,
                "(no fit where a build has no LAPACKE, or the sizes do not determine it)\n");
    }
}

static void csv_row(FILE *stream, const duet_scaling_row *row)
{
    const duet_bench_decided *decided = &row->decided;
    fprintf(stream,
            "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%d,%d,%d,%s,%.0f,%zu,%d,%d,%d,%d,%d,%.9g,"
            "%.6g,%.6g,%.4f\n",
            row->family, row->n, row->m, row->k, duet_bench_form_names[row->form], row->threads,
            row->guesses, decided->yes, row->by_rate ? "by rate" : "measured", decided->cells,
            decided->bytes, decided->settled[DUET_SETTLED_MISFIT],
            decided->settled[DUET_SETTLED_LP], decided->settled[DUET_SETTLED_ROUNDING],
            decided->settled[DUET_SETTLED_LIST], decided->settled[DUET_SETTLED_TABLE], row->seconds,
            duet_scaling_rate(row), row->triad,
            row->triad > 0 ? duet_scaling_rate(row) / row->triad : 0);
}

duet_code duet_scaling_csv(const duet_scaling *scaling, const char *path, duet_error *error)
{
    duet_output output;
    duet_code code = duet_output_open(&output, path, error);
    if (code != DUET_OK) {
        return code;
    }
    fputs("family,n,m,k,form,threads,guesses,yes,how,cells,bytes,by_misfit,by_lp,by_rounding,"
          "by_list,by_table,seconds,cells_per_second,triad_cells_per_second,of_triad\n",
          output.stream);
    for (size_t i = 0; i < scaling->count; i++) {
        csv_row(output.stream, &scaling->rows[i]);
    }
    return duet_output_commit(&output, error);
}
