// SPDX-License-Identifier: Apache-2.0
// Reading and writing tables of kernel times: CSV with the header below, the two columns of samples
// may be missing, lines that begin with '#' are comments. An empty time means that the kernel
// cannot run there.
#include "instances/kernels/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/formats.h"

char *duet_kernel_row_name(const duet_kernel_row *row, char *buffer)
{
    snprintf(buffer, DUET_KERNEL_ROW_NAME, "%s%s%s-%" PRId64, row->machine,
             row->precision[0] == '\0' ? "" : "-", row->precision, row->tile);
    return buffer;
}

enum {
    MACHINE,
    FACTORISATION,
    PRECISION,
    KERNEL,
    TILE,
    UNIT,
    CPU,
    GPU,
    CPU_SAMPLES,
    GPU_SAMPLES,
    COLUMNS
};

static const char *const columns[COLUMNS] = {"machine",     "factorisation", "precision", "kernel",
                                             "tile",        "unit",          "cpu",       "gpu",
                                             "cpu_samples", "gpu_samples"};

#define HEADER "machine,factorisation,precision,kernel,tile,unit,cpu,gpu,cpu_samples,gpu_samples"

static duet_code wrong_field(const duet_csv *csv, int field, const char *expected)
{
    duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, csv->fields[field].line,
                      csv->fields[field].column, "%s \"%.40s\": expected %s", columns[field],
                      duet_csv_text(csv, (size_t)field), expected);
    return DUET_E_INPUT;
}

static duet_code read_header(duet_csv *csv)
{
    DUET_TRY(duet_csv_next(csv));
    bool good = csv->count == COLUMNS || csv->count == CPU_SAMPLES;
    for (size_t i = 0; i < csv->count && good; i++) {
        good = strcmp(duet_csv_text(csv, i), columns[i]) == 0;
    }
    return good ? DUET_OK
                : duet_csv_fail(csv, csv->count == 0 ? csv->input->line : csv->line, 1,
                                "expected the header " HEADER ", the last two or not");
}

// Names stay apart in the names of rows and in messages: no blanks, no commas. One that began with
// '#' would make a comment of its row where it is written.
static bool is_name(const char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text <= ' ' || *text == 0x7f || strchr(",\"'{}|#", *text) != NULL) {
            return false;
        }
    }
    return true;
}

static duet_code read_name(const duet_csv *csv, int field, bool optional, char *name, size_t size)
{
    const char *text = duet_csv_text(csv, (size_t)field);
    size_t length = csv->fields[field].length;
    if ((length == 0 && !optional) || length >= size || !is_name(text)) {
        char expected[96];
        snprintf(expected, sizeof expected, "a name of %s%zu bytes without blanks and punctuation",
                 optional ? "at most " : "1 to ", size - 1);
        return wrong_field(csv, field, expected);
    }
    memcpy(name, text, length + 1);
    return DUET_OK;
}

static duet_code read_kernel(const duet_csv *csv, duet_kernel_row *row)
{
    const duet_factorisation *found = duet_factorisation_find(duet_csv_text(csv, FACTORISATION));
    if (found == NULL) {
        return wrong_field(csv, FACTORISATION, "cholesky, lu or qr");
    }
    row->factorisation = found;
    row->kernel = duet_kernel_index(row->factorisation, duet_csv_text(csv, KERNEL));
    if (row->kernel < 0) {
        char names[64];
        char expected[96];
        snprintf(expected, sizeof expected, "one of %s",
                 duet_kernel_names(row->factorisation, names, sizeof names));
        return wrong_field(csv, KERNEL, expected);
    }
    return DUET_OK;
}

static duet_code read_whole(const duet_csv *csv, int field, int64_t least, int64_t most,
                            const char *expected, int64_t *value)
{
    duet_decimal number;
    if (duet_decimal_parse(duet_csv_text(csv, (size_t)field), csv->fields[field].length, &number) !=
            DUET_DECIMAL_OK ||
        number.places != 0 || number.mantissa < least || number.mantissa > most) {
        return wrong_field(csv, field, expected);
    }
    *value = number.mantissa;
    return DUET_OK;
}

// A time above 0: its ratio to the other one is what a kernel is scaled by.
static duet_code read_time(const duet_csv *csv, int field, duet_read_time *time)
{
    const duet_csv_field *at = &csv->fields[field];
    *time = (duet_read_time){.forbidden = at->length == 0};
    if (at->length == 0) {
        return DUET_OK;
    }
    DUET_TRY(duet_read_exact_time_text(duet_csv_text(csv, (size_t)field), at->length,
                                       (duet_place){csv->input->name, at->line, at->column}, time,
                                       csv->error));
    if (time->value.mantissa == 0) {
        return wrong_field(csv, field, "a time above 0, or nothing where it cannot run");
    }
    return DUET_OK;
}

