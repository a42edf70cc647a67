// SPDX-License-Identifier: Apache-2.0
// duet measure: the GPU of this machine, where CUDA finds one.
#include <string.h>

#include "cli/measure/measure.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/kernels/factor.h"

// Ticks of what is measured: nanoseconds, written as microseconds like the shipped times.
enum { DECIMALS = 3, NEXT_TO_NOTHING = 8 };

static duet_measure_plan plan_of(const duet_cli_measure_request *request,
                                 const duet_kernel_row *row)
{
    return (duet_measure_plan){.single = strcmp(row->precision, "single") == 0,
                               .tile = (int)row->tile,
                               .inner = 1,
                               .warmup = (int)request->warmup,
                               .repeats = (int)request->repeats};
}

static duet_code time_kernels(const duet_cuda *cuda, const duet_cli_measure_request *request,
                              duet_cli_measurement *out, duet_error *error)
{
    for (size_t i = 0; i < out->count; i++) {
        duet_cli_kernel *kernel = &out->kernels[i];
        const duet_kernel_row *row = &kernel->row;
        duet_measure_plan plan = plan_of(request, row);
        if (duet_gpu_has(row->factorisation, row->kernel)) {
            DUET_TRY(duet_gpu_measure(cuda, &plan, row->factorisation, row->kernel,
                                      &kernel->gpu_figures, error));
        }
    }
    return DUET_OK;
}

static int64_t tile_bytes(const duet_kernel_row *row)
{
    size_t number = strcmp(row->precision, "single") == 0 ? sizeof(float) : sizeof(double);
    return row->tile * row->tile * (int64_t)number;
}

// A size that is not there yet, into its place by size.
static void add_size(duet_cli_gpu *gpu, int64_t bytes)
{
    size_t at = 0;
    while (at < gpu->transfer_count && gpu->transfers[at].bytes < bytes) {
        at++;
    }
    if (at < gpu->transfer_count && gpu->transfers[at].bytes == bytes) {
        return;
    }
    memmove(&gpu->transfers[at + 1], &gpu->transfers[at],
            (gpu->transfer_count - at) * sizeof *gpu->transfers);
    gpu->transfers[at] = (duet_cli_transfer){.bytes = bytes};
    gpu->transfer_count++;
}

static duet_code time_transfers(const duet_cuda *cuda, const duet_cli_measure_request *request,
                                duet_cli_measurement *out, duet_error *error)
{
    duet_cli_gpu *gpu = &out->gpu;
    duet_measure_plan plan = {.warmup = (int)request->warmup, .repeats = (int)request->repeats};
    gpu->transfers = duet_alloc(out->count + 1, sizeof *gpu->transfers, error);
    DUET_NEED(gpu->transfers);
    add_size(gpu, NEXT_TO_NOTHING);
    for (size_t i = 0; i < out->count; i++) {
        add_size(gpu, tile_bytes(&out->kernels[i].row));
    }
    for (size_t i = 0; i < gpu->transfer_count; i++) {
        DUET_TRY(duet_gpu_measure_transfers(cuda, &plan, (size_t)gpu->transfers[i].bytes,
                                            &gpu->transfers[i].figures, error));
    }
    return DUET_OK;
}

static void note_clocks(const duet_cuda *cuda, int when, duet_cli_gpu *gpu)
{
    bool known = duet_cuda_clocks(cuda, &gpu->processor_mhz[when], &gpu->memory_mhz[when]);
    gpu->clocked = known && (when == 0 || gpu->clocked);
}

static duet_code measure_all(duet_cuda *cuda, const duet_cli_measure_request *request,
                             duet_cli_measurement *out, duet_error *error)
{
    duet_cli_gpu *gpu = &out->gpu;
    DUET_TRY(duet_cuda_open(cuda, error));
    gpu->devices = cuda->devices;
    memcpy(gpu->name, cuda->name, sizeof gpu->name);
    memcpy(gpu->library, cuda->library, sizeof gpu->library);
    note_clocks(cuda, 0, gpu);
    DUET_TRY(time_kernels(cuda, request, out, error));
    DUET_TRY(time_transfers(cuda, request, out, error));
    note_clocks(cuda, 1, gpu);
    return DUET_OK;
}

