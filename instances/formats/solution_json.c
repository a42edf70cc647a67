// SPDX-License-Identifier: Apache-2.0
// Solutions read from JSON: the document and what it claims. Its runs are in solution_runs.c.
#include "instances/formats/solution_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <duet/io.h>

enum {
    FORMAT,
    VERSION,
    ALGORITHM,
    FOUND_BY,
    PLATFORM,
    STATUS,
    MAKESPAN,
    LOWER_BOUND,
    BOUND,
    TIME_UNIT,
    GUARANTEE,
    SECONDS,
    INTERRUPTED,
    SCHEDULE,
    ABORTED,
    CERTIFICATE
};
static const char *const members[] = {
    "format",      "version",     "algorithm", "found_by",    "platform",  "status",
    "makespan",    "lower_bound", "bound",     "time_unit",   "guarantee", "seconds",
    "interrupted", "schedule",    "aborted",   "certificate", NULL};

static duet_code read_format(duet_json *json)
{
    duet_code code = duet_json_want(json, DUET_JSON_STRING, "the format \"duet-solution\"");
    if (code != DUET_OK || strcmp(json->text, "duet-solution") == 0) {
        return code;
    }
    if (strcmp(json->text, "duet-instance") == 0) {
        return duet_json_fail(json, "this file is an instance (format \"duet-instance\"); expected "
                                    "a solution (format \"duet-solution\")");
    }
    return duet_json_expected(json, "the format \"duet-solution\"");
}

// A text of at most `size` - 1 bytes, or null for none.
static duet_code read_text(duet_json *json, const char *what, char *target, size_t size)
{
    duet_code code = duet_json_next(json);
    if (code != DUET_OK || json->token == DUET_JSON_NULL) {
        return code;
    }
    if (json->token != DUET_JSON_STRING) {
        return duet_json_expected(json, what);
    }
    if (json->length >= size) {
        return duet_json_fail(json, "expected %s of at most %zu bytes, found %zu", what, size - 1,
                              json->length);
    }
    memcpy(target, json->text, json->length + 1);
    return DUET_OK;
}

static duet_code read_status(duet_json *json, duet_status *status)
{
    static const char what[] = "the status \"optimal\", \"bounded\" or \"feasible\"";
    duet_code code = duet_json_want(json, DUET_JSON_STRING, what);
    if (code != DUET_OK) {
        return code;
    }
    for (*status = DUET_FEASIBLE; *status <= DUET_OPTIMAL; (*status)++) {
        if (strcmp(json->text, duet_status_name(*status)) == 0) {
            return DUET_OK;
        }
    }
    *status = DUET_FEASIBLE;
    return duet_json_expected(json, what);
}

static duet_code read_unit(duet_solution_reader *reader)
{
    duet_json *json = &reader->json;
    const char *unit = duet_instance_time_unit(reader->instance);
    duet_code code = duet_json_next(json);
    if (code != DUET_OK || json->token == DUET_JSON_NULL) {
        return code;
    }
    if (json->token != DUET_JSON_STRING) {
        return duet_json_expected(json, "the unit of the times, a string");
    }
    if (json->length > 0 && unit[0] != '\0' && strcmp(unit, json->text) != 0) {
        return duet_json_fail(json, "times in \"%.40s\"; expected the instance's unit \"%.40s\"",
                              json->text, unit);
    }
    return DUET_OK;
}

// A duration for people, not for decisions. By hand: strtod() follows the program's locale.
static duet_code read_seconds(duet_json *json, double *seconds)
{
    duet_code code = duet_json_want(json, DUET_JSON_NUMBER, "the seconds taken, a number");
    duet_decimal value;
    if (code != DUET_OK) {
        return code;
    }
    duet_decimal_fault fault = duet_decimal_parse(json->text, json->length, &value);
    if (fault != DUET_DECIMAL_OK) {
        return duet_json_fail(json, "seconds \"%.40s\": expected %s", json->text,
                              duet_decimal_expected(fault));
    }
    *seconds = (double)value.mantissa;
    for (int i = 0; i < value.places; i++) {
        *seconds /= 10;
    }
    return DUET_OK;
}

static duet_code read_boolean(duet_json *json, bool *value)
{
    duet_code code = duet_json_next(json);
    if (code == DUET_OK && json->token != DUET_JSON_TRUE && json->token != DUET_JSON_FALSE) {
        code = duet_json_expected(json, "true or false");
    }
    *value = json->token == DUET_JSON_TRUE;
    return code;
}

