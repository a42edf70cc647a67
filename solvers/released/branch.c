// SPDX-License-Identifier: Apache-2.0
// All schedules of few tasks, with releases and busy processors.
//
// Method:    depth-first branch and bound. Tasks are placed in the order of their starts, each as
//            early as it may: every schedule can be shifted to the left into one of these. Without
//            communication the processors of a type are alike but for when they are free, and those
//            that are free last by the start are taken. A state that was seen before is not looked
//            at again: which tasks are placed, when processors are free and when predecessors of
//            others end, where what lies before the last start counts as that. A state ends where a
//            path, or the work that is left, does not fit below the best schedule.
// Guarantee: optimal where it ends.
// Cost:      exponential.
// Memory:    states that were seen, up to a limit.
// Reference: Giffler, Thompson, "Algorithms for solving production-scheduling problems", Operations
//            Research 8(4), 1960, for active schedules.
#include <string.h>

#include "core/instance/moldable.h"
#include "core/number/minmax.h"
#include "core/seen.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/watch.h"
#include "solvers/released/model.h"

enum {
    MOST_TASKS = DUET_RELEASED_MOST_TASKS,
    MOST_PROCESSORS = 256,
    NODE = 500,                  // units of work of a node
    MOST_WORDS = 8 * 1024 * 1024 // of the states that are kept
};

// Where a task was put.
typedef struct put {
    int64_t start, end;
    size_t set; // where its processors begin in `chosen`
    int32_t size;
    int32_t processor; // the first of them
} put;

typedef struct branch {
    const duet_released_model *m;
    duet_error *error;
    duet_watch watch;
    int64_t nodes; // left
    bool costs;
    bool failed; // there is no memory

    // The state.
    uint64_t placed; // a bit for each task
    int64_t last;    // start
    int64_t end;     // of all tasks so far
    put put[MOST_TASKS];
    int64_t free_at[MOST_PROCESSORS];
    bool used[MOST_PROCESSORS];
    int32_t chosen[MOST_TASKS * MOST_PROCESSORS];
    size_t chosen_count;

    // The best schedule.
    int64_t best;
    bool found;
    put best_put[MOST_TASKS];
    int32_t *best_chosen; // a copy of `chosen`

    duet_seen seen;
    size_t key_length;
    int64_t key[2 + MOST_PROCESSORS + 2 * MOST_TASKS];
} branch;

static bool is_placed(const branch *b, size_t task)
{
    return (b->placed >> task & 1) != 0;
}

// --- states --------------------------------------------------------------------------------------

static bool awaits_successors(const branch *b, size_t task)
{
    const duet_graph *graph = b->m->graph;
    bool awaits = false;
    for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1] && !awaits; at++) {
        awaits = !is_placed(b, (size_t)graph->head[graph->leaving[at]]);
    }
    return awaits;
}

static void make_key(branch *b)
{
    const duet_released_model *m = b->m;
    size_t at = 0;
    b->key[at++] = (int64_t)b->placed;
    for (size_t t = 0; t < m->instance->types; t++) {
        size_t begin = at;
        for (size_t p = m->first[t]; p < m->first[t + 1]; p++) {
            int64_t free_at = duet_max(b->free_at[p], b->last);
            size_t to = at++;
            for (; !b->costs && to > begin && b->key[to - 1] > free_at; to--) {
                b->key[to] = b->key[to - 1];
            }
            b->key[to] = free_at;
        }
    }
    for (size_t j = 0; j < m->tasks && m->graph != NULL; j++) {
        if (is_placed(b, j) && awaits_successors(b, j)) {
            b->key[at++] = b->costs ? b->put[j].end : duet_max(b->put[j].end, b->last);
            b->key[at++] = b->costs ? b->put[j].processor : 0;
        }
    }
    b->key[at++] = duet_max(b->end, b->last);
    b->key_length = at;
}

