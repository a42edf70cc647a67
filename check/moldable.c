// SPDX-License-Identifier: Apache-2.0
// The checker of schedules of moldable tasks; for schedule.c alone.
#include "check/schedules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/law.h"
#include "core/number/fraction.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { TASK = 128, BLOCK = 4, RANGE = 128 }; // units of work

// A task that is placed.
typedef struct execution {
    int64_t task;
    int64_t start;
    int64_t end;
    duet_processor_set set;
    duet_processor_range one; // where it has no set of its own
} execution;

// Processors that every task has all of or none of.
typedef struct block {
    int32_t type;
    int32_t first;
    int64_t free_at; // when the last task so far ends
    int64_t task;    // the last task so far; -1: none
} block;

typedef struct checked {
    const duet_instance *instance;
    const duet_solution *solution;
    duet_error *error;
    duet_watch *watch;
    execution *executions; // an entry per task
    block *blocks;
    size_t count; // of blocks
} checked;

static duet_code fault(const checked *c, int64_t task, const char *why)
{
    char id[128];
    duet_instance_task_id(c->instance, task, id, sizeof id);
    return duet_error_set(c->error, DUET_E_INPUT, "task '%s': %s", id, why);
}

// --- single tasks --------------------------------------------------------------------------------

// S1: processors that exist, each once, in order.
static duet_code check_range(const checked *c, const execution *e, size_t i)
{
    const duet_processor_range *range = &e->set.range[i];
    if (range->type < 0) {
        return fault(c, e->task, "is not scheduled: expected every task to run once");
    }
    if ((size_t)range->type >= c->instance->types) {
        return fault(c, e->task, "runs on an unknown processor type");
    }
    if (range->first < 0 || range->last < range->first ||
        range->last >= c->instance->processors[range->type]) {
        return fault(c, e->task, "runs on a processor that does not exist");
    }
    const duet_processor_range *before = i == 0 ? NULL : range - 1;
    if (before != NULL && (before->type > range->type ||
                           (before->type == range->type && before->last >= range->first))) {
        return fault(c, e->task,
                     "has processors twice or out of order: expected disjoint ranges in ascending "
                     "order");
    }
    return DUET_OK;
}

// S1: what the task takes on its set.
static duet_code find_end(const checked *c, execution *e, duet_check_memo *memo)
{
    size_t kind = duet_instance_kind_of(c->instance, e->task);
    bool mixed = e->set.range[0].type != e->set.range[e->set.count - 1].type;
    int64_t size = 0;
    for (size_t i = 0; i < e->set.count; i++) {
        const duet_processor_range *range = &e->set.range[i];
        size += (int64_t)range->last - range->first + 1;
        if (duet_time(c->instance, kind, (size_t)range->type) == DUET_FORBIDDEN) {
            return fault(c, e->task, "runs on a type where it is forbidden");
        }
    }
    if (mixed && !c->instance->mixed_sets) {
        return fault(c, e->task,
                     "runs on processors of several types: expected one type, or an instance with "
                     "mixed sets "
                     "(\"mixed_sets\": true, or -O mixed_sets=true)");
    }
    const duet_pin *pin = duet_pin_of(c->instance, kind);
    int64_t time =
        duet_is_run(pin) ? pin->end - pin->start
        : mixed          ? duet_check_mixed_time(c->instance, kind, e->set, memo)
                : duet_check_time(c->instance, kind, (size_t)e->set.range[0].type, size, memo);
    if (time == DUET_FORBIDDEN) {
        char why[100];
        snprintf(why, sizeof why, "runs on %" PRId64 " processors, for which it has no time", size);
        return fault(c, e->task, why);
    }
    if (e->start < 0 || e->start >= DUET_MAX_WORK) { // ends stay below 2^63
        return fault(c, e->task, "starts outside the schedule: expected 0 to 2^62 ticks");
    }
    for (size_t i = 0; i < e->set.count; i++) { // S4
        DUET_TRY(duet_check_available(c->instance, c->solution, e->task, e->start, e->set.range[i],
                                      c->error));
    }
    int64_t fine;
    if (__builtin_mul_overflow(time, duet_check_tick(c->solution), &fine) ||
        __builtin_add_overflow(e->start, fine, &e->end)) {
        return fault(c, e->task, "takes too long for starts between ticks");
    }
    return DUET_OK;
}

