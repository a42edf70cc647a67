// SPDX-License-Identifier: Apache-2.0
// The edges of a workflow: by parents and children, or by the files that tasks write and read.
#include "instances/formats/workflow/workflow.h"

#include <stdlib.h>

#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_workflow_find_task(const duet_workflow_maker *m, uint32_t id, int line, size_t *task)
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

// --- pairs ---------------------------------------------------------------------------------------

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

typedef struct pair_list {
    pair *pairs;
    size_t count;
} pair_list;

// Sorted, each once.
static void sort_pairs(pair_list *list)
{
    pair *pairs = list->pairs;
    size_t kept = 0;
    qsort(pairs, list->count, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < list->count; i++) {
        if (i == 0 || pairs[i].from != pairs[i - 1].from || pairs[i].to != pairs[i - 1].to) {
            pairs[kept++] = pairs[i];
        }
    }
    list->count = kept;
}

// All pairs that parents or children name.
static duet_code list_relatives(const duet_workflow_maker *m, pair_list *list)
{
    const duet_workflow *workflow = m->workflow;
    duet_code code = DUET_OK;
    list->pairs =
        duet_alloc(workflow->link_count + workflow->relative_count, sizeof *list->pairs, m->error);
    DUET_NEED(list->pairs);
    for (size_t i = 0; i < workflow->relative_count && code == DUET_OK; i++) {
        const duet_workflow_relative *relative = &workflow->relatives[i];
        size_t child = 0;
        size_t parent = 0;
        code = duet_workflow_find_task(m, relative->child, relative->line, &child);
        DUET_THEN(code, duet_workflow_find_task(m, relative->parent, relative->line, &parent));
        list->pairs[list->count++] = (pair){parent, child, relative->line};
    }
    for (size_t i = 0; i < workflow->link_count && code == DUET_OK; i++) {
        const duet_workflow_link *link = &workflow->links[i];
        if (link->relation != DUET_WORKFLOW_PARENT && link->relation != DUET_WORKFLOW_CHILD) {
            continue;
        }
        size_t other = 0;
        code = duet_workflow_find_task(m, link->other, link->line, &other);
        bool parent = link->relation == DUET_WORKFLOW_PARENT;
        list->pairs[list->count++] =
            parent ? (pair){other, link->task, link->line} : (pair){link->task, other, link->line};
    }
    sort_pairs(list);
    return code;
}

// A task that writes a file.
typedef struct writer {
    uint32_t file;
    size_t task;
} writer;

static int compare_writers(const void *left, const void *right)
{
    const writer *a = left;
    const writer *b = right;
    return (a->file > b->file) - (a->file < b->file);
}

// The first of the writers, sorted by file, of this file or one behind it.
static size_t first_writer(const writer *writers, size_t count, uint32_t file)
{
    size_t low = 0;
    while (count > 0) {
        size_t half = count / 2;
        if (writers[low + half].file < file) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

// All that the files say who waits for whom: how many pairs, and the pairs where `pairs` is given.
static duet_uint128 pair_by_files(const duet_workflow_maker *m, const writer *writers, size_t count,
                                  pair *pairs)
{
    const duet_workflow *workflow = m->workflow;
    duet_uint128 listed = 0;
    for (size_t i = 0; i < workflow->link_count; i++) {
        const duet_workflow_link *link = &workflow->links[i];
        if (link->relation != DUET_WORKFLOW_INPUT) {
            continue;
        }
        size_t first = first_writer(writers, count, link->other);
        size_t end = first_writer(writers, count, link->other + 1);
        for (size_t w = first; pairs != NULL && w < end; w++) {
            pairs[(size_t)listed + w - first] = (pair){writers[w].task, link->task, link->line};
        }
        listed += end - first;
    }
    return listed;
}

// A task that reads what it writes itself does not wait for itself.
static void leave_out_itself(pair_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->pairs[i].from != list->pairs[i].to) {
            list->pairs[kept++] = list->pairs[i];
        }
    }
    list->count = kept;
}

