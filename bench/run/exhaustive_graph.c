// SPDX-License-Identifier: Apache-2.0
// Depth-first over all sequences of tasks and, for each task, all sets of processors of one type:
// of one processor where tasks are not moldable. Some optimal schedule starts every task as soon as
// the tasks before it on its processors have ended and its data are there, and its tasks in order
// of their starts are such a sequence. So a task that would start before the last one that was
// placed is left out; so are ends that, with the shortest way to the end of the graph, reach the
// best makespan.
//
// With mixed sets a task may be on any set of processors of types on which it may run. Else all are
// of one type.
//
// Of moldable tasks without data only the number of processors counts: those that are free first
// are as good as any, since no later task starts before this one. Else the very set counts, where
// processors that have run nothing are alike.
//
// It shares nothing with the library but the instance's accessors.
#include "bench/run/exhaustive.h"

#include <assert.h>
#include <stdbool.h>

#include <duet/graph.h>

#include "core/instance/moldable.h"
#include "core/number/minmax.h"

enum { MAX_TASKS = DUET_EXHAUSTIVE_GRAPH_TASKS, MAX_PROCESSORS = 60 };

// A set of processors, a bit each, all of one type, which does not count with mixed sets.
typedef struct choice {
    size_t type;
    int64_t size;
    uint64_t set;
} choice;

typedef struct search {
    const duet_instance *instance;
    int64_t tasks;
    size_t kind[MAX_TASKS];
    int64_t rest[MAX_TASKS]; // the shortest way to the end, from when the task has ended
    int64_t time[MAX_TASKS][MAX_PROCESSORS]; // on a processor alone
    bool moldable;
    bool mixed;
    bool data; // some edge may take time

    // Processors.
    int processors;
    size_t type[MAX_PROCESSORS];
    int64_t free_from[MAX_PROCESSORS];
    uint64_t used; // those that have run something

    // Tasks that are placed.
    bool placed[MAX_TASKS];
    choice where[MAX_TASKS];
    int64_t end[MAX_TASKS];
    int64_t best;
    int64_t effort; // nodes left; negative: given up
} search;

static void descend(search *s, int64_t left, int64_t last_start, int64_t makespan);

// On how many processors of a type a task may run.
static int64_t sizes_of(const search *s, int64_t task, size_t type)
{
    return duet_instance_type_count(s->instance, type) == 0
               ? 0
               : duet_instance_sizes(s->instance, s->kind[task], type);
}

static int64_t time_on(const search *s, int64_t task, size_t type, int64_t size)
{
    return s->moldable ? duet_instance_moldable_time(s->instance, s->kind[task], type, size)
                       : duet_instance_time(s->instance, s->kind[task], type);
}

// The set as ranges, of which `range` has room for one per processor.
static duet_processor_set ranges_of(const search *s, uint64_t set, duet_processor_range *range)
{
    size_t count = 0;
    int32_t first[DUET_MAX_TYPES] = {0};
    for (int p = 0; p < s->processors; p++) {
        int32_t number = first[s->type[p]]++;
        if ((set >> p & 1) != 0) {
            range[count++] = (duet_processor_range){(int32_t)s->type[p], number, number};
        }
    }
    return (duet_processor_set){range, count};
}

static int64_t time_on_mix(const search *s, int64_t task, uint64_t set)
{
    duet_processor_range range[MAX_PROCESSORS];
    for (int p = 0; p < s->processors; p++) {
        if ((set >> p & 1) != 0 &&
            duet_instance_time(s->instance, s->kind[task], s->type[p]) == DUET_FORBIDDEN) {
            return DUET_FORBIDDEN;
        }
    }
    return duet_moldable_duration(s->instance, s->kind[task], ranges_of(s, set, range));
}

static int64_t shortest_time(const search *s, int64_t task)
{
    int64_t shortest = DUET_FORBIDDEN;
    for (uint64_t set = 1; s->mixed && set >> s->processors == 0; set++) {
        int64_t time = time_on_mix(s, task, set);
        shortest = duet_min(time, shortest);
    }
    for (size_t t = 0; t < duet_instance_types(s->instance); t++) {
        for (int64_t size = 1; size <= sizes_of(s, task, t); size++) {
            int64_t time = time_on(s, task, t, size);
            shortest = duet_min(time, shortest);
        }
    }
    return shortest;
}

