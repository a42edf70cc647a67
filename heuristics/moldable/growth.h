// SPDX-License-Identifier: Apache-2.0
// The sizes that tasks may grow to in the allocation of CPA and HCPA: times on a reference cluster,
// and what they mean on the clusters of the platform.
//
// A task that follows one law has its least monotone table at the speed of the reference cluster,
// as long as it is needed; on cluster i it takes as many processors as make it no longer than
// there. Other tasks have the table of their slowest cluster.
#ifndef DUET_HEURISTICS_MOLDABLE_GROWTH_H
#define DUET_HEURISTICS_MOLDABLE_GROWTH_H

#include "core/instance/time_table.h"

typedef struct duet_growth {
    const duet_instance *instance;
    duet_fraction speed;    // of the reference cluster
    int64_t most;           // CPA: a task grows to fewer processors than that; 0 is HCPA, where
                            // clusters decide
    const int32_t *kind;    // of each task
    duet_law_ticks *law;    // of each kind that follows one law, else unused
    bool *by_law;           // of each kind
    duet_time_table *table; // of each kind that does not
} duet_growth;

// HCPA: the reference cluster has the speed of the slowest one. Free with duet_growth_free(), also
// after an error.
duet_code duet_growth_create(const duet_instance *instance, const int32_t *kind,
                             duet_fraction speed, int64_t most, duet_growth *growth,
                             duet_error *error);
void duet_growth_free(duet_growth *growth);

// The time of a task on its first processor.
int64_t duet_growth_first(const duet_growth *growth, int32_t task);
// The time on size + 1 processors, where `time` is that on `size`; -1 where the task may not grow.
int64_t duet_growth_next(const duet_growth *growth, int32_t task, int64_t size, int64_t time);
// How many processors of a type make the task about as long as `size` of the reference cluster; 0
// where it cannot run there.
int64_t duet_growth_size_on(const duet_growth *growth, int32_t task, size_t type, int64_t size,
                            int64_t time);

#endif
