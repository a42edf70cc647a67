// SPDX-License-Identifier: Apache-2.0
// A quick schedule of a subproblem.
// Method:    list schedules, a task where it ends first. The priority of a task is the longest path
//            that begins with it. After the first schedule priorities and times have noise, more
//            from schedule to schedule. The lists of heuristics/engine/ would not do: tasks have
//            heads and tails here, and some thousands of lists are made a second.
// Guarantee: a makespan of the subproblem if data take no time. Otherwise it is too short, so that
//            the subproblem is left early.
// Cost:      O(lists x n^2).
// Memory:    O(n x types).
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/system/arena.h"
#include "core/system/memory.h"
#include "solvers/graph/bound/subproblem.h"
#include "solvers/graph/bound/tuning.h"

typedef struct list {
    const duet_subproblem *sub;
    const duet_instance *instance;
    int64_t tasks;
    duet_random random;
    int noise; // In parts of DUET_SUBPROBLEM_NOISE.
    duet_arena arena;
    int64_t *level;   // Per task: the longest path that begins with it.
    int64_t *rank;    // Per task: its priority.
    int64_t *ready;   // Per task: when its predecessors have ended.
    int64_t *waits;   // Per task: how many predecessors have not run; -1: it has run itself.
    int64_t *free_at; // types x tasks: when a processor is free. No type needs more of them.
} list;

static int64_t processors(const list *s, size_t type)
{
    int64_t count = s->instance->processors[type];
    return duet_min(count, s->tasks);
}

// The processor of a type that is free first.
static int64_t *first_free(const list *s, size_t type)
{
    int64_t *row = s->free_at + (int64_t)type * s->tasks;
    int64_t *first = row;
    for (int64_t p = 1; p < processors(s, type); p++) {
        first = row[p] < *first ? row + p : first;
    }
    return first;
}

// A number, a little more or less.
static int64_t blur(list *s, int64_t value)
{
    return value +
           value / DUET_SUBPROBLEM_NOISE * duet_random_between(&s->random, -s->noise, s->noise);
}

// Runs a task where it ends first: when it ends.
static int64_t run(list *s, int64_t task)
{
    int64_t *where = NULL;
    int64_t end = 0;
    duet_int128 least = 0;
    for (size_t t = 0; t < s->instance->types; t++) {
        if (duet_allowed(s->instance, (size_t)task, t)) {
            int64_t *processor = first_free(s, t);
            int64_t start = duet_max(*processor, s->ready[task]);
            int64_t time = duet_time(s->instance, (size_t)task, t);
            duet_int128 wish = (duet_int128)start + blur(s, time);
            if (where == NULL || wish < least) {
                least = wish;
                end = start + time;
                where = processor;
            }
        }
    }
    if (where != NULL) {
        *where = end;
    }
    const duet_graph *graph = s->instance->graph;
    for (int64_t i = graph == NULL ? 0 : graph->leave_at[task];
         graph != NULL && i < graph->leave_at[task + 1]; i++) {
        int32_t next = graph->head[graph->leaving[i]];
        s->ready[next] = duet_max(s->ready[next], end);
        s->waits[next]--;
    }
    s->waits[task] = -1;
    return end;
}

static int64_t run_all(list *s)
{
    const duet_graph *graph = s->instance->graph;
    int64_t length = 0;
    for (int64_t j = 0; j < s->tasks; j++) {
        s->rank[j] = blur(s, s->level[j]);
        s->ready[j] = s->sub->start == NULL ? 0 : s->sub->start[j];
        s->waits[j] = graph == NULL ? 0 : graph->enter_at[j + 1] - graph->enter_at[j];
    }
    for (size_t i = 0; i < (size_t)s->tasks * s->instance->types; i++) {
        s->free_at[i] = 0;
    }
    for (int64_t n = 0; n < s->tasks; n++) {
        int64_t best = -1;
        for (int64_t j = 0; j < s->tasks; j++) {
            if (s->waits[j] == 0 && (best < 0 || s->rank[j] > s->rank[best])) {
                best = j;
            }
        }
        int64_t tail = s->sub->tail == NULL ? 0 : s->sub->tail[best];
        int64_t end = run(s, best) + tail;
        length = duet_max(end, length);
    }
    return length;
}

static duet_code prepare(list *s, duet_error *error)
{
    const duet_graph *graph = s->instance->graph;
    size_t tasks = (size_t)s->tasks;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(s->level, tasks), DUET_ARENA_ARRAY(s->rank, tasks),
        DUET_ARENA_ARRAY(s->ready, tasks), DUET_ARENA_ARRAY(s->waits, tasks),
        DUET_ARENA_ARRAY(s->free_at, tasks * s->instance->types)};
    duet_code code = duet_arena_create(&s->arena, arrays, sizeof arrays / sizeof *arrays, error);
    int32_t *order = graph == NULL ? NULL : duet_graph_order(graph, error);
    bool fit = code == DUET_OK && (graph == NULL || order != NULL);
    for (int64_t j = 0; fit && j < s->tasks; j++) {
        s->level[j] = duet_shortest_time(s->instance, (size_t)j);
    }
    if (fit && graph != NULL) {
        duet_graph_raise(graph, order, s->level);
    }
    duet_free(order);
    return fit ? DUET_OK : DUET_E_MEMORY;
}

duet_code duet_subproblem_schedule(duet_subproblem *sub, duet_error *error)
{
    list s = {.sub = sub, .instance = sub->instance, .tasks = sub->choice.count};
    duet_code code = prepare(&s, error);
    sub->upper = INT64_MAX;
    duet_random_seed(&s.random, 1);
    for (int i = 0; i < DUET_SUBPROBLEM_LISTS && code == DUET_OK; i++) {
        int64_t tried = run_all(&s);
        sub->upper = duet_min(tried, sub->upper);
        s.noise = 1 + i * DUET_SUBPROBLEM_NOISE / 2 / DUET_SUBPROBLEM_LISTS;
        sub->spent += 2 * s.tasks * s.tasks;
    }
    duet_arena_free(&s.arena);
    return code;
}
