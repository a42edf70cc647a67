// SPDX-License-Identifier: Apache-2.0
// The figures of duet measure: as a table for people, as JSON, as a table of kernel times.
#include <inttypes.h>

#include "cli/measure/measure.h"
#include "console/json.h"
#include "console/print.h"
#include "console/table.h"

static const char *kernel_name(const duet_cli_kernel *kernel)
{
    return kernel->row.factorisation->kernels[kernel->row.kernel].name;
}

// Operations per nanosecond are 10^9 a second.
static double gigaflops(const duet_cli_kernel *kernel)
{
    const duet_tile_kernel *tile = &kernel->row.factorisation->kernels[kernel->row.kernel];
    return duet_kernel_operations(tile, kernel->row.tile) / (double)kernel->figures.median;
}

// The middle half of the runs against the median, in percent.
static double spread(const duet_measured *figures)
{
    return 100 * (double)(figures->high - figures->low) / (double)figures->median;
}

static bool is_qr(const duet_cli_kernel *kernel)
{
    return kernel->row.factorisation->id == DUET_QR;
}

// Whether an earlier kernel of QR has that tile.
static bool tile_is_known(const duet_cli_measurement *measurement, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        const duet_cli_kernel *kernel = &measurement->kernels[i];
        if (is_qr(kernel) && kernel->row.tile == measurement->kernels[at].row.tile) {
            return true;
        }
    }
    return false;
}

// "64", or with tiles below the block "64 in tiles of 960, 32 in tiles of 32".
static void print_inner(const duet_cli_measurement *measurement, FILE *stream)
{
    bool cut = false;
    for (size_t i = 0; i < measurement->count; i++) {
        const duet_cli_kernel *kernel = &measurement->kernels[i];
        cut = cut || (is_qr(kernel) && kernel->inner < measurement->inner);
    }
    if (!cut) {
        fprintf(stream, "%d", measurement->inner);
        return;
    }
    const char *between = "";
    for (size_t i = 0; i < measurement->count; i++) {
        const duet_cli_kernel *kernel = &measurement->kernels[i];
        if (is_qr(kernel) && !tile_is_known(measurement, i)) {
            duet_cli_print(stream, "%s%d in tiles of %" PRId64, between, kernel->inner,
                           kernel->row.tile);
            between = ", ";
        }
    }
}

static bool any(const duet_cli_measurement *measurement, bool (*holds)(const duet_cli_kernel *))
{
    for (size_t i = 0; i < measurement->count; i++) {
        if (holds(&measurement->kernels[i])) {
            return true;
        }
    }
    return false;
}

static bool stands_in(const duet_cli_kernel *kernel)
{
    return kernel->stands_in;
}

static bool is_derived(const duet_cli_kernel *kernel)
{
    return !kernel->on_gpu;
}

static void add_number(duet_cli_table *table, const char *format, double value)
{
    char text[64];
    snprintf(text, sizeof text, format, value);
    duet_cli_table_add(table, text);
}

static void add_microseconds(duet_cli_table *table, int64_t ns)
{
    enum { SHORT = 100000 };
    add_number(table, ns < SHORT ? "%.3f" : "%.1f", (double)ns / 1000);
}

static void add_kernel(duet_cli_table *table, const duet_cli_kernel *kernel)
{
    char text[DUET_KERNEL_ROW_NAME + 64];
    duet_cli_table_add(table, kernel_name(kernel));
    add_microseconds(table, kernel->figures.median);
    add_microseconds(table, kernel->figures.low);
    add_microseconds(table, kernel->figures.high);
    add_number(table, "%.1f %%", spread(&kernel->figures));
    add_number(table, "%.2f", gigaflops(kernel));
    duet_cli_table_add(table, duet_decimal_format(kernel->row.gpu.value.mantissa,
                                                  kernel->row.gpu.value.places, text));
    add_number(table, "%.2f", kernel->factor);
    snprintf(text, sizeof text, "%s of %s", kernel->from, kernel->source);
    duet_cli_table_add(table, kernel->on_gpu ? "measured" : text);
}

// The kernels from `first` on that make one row; returns where the next begins.
static size_t print_row(const duet_cli_measurement *measurement, size_t first, FILE *stream)
{
    static const char *const titles[] = {"kernel",       "median", "1st quartile",
                                         "3rd quartile", "spread", "Gflop/s",
                                         "GPU",          "factor", "factor of"};
    char name[DUET_KERNEL_ROW_NAME];
    const duet_kernel_row *row = &measurement->kernels[first].row;
    duet_cli_table table;
    duet_cli_print(stream, "\n%s, row %s, times in us\n", row->factorisation->name,
                   duet_kernel_row_name(row, name));
    duet_cli_table_init(&table, "lrrrrrrrl");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        duet_cli_table_add(&table, titles[i]);
    }
    size_t i = first;
    for (; i < first + DUET_KERNELS && i < measurement->count; i++) {
        add_kernel(&table, &measurement->kernels[i]);
    }
    duet_cli_table_print(&table, 2, stream);
    duet_cli_table_free(&table);
    return i;
}

static void print_derived(const duet_cli_measurement *measurement, FILE *stream)
{
    if (measurement->gpu.measured) {
        duet_cli_print(stream, "\nGPU times are measured%s.\n",
                       any(measurement, is_derived)
                           ? ", but those of QR kernels, which CUDA has not: CPU time by a factor"
                           : "");
        return;
    }
    duet_cli_print(stream,
                   "\nGPU times are not measured: CPU time by the acceleration factor out of %s.\n",
                   measurement->factors);
    if (any(measurement, stands_in)) {
        fputs("It has no QR kernels: the factors of LU kernels that do similar work stand in.\n",
              stream);
    }
}

