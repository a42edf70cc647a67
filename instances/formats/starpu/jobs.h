// SPDX-License-Identifier: Apache-2.0
// Which tasks of StarPU's records wait for which. A record with a JobId is a job; DependsOn names
// the jobs that it waits for. Jobs that are no tasks here (those without a performance model, and
// those that only free data) pass on what they wait for to those that wait for them.
#ifndef DUET_INSTANCES_FORMATS_STARPU_JOBS_H
#define DUET_INSTANCES_FORMATS_STARPU_JOBS_H

#include "core/instance/instance.h"
#include "core/names.h"

// No task, or no record.
#define DUET_STARPU_NONE SIZE_MAX

typedef struct duet_starpu_job {
    size_t task;  // its number among the tasks; DUET_STARPU_NONE: it is none
    size_t after; // its first entry of `after`; they end where those of the next job begin
    int line;     // of DependsOn, or of the record
} duet_starpu_job;

// Zeroed it is empty and ready.
typedef struct duet_starpu_jobs {
    duet_names names; // JobIds, each rank's for itself
    size_t *job_of;   // per name: its record; DUET_STARPU_NONE: none so far
    bool *twice;      // per name: there is a second record
    duet_starpu_job *jobs;
    size_t count;
    uint32_t *after; // names
    size_t after_count;
} duet_starpu_jobs;

// A record with a JobId, as read. `depends`: its DependsOn, NULL where it has none.
typedef struct duet_starpu_read_job {
    const char *id;
    int64_t rank; // of MPI; -1 where the file has none
    const char *depends;
    size_t task;
    int line;
} duet_starpu_read_job;

duet_code duet_starpu_add_job(duet_starpu_jobs *jobs, const duet_starpu_read_job *read,
                              duet_error *error);
struct duet_starpu_flows; // instances/formats/starpu/flows.h

// Adds an edge to the builder for each pair of tasks of which one waits for the other. `number`:
// what the instance calls each task. `flows`: the data of edges, NULL for none; an edge without
// data is plain precedence, and data that come from main memory come from the task number[tasks].
// DUET_E_INPUT where a job waits for one whose JobId two records have. O(jobs + edges) where jobs
// that are no tasks wait for one job each, or are few.
duet_code duet_starpu_add_edges(const duet_starpu_jobs *jobs, const int64_t *number,
                                struct duet_starpu_flows *flows, const char *file,
                                duet_builder *builder, duet_error *error);
// Jobs that others wait for and that have no record.
size_t duet_starpu_unknown_jobs(const duet_starpu_jobs *jobs);
void duet_starpu_free_jobs(duet_starpu_jobs *jobs);

#endif
