// SPDX-License-Identifier: Apache-2.0
#include "report/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/instance/groups.h"
#include "core/number/minmax.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "report/reasons.h"
#include "report/texts.h"

// Which row each kind counts in.
typedef struct grouping {
    duet_task_groups groups;
    int64_t *tasks; // per group
    size_t *row;    // of each group
} grouping;

static duet_code group_kinds(const duet_instance *instance, grouping *g, duet_error *error)
{
    DUET_TRY(duet_task_groups_create(instance, &g->groups, error));
    g->tasks = duet_alloc(g->groups.count, sizeof *g->tasks, error);
    g->row = duet_alloc(g->groups.count, sizeof *g->row, error);
    if (g->tasks == NULL || g->row == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        g->tasks[g->groups.of_kind[i]] += duet_count(instance, i);
    }
    return DUET_OK;
}

static void free_grouping(grouping *g)
{
    duet_task_groups_free(&g->groups);
    duet_free(g->tasks);
    duet_free(g->row);
}

// A group's name, or the id of its only kind.
static void name_row(const duet_instance *instance, const grouping *g, size_t group,
                     duet_summary_row *row)
{
    size_t kind = g->groups.sample[group];
    duet_group_name name = duet_task_groups_name(&g->groups, instance, group);
    if (g->groups.kinds[group] == 1 && duet_instance_group(instance, kind) == NULL) {
        duet_clean_text(duet_instance_kind_id(instance, kind), SIZE_MAX, row->name,
                        sizeof row->name);
    } else {
        duet_clean_text(name.text, name.length, row->name, sizeof row->name);
    }
}

// Those with most tasks get a row each, in the order of the file; the rest share the last one. Many
// kinds that are in no groups share one row.
static void choose_rows(const duet_instance *instance, grouping *g, duet_summary *summary)
{
    bool none = g->groups.apart && g->groups.count > DUET_MOST_GROUPS;
    size_t own = g->groups.count <= DUET_SUMMARY_ROWS ? g->groups.count : DUET_SUMMARY_ROWS - 1;
    own = none ? 0 : own;
    for (size_t i = 0; i < g->groups.count; i++) {
        g->row[i] = DUET_SUMMARY_ROWS;
    }
    for (size_t taken = 0; taken < own; taken++) {
        size_t best = g->groups.count;
        for (size_t i = 0; i < g->groups.count; i++) {
            if (g->row[i] == DUET_SUMMARY_ROWS &&
                (best == g->groups.count || g->tasks[i] > g->tasks[best])) {
                best = i;
            }
        }
        g->row[best] = 0; // chosen; numbered below
    }
    for (size_t i = 0; i < g->groups.count; i++) {
        bool chosen = g->row[i] == 0;
        g->row[i] = chosen ? summary->rows++ : own;
        duet_summary_row *row = &summary->row[g->row[i]];
        if (chosen) {
            name_row(instance, g, i, row);
        } else {
            snprintf(row->name, sizeof row->name, none ? "" : "others");
        }
        row->kinds += g->groups.kinds[i];
        row->tasks += g->tasks[i];
    }
    summary->rows += own < g->groups.count;
}

static void count_interval(const duet_interval *interval, const duet_interval *before,
                           const grouping *g, duet_summary *summary)
{
    duet_summary_type *type = &summary->type[interval->type];
    bool new_processor = before == NULL || before->type != interval->type ||
                         before->processor != interval->processor;
    type->used += new_processor;
    type->work += (uint64_t)(interval->end - interval->start);
    type->ends = duet_max(interval->end, type->ends);
    if (!interval->aborted && !interval->beside) {
        type->tasks++;
        summary->row[g->row[g->groups.of_kind[interval->kind]]].count[interval->type]++;
    }
}

static duet_code count_all(const duet_instance *instance, const duet_intervals *intervals,
                           duet_summary *summary, duet_error *error)
{
    grouping g = {.tasks = NULL};
    duet_code code = group_kinds(instance, &g, error);
    if (code == DUET_OK) {
        choose_rows(instance, &g, summary);
        for (size_t i = 0; i < intervals->count; i++) {
            const duet_interval *at = &intervals->interval[i];
            count_interval(at, i == 0 ? NULL : at - 1, &g, summary);
        }
    }
    free_grouping(&g);
    return code;
}

