// SPDX-License-Identifier: Apache-2.0
// In version 1.5 "specification" has tasks with parents, children, inputFiles and outputFiles, and
// files with sizes; "execution" has tasks with runtimeInSeconds. In 1.4 "tasks" has all of it, its
// files with a link and a size; before, they were called "jobs", with a "runtime".
#include "instances/formats/workflow/workflow.h"

#include <string.h>

#include "instances/formats/formats.h"
#include "instances/formats/json/members.h"

typedef struct workflow_reader {
    duet_json *json;
    duet_workflow workflow;
    bool found; // tasks
} workflow_reader;

// --- values --------------------------------------------------------------------------------------

// The current token as an id, which some programs write as a number.
static uint32_t read_id(workflow_reader *r, const char *what)
{
    duet_json *json = r->json;
    uint32_t id = 0;
    if (json->token != DUET_JSON_STRING && json->token != DUET_JSON_NUMBER) {
        duet_json_expected(json, what);
    }
    duet_json_then(json, duet_names_add(&r->workflow.ids, 0, json->text, &id, json->error));
    return id;
}

static uint32_t read_file_name(workflow_reader *r)
{
    duet_json *json = r->json;
    uint32_t file = 0;
    if (json->token != DUET_JSON_STRING) {
        duet_json_expected(json, "the name of a file, a string");
    }
    duet_json_then(json, duet_workflow_find_file(&r->workflow, json->text, &file, json->error));
    return file;
}

// Reads the next value: a number of seconds, or null where nobody knows it. Whether it is known.
static bool read_seconds(workflow_reader *r, duet_read_time *time)
{
    duet_json *json = r->json;
    *time = (duet_read_time){.forbidden = false};
    if (duet_json_next(json) != DUET_OK || json->token == DUET_JSON_NULL) {
        return false;
    }
    if (json->token != DUET_JSON_NUMBER) {
        duet_json_expected(json, "the runtime in seconds, a number");
        return false;
    }
    duet_json_note(json,
                   duet_read_time_text(json->text, json->length,
                                       (duet_place){json->input->name, json->line, json->column},
                                       time, json->error));
    return true;
}

// Begins to read an array, or null. Whether there are elements to read.
static bool begin_array(duet_json *json, const char *what)
{
    if (duet_json_next(json) != DUET_OK || json->token == DUET_JSON_NULL) {
        return false;
    }
    if (json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, what);
    }
    return json->code == DUET_OK;
}

// --- members that are not read -------------------------------------------------------------------

// Whether the format has the member to say where a workflow comes from and how it was run: no
// schedule depends on that.
static bool is_record(const char *name)
{
    static const char *const known[] = {
        "type",         "command",    "avgCPU",   "readBytes",         "bytesRead", "bytesWritten",
        "writtenBytes", "energy",     "avgPower", "machine",           "machines",  "program",
        "arguments",    "executedAt", "path",     "makespanInSeconds", "makespan",  "launchDir",
        "startedAt",    "start",      "endedAt"};
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++) {
        found = strcmp(name, known[i]) == 0;
    }
    return found;
}

static void pass(workflow_reader *r, duet_field_owner owner)
{
    duet_json *json = r->json;
    duet_meaning meaning = duet_field_meaning(json->text);
    if (is_record(json->text)) {
        duet_json_skip(json);
    } else if (owner == DUET_FIELD_TASK && duet_meaning_guarded(meaning)) {
        duet_json_guard(json, owner);
    } else {
        duet_json_pass(json, owner, NULL);
    }
}

// --- tasks ---------------------------------------------------------------------------------------

static void add_link(workflow_reader *r, duet_workflow_relation relation, uint32_t other)
{
    duet_json *json = r->json;
    const duet_workflow_link link = {r->workflow.task_count, relation, other, json->line};
    duet_json_then(json, duet_workflow_add_link(&r->workflow, &link, json->error));
}

// An array of ids or of names of files.
static void read_links(workflow_reader *r, duet_workflow_relation relation)
{
    bool files = relation == DUET_WORKFLOW_INPUT || relation == DUET_WORKFLOW_OUTPUT;
    if (!begin_array(r->json, files ? "an array of files" : "an array of ids of tasks")) {
        return;
    }
    while (duet_json_element(r->json)) {
        r->workflow.related = r->workflow.related || !files; // empty lists say nothing
        add_link(r, relation, files ? read_file_name(r) : read_id(r, "the id of a task"));
    }
}

