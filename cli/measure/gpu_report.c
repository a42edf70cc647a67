// SPDX-License-Identifier: Apache-2.0
// What duet measure tells of the GPU: its name, its clocks and the transfers of tiles.
#include <inttypes.h>

#include "cli/measure/measure.h"
#include "console/print.h"

// Nanoseconds as microseconds.
static const char *us(int64_t ns, char *buffer)
{
    enum { PLACES = 3 };
    return duet_decimal_format(ns, PLACES, buffer);
}

// Nanoseconds per 1,000,000 bytes as microseconds per byte.
static const char *us_per_byte(int64_t rate, char *buffer)
{
    enum { PLACES = 9 };
    return duet_decimal_format(rate, PLACES, buffer);
}

static void print_clocks(const duet_cli_gpu *gpu, const char *before, FILE *stream)
{
    if (gpu->clocked) {
        duet_cli_print(
            stream, "%sprocessors %u MHz before and %u MHz after, memory %u and %u MHz\n", before,
            gpu->processor_mhz[0], gpu->processor_mhz[1], gpu->memory_mhz[0], gpu->memory_mhz[1]);
    } else {
        duet_cli_print(stream, "%snot known: NVML (libnvidia-ml.so.1) does not tell\n", before);
    }
}

static void print_transfers(const duet_cli_gpu *gpu, const char *before, FILE *stream)
{
    char up[64];
    char down[64];
    char between[64];
    for (size_t i = 0; i < gpu->transfer_count; i++) {
        const duet_cli_transfer *transfer = &gpu->transfers[i];
        duet_cli_print(stream, "%s%" PRId64 " bytes: %s us to the GPU, %s us to the host", before,
                       transfer->bytes, us(transfer->figures.to_gpu.median, up),
                       us(transfer->figures.to_host.median, down));
        if (gpu->devices > 1) {
            duet_cli_print(stream, ", %s us between two GPUs (untested)",
                           us(transfer->figures.between, between));
        }
        fputc('\n', stream);
    }
}

void duet_cli_measure_gpu_text(const duet_cli_gpu *gpu, FILE *stream)
{
    if (!gpu->measured) {
        if (gpu->fault[0] != '\0') {
            duet_cli_print(stream, "GPU      none is measured: %s\n", gpu->fault);
        }
        return;
    }
    duet_cli_print(stream, "GPU      %s: %s%s\n", gpu->name, gpu->library,
                   gpu->devices > 1 ? "; the first of several" : "");
    print_clocks(gpu, "clocks   ", stream);
    print_transfers(gpu, "transfer ", stream);
}

static void json_table(duet_cli_json *json, const char *key, const char *up, const char *down,
                       const char *across)
{
    duet_cli_json_open(json, key, '[');
    duet_cli_json_open(json, NULL, '[');
    duet_cli_json_number(json, NULL, "0");
    duet_cli_json_number(json, NULL, up);
    duet_cli_json_close(json, ']');
    duet_cli_json_open(json, NULL, '[');
    duet_cli_json_number(json, NULL, down);
    duet_cli_json_number(json, NULL, across);
    duet_cli_json_close(json, ']');
    duet_cli_json_close(json, ']');
}

// The instance's member `transfer`, for a first type cpu, a second gpu, microseconds and bytes.
// From one GPU to another it is what was measured between them, else the way through the host.
static void json_line(const duet_cli_gpu *gpu, duet_cli_json *json)
{
    enum { MEGABYTE = 1000000 };
    int64_t latency[3];
    int64_t rate[3];
    char text[3][64];
    const duet_cli_transfer *first = &gpu->transfers[0];
    const duet_cli_transfer *last = &gpu->transfers[gpu->transfer_count - 1];
    duet_cli_transfer_line(gpu, true, &latency[0], &rate[0]);
    duet_cli_transfer_line(gpu, false, &latency[1], &rate[1]);
    latency[2] = latency[0] + latency[1];
    rate[2] = rate[0] + rate[1];
    if (gpu->devices > 1) {
        int64_t more = last->figures.between - first->figures.between;
        latency[2] = first->figures.between;
        rate[2] =
            more <= 0 ? 0 : (int64_t)((__int128)more * MEGABYTE / (last->bytes - first->bytes));
    }
    duet_cli_json_open(json, "transfer", '{');
    json_table(json, "latency", us(latency[0], text[0]), us(latency[1], text[1]),
               us(latency[2], text[2]));
    json_table(json, "per_unit", us_per_byte(rate[0], text[0]), us_per_byte(rate[1], text[1]),
               us_per_byte(rate[2], text[2]));
    duet_cli_json_close(json, '}');
}

static void json_transfer(const duet_cli_gpu *gpu, const duet_cli_transfer *transfer,
                          duet_cli_json *json)
{
    char text[64];
    const duet_gpu_transfers *figures = &transfer->figures;
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_integer(json, "bytes", transfer->bytes);
    duet_cli_json_number(json, "to_gpu", us(figures->to_gpu.median, text));
    duet_cli_json_number(json, "to_host", us(figures->to_host.median, text));
    if (gpu->devices > 1) {
        duet_cli_json_number(json, "between_gpus", us(figures->between, text));
    } else {
        duet_cli_json_string(json, "between_gpus", NULL);
    }
    duet_cli_json_close(json, '}');
}

void duet_cli_measure_gpu_json(const duet_cli_gpu *gpu, duet_cli_json *json)
{
    duet_cli_json_open(json, "gpu", '{');
    duet_cli_json_boolean(json, "measured", gpu->measured);
    if (!gpu->measured) {
        duet_cli_json_string(json, "reason", gpu->fault[0] == '\0' ? NULL : gpu->fault);
        duet_cli_json_close(json, '}');
        return;
    }
    duet_cli_json_string(json, "name", gpu->name);
    duet_cli_json_string(json, "library", gpu->library);
    duet_cli_json_integer(json, "devices", gpu->devices);
    if (gpu->clocked) {
        duet_cli_json_integer(json, "processor_mhz_before", gpu->processor_mhz[0]);
        duet_cli_json_integer(json, "processor_mhz_after", gpu->processor_mhz[1]);
        duet_cli_json_integer(json, "memory_mhz_before", gpu->memory_mhz[0]);
        duet_cli_json_integer(json, "memory_mhz_after", gpu->memory_mhz[1]);
    }
    duet_cli_json_open(json, "transfers", '[');
    for (size_t i = 0; i < gpu->transfer_count; i++) {
        json_transfer(gpu, &gpu->transfers[i], json);
    }
    duet_cli_json_close(json, ']');
    json_line(gpu, json);
    duet_cli_json_close(json, '}');
}

void duet_cli_measure_gpu_csv(const duet_cli_gpu *gpu, FILE *stream)
{
    if (!gpu->measured) {
        return;
    }
    duet_cli_print(stream, "# gpu is measured where it has samples: %s, %s.\n", gpu->name,
                   gpu->library);
    print_clocks(gpu, "# Its clocks: ", stream);
    print_transfers(gpu, "# Transfer of ", stream);
}