static duet_code read_times(const duet_csv *csv, duet_kernel_row *row)
{
    DUET_TRY(read_time(csv, CPU, &row->cpu));
    DUET_TRY(read_time(csv, GPU, &row->gpu));
    if (row->cpu.forbidden && row->gpu.forbidden) {
        return wrong_field(csv, CPU, "a time on the CPU, on the GPU, or both");
    }
    return DUET_OK;
}

static duet_code read_samples(const duet_csv *csv, int field, int64_t *samples)
{
    *samples = -1;
    if ((size_t)field >= csv->count || csv->fields[field].length == 0) {
        return DUET_OK;
    }
    return read_whole(csv, field, 0, INT64_MAX, "a whole number of at least 0, or nothing",
                      samples);
}

static duet_code read_row(const duet_csv *csv, size_t wanted, duet_kernel_row *row)
{
    *row = (duet_kernel_row){.line = csv->line, .factorisation = duet_factorisations};
    if (csv->count != wanted) {
        return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, csv->line, 0,
                                 "%zu fields; expected %zu, as in the header", csv->count, wanted);
    }
    DUET_TRY(read_name(csv, MACHINE, false, row->machine, sizeof row->machine));
    DUET_TRY(read_name(csv, PRECISION, true, row->precision, sizeof row->precision));
    DUET_TRY(read_kernel(csv, row));
    DUET_TRY(read_whole(csv, TILE, 1, DUET_KERNEL_MAX_TILE, "a whole number from 1 to 1000000",
                        &row->tile));
    DUET_TRY(read_name(csv, UNIT, false, row->unit, sizeof row->unit));
    DUET_TRY(read_times(csv, row));
    DUET_TRY(read_samples(csv, CPU_SAMPLES, &row->cpu_samples));
    return read_samples(csv, GPU_SAMPLES, &row->gpu_samples);
}

// A kernel may stand once under the name of a row, and all of that name have one unit.
static duet_code check_row(const duet_kernel_table *table, const duet_kernel_row *row,
                           const duet_csv *csv)
{
    char name[DUET_KERNEL_ROW_NAME];
    char other[DUET_KERNEL_ROW_NAME];
    duet_kernel_row_name(row, name);
    for (size_t i = 0; i < table->count; i++) {
        const duet_kernel_row *before = &table->rows[i];
        if (before->tile != row->tile || before->factorisation != row->factorisation ||
            strcmp(duet_kernel_row_name(before, other), name) != 0) {
            continue;
        }
        if (before->kernel == row->kernel) {
            return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, row->line, 1,
                                     "the kernel %s of %s stands in line %d already; expected once",
                                     row->factorisation->kernels[row->kernel].name, name,
                                     before->line);
        }
        if (strcmp(before->unit, row->unit) != 0) {
            char expected[64];
            snprintf(expected, sizeof expected, "%s, as in line %d", before->unit, before->line);
            return wrong_field(csv, UNIT, expected);
        }
    }
    return DUET_OK;
}

static duet_code add_row(duet_csv *csv, size_t wanted, duet_kernel_table *table)
{
    duet_kernel_row row;
    DUET_TRY(read_row(csv, wanted, &row));
    if (table->count == DUET_KERNEL_ROWS) {
        DUET_TRY(duet_csv_fail(csv, row.line, 0, "too many lines; expected at most 10000"));
    }
    DUET_TRY(check_row(table, &row, csv));
    DUET_TRY(duet_vec_push(table->rows, table->count, csv->error, row));
    return DUET_OK;
}

duet_code duet_kernel_table_read(duet_input *input, duet_kernel_table *table, duet_error *error)
{
    duet_csv csv = duet_csv_over(input, COLUMNS, "at most 10 fields", error);
    csv.comments = true;
    duet_code code = read_header(&csv);
    size_t wanted = csv.count;
    while (code == DUET_OK) {
        code = duet_csv_next(&csv);
        if (code != DUET_OK || csv.count == 0) {
            break;
        }
        code = add_row(&csv, wanted, table);
    }
    duet_csv_free(&csv);
    return code;
}

static void write_time(FILE *stream, const duet_read_time *time)
{
    char buffer[32];
    if (!time->forbidden) {
        fputs(duet_decimal_format(time->value.mantissa, time->value.places, buffer), stream);
    }
    fputc(',', stream);
}

static void write_samples(FILE *stream, int64_t samples, char end)
{
    if (samples >= 0) {
        fprintf(stream, "%" PRId64, samples);
    }
    fputc(end, stream);
}

void duet_kernel_table_write(FILE *stream, bool header, const duet_kernel_row *rows, size_t count)
{
    fputs(header ? HEADER "\n" : "", stream);
    for (size_t i = 0; i < count; i++) {
        const duet_kernel_row *row = &rows[i];
        fprintf(stream, "%s,%s,%s,%s,%" PRId64 ",%s,", row->machine, row->factorisation->name,
                row->precision, row->factorisation->kernels[row->kernel].name, row->tile,
                row->unit);
        write_time(stream, &row->cpu);
        write_time(stream, &row->gpu);
        write_samples(stream, row->cpu_samples, ',');
        write_samples(stream, row->gpu_samples, '\n');
    }
}
