// SPDX-License-Identifier: Apache-2.0
// Tables of kernel times: the shipped one, and finding rows in any.
#include "instances/kernels/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/own_files.h"

// The lines of the shipped file as one text, for the reader of files.
static char *shipped_text(size_t *length, duet_error *error)
{
    *length = 0;
    for (size_t i = 0; duet_kernel_timings[i] != NULL; i++) {
        *length += strlen(duet_kernel_timings[i]) + 1;
    }
    char *text = duet_alloc(*length + 1, 1, error);
    char *at = text;
    for (size_t i = 0; text != NULL && duet_kernel_timings[i] != NULL; i++) {
        size_t line = strlen(duet_kernel_timings[i]);
        memcpy(at, duet_kernel_timings[i], line);
        at[line] = '\n';
        at += line + 1;
    }
    return text;
}

static duet_code open_shipped(duet_kernel_table *table, duet_error *error)
{
    size_t length = 0;
    char *text = shipped_text(&length, error);
    DUET_NEED(text);
    FILE *stream = fmemopen(text, length, "rb");
    duet_input *input = NULL;
    duet_code code = stream == NULL
                         ? duet_error_set(error, DUET_E_MEMORY, "out of memory for kernel times")
                         : duet_input_wrap(&input, stream, table->file, error);
    DUET_THEN(code, duet_kernel_table_read(input, table, error));
    duet_input_close(input);
    if (stream != NULL) {
        fclose(stream);
    }
    duet_free(text);
    return code;
}

duet_code duet_kernel_table_open(const char *path, duet_kernel_table *table, duet_error *error)
{
    *table = (duet_kernel_table){.file = path};
    if (path == NULL) {
        table->file = "kernel-timings.csv";
        return open_shipped(table, error);
    }
    duet_input *input = NULL;
    duet_code code = duet_input_open(&input, path, error);
    if (code == DUET_OK) {
        table->file = input->name;
        code = duet_refuse_own(input, DUET_OWN_TIMINGS, "a table of kernel times", error);
    }
    DUET_THEN(code, duet_kernel_table_read(input, table, error));
    duet_input_close(input);
    return code;
}

void duet_kernel_table_free(duet_kernel_table *table)
{
    duet_free(table->rows);
    table->rows = NULL;
    table->count = 0;
}

static char *series_name(const duet_kernel_row *row, char *buffer)
{
    snprintf(buffer, DUET_KERNEL_ROW_NAME, "%s%s%s", row->machine,
             row->precision[0] == '\0' ? "" : "-", row->precision);
    return buffer;
}

const duet_kernel_row *duet_kernel_find(const duet_kernel_table *table,
                                        const duet_factorisation *factorisation, int kernel,
                                        const char *name)
{
    char own[DUET_KERNEL_ROW_NAME];
    for (size_t i = 0; i < table->count; i++) {
        const duet_kernel_row *row = &table->rows[i];
        if (row->factorisation == factorisation && row->kernel == kernel &&
            strcmp(duet_kernel_row_name(row, own), name) == 0) {
            return row;
        }
    }
    return NULL;
}

// Whether a row before `end` is of the same factorisation, series and, unless `any`, tile.
static bool is_listed(const duet_kernel_table *table, size_t end, bool any)
{
    const duet_kernel_row *row = &table->rows[end];
    char own[DUET_KERNEL_ROW_NAME];
    char other[DUET_KERNEL_ROW_NAME];
    series_name(row, own);
    for (size_t i = 0; i < end; i++) {
        const duet_kernel_row *before = &table->rows[i];
        if (before->factorisation == row->factorisation && (any || before->tile == row->tile) &&
            strcmp(series_name(before, other), own) == 0) {
            return true;
        }
    }
    return false;
}

// Appends the tiles of the series that begins at `first`: "-{320|640}".
static size_t list_tiles(const duet_kernel_table *table, size_t first, char *buffer, size_t size,
                         size_t *names)
{
    char own[DUET_KERNEL_ROW_NAME];
    char other[DUET_KERNEL_ROW_NAME];
    size_t used = 0;
    series_name(&table->rows[first], own);
    for (size_t i = first; i < table->count && used < size; i++) {
        const duet_kernel_row *row = &table->rows[i];
        if (row->factorisation != table->rows[first].factorisation ||
            strcmp(series_name(row, other), own) != 0 || is_listed(table, i, false)) {
            continue;
        }
        used += (size_t)snprintf(buffer + used, size - used, "%s%" PRId64, used == 0 ? "-{" : "|",
                                 row->tile);
        (*names)++;
    }
    if (used < size) {
        used += (size_t)snprintf(buffer + used, size - used, "}");
    }
    return used;
}

char *duet_kernel_rows(const duet_kernel_table *table, const duet_factorisation *factorisation,
                       char *buffer, size_t size, size_t *names)
{
    char series[DUET_KERNEL_ROW_NAME];
    size_t used = 0;
    *names = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < table->count && used < size; i++) {
        const duet_kernel_row *row = &table->rows[i];
        if (row->factorisation != factorisation || is_listed(table, i, true)) {
            continue;
        }
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", used == 0 ? "" : ", ",
                                 series_name(row, series));
        used += used < size ? list_tiles(table, i, buffer + used, size - used, names) : 0;
    }
    return buffer;
}
