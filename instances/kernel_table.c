// SPDX-License-Identifier: Apache-2.0
// The shipped table of measured kernel times: finding rows in its lines.
#include "instances/kernel_table.h"

#include <stdio.h>
#include <string.h>

enum { MACHINE, FACTORISATION, PRECISION, KERNEL, TILE, UNIT, CPU, GPU, FIELDS };

typedef struct table_line {
    char field[FIELDS][24];
} table_line;

// False for comments and the header.
static bool split(const char *text, table_line *line)
{
    if (text[0] == '#' || strncmp(text, "machine,", 8) == 0) {
        return false;
    }
    for (int i = 0; i < FIELDS; i++) {
        size_t length = strcspn(text, ",");
        if (length >= sizeof line->field[i] || text[length] == '\0') {
            return false;
        }
        memcpy(line->field[i], text, length);
        line->field[i][length] = '\0';
        text += length + 1;
    }
    return true;
}

// "machine-precision", or "machine" where the source tells no precision.
static void name_series(const table_line *line, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s%s%s", line->field[MACHINE],
             line->field[PRECISION][0] == '\0' ? "" : "-", line->field[PRECISION]);
}

bool duet_kernel_find(const char *factorisation, const char *row, const char *kernel,
                      duet_kernel_timing *timing)
{
    for (size_t i = 0; duet_kernel_timings[i] != NULL; i++) {
        table_line line;
        char series[56];
        char name[88];
        if (!split(duet_kernel_timings[i], &line) ||
            strcmp(line.field[FACTORISATION], factorisation) != 0 ||
            strcmp(line.field[KERNEL], kernel) != 0) {
            continue;
        }
        name_series(&line, series, sizeof series);
        snprintf(name, sizeof name, "%s-%s", series, line.field[TILE]);
        if (strcmp(name, row) == 0) {
            snprintf(timing->unit, sizeof timing->unit, "%.7s", line.field[UNIT]);
            return duet_decimal_parse(line.field[CPU], strlen(line.field[CPU]), &timing->cpu) ==
                       DUET_DECIMAL_OK &&
                   duet_decimal_parse(line.field[GPU], strlen(line.field[GPU]), &timing->gpu) ==
                       DUET_DECIMAL_OK;
        }
    }
    return false;
}

// The lines of a series lie together, and each kernel lists all its tiles: one kernel's tiles do.
char *duet_kernel_rows(const char *factorisation, char *buffer, size_t size)
{
    char last[56] = "";
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; duet_kernel_timings[i] != NULL && used < size; i++) {
        table_line line;
        char series[56];
        if (!split(duet_kernel_timings[i], &line) ||
            strcmp(line.field[FACTORISATION], factorisation) != 0 ||
            strcmp(line.field[KERNEL], "gemm") != 0) {
            continue;
        }
        name_series(&line, series, sizeof series);
        bool same = strcmp(series, last) == 0;
        int added = snprintf(buffer + used, size - used, "%s%s%s%s",
                             same        ? "|"
                             : used == 0 ? ""
                                         : "}, ",
                             same ? "" : series, same ? "" : "-{", line.field[TILE]);
        used += added > 0 ? (size_t)added : 0;
        memcpy(last, series, sizeof last);
    }
    if (used > 0 && used + 1 < size) {
        memcpy(buffer + used, "}", 2);
    }
    return buffer;
}