// Whether the state was seen before; else it is kept as long as there is room.
static bool is_seen(branch *b)
{
    bool seen;
    make_key(b);
    duet_code code = duet_seen_add(&b->seen, b->key, b->key_length, &seen, b->error);
    b->failed = b->failed || code != DUET_OK;
    return seen || code != DUET_OK;
}

// --- bounds --------------------------------------------------------------------------------------

// Whether no schedule from here is shorter than the best: by a path, or by the least work.
static bool is_hopeless(const branch *b)
{
    const duet_released_model *m = b->m;
    int64_t earliest[MOST_TASKS];
    duet_int128 work = 0;
    for (size_t i = 0; i < m->tasks; i++) {
        int32_t j = m->order[i];
        if (is_placed(b, (size_t)j)) {
            earliest[j] = b->put[j].start;
            continue;
        }
        int64_t start = duet_max(m->head[j], b->last);
        for (int64_t at = m->graph == NULL ? 0 : m->graph->enter_at[j];
             m->graph != NULL && at < m->graph->enter_at[j + 1]; at++) {
            int32_t before = m->graph->tail[m->graph->entering[at]];
            int64_t end = is_placed(b, (size_t)before) ? b->put[before].end
                                                       : earliest[before] + m->shortest[before];
            start = duet_max(end, start);
        }
        earliest[j] = start;
        work += m->shortest[j]; // an area is at least a time on one processor or more
        if (start + m->shortest[j] + m->tail[j] >= b->best) {
            return true;
        }
    }
    duet_int128 room = 0;
    for (size_t p = 0; p < m->processors; p++) {
        int64_t from = duet_max(b->free_at[p], b->last);
        room += duet_max(b->best - 1 - from, 0);
    }
    return work > room;
}

// --- branches ------------------------------------------------------------------------------------

static void extend(branch *b);

static void keep_best(branch *b)
{
    b->best = b->end;
    b->found = true;
    memcpy(b->best_put, b->put, sizeof b->put);
    memcpy(b->best_chosen, b->chosen, b->chosen_count * sizeof *b->chosen);
}

// Puts a task on the processors that are chosen, extends the schedule and takes the task back.
static void try_put(branch *b, size_t task, int64_t start, int64_t time, size_t set, size_t size)
{
    int64_t before[MOST_PROCESSORS];
    bool used[MOST_PROCESSORS];
    int64_t last = b->last;
    int64_t end = b->end;
    if (start + time + b->m->tail[task] >= b->best) {
        return;
    }
    for (size_t i = 0; i < size; i++) {
        int32_t p = b->chosen[set + i];
        before[i] = b->free_at[p];
        used[i] = b->used[p];
        b->free_at[p] = start + time;
        b->used[p] = true;
    }
    b->put[task] = (put){start, start + time, set, (int32_t)size, b->chosen[set]};
    b->placed |= UINT64_C(1) << task;
    b->last = start;
    b->end = duet_max(start + time, end);
    extend(b);
    b->placed &= ~(UINT64_C(1) << task);
    b->last = last;
    b->end = end;
    for (size_t i = 0; i < size; i++) {
        int32_t p = b->chosen[set + i];
        b->free_at[p] = before[i];
        b->used[p] = used[i];
    }
}

// When the data of a task are on a processor, all its predecessors being placed.
static int64_t arrival(const branch *b, size_t task, size_t type, int32_t processor)
{
    const duet_graph *graph = b->m->graph;
    int64_t latest = duet_max(b->m->release[task], b->last);
    for (int64_t at = graph == NULL ? 0 : graph->enter_at[task];
         graph != NULL && at < graph->enter_at[task + 1]; at++) {
        int32_t edge = graph->entering[at];
        const put *before = &b->put[graph->tail[edge]];
        size_t from = (size_t)b->m->processor[before->processor].type;
        int64_t cost = b->costs && before->processor != processor
                           ? duet_graph_cost(graph, edge, from, type)
                           : 0;
        latest = duet_max(before->end + cost, latest);
    }
    return latest;
}

