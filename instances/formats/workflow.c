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

// The files that each task reads, or writes: sorted, each once.
typedef struct file_lists {
    uint32_t *file;
    size_t *first; // per task and one more; the list may end before the next one begins
    size_t *end;   // per task
} file_lists;

static void free_lists(file_lists *lists)
{
    duet_free(lists->file);
    duet_free(lists->first);
    duet_free(lists->end);
}

static int compare_files(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

// The links of a task follow each other.
static void fill_lists(const duet_workflow *workflow, duet_workflow_relation relation,
                       file_lists *lists)
{
    size_t link = 0;
    size_t used = 0;
    for (size_t task = 0; task < workflow->task_count; task++) {
        uint32_t *list = lists->file + used;
        size_t count = 0;
        size_t kept = 0;
        lists->first[task] = used;
        for (; link < workflow->link_count && workflow->links[link].task == task; link++) {
            if (workflow->links[link].relation == relation) {
                list[count++] = workflow->links[link].other;
            }
        }
        qsort(list, count, sizeof *list, compare_files);
        for (size_t i = 0; i < count; i++) {
            if (i == 0 || list[i] != list[i - 1]) {
                list[kept++] = list[i];
            }
        }
        used += count;
        lists->end[task] = lists->first[task] + kept;
    }
    lists->first[workflow->task_count] = used;
}

static duet_code list_files(const maker *m, duet_workflow_relation relation, file_lists *lists)
{
    const duet_workflow *workflow = m->workflow;
    size_t tasks = workflow->task_count;
    *lists =
        (file_lists){.file = duet_alloc_raw(workflow->link_count, sizeof *lists->file, m->error),
                     .first = duet_alloc_raw(tasks + 1, sizeof *lists->first, m->error),
                     .end = duet_alloc_raw(tasks, sizeof *lists->end, m->error)};
    if (lists->file == NULL || lists->first == NULL || lists->end == NULL) {
        return DUET_E_MEMORY;
    }
    fill_lists(workflow, relation, lists);
    return DUET_OK;
}

// What of its output a parent hands to a task: the bytes of the files in both lists. Each of the
// shorter list is looked for in the longer one: a parent may write a file for each of its children.
static duet_code sum_data(const maker *m, const file_lists *read, const file_lists *written,
                          pair edge, duet_uint128 *bytes, bool *any)
{
    const uint32_t *few = read->file + read->first[edge.to];
    const uint32_t *many = written->file + written->first[edge.from];
    size_t few_count = read->end[edge.to] - read->first[edge.to];
    size_t many_count = written->end[edge.from] - written->first[edge.from];
    if (few_count > many_count) {
        const uint32_t *list = few;
        size_t count = few_count;
        few = many;
        few_count = many_count;
        many = list;
        many_count = count;
    }
    *bytes = 0;
    *any = false;
    for (size_t i = 0; i < few_count; i++) {
        if (bsearch(&few[i], many, many_count, sizeof *many, compare_files) != NULL) {
            *bytes += (uint64_t)m->workflow->sizes[few[i]];
            *any = true;
        }
    }
    return *bytes <= (duet_uint128)DUET_MAX_WORK
               ? DUET_OK
               : duet_error_set_at(m->error, DUET_E_INPUT, m->file, edge.line, 0,
                                   "too much data between two tasks; expected at most 2^62 bytes");
}

static duet_code add_edges(const maker *m, const file_lists *read, const file_lists *written,
                           const pair *pairs, size_t count)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        duet_uint128 bytes;
        bool any;
        code = sum_data(m, read, written, pairs[i], &bytes, &any);
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
    return code;
}

static duet_code join_pairs(const maker *m, const pair *pairs, size_t count)
{
    file_lists read = {.file = NULL};
    file_lists written = {.file = NULL};
    duet_code code = list_files(m, DUET_WORKFLOW_INPUT, &read);
    code = code == DUET_OK ? list_files(m, DUET_WORKFLOW_OUTPUT, &written) : code;
    code = code == DUET_OK ? add_edges(m, &read, &written, pairs, count) : code;
    free_lists(&read);
    free_lists(&written);
    return code;
}

static duet_code join(const maker *m)
{
    size_t count = 0;
    pair *pairs = duet_alloc(m->workflow->link_count, sizeof *pairs, m->error);
    duet_code code = pairs == NULL ? DUET_E_MEMORY : list_pairs(m, pairs, &count);
    code = code == DUET_OK ? join_pairs(m, pairs, count) : code;
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
