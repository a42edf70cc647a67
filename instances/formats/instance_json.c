// SPDX-License-Identifier: Apache-2.0
// Instances in the native JSON format, read and written one entry at a time.
#include <string.h>

#include "core/memory.h"
#include "instances/formats/claim_json.h"
#include "instances/formats/formats.h"
#include "instances/formats/json_pull.h"

enum { FORMAT, VERSION, NAME, TIME_UNIT, PLATFORM, TASKS, CLAIM };
static const char *const members[] = {"format",   "version", "name",  "time_unit",
                                      "platform", "tasks",   "claim", NULL};

typedef struct json_reader {
    duet_json json;
    duet_builder *builder;
    duet_error *error;
    char *id; // of the entry being read, kept while other members are parsed
    size_t id_length;
    size_t id_capacity;
} json_reader;

static duet_code read_format(duet_json *json)
{
    duet_code code = duet_json_want(json, DUET_JSON_STRING, "the format \"duet-instance\"");
    if (code != DUET_OK || strcmp(json->text, "duet-instance") == 0) {
        return code;
    }
    if (strcmp(json->text, "duet-solution") == 0) {
        return duet_json_fail(json, "this file is a solution (format \"duet-solution\"); expected "
                                    "an instance (format \"duet-instance\")");
    }
    return duet_json_expected(json, "the format \"duet-instance\"");
}

static duet_code read_version(duet_json *json)
{
    int64_t version = 0;
    return duet_json_whole(json, "version 1 of the format", 1, 1, &version);
}

// A count of null is what this library writes for a type whose count is not known.
static duet_code read_type_count(duet_json *json, int64_t *count)
{
    static const char what[] = "the number of processors, a whole number from 0 to 2147483647";
    duet_code code = duet_json_next(json);
    if (code != DUET_OK) {
        return code;
    }
    *count = -1;
    if (json->token == DUET_JSON_NULL) {
        return DUET_OK;
    }
    duet_decimal number;
    if (json->token != DUET_JSON_NUMBER ||
        duet_decimal_parse(json->text, json->length, &number) != DUET_DECIMAL_OK ||
        number.places != 0 || number.mantissa > DUET_MAX_PROCESSORS) {
        return duet_json_expected(json, what);
    }
    *count = number.mantissa;
    return DUET_OK;
}

static duet_code keep_id(json_reader *reader)
{
    duet_json *json = &reader->json;
    duet_code code = DUET_OK;
    while (code == DUET_OK && json->length >= reader->id_capacity) {
        code = duet_grow(&reader->id, reader->id_capacity, &reader->id_capacity, 1, reader->error);
    }
    if (code == DUET_OK) {
        memcpy(reader->id, json->text, json->length + 1);
        reader->id_length = json->length;
    }
    return code;
}

static duet_code read_type(json_reader *reader)
{
    static const char *const names[] = {"type", "count", NULL};
    duet_json *json = &reader->json;
    int line = json->line;
    int column = json->column;
    int64_t count = -1;
    unsigned seen = 0;
    duet_code code = DUET_OK;
    for (int which = -1; code == DUET_OK;) {
        code = duet_json_member(json, names, &seen, &which);
        if (code != DUET_OK || which == -2) {
            break;
        }
        if (which == 0) {
            code = duet_json_want(json, DUET_JSON_STRING, "a processor type's name");
            code = code == DUET_OK ? keep_id(reader) : code;
        } else if (which == 1) {
            code = read_type_count(json, &count);
        } else {
            code = duet_json_skip(json);
        }
    }
    if (code == DUET_OK) {
        code = duet_json_require(json, names, seen, 3, "the processor type", line, column);
    }
    if (code == DUET_OK) {
        code =
            duet_builder_add_type(reader->builder, reader->id, count, line, column, reader->error);
    }
    return code;
}

static duet_code read_platform(json_reader *reader)
{
    duet_json *json = &reader->json;
    duet_code code = duet_json_want(json, DUET_JSON_ARRAY, "an array of processor types");
    size_t types = 0;
    while (code == DUET_OK) {
        code = duet_json_next(json);
        if (code == DUET_OK && json->token == DUET_JSON_ARRAY_END) {
            return types > 0 ? DUET_OK
                             : duet_json_fail(json, "the platform is empty; expected at least one "
                                                    "processor type");
        }
        if (code == DUET_OK && json->token != DUET_JSON_OBJECT) {
            code = duet_json_expected(json, "a processor type, {\"type\": ..., \"count\": ...}");
        }
        if (code == DUET_OK) {
            code = read_type(reader);
            types++;
        }
    }
    return code;
}