// Each processor of a type by itself: data take time. Those that were never used and are free at
// the same time are alike.
static void try_each(branch *b, size_t task, size_t type)
{
    const duet_released_model *m = b->m;
    int64_t time = duet_time(m->instance, (size_t)m->kind[task], type);
    for (size_t p = m->first[type]; p < m->first[type + 1]; p++) {
        bool twin = p > m->first[type] && !b->used[p] && !b->used[p - 1] &&
                    b->free_at[p] == b->free_at[p - 1];
        if (twin) {
            continue;
        }
        int64_t there = arrival(b, task, type, (int32_t)p);
        size_t set = b->chosen_count++;
        b->chosen[set] = (int32_t)p;
        try_put(b, task, duet_max(b->free_at[p], there), time, set, 1);
        b->chosen_count = set;
    }
}

// Any number of processors of a type, those that are free last by the start.
static void try_sizes(branch *b, size_t task, size_t type)
{
    const duet_released_model *m = b->m;
    size_t kind = (size_t)m->kind[task];
    size_t count = m->first[type + 1] - m->first[type];
    int32_t order[MOST_PROCESSORS];
    for (size_t i = 0; i < count; i++) {
        int32_t p = (int32_t)(m->first[type] + i);
        size_t to = i;
        for (; to > 0 && b->free_at[order[to - 1]] > b->free_at[p]; to--) {
            order[to] = order[to - 1];
        }
        order[to] = p;
    }
    int64_t there = arrival(b, task, type, -1);
    int64_t sizes = duet_moldable_sizes(m->instance, kind, type);
    for (size_t q = 1; q <= count && (int64_t)q <= sizes; q++) {
        int64_t time = duet_moldable_time(m->instance, kind, type, (int64_t)q);
        if (time == DUET_FORBIDDEN) {
            continue; // a size that is left out
        }
        int64_t start = duet_max(b->free_at[order[q - 1]], there);
        size_t ready = q;
        while (ready < count && b->free_at[order[ready]] <= start) {
            ready++;
        }
        size_t set = b->chosen_count;
        memcpy(&b->chosen[set], &order[ready - q], q * sizeof *order);
        b->chosen_count += q;
        if (time != DUET_FORBIDDEN) {
            try_put(b, task, start, time, set, q);
        }
        b->chosen_count = set;
    }
}

static bool is_ready(const branch *b, size_t task)
{
    const duet_graph *graph = b->m->graph;
    bool ready = !is_placed(b, task);
    for (int64_t at = graph == NULL ? 0 : graph->enter_at[task];
         graph != NULL && ready && at < graph->enter_at[task + 1]; at++) {
        ready = is_placed(b, (size_t)graph->tail[graph->entering[at]]);
    }
    return ready;
}

// Tasks of one kind without edges are alike: the first one goes first.
static bool has_twin_before(const branch *b, size_t task)
{
    const duet_released_model *m = b->m;
    return m->graph == NULL && task > 0 && m->kind[task - 1] == m->kind[task] &&
           !is_placed(b, task - 1);
}

// Whether the search ends before all schedules were tried.
static bool is_stopped(branch *b)
{
    bool stopped = duet_watch_spend(&b->watch, NODE * (int64_t)b->m->tasks);
    b->watch.stopped = b->watch.stopped || stopped || b->nodes <= 0;
    b->nodes--;
    return b->failed || b->watch.stopped;
}

static void extend(branch *b)
{
    const duet_released_model *m = b->m;
    uint64_t all = m->tasks == MOST_TASKS ? UINT64_MAX : (UINT64_C(1) << m->tasks) - 1;
    if (is_stopped(b)) {
        return;
    }
    if (b->placed == all) {
        keep_best(b);
        return;
    }
    if (is_hopeless(b) || is_seen(b)) {
        return;
    }
    for (size_t j = 0; j < m->tasks; j++) {
        if (!is_ready(b, j) || has_twin_before(b, j)) {
            continue;
        }
        for (size_t t = 0; t < m->instance->types; t++) {
            if (!duet_allowed(m->instance, (size_t)m->kind[j], t)) {
                continue;
            }
            if (b->costs) {
                try_each(b, j, t);
            } else {
                try_sizes(b, j, t);
            }
        }
    }
}