static duet_code check_tasks(checked *c, int64_t *makespan)
{
    duet_check_memo memo = {.law = NULL, .watch = c->watch};
    duet_code code = DUET_OK;
    size_t at = 0;
    *makespan = 0;
    for (int64_t j = 0; j < c->solution->tasks && code == DUET_OK; j++) {
        execution *e = &c->executions[j];
        if (duet_watch_spend(c->watch, TASK)) {
            return duet_check_stopped(c->watch, c->error);
        }
        duet_placement placed = duet_solution_place(c->solution, j, &at);
        e->task = j;
        e->start = placed.start;
        e->set = duet_solution_set(c->solution, j, &e->one);
        if (placed.type < 0 || e->set.count == 0) {
            return fault(c, j, "is not scheduled: expected every task to run once");
        }
        for (size_t i = 0; i < e->set.count && code == DUET_OK; i++) {
            code = check_range(c, e, i);
        }
        DUET_THEN(code, find_end(c, e, &memo));
        *makespan = code == DUET_OK && e->end > *makespan ? e->end : *makespan;
    }
    return code;
}

// --- processors ----------------------------------------------------------------------------------

static int compare_blocks(const void *left, const void *right)
{
    const block *a = left;
    const block *b = right;
    return 2 * duet_order(a->type, b->type) + duet_order(a->first, b->first);
}

// The first processor of a block is that of a range, or comes after its last one.
static duet_code make_blocks(checked *c)
{
    size_t ranges = 0;
    for (int64_t j = 0; j < c->solution->tasks; j++) {
        ranges += c->executions[j].set.count;
    }
    c->blocks = duet_alloc(2 * ranges, sizeof *c->blocks, c->error);
    DUET_NEED(c->blocks);
    size_t ends = 0;
    for (int64_t j = 0; j < c->solution->tasks; j++) {
        duet_processor_set set = c->executions[j].set;
        for (size_t i = 0; i < set.count; i++) {
            c->blocks[ends++] = (block){set.range[i].type, set.range[i].first, 0, -1};
            c->blocks[ends++] = (block){set.range[i].type, set.range[i].last + 1, 0, -1};
        }
    }
    DUET_TRY(
        duet_check_sort(c->blocks, ends, sizeof *c->blocks, compare_blocks, c->watch, c->error));
    for (size_t i = 0; i < ends; i++) {
        if (c->count == 0 || compare_blocks(&c->blocks[c->count - 1], &c->blocks[i]) != 0) {
            c->blocks[c->count++] = c->blocks[i];
        }
    }
    return DUET_OK;
}

static block *find_block(const checked *c, int32_t type, int32_t processor)
{
    const block key = {type, processor, 0, 0};
    return bsearch(&key, c->blocks, c->count, sizeof *c->blocks, compare_blocks);
}

static duet_code refuse_overlap(const checked *c, const block *at, int64_t task)
{
    char first[128];
    char second[128];
    duet_instance_task_id(c->instance, at->task, first, sizeof first);
    duet_instance_task_id(c->instance, task, second, sizeof second);
    return duet_error_set(c->error, DUET_E_INPUT,
                          "tasks '%s' and '%s' overlap on processor %" PRId32 " of type %s", first,
                          second, at->first, c->instance->type_names[at->type]);
}

static int compare_starts(const void *left, const void *right)
{
    const execution *a = *(const execution *const *)left;
    const execution *b = *(const execution *const *)right;
    return 4 * duet_order(a->start, b->start) + 2 * duet_order(a->end, b->end) +
           duet_order(a->task, b->task);
}

static duet_code occupy(const checked *c, const execution *e)
{
    for (size_t i = 0; i < e->set.count; i++) {
        const duet_processor_range *range = &e->set.range[i];
        for (block *at = find_block(c, range->type, range->first); at->first <= range->last; at++) {
            if (at->type != range->type) {
                break;
            }
            if (duet_watch_spend(c->watch, BLOCK)) {
                return duet_check_stopped(c->watch, c->error);
            }
            if (at->free_at > e->start) {
                return refuse_overlap(c, at, e->task);
            }
            at->free_at = e->end;
            at->task = e->task;
        }
    }
    return DUET_OK;
}

