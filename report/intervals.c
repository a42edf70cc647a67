// SPDX-License-Identifier: Apache-2.0
// A schedule as a flat list of intervals.
#include "report/intervals.h"

#include <stdlib.h>

#include <duet/replan.h>

#include "core/instance/instance.h"
#include "core/instance/pins.h"
#include "core/number/minmax.h"
#include "core/solution/finer.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static bool on_platform(const duet_instance *instance, int32_t type, int32_t processor)
{
    return type >= 0 && (size_t)type < instance->types && processor >= 0 &&
           processor < instance->processors[type];
}

static void add(duet_intervals *intervals, duet_interval interval)
{
    intervals->interval[intervals->count++] = interval;
    intervals->end = duet_max(interval.end, intervals->end);
}

static void collect_placements(const duet_instance *instance, const duet_solution *solution,
                               duet_intervals *intervals)
{
    size_t last = 0;
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        for (int64_t task = instance->first[kind]; task < instance->first[kind + 1]; task++) {
            duet_placement at = duet_solution_place(solution, task, &last);
            if (!on_platform(instance, at.type, at.processor)) {
                continue;
            }
            int64_t time = duet_time(instance, kind, (size_t)at.type);
            if (time == DUET_FORBIDDEN || at.start < 0 || at.start > INT64_MAX - time) {
                continue;
            }
            add(intervals, (duet_interval){task, at.start, at.start + time, kind, at.processor,
                                           at.type, false, false});
        }
    }
}

// An interval for each processor of a task.
static void add_set(const duet_instance *instance, const duet_solution *solution, int64_t task,
                    duet_intervals *intervals)
{
    size_t near = 0;
    duet_processor_range one;
    duet_placement at = duet_solution_place(solution, task, &near);
    duet_processor_set set = duet_solution_set(solution, task, &one);
    if (at.type < 0 || set.count == 0) {
        return;
    }
    size_t kind = duet_instance_kind_of(instance, task);
    int64_t time = duet_moldable_duration(instance, kind, set);
    if (time == DUET_FORBIDDEN || at.start < 0 || at.start > INT64_MAX - time) {
        return;
    }
    for (size_t i = 0; i < set.count; i++) {
        const duet_processor_range *range = &set.range[i];
        for (int32_t p = 0; p <= range->last - range->first; p++) {
            add(intervals, (duet_interval){task, at.start, at.start + time, kind, range->first + p,
                                           range->type, false, i + (size_t)p > 0});
        }
    }
}

// Whether any task may have a place: a file too short for all of them leaves none.
static bool places_some(const duet_solution *solution)
{
    return solution->placement != NULL || solution->runs > 0;
}

// How many intervals there may be.
static uint64_t count_most(const duet_instance *instance, const duet_solution *solution)
{
    if (!places_some(solution)) {
        return solution->aborted_count;
    }
    uint64_t most = (uint64_t)solution->tasks + solution->aborted_count;
    for (int64_t j = 0; j < solution->tasks && instance->moldable != NULL; j++) {
        duet_processor_range one;
        duet_processor_set set = duet_solution_set(solution, j, &one);
        for (size_t i = 0; i < set.count; i++) {
            int64_t more = (int64_t)set.range[i].last - set.range[i].first;
            most += more > 0 ? (uint64_t)more + 1 : 1;
        }
    }
    return most;
}

static void collect_aborted(const duet_instance *instance, const duet_solution *solution,
                            duet_intervals *intervals)
{
    for (size_t i = 0; i < solution->aborted_count; i++) {
        const duet_aborted *lost = &solution->aborted[i];
        if (lost->task < 0 || lost->task >= duet_tasks(instance) || lost->start < 0 ||
            lost->end < lost->start || !on_platform(instance, lost->type, lost->processor)) {
            continue;
        }
        add(intervals, (duet_interval){lost->task, lost->start, lost->end,
                                       duet_instance_kind_of(instance, lost->task), lost->processor,
                                       lost->type, true, false});
    }
}

// What ran on processors that are lost.
static void collect_given_up(const duet_instance *instance, duet_intervals *intervals)
{
    for (size_t i = 0; instance->pins != NULL && i < instance->pins->given_ups; i++) {
        const duet_given_up *run = &instance->pins->given_up[i];
        size_t kind = duet_instance_kind_of(instance, run->task);
        bool more = i > 0 && run[-1].task == run->task; // another range of the same run
        for (int32_t p = run->range.first; p <= run->range.last; p++) {
            add(intervals, (duet_interval){run->task, run->start, run->end, kind, p,
                                           run->range.type, true, more || p > run->range.first});
        }
    }
}

