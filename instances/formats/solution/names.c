// SPDX-License-Identifier: Apache-2.0
// Names of tasks and types in a solution as JSON, and what is wrong with one.
#include "instances/formats/solution/reader.h"

#include <stdarg.h>
#include <string.h>

#include "core/system/error.h"

void duet_solution_read_task(duet_solution_reader *reader, int64_t *task)
{
    duet_json *json = &reader->json;
    if (!duet_json_want(json, DUET_JSON_STRING, "a task's id, a string")) {
        return;
    }
    *task = duet_task_map_find(&reader->tasks, json->text, json->length);
    if (*task < 0) {
        duet_solution_fault(
            reader, "unknown task \"%.60s\"; expected the id of one of the instance's tasks",
            json->text);
    }
}

void duet_solution_read_type(duet_solution_reader *reader, int32_t *type)
{
    duet_json *json = &reader->json;
    if (!duet_json_want(json, DUET_JSON_STRING, "a processor type's name")) {
        return;
    }
    *type = duet_solution_type(reader, json->text);
    if (*type < 0) {
        duet_solution_fault(
            reader, "unknown processor type \"%.60s\"; expected one of the instance's types",
            json->text);
    }
}

void duet_solution_fault(duet_solution_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    duet_error_vset_at(&reader->solution->fault, DUET_E_INPUT, reader->json.input->name,
                       reader->json.line, reader->json.column, format, arguments);
    va_end(arguments);
}

int32_t duet_solution_type(const duet_solution_reader *reader, const char *name)
{
    for (size_t t = 0; t < reader->instance->types; t++) {
        if (strcmp(reader->instance->type_names[t], name) == 0) {
            return (int32_t)t;
        }
    }
    return -1;
}
