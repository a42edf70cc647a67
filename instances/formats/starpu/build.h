// SPDX-License-Identifier: Apache-2.0
// An instance that is being made of StarPU's records, for the files that make it: instance.c its
// types and tasks, merge.c one type of devices that are nearly equal, origin.c what a schedule
// needs that goes back to StarPU, and what data take.
#ifndef DUET_INSTANCES_FORMATS_STARPU_BUILD_H
#define DUET_INSTANCES_FORMATS_STARPU_BUILD_H

#include "instances/formats/reading.h"
#include "instances/formats/starpu/flows.h"
#include "instances/formats/starpu/records.h"

// times.c
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

// The times of the devices of a type so far, by the rows of the times, at nine places.
typedef struct duet_starpu_blend {
    int64_t *low, *high;
    duet_uint128 *sum;
    int *places; // of its longest time
    duet_uint128 devices;
    bool differs;   // they are not all equal
    bool many;      // some do not fit into nine places
    size_t types;   // of devices that were nearly equal, so far
    int64_t spread; // the most that times of one differ, in thousandths of their mean
} duet_starpu_blend;

typedef struct duet_starpu_build {
    const duet_reading *reading; // what the caller asks for
    duet_starpu_records records;
    duet_starpu_times times;
    duet_starpu_blend blend;
    duet_starpu_flows flows;
    duet_builder *builder;
    duet_error *error;
    size_t types;
    size_t first[DUET_MAX_TYPES + 1]; // columns of each type, in the order of the workers
    size_t order[DUET_MAX_TYPES];     // of the instance's types: which of the above
    size_t untimed;                   // kernels left out
    bool data;                        // edges have data, and these take time
} duet_starpu_build;

duet_code duet_starpu_blend_create(duet_starpu_build *b);
// Begins a type with a column.
void duet_starpu_blend_begin(duet_starpu_build *b, size_t column);
// Whether the column is nearly equal to all of the type, as far as the caller allows; then it is
// one of them.
bool duet_starpu_blend_join(duet_starpu_build *b, size_t column);
// The first column of a type that ends gets the times of all.
void duet_starpu_blend_end(duet_starpu_build *b, size_t first);
void duet_starpu_blend_free(duet_starpu_blend *blend);

// Which workers each type has, where the file says it.
duet_code duet_starpu_place_workers(const duet_starpu_build *b, duet_origin *origin);
// Decides whether the instance has data, finds them, and says how long they take.
duet_code duet_starpu_set_data(duet_starpu_build *b, const duet_origin *origin);
// What each task reads and writes back, for prefetches. `number`: what the instance calls each.
duet_code duet_starpu_set_tiles(const duet_starpu_build *b, const int64_t *number,
                                duet_origin *origin);

#endif
