// SPDX-License-Identifier: Apache-2.0
// Truth for small instances: the optimum by trying every schedule that may be best.
#ifndef DUET_BENCH_RUN_EXHAUSTIVE_H
#define DUET_BENCH_RUN_EXHAUSTIVE_H

#include <duet/instance.h>

// The optimal makespan, of task graphs and moldable tasks too. For up to about 9 tasks, 8 with
// edges, 6 moldable ones on up to 6 processors; every task must be allowed somewhere.
int64_t duet_exhaustive_optimum(const duet_instance *instance);

// exhaustive_graph.c: the optimal makespan of a task graph, of sets and graphs of moldable tasks,
// each task on processors of one type or, with mixed sets, of any (on up to 4 processors), where it
// is at most `limit`; limit + 1 where it is above; -1 where `effort` nodes of the search did not
// tell. To the end it is fast for up to about 8 tasks, of moldable ones for up to 6 on 6
// processors, with data on edges for up to 5 on 4; the faster the lower the limit.
enum {
    DUET_EXHAUSTIVE_GRAPH_TASKS = 12, // at most
    DUET_EXHAUSTIVE_MOLDABLE_TASKS = 8,
    DUET_EXHAUSTIVE_MOLDABLE_PROCESSORS = 12
};
int64_t duet_exhaustive_within(const duet_instance *instance, int64_t limit, int64_t effort);

// What these searches share. The types of the processors, of each type at most `most`; returns how
// many there are, at most `room`.
int duet_exhaustive_processors(const duet_instance *instance, int64_t most, size_t *type, int room);

#endif
