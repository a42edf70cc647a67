// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/workflow.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void duet_workflow_free(duet_workflow *workflow)
{
    duet_names_free(&workflow->ids);
    duet_free(workflow->tasks);
    duet_free(workflow->links);
    duet_free(workflow->runs);
    duet_names_free(&workflow->files);
    duet_free(workflow->sizes);
}

// --- reading -------------------------------------------------------------------------------------

duet_code duet_workflow_add_task(duet_workflow *workflow, const duet_workflow_task *task,
                                 duet_error *error)
{
    duet_code code = duet_grow(&workflow->tasks, workflow->task_count, &workflow->task_capacity,
                               sizeof *task, error);
    if (code == DUET_OK) {
        workflow->tasks[workflow->task_count++] = *task;
    }
    return code;
}

duet_code duet_workflow_find_file(duet_workflow *workflow, const char *name, uint32_t *file,
                                  duet_error *error)
{
    size_t before = workflow->files.count;
    duet_code code = duet_names_add(&workflow->files, 0, name, file, error);
    if (code == DUET_OK && *file == before) {
        code = duet_grow(&workflow->sizes, before, &workflow->size_capacity,
                         sizeof *workflow->sizes, error);
        if (code == DUET_OK) {
            workflow->sizes[before] = 0;
        }
    }
    return code;
}

duet_code duet_workflow_add_link(duet_workflow *workflow, const duet_workflow_link *link,
                                 duet_error *error)
{
    duet_code code = duet_grow(&workflow->links, workflow->link_count, &workflow->link_capacity,
                               sizeof *link, error);
    if (code == DUET_OK) {
        workflow->links[workflow->link_count++] = *link;
    }
    return code;
}

duet_code duet_workflow_add_run(duet_workflow *workflow, const duet_workflow_run *run,
                                duet_error *error)
{
    duet_code code = duet_grow(&workflow->runs, workflow->run_count, &workflow->run_capacity,
                               sizeof *run, error);
    if (code == DUET_OK) {
        workflow->runs[workflow->run_count++] = *run;
    }
    return code;
}

// --- tasks ---------------------------------------------------------------------------------------

typedef struct maker {
    const duet_workflow *workflow;
    const char *file;
    duet_builder *builder;
    duet_error *error;
    size_t *task_of; // per id: 1 + the task of that id, or else of that name; 0: there is none
    bool *unclear;   // per id: several tasks have it as their name
    duet_read_time *times;
    bool *timed;
} maker;

static const char *id_of(const maker *m, size_t task)
{
    return duet_names_text(&m->workflow->ids, m->workflow->tasks[task].id);
}

// Ids count before names.
static void index_tasks(const maker *m)
{
    const duet_workflow *workflow = m->workflow;
    for (size_t j = workflow->task_count; j > 0; j--) {
        uint32_t name = workflow->tasks[j - 1].name;
        m->unclear[name] = m->task_of[name] != 0;
        m->task_of[name] = j;
    }
    for (size_t j = workflow->task_count; j > 0; j--) {
        m->task_of[workflow->tasks[j - 1].id] = j;
        m->unclear[workflow->tasks[j - 1].id] = false;
    }
}

// The task that a text means.
static duet_code find_task(const maker *m, uint32_t id, int line, size_t *task)
{
    const char *text = duet_names_text(&m->workflow->ids, id);
    if (m->task_of[id] == 0) {
        return duet_error_set_at(m->error, DUET_E_INPUT, m->file, line, 0,
                                 "unknown task \"%.60s\"; expected the id of a task", text);
    }
    if (m->unclear[id]) {
        return duet_error_set_at(m->error, DUET_E_INPUT, m->file, line, 0,
                                 "several tasks are called \"%.60s\"; expected the id of one",
                                 text);
    }
    *task = m->task_of[id] - 1;
    return DUET_OK;
}

// Of two runs of a task the last one counts: the one before failed.
static duet_code take_runs(const maker *m)
{
    const duet_workflow *workflow = m->workflow;
    duet_code code = DUET_OK;
    for (size_t j = 0; j < workflow->task_count; j++) {
        m->times[j] = workflow->tasks[j].time;
        m->timed[j] = workflow->tasks[j].timed;
    }
    for (size_t i = 0; i < workflow->run_count && code == DUET_OK; i++) {
        size_t task = 0;
        code = find_task(m, workflow->runs[i].id, workflow->runs[i].line, &task);
        if (code == DUET_OK) {
            m->times[task] = workflow->runs[i].time;
            m->timed[task] = true;
        }
    }
    return code;
}

static duet_code add_kinds(const maker *m)
{
    duet_code code = DUET_OK;
    for (size_t j = 0; j < m->workflow->task_count && code == DUET_OK; j++) {
        const duet_workflow_task *task = &m->workflow->tasks[j];
        const char *id = id_of(m, j);
        if (!m->timed[j]) {
            return duet_error_set_at(m->error, DUET_E_INPUT, m->file, task->line, task->column,
                                     "no time of task \"%.60s\"; expected its runtimeInSeconds, in "
                                     "a version 1.5 under execution",
                                     id);
        }
        const duet_read_kind kind = {id, strlen(id), 1, &m->times[j], 1, task->line, task->column};
        code = duet_builder_add_kind(m->builder, &kind, m->error);
    }
    return code;
}

// --- edges ---------------------------------------------------------------------------------------

typedef struct pair {
    size_t from, to;
    int line;
} pair;

// By the task that waits, then by its parent.
static int compare_pairs(const void *left, const void *right)
{
    const pair *a = left;
    const pair *b = right;
    if (a->to != b->to) {
        return a->to < b->to ? -1 : 1;
    }
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return (a->line > b->line) - (a->line < b->line);
}