void duet_cli_measure_text(const duet_cli_measurement *measurement, FILE *stream)
{
    duet_cli_print(stream, "machine  %s: %s, ", measurement->machine, measurement->library);
    if (measurement->processor < 0) {
        fputs("one core (not always the same: the system does not allow that)\n", stream);
    } else {
        fprintf(stream, "on core %d\n", measurement->processor);
    }
    fprintf(stream, "runs     %d of each kernel, after %d that do not count\n",
            measurement->repeats, measurement->warmup);
    duet_cli_measure_gpu_text(&measurement->gpu, stream);
    if (any(measurement, is_qr)) {
        fputs("QR       inner blocks of ", stream);
        print_inner(measurement, stream);
        fputc('\n', stream);
    }
    for (size_t i = 0; i < measurement->count;) {
        i = print_row(measurement, i, stream);
    }
    print_derived(measurement, stream);
}

static void json_time(duet_cli_json *json, const char *key, int64_t ns)
{
    char text[32];
    duet_cli_json_number(json, key, duet_decimal_format(ns, 3, text));
}

static void json_kernel(duet_cli_json *json, const duet_cli_kernel *kernel)
{
    const duet_kernel_row *row = &kernel->row;
    char text[DUET_KERNEL_ROW_NAME];
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_string(json, "row", duet_kernel_row_name(row, text));
    duet_cli_json_string(json, "factorisation", row->factorisation->name);
    duet_cli_json_string(json, "precision", row->precision);
    duet_cli_json_string(json, "kernel", kernel_name(kernel));
    duet_cli_json_integer(json, "tile", row->tile);
    if (is_qr(kernel)) {
        duet_cli_json_integer(json, "inner", kernel->inner);
    }
    duet_cli_json_string(json, "time_unit", row->unit);
    json_time(json, "cpu", kernel->figures.median);
    json_time(json, "least", kernel->figures.least);
    json_time(json, "first_quartile", kernel->figures.low);
    json_time(json, "third_quartile", kernel->figures.high);
    json_time(json, "most", kernel->figures.most);
    duet_cli_json_decimal(json, "spread_percent", spread(&kernel->figures), 3);
    duet_cli_json_decimal(json, "gigaflops", gigaflops(kernel), 3);
    duet_cli_json_number(json, "gpu",
                         duet_decimal_format(row->gpu.value.mantissa, row->gpu.value.places, text));
    duet_cli_json_decimal(json, "factor", kernel->factor, 6);
    duet_cli_json_string(json, "factor_kernel", kernel->from);
    duet_cli_json_string(json, "factor_row", kernel->source);
    duet_cli_json_boolean(json, "factor_stands_in", kernel->stands_in);
    duet_cli_json_boolean(json, "gpu_measured", kernel->on_gpu);
    if (kernel->on_gpu) {
        json_time(json, "gpu_least", kernel->gpu_figures.least);
        json_time(json, "gpu_first_quartile", kernel->gpu_figures.low);
        json_time(json, "gpu_third_quartile", kernel->gpu_figures.high);
        json_time(json, "gpu_most", kernel->gpu_figures.most);
    }
    duet_cli_json_close(json, '}');
}

void duet_cli_measure_json(const duet_cli_measurement *measurement, FILE *stream)
{
    duet_cli_json json = {.stream = stream};
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "machine", measurement->machine);
    duet_cli_json_string(&json, "library", measurement->library);
    if (measurement->processor < 0) {
        duet_cli_json_string(&json, "processor", NULL);
    } else {
        duet_cli_json_integer(&json, "processor", measurement->processor);
    }
    duet_cli_json_integer(&json, "repeats", measurement->repeats);
    duet_cli_json_integer(&json, "warmup", measurement->warmup);
    if (any(measurement, is_qr)) {
        duet_cli_json_integer(&json, "inner", measurement->inner);
    }
    duet_cli_json_string(&json, "factors", measurement->factors);
    duet_cli_measure_gpu_json(&measurement->gpu, &json);
    duet_cli_json_open(&json, "kernels", '[');
    for (size_t i = 0; i < measurement->count; i++) {
        json_kernel(&json, &measurement->kernels[i]);
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_close(&json, '}');
}

static void csv_derived(const duet_cli_measurement *measurement, FILE *stream)
{
    if (!any(measurement, is_derived)) {
        return;
    }
    duet_cli_print(
        stream, "# gpu is derived, hence 0 samples: cpu by an acceleration factor out of %s:\n",
        measurement->gpu.measured ? "these times or Duet's table" : measurement->factors);
    for (size_t i = 0; i < measurement->count; i++) {
        const duet_cli_kernel *kernel = &measurement->kernels[i];
        char name[DUET_KERNEL_ROW_NAME];
        if (!kernel->on_gpu) {
            duet_cli_print(stream, "#   %s of %s: %.6g, %s of %s%s\n", kernel_name(kernel),
                           duet_kernel_row_name(&kernel->row, name), kernel->factor, kernel->from,
                           kernel->source, kernel->stands_in ? ", which stands in" : "");
        }
    }
}

void duet_cli_measure_csv(const duet_cli_measurement *measurement, FILE *stream)
{
    duet_cli_print(
        stream, "# duet measure, %s on one core: medians of %d runs after %d that do not count.\n",
        measurement->library, measurement->repeats, measurement->warmup);
    if (any(measurement, is_qr)) {
        fputs("# QR kernels with inner blocks of ", stream);
        print_inner(measurement, stream);
        fputs(".\n", stream);
    }
    duet_cli_measure_gpu_csv(&measurement->gpu, stream);
    csv_derived(measurement, stream);
    for (size_t i = 0; i < measurement->count; i++) {
        duet_kernel_table_write(stream, i == 0, &measurement->kernels[i].row, 1);
    }
}