static duet_code pair_writers(const duet_workflow_maker *m, writer *writers, pair_list *list)
{
    const duet_workflow *workflow = m->workflow;
    size_t count = 0;
    for (size_t i = 0; i < workflow->link_count; i++) {
        if (workflow->links[i].relation == DUET_WORKFLOW_OUTPUT) {
            writers[count++] = (writer){workflow->links[i].other, workflow->links[i].task};
        }
    }
    qsort(writers, count, sizeof *writers, compare_writers);
    duet_uint128 pairs = pair_by_files(m, writers, count, NULL);
    DUET_TRY(duet_builder_announce_edges(m->builder, pairs, 0, 0, m->error));
    DUET_TRY(duet_memory_check(pairs > UINT64_MAX ? UINT64_MAX : (uint64_t)pairs, sizeof(pair), 0,
                               "the pairs of tasks that share files", m->error));
    list->count = (size_t)pairs;
    list->pairs = duet_alloc(list->count, sizeof *list->pairs, m->error);
    DUET_NEED(list->pairs);
    (void)pair_by_files(m, writers, count, list->pairs);
    leave_out_itself(list);
    sort_pairs(list);
    return list->count == 0
               ? DUET_OK
               : duet_builder_add_notice(m->builder,
                                         "no task lists its parents: each waits for those that "
                                         "write the files it reads",
                                         m->error);
}

// The pairs where no task has parents or children listed: who reads a file waits for those who
// write it.
static duet_code list_readers(const duet_workflow_maker *m, pair_list *list)
{
    writer *writers = duet_alloc(m->workflow->link_count, sizeof *writers, m->error);
    duet_code code = writers == NULL ? DUET_E_MEMORY : pair_writers(m, writers, list);
    duet_free(writers);
    return code;
}

// --- data ----------------------------------------------------------------------------------------

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

static duet_code list_files(const duet_workflow_maker *m, duet_workflow_relation relation,
                            file_lists *lists)
{
    const duet_workflow *workflow = m->workflow;
    size_t tasks = workflow->task_count;
    *lists =
        (file_lists){.file = duet_alloc_raw(workflow->link_count, sizeof *lists->file, m->error),
                     .first = duet_alloc_raw(tasks + 1, sizeof *lists->first, m->error),
                     .end = duet_alloc_raw(tasks, sizeof *lists->end, m->error)};
    DUET_NEED(lists->file != NULL && lists->first != NULL && lists->end != NULL);
    fill_lists(workflow, relation, lists);
    return DUET_OK;
}

// What of its output a parent hands to a task: the bytes of the files in both lists. Each of the
// shorter list is looked for in the longer one: a parent may write a file for each of its children.
static duet_code sum_data(const duet_workflow_maker *m, const file_lists *read,
                          const file_lists *written, pair edge, duet_uint128 *bytes, bool *any)
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

// Data that take no time are no secret.
static duet_code pass_data(const duet_workflow_maker *m, int line)
{
    const duet_field field = {DUET_FIELD_EDGE, m->workflow->size_name, line, 0};
    return m->fields == NULL || m->fields->transfer
               ? DUET_OK
               : duet_field_pass(m->fields, &field, DUET_FIELD_DATA_USE, m->file, m->error);
}

static duet_code add_edges(const duet_workflow_maker *m, const file_lists *read,
                           const file_lists *written, const pair_list *list)
{
    const pair *pairs = list->pairs;
    for (size_t i = 0; i < list->count; i++) {
        duet_uint128 bytes;
        bool any;
        DUET_TRY(sum_data(m, read, written, pairs[i], &bytes, &any));
        DUET_TRY(bytes == 0 ? DUET_OK : pass_data(m, pairs[i].line));
        const duet_read_time data = {.value = {(int64_t)bytes, 0}};
        const duet_read_edge edge = {.from = {.task = (int64_t)pairs[i].from},
                                     .to = {.task = (int64_t)pairs[i].to},
                                     .form = any ? DUET_COST_DATA : DUET_COST_NONE,
                                     .cost = &data,
                                     .cost_count = any,
                                     .line = pairs[i].line};
        DUET_TRY(duet_builder_add_edge(m->builder, &edge, m->error));
    }
    return DUET_OK;
}

static duet_code join_pairs(const duet_workflow_maker *m, const pair_list *list)
{
    file_lists read = {.file = NULL};
    file_lists written = {.file = NULL};
    duet_code code = list_files(m, DUET_WORKFLOW_INPUT, &read);
    DUET_THEN(code, list_files(m, DUET_WORKFLOW_OUTPUT, &written));
    DUET_THEN(code, add_edges(m, &read, &written, list));
    free_lists(&read);
    free_lists(&written);
    return code;
}

duet_code duet_workflow_join(const duet_workflow_maker *m)
{
    pair_list list = {.pairs = NULL};
    duet_code code = m->workflow->related ? list_relatives(m, &list) : list_readers(m, &list);
    DUET_THEN(code, join_pairs(m, &list));
    duet_free(list.pairs);
    return code;
}
