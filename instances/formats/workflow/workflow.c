// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/workflow/workflow.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

void duet_workflow_free(duet_workflow *workflow)
{
    duet_names_free(&workflow->ids);
    duet_names_free(&workflow->groups);
    duet_free(workflow->tasks);
    duet_free(workflow->links);
    duet_free(workflow->runs);
    duet_free(workflow->relatives);
    duet_names_free(&workflow->files);
    duet_free(workflow->sizes);
}

// --- reading -------------------------------------------------------------------------------------

duet_code duet_workflow_add_task(duet_workflow *workflow, const duet_workflow_task *task,
                                 duet_error *error)
{
    return duet_vec_push(workflow->tasks, workflow->task_count, error, *task);
}

duet_code duet_workflow_set_group(duet_workflow *workflow, const char *name,
                                  duet_workflow_task *task, duet_error *error)
{
    uint32_t group = 0;
    if (name[0] != '\0') {
        DUET_TRY(duet_names_add(&workflow->groups, 0, name, &group, error));
        task->group = group + 1;
    }
    return DUET_OK;
}

duet_code duet_workflow_find_file(duet_workflow *workflow, const char *name, uint32_t *file,
                                  duet_error *error)
{
    size_t before = workflow->files.count;
    DUET_TRY(duet_names_add(&workflow->files, 0, name, file, error));
    if (*file == before) {
        DUET_TRY(duet_vec_grow(workflow->sizes, before, error));
        workflow->sizes[before] = 0;
    }
    return DUET_OK;
}

duet_code duet_workflow_add_link(duet_workflow *workflow, const duet_workflow_link *link,
                                 duet_error *error)
{
    return duet_vec_push(workflow->links, workflow->link_count, error, *link);
}

duet_code duet_workflow_add_run(duet_workflow *workflow, const duet_workflow_run *run,
                                duet_error *error)
{
    return duet_vec_push(workflow->runs, workflow->run_count, error, *run);
}

duet_code duet_workflow_add_relative(duet_workflow *workflow,
                                     const duet_workflow_relative *relative, duet_error *error)
{
    DUET_TRY(duet_vec_push(workflow->relatives, workflow->relative_count, error, *relative));
    workflow->related = true;
    return DUET_OK;
}

// --- tasks ---------------------------------------------------------------------------------------

static const char *id_of(const duet_workflow_maker *m, size_t task)
{
    return duet_names_text(&m->workflow->ids, m->workflow->tasks[task].id);
}

// Ids count before names.
static void index_tasks(const duet_workflow_maker *m)
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

// Of two runs of a task the last one counts: the one before failed.
static duet_code take_runs(const duet_workflow_maker *m)
{
    const duet_workflow *workflow = m->workflow;
    duet_code code = DUET_OK;
    for (size_t j = 0; j < workflow->task_count; j++) {
        m->times[j] = workflow->tasks[j].time;
        m->timed[j] = workflow->tasks[j].timed;
        m->cores[j] = workflow->tasks[j].cores;
    }
    for (size_t i = 0; i < workflow->run_count && code == DUET_OK; i++) {
        size_t task = 0;
        code = duet_workflow_find_task(m, workflow->runs[i].id, workflow->runs[i].line, &task);
        if (code == DUET_OK) {
            m->times[task] = workflow->runs[i].time;
            m->timed[task] = true;
            m->cores[task] = duet_max(workflow->runs[i].cores, m->cores[task]);
        }
    }
    return code;
}

static duet_code add_kinds(const duet_workflow_maker *m)
{
    for (size_t j = 0; j < m->workflow->task_count; j++) {
        const duet_workflow_task *task = &m->workflow->tasks[j];
        const char *id = id_of(m, j);
        if (!m->timed[j] && !duet_field_take_default(m->fields, &m->times[j], 1)) {
            return duet_error_set_at(
                m->error, DUET_E_INPUT, m->file, task->line, task->column,
                "no time of task \"%.60s\"; expected its runtimeInSeconds, in "
                "a version 1.5 under execution, in DAX its runtime, or -O time=1 "
                "for all tasks without",
                id);
        }
        const duet_read_kind kind = {id, strlen(id), 1, &m->times[j], 1, task->line, task->column};
        DUET_TRY(duet_builder_add_kind(m->builder, &kind, m->error));
        DUET_TRY(duet_builder_set_cores(m->builder, m->cores[j], m->error));
        if (task->group > 0) {
            const char *group = duet_names_text(&m->workflow->groups, task->group - 1);
            DUET_TRY(duet_builder_set_group(m->builder, group, strlen(group), m->error));
        }
    }
    return DUET_OK;
}

duet_code duet_workflow_build(const duet_workflow *workflow, const char *file,
                              duet_field_uses *fields, duet_builder *builder, duet_error *error)
{
    static const duet_read_transfer free_data = {.line = 0};
    duet_workflow_maker m = {
        .workflow = workflow, .file = file, .fields = fields, .builder = builder, .error = error};
    m.task_of = duet_alloc(workflow->ids.count, sizeof *m.task_of, error);
    m.unclear = duet_alloc(workflow->ids.count, sizeof *m.unclear, error);
    m.times = duet_alloc(workflow->task_count, sizeof *m.times, error);
    m.timed = duet_alloc(workflow->task_count, sizeof *m.timed, error);
    m.cores = duet_alloc(workflow->task_count, sizeof *m.cores, error);
    duet_code code = m.task_of == NULL || m.unclear == NULL || m.times == NULL || m.timed == NULL ||
                             m.cores == NULL
                         ? DUET_E_MEMORY
                         : DUET_OK;
    if (code == DUET_OK) {
        index_tasks(&m);
        code = take_runs(&m);
    }
    DUET_THEN(code, add_kinds(&m));
    DUET_THEN(code, duet_builder_set_transfer(builder, &free_data, error));
    DUET_THEN(code, duet_builder_set_time_unit(builder, "s", error));
    DUET_THEN(code, duet_workflow_join(&m));
    duet_free(m.task_of);
    duet_free(m.unclear);
    duet_free(m.times);
    duet_free(m.timed);
    duet_free(m.cores);
    return code;
}
