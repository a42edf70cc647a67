// SPDX-License-Identifier: Apache-2.0
#include "instances/kernels/factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double value_of(const duet_read_time *time)
{
    return (double)time->value.mantissa / pow(10, time->value.places);
}

double duet_kernel_acceleration(const duet_kernel_row *row)
{
    return value_of(&row->cpu) / value_of(&row->gpu);
}

int64_t duet_kernel_gpu_time(int64_t cpu, double factor)
{
    double ticks = round((double)cpu / factor);
    return ticks < 1 ? 1 : ticks >= (double)DUET_MAX_WORK ? DUET_MAX_WORK : (int64_t)ticks;
}

// Whether the row belongs to the source, which is the name of a computer or of a row.
static bool is_of(const duet_kernel_row *row, const char *source)
{
    char name[DUET_KERNEL_ROW_NAME];
    return strcmp(row->machine, source) == 0 ||
           strcmp(duet_kernel_row_name(row, name), source) == 0;
}

static bool is_nearer(const duet_kernel_row *row, const duet_kernel_row *best,
                      const duet_factor_query *query)
{
    if (best == NULL) {
        return true;
    }
    bool same = strcmp(row->precision, query->precision) == 0;
    bool best_same = strcmp(best->precision, query->precision) == 0;
    return same != best_same ? same
                             : llabs(row->tile - query->tile) < llabs(best->tile - query->tile);
}

static const duet_kernel_row *find_nearest(const duet_kernel_table *table,
                                           const duet_factor_query *query,
                                           duet_factorisation_id factorisation, const char *kernel)
{
    const duet_kernel_row *best = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const duet_kernel_row *row = &table->rows[i];
        if (row->factorisation->id == factorisation &&
            strcmp(row->factorisation->kernels[row->kernel].name, kernel) == 0 &&
            is_of(row, query->source) && !row->cpu.forbidden && !row->gpu.forbidden &&
            is_nearer(row, best, query)) {
            best = row;
        }
    }
    return best;
}

duet_code duet_kernel_factor(const duet_kernel_table *table, const duet_factor_query *query,
                             const duet_kernel_row **row, duet_error *error)
{
    const duet_tile_kernel *kernel = &query->factorisation->kernels[query->kernel];
    *row = find_nearest(table, query, query->factorisation->id, kernel->name);
    if (*row == NULL && kernel->stand_in != NULL) {
        *row = find_nearest(table, query, DUET_LU, kernel->stand_in);
    }
    if (*row != NULL) {
        return DUET_OK;
    }
    char rows[300];
    size_t count = 0;
    duet_kernel_rows(table, query->factorisation, rows, sizeof rows, &count);
    if (count == 0 && kernel->stand_in != NULL) {
        duet_kernel_rows(table, &duet_factorisations[DUET_LU], rows, sizeof rows, &count);
    }
    return duet_error_set(error, DUET_E_USAGE,
                          "no GPU time of %s (%s) under '%.60s' in %.60s: expected a machine or "
                          "one of its rows%s%s",
                          kernel->name, query->factorisation->name, query->source, table->file,
                          count == 0 ? "" : ", of ", rows);
}