// A file: its name and size. In version 1.4 files are those of a task, and a link says what it does
// with them; elsewhere a link is about nothing.
static void read_file(workflow_reader *r, bool of_task)
{
    enum { ID, NAME, LINK, BYTES, SIZE };
    static const char *const names[] = {"id", "name", "link", "sizeInBytes", "size", NULL};
    duet_json *json = r->json;
    duet_json_object object = duet_json_open(json, names);
    uint32_t file = 0;
    int64_t bytes = 0;
    bool linked = false;
    bool input = false;
    while (duet_json_member(json, &object)) {
        switch (object.which) {
        case ID:
        case NAME:
            if (duet_json_next(json) == DUET_OK && (object.which == ID || (object.seen & 1) == 0)) {
                file = read_file_name(r);
            }
            break;
        case LINK:
            linked = duet_json_want(json, DUET_JSON_STRING, "\"input\" or \"output\"");
            input = linked && strcmp(json->text, "input") == 0;
            if (linked && !input && strcmp(json->text, "output") != 0) {
                duet_json_expected(json, "\"input\" or \"output\"");
            }
            break;
        case BYTES:
        case SIZE:
            (void)duet_json_whole(json, "the size of the file in bytes", 0, DUET_MAX_WORK, &bytes);
            break;
        default:
            pass(r, DUET_FIELD_PART);
            break;
        }
    }
    if (json->code == DUET_OK && (object.seen & (1U << ID | 1U << NAME)) == 0) {
        duet_json_require(json, &object, 1U << NAME, "the file");
    }
    if (json->code != DUET_OK) {
        return;
    }
    if ((object.seen & (1U << BYTES | 1U << SIZE)) != 0) {
        r->workflow.sizes[file] = bytes;
        r->workflow.size_name = names[(object.seen & 1U << BYTES) != 0 ? BYTES : SIZE];
    }
    if (linked && of_task) {
        add_link(r, input ? DUET_WORKFLOW_INPUT : DUET_WORKFLOW_OUTPUT, file);
    }
}

static void read_files(workflow_reader *r, bool of_task)
{
    duet_json *json = r->json;
    if (!begin_array(json, "an array of files")) {
        return;
    }
    while (duet_json_element_of(json, DUET_JSON_OBJECT,
                                "a file, {\"name\": ..., \"sizeInBytes\": ...}")) {
        read_file(r, of_task);
    }
}

// --- the members of a task -----------------------------------------------------------------------

enum { ID, NAME, PARENTS, CHILDREN, INPUTS, OUTPUTS, FILES, RUNTIME, OLD_RUNTIME };
static const char *const task_members[] = {
    "id",          "name",  "parents",          "children", "inputFiles",
    "outputFiles", "files", "runtimeInSeconds", "runtime",  NULL};

// What programs of a kind have in common; nothing where it is no text.
static void read_category(workflow_reader *r, duet_workflow_task *task)
{
    duet_json *json = r->json;
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (json->token == DUET_JSON_STRING) {
        duet_json_note(json, duet_workflow_set_group(&r->workflow, json->text, task, json->error));
    } else {
        duet_json_skip_rest(json);
    }
}

static void read_task_member(workflow_reader *r, duet_workflow_task *task, int which)
{
    duet_json *json = r->json;
    switch (which) {
    case ID:
    case NAME:
        if (duet_json_next(json) == DUET_OK) {
            *(which == ID ? &task->id : &task->name) = read_id(r, "the task's id, a string");
        }
        break;
    case PARENTS:
        read_links(r, DUET_WORKFLOW_PARENT);
        break;
    case CHILDREN:
        read_links(r, DUET_WORKFLOW_CHILD);
        break;
    case INPUTS:
        read_links(r, DUET_WORKFLOW_INPUT);
        break;
    case OUTPUTS:
        read_links(r, DUET_WORKFLOW_OUTPUT);
        break;
    case FILES:
        read_files(r, true);
        break;
    case RUNTIME:
    case OLD_RUNTIME:
        task->timed = read_seconds(r, &task->time);
        break;
    default:
        if (strcmp(json->text, "category") == 0 && task->group == 0) {
            read_category(r, task);
        } else {
            pass(r, DUET_FIELD_TASK);
        }
        break;
    }
}

