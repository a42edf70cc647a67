// SPDX-License-Identifier: Apache-2.0
// duet measure: which kernels with which factors, then timing them.
#include <stdio.h>
#include <string.h>

#include "cli/measure/measure.h"
#include "console/ticker.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/kernels/factor.h"

const char *const duet_cli_precisions[DUET_CLI_PRECISIONS] = {"single", "double"};

// Ticks of what is measured: nanoseconds, written as microseconds like the shipped times.
enum { DECIMALS = 3 };

// The machine whose factors count where none was named: the only one of the user's file.
static duet_code default_gpu(const duet_kernel_table *table, bool shipped, const char **gpu,
                             duet_error *error)
{
    if (shipped || table->count == 0) {
        *gpu = "sirocco";
        return DUET_OK;
    }
    *gpu = table->rows[0].machine;
    for (size_t i = 1; i < table->count; i++) {
        if (strcmp(table->rows[i].machine, *gpu) != 0) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "%.60s has kernel times of several machines: expected one of "
                                  "them as --gpu, such as '%s' or '%s'",
                                  table->file, *gpu, table->rows[i].machine);
        }
    }
    return DUET_OK;
}

static duet_code add_kernel(const duet_kernel_table *table, const duet_factor_query *query,
                            const duet_cli_measure_request *request, duet_cli_measurement *out,
                            duet_error *error)
{
    const duet_kernel_row *row = NULL;
    DUET_TRY(duet_kernel_factor(table, query, &row, error));
    duet_cli_kernel *kernel = &out->kernels[out->count++];
    kernel->row = (duet_kernel_row){.factorisation = query->factorisation,
                                    .kernel = query->kernel,
                                    .tile = query->tile,
                                    .unit = "us",
                                    .cpu_samples = (int64_t)request->repeats};
    if (query->factorisation->id == DUET_QR) {
        kernel->inner = (int)duet_min((int64_t)request->inner, query->tile);
        out->inner = duet_max(kernel->inner, out->inner);
    }
    snprintf(kernel->row.machine, sizeof kernel->row.machine, "%s", out->machine);
    snprintf(kernel->row.precision, sizeof kernel->row.precision, "%s", query->precision);
    kernel->factor = duet_kernel_acceleration(row);
    kernel->from = row->factorisation->kernels[row->kernel].name;
    kernel->stands_in = row->factorisation != query->factorisation;
    duet_kernel_row_name(row, kernel->source);
    return DUET_OK;
}

// All kernels, row by row, before any is timed: a missing factor is found at once.
static duet_code add_kernels(const duet_cli_measure_request *request,
                             const duet_kernel_table *table, const char *gpu,
                             duet_cli_measurement *out, duet_error *error)
{
    size_t rows = (size_t)DUET_FACTORISATIONS * DUET_CLI_PRECISIONS * request->tile_count;
    out->kernels = duet_alloc(rows * DUET_KERNELS, sizeof *out->kernels, error);
    duet_code code = out->kernels == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t r = 0; r < rows; r++) {
        size_t tile = r % request->tile_count;
        size_t precision = r / request->tile_count % DUET_CLI_PRECISIONS;
        size_t factorisation = r / request->tile_count / DUET_CLI_PRECISIONS;
        if (!request->wanted[factorisation] || !request->precisions[precision]) {
            continue;
        }
        duet_factor_query query = {.source = gpu,
                                   .factorisation = &duet_factorisations[factorisation],
                                   .precision = duet_cli_precisions[precision],
                                   .tile = request->tiles[tile]};
        for (int k = 0; k < DUET_KERNELS && code == DUET_OK; k++) {
            query.kernel = k;
            code = add_kernel(table, &query, request, out, error);
        }
    }
    return code;
}

static duet_code time_kernel(const duet_cli_measure_request *request, duet_cli_kernel *kernel,
                             duet_error *error)
{
    duet_kernel_row *row = &kernel->row;
    duet_measure_plan plan = {.single = strcmp(row->precision, "single") == 0,
                              .tile = (int)row->tile,
                              .inner = kernel->inner > 0 ? kernel->inner : 1,
                              .warmup = (int)request->warmup,
                              .repeats = (int)request->repeats};
    DUET_TRY(duet_measure_kernel(&request->blas, &plan, row->factorisation, row->kernel,
                                 &kernel->figures, error));
    row->cpu = (duet_read_time){.value = {kernel->figures.median, DECIMALS}};
    row->gpu = (duet_read_time){
        .forbidden = false,
        .value = {duet_kernel_gpu_time(kernel->figures.median, kernel->factor), DECIMALS}};
    return DUET_OK;
}

static duet_code time_kernels(const duet_cli_measure_request *request, duet_cli_measurement *out,
                              duet_error *error)
{
    duet_code code = DUET_OK;
    duet_cli_ticker ticker;
    // Before the pin, so that the ticker keeps the other processors.
    duet_cli_ticker_start(&ticker, "measuring", false);
    out->processor = duet_measure_pin();
    for (size_t i = 0; i < out->count && code == DUET_OK; i++) {
        code = time_kernel(request, &out->kernels[i], error);
    }
    if (code == DUET_OK && request->gpu == NULL && request->gpu_file == NULL) {
        code = duet_cli_measure_gpu(request, out, error);
    }
    duet_cli_ticker_stop(&ticker);
    return code;
}

duet_code duet_cli_measure_run(const duet_cli_measure_request *request,
                               duet_cli_measurement *measurement, duet_error *error)
{
    *measurement = (duet_cli_measurement){.machine = request->machine,
                                          .library = request->blas.name,
                                          .repeats = (int)request->repeats,
                                          .warmup = (int)request->warmup};
    duet_kernel_table table;
    const char *gpu = request->gpu;
    duet_code code = duet_kernel_table_open(request->gpu_file, &table, error);
    if (code == DUET_OK && gpu == NULL) {
        code = default_gpu(&table, request->gpu_file == NULL, &gpu, error);
    }
    if (code == DUET_OK) {
        snprintf(measurement->factors, sizeof measurement->factors, "%s",
                 request->gpu_file == NULL ? "Duet's table" : table.file);
        code = add_kernels(request, &table, gpu, measurement, error);
    }
    duet_kernel_table_free(&table);
    return code == DUET_OK ? time_kernels(request, measurement, error) : code;
}

void duet_cli_measure_free(duet_cli_measurement *measurement)
{
    duet_free(measurement->kernels);
    duet_free(measurement->gpu.transfers);
    measurement->kernels = NULL;
    measurement->gpu.transfers = NULL;
}
