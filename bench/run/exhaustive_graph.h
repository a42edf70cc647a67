// SPDX-License-Identifier: Apache-2.0
// Truth for small task graphs.
#ifndef DUET_BENCH_RUN_EXHAUSTIVE_GRAPH_H
#define DUET_BENCH_RUN_EXHAUSTIVE_GRAPH_H

#include <duet/instance.h>

enum { DUET_EXHAUSTIVE_GRAPH_TASKS = 12 }; // at most; to the end it is fast for up to about 8

// The optimal makespan of a task graph where it is at most `limit`; limit + 1 where it is above; -1
// where `effort` nodes of the search did not tell.
int64_t duet_exhaustive_graph_optimum(const duet_instance *instance, int64_t limit, int64_t effort);

#endif