static duet_code read_type(duet_solution_reader *reader)
{
    static const char *const names[] = {"type", "count", NULL};
    duet_json *json = &reader->json;
    int line = json->line;
    int column = json->column;
    int64_t count = 0;
    int32_t type = -1;
    unsigned seen = 0;
    duet_code code = DUET_OK;
    for (int which = -1; code == DUET_OK;) {
        code = duet_json_member(json, names, &seen, &which);
        if (code != DUET_OK || which == -2) {
            break;
        }
        if (which == 0) {
            code = duet_json_want(json, DUET_JSON_STRING, "a processor type's name");
            type = code == DUET_OK ? duet_solution_type(reader) : -1;
        } else if (which == 1) {
            code =
                duet_json_whole(json, "the number of processors", 0, DUET_MAX_PROCESSORS, &count);
        } else {
            code = duet_json_skip(json);
        }
    }
    if (code == DUET_OK) {
        code = duet_json_require(json, names, seen, 3, "the processor type", line, column);
    }
    if (code == DUET_OK && type >= 0) {
        reader->counts[type] = count;
        reader->counted[type] = true;
    }
    return code;
}

static duet_code read_platform(duet_solution_reader *reader)
{
    duet_json *json = &reader->json;
    duet_code code = duet_json_want(json, DUET_JSON_ARRAY, "an array of processor types");
    while (code == DUET_OK) {
        code = duet_json_next(json);
        if (code != DUET_OK || json->token == DUET_JSON_ARRAY_END) {
            break;
        }
        code = json->token == DUET_JSON_OBJECT
                   ? read_type(reader)
                   : duet_json_expected(json, "a processor type, {\"type\": ..., \"count\": ...}");
    }
    return code;
}

static duet_code read_member(duet_solution_reader *reader, int which)
{
    duet_json *json = &reader->json;
    duet_solution *solution = reader->solution;
    int64_t version = 0;
    switch (which) {
    case FORMAT:
        return read_format(json);
    case VERSION:
        return duet_json_whole(json, "version 1 of the format", 1, 1, &version);
    case ALGORITHM:
        return read_text(json, "the algorithm's name", solution->algorithm,
                         sizeof solution->algorithm);
    case FOUND_BY:
        return read_text(json, "the name of an algorithm", solution->found_by,
                         sizeof solution->found_by);
    case PLATFORM:
        return read_platform(reader);
    case STATUS:
        return read_status(json, &solution->status);
    case MAKESPAN:
        return duet_solution_time(reader, "the makespan", &solution->makespan);
    case LOWER_BOUND:
        return duet_solution_time(reader, "the lower bound", &solution->lower_bound);
    case BOUND:
        return read_text(json, "the bound's name", solution->bound_name,
                         sizeof solution->bound_name);
    case TIME_UNIT:
        return read_unit(reader);
    case GUARANTEE:
        return read_text(json, "the guarantee, a string or null,", solution->guarantee,
                         sizeof solution->guarantee);
    case SECONDS:
        return read_seconds(json, &solution->seconds);
    case INTERRUPTED:
        return read_boolean(json, &solution->interrupted);
    case SCHEDULE:
        return duet_solution_read_runs(reader, false);
    case ABORTED:
        return duet_solution_read_runs(reader, true);
    case CERTIFICATE:
        return duet_solution_read_certificate(reader);
    default:
        return duet_json_skip(json);
    }
}

// The instance's own counts win; without them the solution's are taken.
static duet_code take_platform(duet_solution_reader *reader)
{
    duet_instance *instance = reader->instance;
    if (instance->has_platform) {
        return DUET_OK;
    }
    for (size_t t = 0; t < instance->types; t++) {
        if (!reader->counted[t]) {
            return duet_json_fail(&reader->json,
                                  "the number of processors of type \"%.60s\" is nowhere given; "
                                  "expected it in \"platform\", in the instance, or as -m and -k",
                                  instance->type_names[t]);
        }
    }
    duet_code code = duet_instance_set_counts(instance, instance->types, reader->counts, NULL);
    return code == DUET_OK ? DUET_OK
                           : duet_json_fail(&reader->json, "the platform has no processors; "
                                                           "expected at least one");
}

static duet_code read_document(duet_solution_reader *reader)
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
        code = duet_json_require(json, members, seen,
                                 1U << FORMAT | 1U << VERSION | 1U << MAKESPAN | 1U << SCHEDULE,
                                 "the solution", json->line, json->column);
    }
    if (code == DUET_OK) {
        code = take_platform(reader);
    }
    return code == DUET_OK ? duet_json_next(json) : code;
}

duet_code duet_read_solution(const char *path, duet_instance *instance, duet_solution **out,
                             duet_error *error)
{
    duet_solution_reader reader = {.instance = instance, .error = error};
    duet_input *input = NULL;
    *out = NULL;
    duet_code code = duet_input_open(&input, path, error);
    if (code == DUET_OK) {
        code = duet_task_map_create(&reader.tasks, instance, error);
    }
    if (code == DUET_OK) {
        code = duet_solution_create(duet_tasks(instance), &reader.solution, error);
    }
    if (code == DUET_OK) {
        duet_json_init(&reader.json, input, error);
        code = read_document(&reader);
        duet_json_free(&reader.json);
    }
    if (code == DUET_OK) {
        *out = reader.solution;
    } else {
        duet_solution_free(reader.solution);
    }
    duet_task_map_free(&reader.tasks);
    duet_input_close(input);
    return code;
}
