// SPDX-License-Identifier: Apache-2.0
// Truth for small sets and graphs of moldable tasks.
#ifndef DUET_BENCH_RUN_EXHAUSTIVE_MOLDABLE_H
#define DUET_BENCH_RUN_EXHAUSTIVE_MOLDABLE_H

#include <duet/instance.h>

enum { DUET_EXHAUSTIVE_MOLDABLE_TASKS = 8, DUET_EXHAUSTIVE_MOLDABLE_PROCESSORS = 12 }; // at most

// The optimal makespan, each task on processors of one type. Fast for up to 6 tasks on 6
// processors; with data on edges for up to 5 on 4.
int64_t duet_exhaustive_moldable_optimum(const duet_instance *instance);
// The same where it is at most `limit`, and limit + 1 where it is above: the faster the lower it
// is.
int64_t duet_exhaustive_moldable_within(const duet_instance *instance, int64_t limit);

#endif