// S2. Tasks in order of their starts, of 0 ticks first: each needs that its processors are free by
// then.
static duet_code check_overlap(checked *c)
{
    size_t tasks = (size_t)c->solution->tasks;
    const execution **by_start = duet_alloc(tasks, sizeof *by_start, c->error);
    duet_code code = by_start == NULL ? DUET_E_MEMORY : make_blocks(c);
    for (size_t j = 0; j < tasks && code == DUET_OK; j++) {
        by_start[j] = &c->executions[j];
    }
    DUET_THEN(code, duet_check_sort(by_start, tasks, sizeof *by_start, compare_starts, c->watch,
                                    c->error));
    for (size_t j = 0; j < tasks && code == DUET_OK; j++) {
        code = occupy(c, by_start[j]);
    }
    duet_free(by_start);
    return code;
}

// --- edges ---------------------------------------------------------------------------------------

static bool same_set(duet_processor_set a, duet_processor_set b)
{
    bool same = a.count == b.count;
    for (size_t i = 0; i < a.count && same; i++) {
        same = a.range[i].type == b.range[i].type && a.range[i].first == b.range[i].first &&
               a.range[i].last == b.range[i].last;
    }
    return same;
}

// S3.
static duet_code check_edge(const checked *c, int64_t edge)
{
    const duet_graph *graph = c->instance->graph;
    const execution *before = &c->executions[graph->tail[edge]];
    const execution *after = &c->executions[graph->head[edge]];
    bool free = same_set(before->set, after->set) || duet_check_begun(c->instance, after->task);
    duet_int128 move = free ? 0
                            : (duet_int128)duet_check_tick(c->solution) *
                                  duet_check_move(c->instance, edge, before->set, after->set);
    duet_int128 ready = before->end + move;
    if (after->start >= ready) {
        return DUET_OK;
    }
    char task[128];
    char predecessor[128];
    char started[32];
    char ended[32];
    char expected[32];
    duet_instance_task_id(c->instance, after->task, task, sizeof task);
    duet_instance_task_id(c->instance, before->task, predecessor, sizeof predecessor);
    duet_check_format(c->instance, c->solution, after->start, started);
    duet_check_format(c->instance, c->solution, before->end, ended);
    duet_check_format(c->instance, c->solution, ready < INT64_MAX ? (int64_t)ready : INT64_MAX,
                      expected);
    if (move == 0) {
        return duet_error_set(c->error, DUET_E_INPUT,
                              "task '%s' starts at %s, before its predecessor '%s' ends at %s",
                              task, started, predecessor, ended);
    }
    return duet_error_set(c->error, DUET_E_INPUT,
                          "task '%s' starts at %s: the data of its predecessor '%s', which ends at "
                          "%s, are redistributed at %s",
                          task, started, predecessor, ended, expected);
}

duet_code duet_check_moldable(const duet_instance *instance, const duet_solution *solution,
                              duet_watch *watch, int64_t *makespan, duet_error *error)
{
    checked c = {.instance = instance, .solution = solution, .error = error, .watch = watch};
    if (solution->aborted_count > 0) {
        return duet_error_set(error, DUET_E_INPUT, "aborted runs of moldable tasks: expected none");
    }
    c.executions = duet_alloc((size_t)solution->tasks, sizeof *c.executions, error);
    duet_code code = c.executions == NULL ? DUET_E_MEMORY : check_tasks(&c, makespan);
    DUET_THEN(code, check_overlap(&c));
    int64_t edges = instance->graph == NULL ? 0 : instance->graph->edges;
    for (int64_t edge = 0; edge < edges && code == DUET_OK; edge++) {
        size_t ranges = c.executions[instance->graph->tail[edge]].set.count +
                        c.executions[instance->graph->head[edge]].set.count;
        code = check_edge(&c, edge);
        code =
            code == DUET_OK ? duet_check_spend(watch, TASK + RANGE * (int64_t)ranges, error) : code;
    }
    duet_free(c.executions);
    duet_free(c.blocks);
    return code;
}