// What the data of an edge take from one set to another.
static int64_t move(const search *s, int64_t edge, const choice *from, const choice *to)
{
    if (from->set == to->set) {
        return 0;
    }
    if (s->mixed) {
        duet_processor_range one[MAX_PROCESSORS];
        duet_processor_range other[MAX_PROCESSORS];
        return duet_moldable_transfer(s->instance, edge, ranges_of(s, from->set, one),
                                      ranges_of(s, to->set, other));
    }
    return s->moldable ? duet_instance_redistribution(s->instance, edge, from->type, from->size,
                                                      to->type, to->size)
                       : duet_instance_transfer(s->instance, edge, from->type, to->type);
}

// When a task whose predecessors are placed may start on a set.
static int64_t ready_at(const search *s, int64_t task, const choice *at)
{
    int64_t ready = 0;
    size_t count;
    const int32_t *edges = duet_instance_edges_to(s->instance, task, &count);
    for (uint64_t left = at->set; left != 0; left &= left - 1) {
        int64_t free_from = s->free_from[__builtin_ctzll(left)];
        ready = duet_max(free_from, ready);
    }
    for (size_t i = 0; i < count; i++) {
        int64_t before = duet_instance_edge(s->instance, edges[i]).from;
        int64_t there = s->end[before] + move(s, edges[i], &s->where[before], at);
        ready = duet_max(there, ready);
    }
    return ready;
}

// A set of that size and type of which those that have run nothing are the first such ones.
static bool is_new_set(const search *s, const choice *at)
{
    int64_t size = 0;
    bool skipped = false; // a processor that has run nothing
    bool good = true;
    for (int p = 0; at->set >> p != 0; p++) {
        bool in = (at->set >> p & 1) != 0;
        bool fresh = s->type[p] == at->type && (s->used >> p & 1) == 0;
        good = good && !(in && (s->type[p] != at->type || (fresh && skipped)));
        skipped = skipped || (fresh && !in);
        size += in;
    }
    return good && size == at->size;
}

// A set in which, of each type, those that have run nothing are the first such ones.
static bool is_new_mix(const search *s, uint64_t set)
{
    bool skipped[DUET_MAX_TYPES] = {false};
    bool good = true;
    for (int p = 0; p < s->processors; p++) {
        bool in = (set >> p & 1) != 0;
        bool fresh = (s->used >> p & 1) == 0;
        good = good && !(in && fresh && skipped[s->type[p]]);
        skipped[s->type[p]] = skipped[s->type[p]] || (fresh && !in);
    }
    return good;
}

static void place(search *s, int64_t task, const choice *at, int64_t left, int64_t last_start,
                  int64_t makespan)
{
    int64_t time = s->mixed        ? time_on_mix(s, task, at->set)
                   : at->size == 1 ? s->time[task][__builtin_ctzll(at->set)]
                                   : time_on(s, task, at->type, at->size);
    if (time == DUET_FORBIDDEN) {
        return;
    }
    int64_t start = ready_at(s, task, at);
    if (start < last_start || start + time + s->rest[task] >= s->best ||
        (!s->moldable && !is_new_set(s, at)) || --s->effort < 0) {
        return;
    }
    int64_t free_from[MAX_PROCESSORS];
    uint64_t used = s->used;
    for (uint64_t set = at->set; set != 0; set &= set - 1) {
        int p = __builtin_ctzll(set);
        free_from[p] = s->free_from[p];
        s->free_from[p] = start + time;
    }
    s->placed[task] = true;
    s->where[task] = *at;
    s->end[task] = start + time;
    s->used |= at->set;
    descend(s, left - 1, start, duet_max(start + time, makespan));
    s->placed[task] = false;
    s->used = used;
    for (uint64_t set = at->set; set != 0; set &= set - 1) {
        s->free_from[__builtin_ctzll(set)] = free_from[__builtin_ctzll(set)];
    }
}

// The processors of a type that are free first.
static uint64_t first_free(const search *s, size_t type, int64_t size)
{
    uint64_t set = 0;
    for (int64_t i = 0; i < size; i++) {
        int first = -1;
        for (int p = 0; p < s->processors; p++) {
            bool open = s->type[p] == type && (set >> p & 1) == 0;
            first = open && (first < 0 || s->free_from[p] < s->free_from[first]) ? p : first;
        }
        set |= UINT64_C(1) << first;
    }
    return set;
}

