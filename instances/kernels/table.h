// SPDX-License-Identifier: Apache-2.0
// Tables of kernel times: the shipped one (instances/data/kernel-timings.csv) and the user's own,
// in the same format. A row's name is MACHINE-PRECISION-TILE, or MACHINE-TILE where the source
// tells no precision; the kernels of a factorisation under one name make an instance.
#ifndef DUET_INSTANCES_KERNELS_TABLE_H
#define DUET_INSTANCES_KERNELS_TABLE_H

#include "core/instance/instance.h"
#include "instances/formats/input.h"
#include "instances/kernels/factorisation.h"

enum {
    DUET_KERNEL_TEXT = 64,      // bytes of a machine's name, with the final NUL
    DUET_KERNEL_ROW_NAME = 128, // of a row's
    DUET_KERNEL_ROWS = 10000,   // lines of a table
    DUET_KERNEL_MAX_TILE = 1000000
};

// The lines of the shipped file, comments included; ends in NULL.
extern const char *const duet_kernel_timings[];

typedef struct duet_kernel_row {
    char machine[DUET_KERNEL_TEXT];
    char precision[16]; // empty where the source has none
    const duet_factorisation *factorisation;
    int kernel; // its index there
    int64_t tile;
    char unit[16];
    duet_read_time cpu;
    duet_read_time gpu;
    int64_t cpu_samples; // -1 where the source has none; 0: derived, not measured
    int64_t gpu_samples;
    int line; // in the file, 0 where it is of none
} duet_kernel_row;

typedef struct duet_kernel_table {
    const char *file; // for messages; borrowed
    duet_kernel_row *rows;
    size_t count;
} duet_kernel_table;

// Opens the shipped table, or with `path` the user's ("-": standard input); `path` is borrowed. The
// rows are freed by duet_kernel_table_free(), also after a failure.
duet_code duet_kernel_table_open(const char *path, duet_kernel_table *table, duet_error *error);
// Reads a table in the file's format.
duet_code duet_kernel_table_read(duet_input *input, duet_kernel_table *table, duet_error *error);
void duet_kernel_table_free(duet_kernel_table *table);

// The name of a row ("sirocco-single-960") into `buffer` of at least DUET_KERNEL_ROW_NAME bytes;
// returns it.
char *duet_kernel_row_name(const duet_kernel_row *row, char *buffer);

// The row of that name for a kernel, or NULL.
const duet_kernel_row *duet_kernel_find(const duet_kernel_table *table,
                                        const duet_factorisation *factorisation, int kernel,
                                        const char *name);

// All row names of a factorisation for people: "attila-single-{320|640|960}, ...". Cut to `size`;
// returns `buffer`. *names is how many there are, at least as far as the text goes.
char *duet_kernel_rows(const duet_kernel_table *table, const duet_factorisation *factorisation,
                       char *buffer, size_t size, size_t *names);

// Writes rows in the file's format, with `header` after its header.
void duet_kernel_table_write(FILE *stream, bool header, const duet_kernel_row *rows, size_t count);

#endif