// --- the result ----------------------------------------------------------------------------------

static int compare_numbers(const duet_released_model *m, int32_t a, int32_t b)
{
    return m->processor[a].number < m->processor[b].number;
}

// The processors of a task as ranges, in ascending order.
static duet_code write_set(const branch *b, size_t task, duet_solution *solution)
{
    const put *at = &b->best_put[task];
    int32_t *set = &b->best_chosen[at->set];
    duet_processor_range range[MOST_PROCESSORS];
    for (int32_t i = 1; i < at->size; i++) {
        for (int32_t k = i; k > 0 && compare_numbers(b->m, set[k], set[k - 1]); k--) {
            int32_t swap = set[k];
            set[k] = set[k - 1];
            set[k - 1] = swap;
        }
    }
    for (int32_t i = 0; i < at->size; i++) {
        const duet_released_processor *p = &b->m->processor[set[i]];
        range[i] = (duet_processor_range){p->type, p->number, p->number};
    }
    return duet_solution_place_set(solution, (int64_t)task, at->start,
                                   (duet_processor_set){range, (size_t)at->size}, b->error);
}

static duet_code write_best(const branch *b, duet_solution *solution)
{
    bool moldable = b->m->instance->moldable != NULL;
    DUET_TRY(moldable ? duet_solution_hold_sets(solution, b->error)
                      : duet_solution_hold_placements(solution, b->error));
    for (size_t j = 0; j < b->m->tasks; j++) {
        const duet_released_processor *p = &b->m->processor[b->best_put[j].processor];
        if (moldable) {
            DUET_TRY(write_set(b, j, solution));
        } else {
            solution->placement[j] = (duet_placement){b->best_put[j].start, p->number, p->type};
        }
    }
    solution->makespan = b->best;
    return DUET_OK;
}

static duet_code search(branch *b, duet_solution *solution)
{
    for (size_t p = 0; p < b->m->processors; p++) {
        b->free_at[p] = b->m->processor[p].from;
    }
    extend(b);
    if (b->failed) {
        return DUET_E_MEMORY;
    }
    DUET_TRY(b->found ? write_best(b, solution) : DUET_OK);
    if (b->watch.stopped) {
        solution->interrupted = true;
    } else {
        const duet_bound bound = {.name = "exact", .value = solution->makespan};
        duet_solution_offer_bound(solution, &bound);
    }
    return DUET_OK;
}

duet_code duet_released_branch(const duet_instance *instance, const duet_context *context,
                               int64_t nodes, duet_solution *solution, duet_error *error)
{
    bool costs = (duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) != 0;
    if (instance->mixed_sets || duet_tasks(instance) > MOST_TASKS ||
        (costs && instance->moldable != NULL) || solution->makespan <= solution->lower_bound) {
        return DUET_OK;
    }
    duet_released_model m;
    branch *b = NULL;
    duet_code code = duet_released_model_create(instance, &m, error);
    if (code == DUET_OK && m.processors <= MOST_PROCESSORS) {
        b = duet_alloc(1, sizeof *b, error);
        code = b == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    if (b != NULL) {
        b->m = &m;
        b->error = error;
        b->watch = (duet_watch){.context = context};
        b->nodes = nodes;
        b->costs = costs;
        b->seen.most = MOST_WORDS;
        b->best = solution->makespan;
        b->best_chosen = duet_alloc(sizeof b->chosen / sizeof *b->chosen, sizeof *b->chosen, error);
        code = b->best_chosen == NULL ? DUET_E_MEMORY : search(b, solution);
        duet_free(b->best_chosen);
        duet_seen_free(&b->seen);
        duet_free(b);
    }
    duet_released_model_free(&m);
    return code;
}
