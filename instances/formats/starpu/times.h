// SPDX-License-Identifier: Apache-2.0
// Times from StarPU's records as a matrix: a row per kernel, a column per worker where tasks have
// estimates, else one per architecture.
#ifndef DUET_INSTANCES_FORMATS_STARPU_TIMES_H
#define DUET_INSTANCES_FORMATS_STARPU_TIMES_H

#include "instances/formats/starpu/records.h"

typedef struct duet_starpu_cell {
    duet_read_time time;
    int line; // 0: the file does not say
} duet_starpu_cell;

typedef struct duet_starpu_column {
    size_t arch;     // DUET_STARPU_NONE: the file does not say
    int64_t workers; // -1: unknown
} duet_starpu_column;

typedef struct duet_starpu_times {
    const duet_starpu_records *records; // borrowed
    const char *file;
    duet_error *error;
    bool by_worker;
    duet_starpu_column *columns; // in the order of StarPU's workers
    size_t column_count;
    size_t *row_of; // per kernel of the records: its row, DUET_STARPU_NONE where it has no tasks
    size_t rows;
    duet_starpu_cell *cells; // rows x columns
} duet_starpu_times;

// A file without tasks stands for one task per kernel. DUET_E_INPUT where a task has no time or the
// records contradict each other. To be freed after a failure too.
duet_code duet_starpu_times_create(duet_starpu_times *times, const duet_starpu_records *records,
                                   const char *file, duet_error *error);
void duet_starpu_times_free(duet_starpu_times *times);

#endif