// All pairs that parents or children name, sorted, each once.
static duet_code list_pairs(const maker *m, pair *pairs, size_t *count)
{
    const duet_workflow *workflow = m->workflow;
    duet_code code = DUET_OK;
    size_t listed = 0;
    *count = 0;
    for (size_t i = 0; i < workflow->link_count && code == DUET_OK; i++) {
        const duet_workflow_link *link = &workflow->links[i];
        if (link->relation != DUET_WORKFLOW_PARENT && link->relation != DUET_WORKFLOW_CHILD) {
            continue;
        }
        size_t other = 0;
        code = find_task(m, link->other, link->line, &other);
        bool parent = link->relation == DUET_WORKFLOW_PARENT;
        pairs[listed++] =
            parent ? (pair){other, link->task, link->line} : (pair){link->task, other, link->line};
    }
    qsort(pairs, listed, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < listed; i++) {
        if (i == 0 || pairs[i].from != pairs[i - 1].from || pairs[i].to != pairs[i - 1].to) {
            pairs[(*count)++] = pairs[i];
        }
    }
    return code;
}

// The links of a task follow each other: `first` has an entry per task and one more.
static void index_links(const maker *m, size_t *first)
{
    const duet_workflow *workflow = m->workflow;
    size_t link = 0;
    for (size_t task = 0; task <= workflow->task_count; task++) {
        while (link < workflow->link_count && workflow->links[link].task < task) {
            link++;
        }
        first[task] = link;
    }
}

// What of its output a parent hands to a task: the bytes of the files in both lists. `mark` has an
// entry per file.
static duet_code sum_data(const maker *m, const size_t *first, pair edge, size_t stamp,
                          size_t *mark, duet_uint128 *bytes, bool *any)
{
    const duet_workflow *workflow = m->workflow;
    *bytes = 0;
    *any = false;
    for (size_t i = first[edge.to]; i < first[edge.to + 1]; i++) {
        if (workflow->links[i].relation == DUET_WORKFLOW_INPUT) {
            mark[workflow->links[i].other] = stamp;
        }
    }
    for (size_t i = first[edge.from]; i < first[edge.from + 1]; i++) {
        uint32_t file = workflow->links[i].other;
        if (workflow->links[i].relation == DUET_WORKFLOW_OUTPUT && mark[file] == stamp) {
            mark[file] = 0; // each once
            *bytes += (uint64_t)workflow->sizes[file];
            *any = true;
        }
    }
    return *bytes <= (duet_uint128)DUET_MAX_WORK
               ? DUET_OK
               : duet_error_set_at(m->error, DUET_E_INPUT, m->file, edge.line, 0,
                                   "too much data between two tasks; expected at most 2^62 bytes");
}

static duet_code add_edges(const maker *m, const pair *pairs, size_t count)
{
    size_t *first = duet_alloc(m->workflow->task_count + 1, sizeof *first, m->error);
    size_t *mark = duet_alloc(m->workflow->files.count, sizeof *mark, m->error);
    duet_code code = first == NULL || mark == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        index_links(m, first);
    }
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        duet_uint128 bytes;
        bool any;
        code = sum_data(m, first, pairs[i], i + 1, mark, &bytes, &any);
        if (code == DUET_OK) {
            const duet_read_time data = {.value = {(int64_t)bytes, 0}};
            const duet_read_edge edge = {.from = {.task = (int64_t)pairs[i].from},
                                         .to = {.task = (int64_t)pairs[i].to},
                                         .form = any ? DUET_COST_DATA : DUET_COST_NONE,
                                         .cost = &data,
                                         .cost_count = any,
                                         .line = pairs[i].line};
            code = duet_builder_add_edge(m->builder, &edge, m->error);
        }
    }
    duet_free(first);
    duet_free(mark);
    return code;
}

static duet_code join(const maker *m)
{
    size_t count = 0;
    pair *pairs = duet_alloc(m->workflow->link_count, sizeof *pairs, m->error);
    duet_code code = pairs == NULL ? DUET_E_MEMORY : list_pairs(m, pairs, &count);
    code = code == DUET_OK ? add_edges(m, pairs, count) : code;
    duet_free(pairs);
    return code;
}

duet_code duet_workflow_build(const duet_workflow *workflow, const char *file,
                              duet_builder *builder, duet_error *error)
{
    static const duet_read_transfer free_data = {.line = 0};
    maker m = {.workflow = workflow, .file = file, .builder = builder, .error = error};
    m.task_of = duet_alloc(workflow->ids.count, sizeof *m.task_of, error);
    m.unclear = duet_alloc(workflow->ids.count, sizeof *m.unclear, error);
    m.times = duet_alloc(workflow->task_count, sizeof *m.times, error);
    m.timed = duet_alloc(workflow->task_count, sizeof *m.timed, error);
    duet_code code = m.task_of == NULL || m.unclear == NULL || m.times == NULL || m.timed == NULL
                         ? DUET_E_MEMORY
                         : DUET_OK;
    if (code == DUET_OK) {
        index_tasks(&m);
        code = take_runs(&m);
    }
    code = code == DUET_OK ? add_kinds(&m) : code;
    code = code == DUET_OK ? duet_builder_set_transfer(builder, &free_data, error) : code;
    code = code == DUET_OK ? duet_builder_set_time_unit(builder, "s", error) : code;
    code = code == DUET_OK ? join(&m) : code;
    duet_free(m.task_of);
    duet_free(m.unclear);
    duet_free(m.times);
    duet_free(m.timed);
    return code;
}