static uint64_t count_given_up(const duet_instance *instance)
{
    uint64_t count = 0;
    for (size_t i = 0; instance->pins != NULL && i < instance->pins->given_ups; i++) {
        const duet_processor_range *range = &instance->pins->given_up[i].range;
        count += (uint64_t)range->last - (uint64_t)range->first + 1;
    }
    return count;
}

duet_code duet_intervals_collect(const duet_instance *instance, const duet_solution *solution,
                                 duet_intervals *intervals, duet_error *error)
{
    *intervals = (duet_intervals){.moldable = instance->moldable != NULL};
    if (!instance->has_platform) {
        return duet_error_set(error, DUET_E_USAGE,
                              "the instance has no processor counts; expected them to be set "
                              "before its schedule is shown");
    }
    if (solution->tasks != duet_tasks(instance)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "the solution has %lld tasks, expected the instance's %lld",
                              (long long)solution->tasks, (long long)duet_tasks(instance));
    }
    if (duet_solution_require_ticks(solution, error) != DUET_OK) {
        return DUET_E_USAGE;
    }
    uint64_t most = count_most(instance, solution) + count_given_up(instance);
    DUET_TRY(duet_memory_check(most, sizeof(duet_interval), 0, "runs to show", error));
    intervals->interval = duet_alloc((size_t)most, sizeof(duet_interval), error);
    DUET_NEED(intervals->interval);
    bool some = places_some(solution);
    if (some && instance->moldable == NULL) {
        collect_placements(instance, solution, intervals);
    }
    for (int64_t j = 0; some && j < solution->tasks && instance->moldable != NULL; j++) {
        add_set(instance, solution, j, intervals);
    }
    collect_aborted(instance, solution, intervals);
    collect_given_up(instance, intervals);
    return DUET_OK;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_intervals(const void *left, const void *right)
{
    const duet_interval *a = left;
    const duet_interval *b = right;
    int order = compare(a->type, b->type);
    order = order != 0 ? order : compare(a->processor, b->processor);
    order = order != 0 ? order : compare(a->start, b->start);
    order = order != 0 ? order : compare(a->end, b->end);
    order = order != 0 ? order : compare(a->task, b->task);
    return order != 0 ? order : compare(a->aborted, b->aborted);
}

void duet_intervals_sort(duet_intervals *intervals)
{
    qsort(intervals->interval, intervals->count, sizeof(duet_interval), compare_intervals);
}

static int compare_kinds(const void *left, const void *right)
{
    const duet_interval *a = left;
    const duet_interval *b = right;
    int order = (a->kind > b->kind) - (a->kind < b->kind);
    return order != 0 ? order : compare(a->task, b->task);
}

// Whether `next` follows `last` on the same processor without a break.
static bool follows(const duet_interval *last, const duet_interval *next)
{
    return !last->aborted && !next->aborted && last->type == next->type &&
           last->processor == next->processor && last->end == next->start;
}

void duet_intervals_by_kind(duet_intervals *intervals)
{
    duet_intervals_sort(intervals);
    size_t end;
    for (size_t at = 0; at < intervals->count; at = end) {
        duet_interval *stretch = &intervals->interval[at];
        for (end = at + 1; end < intervals->count &&
                           follows(&intervals->interval[end - 1], &intervals->interval[end]);
             end++) {
        }
        int64_t time = stretch->start;
        qsort(stretch, end - at, sizeof *stretch, compare_kinds);
        for (size_t i = 0; i < end - at; i++) {
            int64_t length = stretch[i].end - stretch[i].start;
            stretch[i].start = time;
            time += length;
            stretch[i].end = time;
        }
    }
}

int64_t duet_intervals_lost_from(const duet_instance *instance, const duet_intervals *intervals,
                                 size_t type, int64_t processor)
{
    int64_t from = duet_instance_now(instance);
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *interval = &intervals->interval[i];
        if (interval->type == (int32_t)type && interval->processor == processor) {
            from = duet_max(interval->end, from);
        }
    }
    return from;
}

void duet_intervals_free(duet_intervals *intervals)
{
    duet_free(intervals->interval);
    *intervals = (duet_intervals){.count = 0};
}
