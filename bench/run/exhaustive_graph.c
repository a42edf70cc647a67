// SPDX-License-Identifier: Apache-2.0
// Depth-first over all sequences of tasks and all processors for each. Some optimal schedule starts
// every task as soon as the task before it on its processor and its data allow, and its tasks in
// order of their starts are such a sequence. So a task that would start before the last one that
// was placed is left out; so are a second processor of a type that has run nothing, and ends at or
// beyond the best makespan once the shortest way to the end of the graph is added. It shares
// nothing with the library but the instance's accessors.
#include "bench/run/exhaustive.h"

#include <assert.h>
#include <stdbool.h>

#include <duet/graph.h>

enum { MAX_TASKS = DUET_EXHAUSTIVE_GRAPH_TASKS, MAX_PROCESSORS = 64 };

typedef struct search {
    const duet_instance *instance;
    int64_t tasks;
    size_t kind[MAX_TASKS];
    int64_t rest[MAX_TASKS]; // the shortest way to the end, from when the task has ended

    // Processors.
    int processors;
    size_t type[MAX_PROCESSORS];
    int64_t free_from[MAX_PROCESSORS];
    bool used[MAX_PROCESSORS];

    // Tasks that are placed.
    bool placed[MAX_TASKS];
    int where[MAX_TASKS];
    int64_t end[MAX_TASKS];
    int64_t best;
    int64_t effort; // nodes left; negative: given up
} search;

static int64_t shortest_time(const search *s, int64_t task)
{
    int64_t shortest = DUET_FORBIDDEN;
    for (size_t t = 0; t < duet_instance_types(s->instance); t++) {
        int64_t time = duet_instance_time(s->instance, s->kind[task], t);
        bool possible = duet_instance_type_count(s->instance, t) > 0;
        shortest = possible && time < shortest ? time : shortest;
    }
    return shortest;
}

// When a task may start on a processor; -1 where a predecessor is not placed.
static int64_t ready_at(const search *s, int64_t task, int processor)
{
    int64_t ready = s->free_from[processor];
    size_t count;
    const int32_t *edges = duet_instance_edges_to(s->instance, task, &count);
    for (size_t i = 0; i < count; i++) {
        int64_t before = duet_instance_edge(s->instance, edges[i]).from;
        if (!s->placed[before]) {
            return -1;
        }
        int64_t there = s->end[before];
        if (s->where[before] != processor) {
            there += duet_instance_transfer(s->instance, edges[i], s->type[s->where[before]],
                                            s->type[processor]);
        }
        ready = there > ready ? there : ready;
    }
    return ready;
}

static bool is_fresh_twin(const search *s, int processor)
{
    bool twin = false;
    for (int other = 0; other < processor && !s->used[processor]; other++) {
        twin = twin || (s->type[other] == s->type[processor] && !s->used[other]);
    }
    return twin;
}

static void descend(search *s, int64_t left, int64_t last_start, int64_t makespan)
{
    if (left == 0) {
        s->best = makespan;
        return;
    }
    for (int64_t j = 0; j < s->tasks; j++) {
        for (int p = 0; p < s->processors && !s->placed[j]; p++) {
            int64_t time = duet_instance_time(s->instance, s->kind[j], s->type[p]);
            int64_t start = ready_at(s, j, p);
            if (time == DUET_FORBIDDEN || start < last_start || is_fresh_twin(s, p) ||
                start + time + s->rest[j] >= s->best) {
                continue;
            }
            if (--s->effort < 0) {
                return;
            }
            int64_t free_from = s->free_from[p];
            bool used = s->used[p];
            s->placed[j] = true;
            s->where[j] = p;
            s->end[j] = start + time;
            s->free_from[p] = start + time;
            s->used[p] = true;
            descend(s, left - 1, start, start + time > makespan ? start + time : makespan);
            s->placed[j] = false;
            s->free_from[p] = free_from;
            s->used[p] = used;
        }
    }
}

int64_t duet_exhaustive_graph_optimum(const duet_instance *instance, int64_t limit, int64_t effort)
{
    search s = {.instance = instance, .tasks = duet_instance_tasks(instance)};
    int64_t shortest[MAX_TASKS];
    assert(s.tasks <= MAX_TASKS);
    for (int64_t j = 0; j < s.tasks; j++) {
        s.kind[j] = duet_instance_kind_of(instance, j);
        shortest[j] = shortest_time(&s, j);
    }
    s.processors = duet_exhaustive_processors(instance, s.tasks, s.type, MAX_PROCESSORS);
    duet_exhaustive_ways(instance, shortest, s.rest);
    s.best = limit + 1;
    s.effort = effort;
    descend(&s, s.tasks, 0, 0);
    return s.effort < 0 ? -1 : s.best;
}
