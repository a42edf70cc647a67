// SPDX-License-Identifier: Apache-2.0
// What StarPU's records say, as tables: architectures with their workers and measured times
// (starpu_perfmodel_recdump), tasks with or without estimates (tasks.rec). One file may hold both,
// in any order.
#ifndef DUET_INSTANCES_FORMATS_STARPU_RECORDS_H
#define DUET_INSTANCES_FORMATS_STARPU_RECORDS_H

#include "core/instance/instance.h"
#include "core/names.h"
#include "instances/formats/input.h"
#include "instances/formats/starpu/jobs.h"
#include "instances/formats/starpu/memory.h"

// Workers that share a performance model: "cpu0" are all CPUs, "cuda0" is one GPU.
typedef struct duet_starpu_arch {
    int64_t workers;
    size_t order; // among the records of worker counts; DUET_STARPU_NONE: no record has it
} duet_starpu_arch;

// A model with the footprint of its data: what all tasks of equal times have in common.
typedef struct duet_starpu_kernel {
    int line;      // of its first record
    int task_line; // of its first task
    int64_t tasks;
    size_t estimate; // the text of EstimatedTime, among `estimates`
    int estimate_line;
} duet_starpu_kernel;

// A measured mean.
typedef struct duet_starpu_timing {
    size_t kernel;
    size_t arch;
    duet_read_time time;
    int line;
} duet_starpu_timing;

// What a task does with one of its data.
typedef struct duet_starpu_access {
    uint32_t handle;
    bool reads, writes;
    int64_t bytes;
} duet_starpu_access;

typedef struct duet_starpu_task {
    size_t kernel;
    size_t first_access; // of `accesses`
    size_t accesses;
    int64_t submit_order; // 0 where the file has none
    int64_t rank;         // of MPI; -1 where the file has none
    int line;             // of SubmitOrder
} duet_starpu_task;

// Zeroed it is empty and ready.
typedef struct duet_starpu_records {
    duet_names arch_names;
    duet_starpu_arch *archs; // as many as names
    size_t counted;          // architectures with a record of their workers
    duet_names kernel_names;
    duet_starpu_kernel *kernels;
    duet_starpu_timing *timings;
    size_t timing_count;
    duet_starpu_task *tasks;
    size_t task_count;
    duet_names estimates;
    duet_starpu_jobs jobs;
    duet_names handle_names;
    duet_starpu_access *accesses;
    size_t access_count;
    duet_starpu_memory memory;
    size_t unmodelled; // tasks without a performance model, which are in no table
} duet_starpu_records;

// Reads the whole input. DUET_E_INPUT with the line where a record is not as StarPU writes it.
duet_code duet_starpu_collect(duet_input *input, duet_starpu_records *records, duet_error *error);

// orders.c
// The order of pointers to tasks: by SubmitOrder, those of one as the file has them.
int duet_starpu_by_order(const void *left, const void *right);
// DUET_E_INPUT with the line where two tasks have one SubmitOrder, by which StarPU would know them.
// O(n log n) for n tasks.
duet_code duet_starpu_check_orders(const duet_starpu_records *records, const char *file,
                                   duet_error *error);
// Parses a time as StarPU prints it. Forbidden where it has none: "inf", "nan", or 0 for a model
// that has no sample yet.
duet_code duet_starpu_time(const char *text, size_t length, const char *file, int line,
                           duet_read_time *time, duet_error *error);
// Length of "cuda" in "cuda12": what sort of device an architecture is.
size_t duet_starpu_sort_length(const char *name);
// Whether two architectures are of one sort; DUET_STARPU_NONE is one of its own.
bool duet_starpu_same_sort(const duet_starpu_records *records, size_t left, size_t right);
void duet_starpu_free(duet_starpu_records *records);

#endif