static void use_measured(duet_cli_kernel *kernel, int repeats)
{
    duet_kernel_row *row = &kernel->row;
    kernel->on_gpu = true;
    kernel->stands_in = false;
    kernel->factor = (double)kernel->figures.median / (double)kernel->gpu_figures.median;
    kernel->from = row->factorisation->kernels[row->kernel].name;
    duet_kernel_row_name(row, kernel->source);
    row->gpu = (duet_read_time){.value = {kernel->gpu_figures.median, DECIMALS}};
    row->gpu_samples = repeats;
}

// The measured kernel of LU that does work like that of a kernel of QR, or NULL.
static const duet_cli_kernel *find_stand_in(const duet_cli_measurement *out,
                                            const duet_kernel_row *row)
{
    const char *wanted = row->factorisation->kernels[row->kernel].stand_in;
    for (size_t i = 0; i < out->count && wanted != NULL; i++) {
        const duet_kernel_row *other = &out->kernels[i].row;
        if (out->kernels[i].on_gpu && other->factorisation->id == DUET_LU &&
            other->tile == row->tile && strcmp(other->precision, row->precision) == 0 &&
            strcmp(other->factorisation->kernels[other->kernel].name, wanted) == 0) {
            return &out->kernels[i];
        }
    }
    return NULL;
}

// What was measured goes into the rows; kernels of QR take the factors of LU's, where those are.
static void fill_rows(duet_cli_measurement *out)
{
    for (size_t i = 0; i < out->count; i++) {
        duet_cli_kernel *kernel = &out->kernels[i];
        if (duet_gpu_has(kernel->row.factorisation, kernel->row.kernel)) {
            use_measured(kernel, out->repeats);
        }
    }
    for (size_t i = 0; i < out->count; i++) {
        duet_cli_kernel *kernel = &out->kernels[i];
        const duet_cli_kernel *model = kernel->on_gpu ? NULL : find_stand_in(out, &kernel->row);
        if (model != NULL) {
            kernel->factor = model->factor;
            kernel->from = model->from;
            memcpy(kernel->source, model->source, sizeof kernel->source);
            kernel->stands_in = true;
            kernel->row.gpu.value.mantissa =
                duet_kernel_gpu_time(kernel->figures.median, kernel->factor);
        }
    }
}

duet_code duet_cli_measure_gpu(const duet_cli_measure_request *request,
                               duet_cli_measurement *measurement, duet_error *error)
{
    duet_cuda cuda = {0};
    duet_error fault = DUET_ERROR_INIT;
    duet_cli_gpu *gpu = &measurement->gpu;
    duet_code code = measure_all(&cuda, request, measurement, &fault);
    duet_cuda_close(&cuda);
    gpu->measured = code == DUET_OK;
    if (gpu->measured) {
        fill_rows(measurement);
        return DUET_OK;
    }
    if (code != DUET_E_UNSUPPORTED) {
        *error = fault;
        return code;
    }
    memcpy(gpu->fault, fault.message, sizeof gpu->fault);
    return DUET_OK;
}

void duet_cli_transfer_line(const duet_cli_gpu *gpu, bool to_gpu, int64_t *latency,
                            int64_t *per_megabyte)
{
    enum { MEGABYTE = 1000000 };
    const duet_cli_transfer *first = &gpu->transfers[0];
    const duet_cli_transfer *last = &gpu->transfers[gpu->transfer_count - 1];
    int64_t low = to_gpu ? first->figures.to_gpu.median : first->figures.to_host.median;
    int64_t high = to_gpu ? last->figures.to_gpu.median : last->figures.to_host.median;
    int64_t bytes = duet_max(last->bytes - first->bytes, 1);
    *latency = low;
    *per_megabyte = high <= low ? 0 : (int64_t)((__int128)(high - low) * MEGABYTE / bytes);
}
