// SPDX-License-Identifier: Apache-2.0
// Truth for small task graphs; for exhaustive.c alone.
#ifndef DUET_BENCH_RUN_EXHAUSTIVE_GRAPH_H
#define DUET_BENCH_RUN_EXHAUSTIVE_GRAPH_H

#include <duet/instance.h>

// The optimal makespan of a task graph, for up to about 8 tasks.
int64_t duet_exhaustive_graph_optimum(const duet_instance *instance);

#endif