static duet_code read_times(json_reader *reader, duet_read_time *times, size_t *count)
{
    static const char what[] = "an array with one time per processor type";
    duet_json *json = &reader->json;
    duet_code code = duet_json_want(json, DUET_JSON_ARRAY, what);
    for (*count = 0; code == DUET_OK; (*count)++) {
        code = duet_json_next(json);
        if (code != DUET_OK || json->token == DUET_JSON_ARRAY_END) {
            break;
        }
        if (*count == DUET_MAX_TYPES) {
            return duet_json_fail(json, "too many times; expected at most %d", DUET_MAX_TYPES);
        }
        duet_read_time *time = &times[*count];
        *time = (duet_read_time){json->token == DUET_JSON_NULL, {0, 0}};
        if (json->token == DUET_JSON_NUMBER) {
            code = duet_read_time_text(json->text, json->length, json->input->name, json->line,
                                       json->column, time, reader->error);
        } else if (json->token != DUET_JSON_NULL) {
            code = duet_json_expected(json, "a time: a number, or null where it cannot run");
        }
    }
    return code;
}

static duet_code read_task(json_reader *reader)
{
    static const char *const names[] = {"id", "count", "times", NULL};
    duet_json *json = &reader->json;
    duet_read_time times[DUET_MAX_TYPES];
    size_t time_count = 0;
    int line = json->line;
    int column = json->column;
    int64_t count = 1;
    unsigned seen = 0;
    duet_code code = DUET_OK;
    for (int which = -1; code == DUET_OK;) {
        code = duet_json_member(json, names, &seen, &which);
        if (code != DUET_OK || which == -2) {
            break;
        }
        if (which == 0) {
            code = duet_json_want(json, DUET_JSON_STRING, "the task's id, a string");
            code = code == DUET_OK ? keep_id(reader) : code;
        } else if (which == 1) {
            code = duet_json_whole(json, "the task's count", 1, DUET_MAX_WORK, &count);
        } else if (which == 2) {
            code = read_times(reader, times, &time_count);
        } else {
            code = duet_json_skip(json);
        }
    }
    if (code == DUET_OK) {
        code = duet_json_require(json, names, seen, 5, "the task", line, column);
    }
    if (code != DUET_OK) {
        return code;
    }
    const duet_read_kind kind = {.id = reader->id,
                                 .id_length = reader->id_length,
                                 .count = count,
                                 .times = times,
                                 .time_count = time_count,
                                 .line = line,
                                 .column = column};
    return duet_builder_add_kind(reader->builder, &kind, reader->error);
}

static duet_code read_tasks(json_reader *reader)
{
    duet_json *json = &reader->json;
    duet_code code = duet_json_want(json, DUET_JSON_ARRAY, "an array of tasks");
    while (code == DUET_OK) {
        code = duet_json_next(json);
        if (code != DUET_OK || json->token == DUET_JSON_ARRAY_END) {
            break;
        }
        code = json->token == DUET_JSON_OBJECT
                   ? read_task(reader)
                   : duet_json_expected(json, "a task, {\"id\": ..., \"times\": [...]}");
    }
    return code;
}

static duet_code read_member(json_reader *reader, int which)
{
    duet_json *json = &reader->json;
    duet_code code = DUET_OK;
    switch (which) {
    case FORMAT:
        return read_format(json);
    case VERSION:
        return read_version(json);
    case NAME:
        code = duet_json_want(json, DUET_JSON_STRING, "the instance's name, a string");
        return code == DUET_OK ? duet_builder_set_name(reader->builder, json->text, reader->error)
                               : code;
    case TIME_UNIT:
        code = duet_json_want(json, DUET_JSON_STRING, "the unit of the times, a string");
        return code == DUET_OK
                   ? duet_builder_set_time_unit(reader->builder, json->text, reader->error)
                   : code;
    case PLATFORM:
        return read_platform(reader);
    case TASKS:
        return read_tasks(reader);
    case CLAIM:
        return duet_read_claim_json(json, reader->builder, reader->error);
    default:
        return duet_json_skip(json);
    }
}

static duet_code read_document(json_reader *reader)
{
    duet_json *json = &reader->json;
    unsigned seen = 0;
    int which = -1;
    duet_code code = duet_json_want(json, DUET_JSON_OBJECT, "an object");
    while (code == DUET_OK) {
        code = duet_json_member(json, members, &seen, &which);
        if (code != DUET_OK || which == -2) {
            break;
        }
        code = read_member(reader, which);
    }
    if (code == DUET_OK) {
        code = duet_json_require(json, members, seen, 1U << FORMAT | 1U << VERSION | 1U << TASKS,
                                 "the instance", json->line, json->column);
    }
    if (code == DUET_OK) {
        code = duet_json_next(json);
    }
    return code;
}

duet_code duet_read_instance_json(duet_input *input, duet_builder *builder, duet_error *error)
{
    json_reader reader = {.builder = builder, .error = error};
    duet_json_init(&reader.json, input, error);
    duet_code code = read_document(&reader);
    duet_json_free(&reader.json);
    duet_free(reader.id);
    return code;
}
