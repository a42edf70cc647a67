// SPDX-License-Identifier: Apache-2.0
// A workflow as it is read: tasks, and what its parts say of them by name. The parts come in any
// order, so that names are resolved at the end.
#ifndef DUET_INSTANCES_FORMATS_WORKFLOW_WORKFLOW_H
#define DUET_INSTANCES_FORMATS_WORKFLOW_WORKFLOW_H

#include "core/instance/instance.h"
#include "core/names.h"
#include "instances/formats/fields.h"
#include "instances/formats/json/pull.h"

typedef struct duet_workflow_task {
    uint32_t id;   // number of its id among the ids
    uint32_t name; // number of its name among the ids; its id's without a name
    bool timed;
    duet_read_time time;
    int64_t cores;  // on which it runs at once
    uint32_t group; // 1 + what it belongs to, among the groups; 0: nothing is said
    int line, column;
} duet_workflow_task;

// What a task says of another one, or of a file.
typedef enum duet_workflow_relation {
    DUET_WORKFLOW_PARENT,
    DUET_WORKFLOW_CHILD,
    DUET_WORKFLOW_INPUT,
    DUET_WORKFLOW_OUTPUT
} duet_workflow_relation;

typedef struct duet_workflow_link {
    size_t task;
    duet_workflow_relation relation;
    uint32_t other; // among the ids, or the files
    int line;
} duet_workflow_link;

// A time that stands apart from its task.
typedef struct duet_workflow_run {
    uint32_t id;
    duet_read_time time;
    int64_t cores; // on which it ran at once
    int line;
} duet_workflow_run;

// A parent that stands apart from both tasks.
typedef struct duet_workflow_relative {
    uint32_t child, parent; // among the ids
    int line;
} duet_workflow_relative;

// Zeroed it is empty and ready.
typedef struct duet_workflow {
    duet_names ids; // and names of tasks
    duet_names groups;
    duet_workflow_task *tasks;
    size_t task_count;
    duet_workflow_link *links;
    size_t link_count;
    duet_workflow_run *runs;
    size_t run_count;
    duet_workflow_relative *relatives;
    size_t relative_count;
    duet_names files;
    int64_t *sizes;        // bytes, per file
    const char *size_name; // what the format calls the last of these; static, NULL: there is none
    bool related;          // a task has parents or children listed
} duet_workflow;

// Each adds to what there is. DUET_E_MEMORY.
duet_code duet_workflow_add_task(duet_workflow *workflow, const duet_workflow_task *task,
                                 duet_error *error);
duet_code duet_workflow_add_link(duet_workflow *workflow, const duet_workflow_link *link,
                                 duet_error *error);
duet_code duet_workflow_add_run(duet_workflow *workflow, const duet_workflow_run *run,
                                duet_error *error);
duet_code duet_workflow_add_relative(duet_workflow *workflow,
                                     const duet_workflow_relative *relative, duet_error *error);
// The number of a file, which is added with no bytes unless it is there.
duet_code duet_workflow_find_file(duet_workflow *workflow, const char *name, uint32_t *file,
                                  duet_error *error);

// Says what a task that is not added yet belongs to; an empty text says nothing.
duet_code duet_workflow_set_group(duet_workflow *workflow, const char *name,
                                  duet_workflow_task *task, duet_error *error);

// Gives the builder a kind for each task, and an edge for each parent of a task, with the files
// that the parent writes and the task reads as data; where no task has such a list, the files say
// who waits for whom, and a notice that they do. DUET_E_INPUT with the line where a task has no
// time, unless `fields` have that of those without, or an id is none.
duet_code duet_workflow_build(const duet_workflow *workflow, const char *file,
                              duet_field_uses *fields, duet_builder *builder, duet_error *error);
void duet_workflow_free(duet_workflow *workflow);

// edges.c
// A workflow, and the instance that is made of it.
typedef struct duet_workflow_maker {
    const duet_workflow *workflow;
    const char *file;
    duet_field_uses *fields; // may say what tasks without a time take; NULL: they are refused
    duet_builder *builder;
    duet_error *error;
    size_t *task_of; // per id: 1 + the task of that id, or else of that name; 0: there is none
    bool *unclear;   // per id: several tasks have it as their name
    duet_read_time *times;
    bool *timed;
    int64_t *cores;
} duet_workflow_maker;

// The task that a text means. DUET_E_INPUT: none, or several.
duet_code duet_workflow_find_task(const duet_workflow_maker *m, uint32_t id, int line,
                                  size_t *task);
// Gives the builder the edges, with their data.
duet_code duet_workflow_join(const duet_workflow_maker *m);

// json.c
// Reads the value of the member "workflow": an object with tasks, or with a specification and an
// execution. Anything else is read over. Returns whether it was a workflow, and so gave the builder
// its tasks and edges.
bool duet_json_read_workflow(duet_json *json, duet_builder *builder);

#endif
