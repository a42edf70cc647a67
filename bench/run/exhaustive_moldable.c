// SPDX-License-Identifier: Apache-2.0
// Depth-first over all sequences of tasks and, for each task, all sets of processors of one type.
// Some optimal schedule starts every task as soon as the tasks before it on its processors have
// ended and its data are there, and its tasks in order of their starts are such a sequence. So a
// task that would start before the last one that was placed is left out; so are ends that, with the
// shortest way to the end of the graph, reach the best makespan.
//
// Without data only the number of processors counts: those that are free first are as good as any,
// since no later task starts before this one. With data the very set counts, where processors that
// have run nothing are alike.
//
// It shares nothing with the library but the instance's accessors.
#include "bench/run/exhaustive.h"

#include <assert.h>
#include <stdbool.h>

#include <duet/graph.h>
#include <duet/moldable.h>

enum {
    MAX_TASKS = DUET_EXHAUSTIVE_MOLDABLE_TASKS,
    MAX_PROCESSORS = DUET_EXHAUSTIVE_MOLDABLE_PROCESSORS
};

// A set of processors, a bit each, all of one type.
typedef struct choice {
    size_t type;
    int64_t size;
    unsigned set;
} choice;

typedef struct search {
    const duet_instance *instance;
    int64_t tasks;
    size_t kind[MAX_TASKS];
    int64_t rest[MAX_TASKS]; // the shortest way to the end, from when the task has ended
    bool data;               // some edge may take time

    // Processors.
    int processors;
    size_t type[MAX_PROCESSORS];
    int64_t free_from[MAX_PROCESSORS];
    unsigned used; // those that have run something

    // Tasks that are placed.
    bool placed[MAX_TASKS];
    choice where[MAX_TASKS];
    int64_t end[MAX_TASKS];
    int64_t best;
} search;

static void descend(search *s, int64_t left, int64_t last_start, int64_t makespan);

static int64_t shortest_time(const search *s, int64_t task)
{
    int64_t shortest = DUET_FORBIDDEN;
    for (size_t t = 0; t < duet_instance_types(s->instance); t++) {
        int64_t sizes = duet_instance_sizes(s->instance, s->kind[task], t);
        for (int64_t p = 1; p <= sizes; p++) {
            int64_t time = duet_instance_moldable_time(s->instance, s->kind[task], t, p);
            shortest = time < shortest ? time : shortest;
        }
    }
    return shortest;
}

// When a task may start on a set; -1 where a predecessor is not placed.
static int64_t ready_at(const search *s, int64_t task, const choice *at)
{
    int64_t ready = 0;
    size_t count;
    const int32_t *edges = duet_instance_edges_to(s->instance, task, &count);
    for (int p = 0; p < s->processors; p++) {
        bool taken = (at->set >> p & 1) != 0;
        ready = taken && s->free_from[p] > ready ? s->free_from[p] : ready;
    }
    for (size_t i = 0; i < count; i++) {
        int64_t before = duet_instance_edge(s->instance, edges[i]).from;
        const choice *from = &s->where[before];
        if (!s->placed[before]) {
            return -1;
        }
        int64_t there = s->end[before];
        if (from->set != at->set) {
            there += duet_instance_redistribution(s->instance, edges[i], from->type, from->size,
                                                  at->type, at->size);
        }
        ready = there > ready ? there : ready;
    }
    return ready;
}

static void place(search *s, int64_t task, const choice *at, int64_t left, int64_t last_start,
                  int64_t makespan)
{
    int64_t time = duet_instance_moldable_time(s->instance, s->kind[task], at->type, at->size);
    int64_t start = ready_at(s, task, at);
    if (start < last_start || start + time + s->rest[task] >= s->best) {
        return;
    }
    int64_t free_from[MAX_PROCESSORS];
    unsigned used = s->used;
    for (int p = 0; p < s->processors; p++) {
        free_from[p] = s->free_from[p];
        s->free_from[p] = (at->set >> p & 1) != 0 ? start + time : s->free_from[p];
    }
    s->placed[task] = true;
    s->where[task] = *at;
    s->end[task] = start + time;
    s->used |= at->set;
    descend(s, left - 1, start, start + time > makespan ? start + time : makespan);
    s->placed[task] = false;
    s->used = used;
    for (int p = 0; p < s->processors; p++) {
        s->free_from[p] = free_from[p];
    }
}

// The processors of a type that are free first.
static unsigned first_free(const search *s, size_t type, int64_t size)
{
    unsigned set = 0;
    for (int64_t i = 0; i < size; i++) {
        int first = -1;
        for (int p = 0; p < s->processors; p++) {
            bool open = s->type[p] == type && (set >> p & 1) == 0;
            first = open && (first < 0 || s->free_from[p] < s->free_from[first]) ? p : first;
        }
        set |= 1U << first;
    }
    return set;
}

// A set of that size and type of which those that have run nothing are the first such ones.
static bool is_new_set(const search *s, const choice *at)
{
    int64_t size = 0;
    bool skipped = false; // a processor that has run nothing
    bool good = true;
    for (int p = 0; p < s->processors; p++) {
        bool in = (at->set >> p & 1) != 0;
        bool fresh = s->type[p] == at->type && (s->used >> p & 1) == 0;
        good = good && !(in && (s->type[p] != at->type || (fresh && skipped)));
        skipped = skipped || (fresh && !in);
        size += in;
    }
    return good && size == at->size;
}

static void place_everywhere(search *s, int64_t task, int64_t left, int64_t last_start,
                             int64_t makespan)
{
    for (size_t t = 0; t < duet_instance_types(s->instance); t++) {
        int64_t sizes = duet_instance_sizes(s->instance, s->kind[task], t);
        for (int64_t size = 1; size <= sizes; size++) {
            choice at = {t, size, 0};
            if (!s->data) {
                at.set = first_free(s, t, size);
                place(s, task, &at, left, last_start, makespan);
                continue;
            }
            for (at.set = 1; at.set < 1U << s->processors; at.set++) {
                if (is_new_set(s, &at)) {
                    place(s, task, &at, left, last_start, makespan);
                }
            }
        }
    }
}

static void descend(search *s, int64_t left, int64_t last_start, int64_t makespan)
{
    if (left == 0) {
        s->best = makespan;
        return;
    }
    for (int64_t j = 0; j < s->tasks; j++) {
        if (!s->placed[j]) {
            place_everywhere(s, j, left, last_start, makespan);
        }
    }
}

int64_t duet_exhaustive_moldable_within(const duet_instance *instance, int64_t limit)
{
    search s = {.instance = instance, .tasks = duet_instance_tasks(instance)};
    int64_t shortest[MAX_TASKS];
    assert(s.tasks <= MAX_TASKS);
    s.data = (duet_instance_features(instance) & DUET_HANDLES_COMMUNICATION) != 0;
    for (int64_t j = 0; j < s.tasks; j++) {
        s.kind[j] = duet_instance_kind_of(instance, j);
        shortest[j] = shortest_time(&s, j);
    }
    s.processors = duet_exhaustive_processors(instance, INT64_MAX, s.type, MAX_PROCESSORS);
    duet_exhaustive_ways(instance, shortest, s.rest);
    s.best = limit + 1;
    descend(&s, s.tasks, 0, 0);
    return s.best;
}
