// SPDX-License-Identifier: Apache-2.0
// A schedule as a flat list of runs.
#include "report/runs.h"

#include <stdlib.h>
#include <string.h>

#include "core/instance.h"
#include "core/memory.h"
#include "core/solution.h"

static bool on_platform(const duet_instance *instance, int32_t type, int32_t processor)
{
    return type >= 0 && (size_t)type < instance->types && processor >= 0 &&
           processor < instance->processors[type];
}

static void add(duet_runs *runs, duet_run run)
{
    runs->run[runs->count++] = run;
    if (run.end > runs->end) {
        runs->end = run.end;
    }
}

static void collect_placements(const duet_instance *instance, const duet_solution *solution,
                               duet_runs *runs)
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
            add(runs,
                (duet_run){task, at.start, at.start + time, kind, at.processor, at.type, false});
        }
    }
}

static void collect_aborted(const duet_instance *instance, const duet_solution *solution,
                            duet_runs *runs)
{
    for (size_t i = 0; i < solution->aborted_count; i++) {
        const duet_aborted *lost = &solution->aborted[i];
        if (lost->task < 0 || lost->task >= duet_tasks(instance) || lost->start < 0 ||
            lost->end < lost->start || !on_platform(instance, lost->type, lost->processor)) {
            continue;
        }
        add(runs, (duet_run){lost->task, lost->start, lost->end,
                             duet_instance_kind_of(instance, lost->task), lost->processor,
                             lost->type, true});
    }
}

duet_code duet_runs_collect(const duet_instance *instance, const duet_solution *solution,
                            duet_runs *runs, duet_error *error)
{
    *runs = (duet_runs){0, NULL, 0};
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
    uint64_t most = (uint64_t)solution->tasks + solution->aborted_count;
    duet_code code = duet_memory_check(most, sizeof(duet_run), 0, "runs to show", error);
    if (code != DUET_OK) {
        return code;
    }
    runs->run = duet_alloc((size_t)most, sizeof(duet_run), error);
    if (runs->run == NULL) {
        return DUET_E_MEMORY;
    }
    collect_placements(instance, solution, runs);
    collect_aborted(instance, solution, runs);
    return DUET_OK;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_runs(const void *left, const void *right)
{
    const duet_run *a = left;
    const duet_run *b = right;
    int order = compare(a->type, b->type);
    order = order != 0 ? order : compare(a->processor, b->processor);
    order = order != 0 ? order : compare(a->start, b->start);
    order = order != 0 ? order : compare(a->end, b->end);
    order = order != 0 ? order : compare(a->task, b->task);
    return order != 0 ? order : compare(a->aborted, b->aborted);
}

void duet_runs_sort(duet_runs *runs)
{
    qsort(runs->run, runs->count, sizeof(duet_run), compare_runs);
}

void duet_runs_free(duet_runs *runs)
{
    duet_free(runs->run);
    *runs = (duet_runs){0, NULL, 0};
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool duet_path_ends(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t wanted = strlen(ending);
    if (length < wanted) {
        return false;
    }
    for (size_t i = 0; i < wanted; i++) {
        if (lower(path[length - wanted + i]) != ending[i]) {
            return false;
        }
    }
    return true;
}