// The type whose processors work the largest share of the time: largest work per processor.
static void find_bottleneck(const duet_instance *instance, duet_summary *summary)
{
    for (size_t t = 0; t < summary->types; t++) {
        duet_summary_type *type = &summary->type[t];
        duet_uint128 all = (duet_uint128)type->processors * (duet_uint128)summary->makespan;
        type->idle = all > type->work ? all - type->work : 0;
        const duet_summary_type *most = &summary->type[summary->bottleneck];
        if (type->processors > 0 &&
            (most->processors == 0 ||
             duet_fraction_compare((duet_fraction){type->work, (duet_uint128)type->processors},
                                   (duet_fraction){most->work, (duet_uint128)most->processors}) >
                 0)) {
            summary->bottleneck = t;
        }
    }
    summary->limit = duet_tasks(instance) == 0 ? DUET_LIMIT_NOTHING : DUET_LIMIT_TYPE;
    for (size_t i = 0; i < instance->kinds && summary->limit == DUET_LIMIT_TYPE; i++) {
        if (duet_shortest_time(instance, i) == summary->makespan) {
            summary->limit = DUET_LIMIT_TASK;
            summary->longest_task = instance->first[i];
        }
    }
}

// The tasks that decide are the critical path.
static duet_code find_chain(const duet_instance *instance, const duet_solution *solution,
                            const duet_intervals *intervals, duet_summary *summary,
                            duet_error *error)
{
    duet_reasons reasons;
    duet_code code = duet_reasons_create(instance, solution, intervals, &reasons, error);
    if (code == DUET_OK && reasons.length > 0) {
        summary->link = duet_alloc_raw(reasons.length, sizeof *summary->link, error);
        code = summary->link == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    bool by_data = reasons.length > 0;
    for (size_t i = 0; i < reasons.length && code == DUET_OK; i++) {
        duet_reason_form form = reasons.of[reasons.path[i]].form;
        by_data = by_data && form == (i == 0 ? DUET_REASON_START : DUET_REASON_DATA);
        summary->link[summary->chain++] = intervals->interval[reasons.path[i]];
    }
    if (by_data && instance->graph != NULL && summary->limit == DUET_LIMIT_TYPE) {
        summary->limit = DUET_LIMIT_PATH;
    } else if (instance->graph != NULL && summary->limit == DUET_LIMIT_TYPE &&
               summary->makespan == solution->lower_bound &&
               strcmp(solution->bound_name, "path") == 0) {
        summary->limit = DUET_LIMIT_LONGEST;
    }
    duet_reasons_free(&reasons);
    return code;
}

duet_code duet_summary_create(const duet_instance *instance, const duet_solution *solution,
                              duet_summary *summary, duet_error *error)
{
    duet_intervals intervals;
    *summary = (duet_summary){.types = instance->types};
    for (size_t t = 0; t < instance->types; t++) {
        summary->type[t].processors = instance->processors[t];
    }
    DUET_TRY(duet_intervals_collect(instance, solution, &intervals, error));
    duet_intervals_sort(&intervals);
    summary->makespan = intervals.end;
    duet_code code = count_all(instance, &intervals, summary, error);
    if (code == DUET_OK) {
        find_bottleneck(instance, summary);
        code = find_chain(instance, solution, &intervals, summary, error);
    }
    duet_intervals_free(&intervals);
    return code;
}

void duet_summary_free(duet_summary *summary)
{
    duet_free(summary->link);
    summary->link = NULL;
    summary->chain = 0;
}

int duet_summary_load(const duet_summary *summary, size_t type)
{
    const duet_summary_type *of = &summary->type[type];
    duet_uint128 all = of->work + of->idle;
    return all == 0 ? 0 : (int)((of->work * 10000 + all / 2) / all);
}
