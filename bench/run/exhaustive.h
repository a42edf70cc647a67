// SPDX-License-Identifier: Apache-2.0
// Truth for small instances: the optimum by trying every schedule that may be best.
#ifndef DUET_BENCH_RUN_EXHAUSTIVE_H
#define DUET_BENCH_RUN_EXHAUSTIVE_H

#include <duet/instance.h>

// The optimal makespan, of task graphs and moldable tasks too. For up to about 9 tasks, 8 with
// edges, 6 moldable ones on up to 6 processors; every task must be allowed somewhere.
int64_t duet_exhaustive_optimum(const duet_instance *instance);

#endif