static void place_everywhere(search *s, int64_t task, int64_t left, int64_t last_start,
                             int64_t makespan)
{
    for (uint64_t set = 1; s->mixed && set >> s->processors == 0; set++) {
        const choice at = {0, 0, set};
        if (is_new_mix(s, set)) {
            place(s, task, &at, left, last_start, makespan);
        }
    }
    for (int p = 0; p < s->processors && !s->moldable; p++) {
        const choice at = {s->type[p], 1, UINT64_C(1) << p};
        place(s, task, &at, left, last_start, makespan);
    }
    for (size_t t = 0; t < duet_instance_types(s->instance) && s->moldable && !s->mixed; t++) {
        for (int64_t size = 1; size <= sizes_of(s, task, t); size++) {
            choice at = {t, size, s->data ? 1 : first_free(s, t, size)};
            if (time_on(s, task, t, size) == DUET_FORBIDDEN) {
                continue;
            }
            do {
                if (!s->data || is_new_set(s, &at)) {
                    place(s, task, &at, left, last_start, makespan);
                }
            } while (s->data && ++at.set >> s->processors == 0);
        }
    }
}

static bool is_ready(const search *s, int64_t task)
{
    size_t count;
    const int32_t *edges = duet_instance_edges_to(s->instance, task, &count);
    bool ready = !s->placed[task];
    for (size_t i = 0; i < count && ready; i++) {
        ready = s->placed[duet_instance_edge(s->instance, edges[i]).from];
    }
    return ready;
}

static void descend(search *s, int64_t left, int64_t last_start, int64_t makespan)
{
    if (left == 0) {
        s->best = makespan;
        return;
    }
    for (int64_t j = 0; j < s->tasks && s->effort >= 0; j++) {
        if (is_ready(s, j)) {
            place_everywhere(s, j, left, last_start, makespan);
        }
    }
}

int64_t duet_exhaustive_within(const duet_instance *instance, int64_t limit, int64_t effort)
{
    unsigned features = duet_instance_features(instance);
    search s = {.instance = instance,
                .tasks = duet_instance_tasks(instance),
                .moldable = (features & DUET_FEATURE_MOLDABLE) != 0,
                .mixed = (features & DUET_FEATURE_MIXED_SETS) != 0,
                .data = (features & DUET_FEATURE_COMMUNICATION) != 0,
                .best = limit + 1,
                .effort = effort};
    int64_t shortest[MAX_TASKS];
    assert(s.tasks <= (s.moldable ? DUET_EXHAUSTIVE_MOLDABLE_TASKS : MAX_TASKS));
    s.processors = duet_exhaustive_processors(instance, s.moldable ? INT64_MAX : s.tasks, s.type,
                                              s.moldable ? DUET_EXHAUSTIVE_MOLDABLE_PROCESSORS
                                                         : MAX_PROCESSORS);
    for (int64_t j = 0; j < s.tasks; j++) {
        s.kind[j] = duet_instance_kind_of(instance, j);
        shortest[j] = shortest_time(&s, j);
    }
    for (int64_t j = 0; j < s.tasks; j++) {
        for (int p = 0; p < s.processors; p++) {
            s.time[j][p] = time_on(&s, j, s.type[p], 1);
        }
    }
    // The shortest way from the end of each task to the end of the graph: after n rounds nothing
    // changes.
    for (int64_t round = 0; round < s.tasks; round++) {
        for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
            duet_edge edge = duet_instance_edge(instance, e);
            int64_t way = shortest[edge.to] + s.rest[edge.to];
            s.rest[edge.from] = duet_max(way, s.rest[edge.from]);
        }
    }
    descend(&s, s.tasks, 0, 0);
    return s.effort < 0 ? -1 : s.best;
}

int duet_exhaustive_processors(const duet_instance *instance, int64_t most, size_t *type, int room)
{
    int processors = 0;
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        for (int64_t i = 0; i < duet_instance_type_count(instance, t) && i < most; i++) {
            assert(processors < room);
            type[processors++] = t;
        }
    }
    (void)room;
    return processors;
}