static void read_task(workflow_reader *r)
{
    duet_json *json = r->json;
    duet_json_object object = duet_json_open(json, task_members);
    duet_workflow_task task = {.line = object.line, .column = object.column};
    while (duet_json_said(json, &object, 0)) {
        read_task_member(r, &task, object.which);
    }
    bool has_id = (object.seen & 1U << ID) != 0;
    if (!has_id && (object.seen & 1U << NAME) == 0) {
        duet_json_require(json, &object, 1U << ID, "the task");
    }
    task.id = has_id ? task.id : task.name;
    task.name = (object.seen & 1U << NAME) != 0 ? task.name : task.id;
    task.cores = duet_field_take_cores(json->input->fields);
    duet_json_then(json, duet_workflow_add_task(&r->workflow, &task, json->error));
}

static void read_tasks(workflow_reader *r)
{
    duet_json *json = r->json;
    if (r->found) {
        duet_json_fail(json, "a second array of tasks; expected one");
    }
    r->found = true;
    if (!begin_array(json, "an array of tasks")) {
        return;
    }
    while (
        duet_json_element_of(json, DUET_JSON_OBJECT, "a task, {\"id\": ..., \"parents\": [...]}")) {
        read_task(r);
    }
}

// --- parts of version 1.5 ------------------------------------------------------------------------

static void read_run(workflow_reader *r)
{
    static const char *const names[] = {"id", "runtimeInSeconds", NULL};
    duet_json *json = r->json;
    duet_json_object object = duet_json_open(json, names);
    duet_workflow_run run = {.line = object.line};
    bool timed = false;
    while (duet_json_said(json, &object, 0)) {
        if (object.which == 0) {
            if (duet_json_next(json) == DUET_OK) {
                run.id = read_id(r, "the task's id, a string");
            }
        } else if (object.which == 1) {
            timed = read_seconds(r, &run.time);
        } else {
            pass(r, DUET_FIELD_TASK);
        }
    }
    duet_json_require(json, &object, 1, "the task");
    run.cores = duet_field_take_cores(json->input->fields);
    if (json->code == DUET_OK && timed) {
        duet_json_note(json, duet_workflow_add_run(&r->workflow, &run, json->error));
    }
}

// An object of which two members count. `read` takes each.
static void read_part(workflow_reader *r, const char *const *names,
                      void (*const *read)(workflow_reader *))
{
    duet_json *json = r->json;
    if (!duet_json_want(json, DUET_JSON_OBJECT, "an object")) {
        return;
    }
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_said(json, &object, 0)) {
        if (object.which >= 0) {
            read[object.which](r);
        } else {
            pass(r, DUET_FIELD_PART);
        }
    }
}

static void read_runs(workflow_reader *r)
{
    duet_json *json = r->json;
    if (!begin_array(json, "an array of executed tasks")) {
        return;
    }
    while (duet_json_element_of(json, DUET_JSON_OBJECT,
                                "an executed task, {\"id\": ..., \"runtimeInSeconds\": ...}")) {
        read_run(r);
    }
}

static void read_shared_files(workflow_reader *r)
{
    read_files(r, false);
}

static void read_specification(workflow_reader *r)
{
    static const char *const names[] = {"tasks", "files", NULL};
    static void (*const read[])(workflow_reader *) = {read_tasks, read_shared_files};
    read_part(r, names, read);
}

static void read_execution(workflow_reader *r)
{
    static const char *const names[] = {"tasks", NULL};
    static void (*const read[])(workflow_reader *) = {read_runs};
    read_part(r, names, read);
}

bool duet_json_read_workflow(duet_json *json, duet_builder *builder)
{
    static const char *const names[] = {"tasks", "jobs", "specification", "execution", NULL};
    static void (*const read[])(workflow_reader *) = {read_tasks, read_tasks, read_specification,
                                                      read_execution};
    workflow_reader r = {.json = json};
    if (duet_json_next(json) != DUET_OK) {
        return false;
    }
    if (json->token != DUET_JSON_OBJECT) {
        duet_json_skip_rest(json);
        return false;
    }
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_said(json, &object, 0)) {
        if (object.which >= 0) {
            read[object.which](&r);
        } else {
            pass(&r, DUET_FIELD_PART);
        }
    }
    if (json->code == DUET_OK && r.found) {
        duet_json_note(json, duet_workflow_build(&r.workflow, json->input->name,
                                                 json->input->fields, builder, json->error));
    }
    duet_workflow_free(&r.workflow);
    return r.found;
}
