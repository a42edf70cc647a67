// SPDX-License-Identifier: Apache-2.0
// Solutions read from JSON: the document and what it claims. Its intervals are in
// solution_intervals.c.
#include "instances/formats/solution/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/instance/unit.h"
#include "core/system/memory.h"

enum {
    FORMAT,
    VERSION,
    INSTANCE,
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
    ENDING,
    SCHEDULE,
    ABORTED,
    CERTIFICATE,
    CERTIFIED
};
static const char *const members[] = {
    "format",   "version",     "instance", "algorithm",   "found_by",  "platform", "status",
    "makespan", "lower_bound", "bound",    "time_unit",   "guarantee", "seconds",  "interrupted",
    "ending",   "schedule",    "aborted",  "certificate", "certified", NULL};

static void read_format(duet_solution_reader *reader)
{
    duet_json *json = &reader->json;
    reader->exact = reader->room <= 1;
    if (!duet_json_want(json, DUET_JSON_STRING, "the format \"duet-solution\"")) {
        return;
    }
    if (strcmp(json->text, "duet-instance") == 0) {
        duet_json_fail(json, "this file is an instance (format \"duet-instance\"); expected a "
                             "solution (format \"duet-solution\")");
    } else if (strcmp(json->text, "duet-solution") != 0) {
        duet_json_expected(json, "the format \"duet-solution\"");
    }
}

// A text of at most `size` - 1 bytes, or null for none.
static void read_text(duet_json *json, const char *what, char *target, size_t size)
{
    if (duet_json_next(json) != DUET_OK || json->token == DUET_JSON_NULL) {
        return;
    }
    if (json->token != DUET_JSON_STRING) {
        duet_json_expected(json, what);
    } else if (json->length >= size) {
        duet_json_fail(json, "expected %s of at most %zu bytes, found %zu", what, size - 1,
                       json->length);
    } else {
        memcpy(target, json->text, json->length + 1);
    }
}

// The name of the instance that it is about, kept for messages alone: nothing depends on it.
static void read_instance_name(duet_solution_reader *reader)
{
    duet_json *json = &reader->json;
    if (duet_json_next(json) == DUET_OK && json->token == DUET_JSON_STRING) {
        snprintf(reader->about, sizeof reader->about, "%s", json->text);
    } else {
        duet_json_skip_rest(json);
    }
}

static void read_status(duet_json *json, duet_status *status)
{
    static const char what[] = "the status \"optimal\", \"bounded\" or \"feasible\"";
    if (!duet_json_want(json, DUET_JSON_STRING, what)) {
        return;
    }
    for (*status = DUET_FEASIBLE; *status <= DUET_OPTIMAL; (*status)++) {
        if (strcmp(json->text, duet_status_name(*status)) == 0) {
            return;
        }
    }
    *status = DUET_FEASIBLE;
    duet_json_expected(json, what);
}

static void read_unit(duet_solution_reader *reader)
{
    duet_json *json = &reader->json;
    const char *unit = duet_instance_time_unit(reader->instance);
    if (duet_json_next(json) != DUET_OK || json->token == DUET_JSON_NULL) {
        return;
    }
    if (json->token != DUET_JSON_STRING) {
        duet_json_expected(json, "the unit of the times, a string");
    } else if (json->length > 0 && unit[0] == '\0') {
        duet_free(reader->unit);
        reader->unit = duet_copy_string(json->text, json->error);
        duet_json_note(json, reader->unit == NULL ? DUET_E_MEMORY : DUET_OK);
    } else if (json->length > 0 && !duet_unit_same(unit, json->text)) {
        duet_json_fail(json, "times in \"%.40s\"; expected the instance's unit \"%.40s\"",
                       json->text, unit);
    }
}

// How long the solution took to find, for people to read; nothing is decided by it. Not by
// strtod(), which follows the program's locale.
static void read_seconds(duet_json *json, double *seconds)
{
    duet_decimal value;
    duet_decimal_tail tail; // too little to count
    if (!duet_json_want(json, DUET_JSON_NUMBER, "the seconds taken, a number")) {
        return;
    }
    duet_decimal_fault fault = duet_decimal_read(json->text, json->length, &value, &tail);
    if (fault != DUET_DECIMAL_OK) {
        duet_json_fail(json, "seconds \"%.40s\": expected %s", json->text,
                       duet_decimal_expected(fault));
        return;
    }
    *seconds = (double)value.mantissa;
    for (int i = 0; i < value.places; i++) {
        *seconds /= 10;
    }
}

static void read_ending(duet_json *json, duet_ending *ending)
{
    if (duet_json_next(json) == DUET_OK &&
        (json->token != DUET_JSON_STRING || !duet_solution_find_ending(json->text, ending))) {
        duet_json_expected(json, "\"time limit reached\", \"limit reached\", \"interrupted\" or "
                                 "\"gap reached\"");
    }
}

static void read_type(duet_solution_reader *reader)
{
    static const char *const names[] = {"type", "count", NULL};
    duet_json *json = &reader->json;
    duet_json_object object = duet_json_open(json, names);
    int64_t count = 0;
    int32_t type = -1;
    while (duet_json_member(json, &object)) {
        if (object.which == 0) {
            bool named = duet_json_want(json, DUET_JSON_STRING, "a processor type's name");
            type = named ? duet_solution_type(reader, json->text) : -1;
        } else if (object.which == 1) {
            (void)duet_json_whole(json, "the number of processors", 0, DUET_MAX_PROCESSORS, &count);
        } else {
            duet_json_skip(json);
        }
    }
    duet_json_require(json, &object, 3, "the processor type");
    if (json->code == DUET_OK && type >= 0) {
        reader->counts[type] = count;
        reader->counted[type] = true;
    }
}

static void read_platform(duet_solution_reader *reader)
{
    duet_json *json = &reader->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of processor types");
    while (duet_json_element_of(json, DUET_JSON_OBJECT,
                                "a processor type, {\"type\": ..., \"count\": ...}")) {
        read_type(reader);
    }
}

// Times of a file that is not of Duet's own may have to be rounded.
static void keep_inexact(duet_solution_reader *reader)
{
    if (!reader->exact && reader->use == DUET_ENTRIES_PLACED) {
        reader->use = DUET_ENTRIES_KEPT;
    }
}

// A bound with a certificate beside a higher one.
static void read_certified(duet_solution_reader *reader)
{
    static const char *const own[] = {"value", "bound", "certificate", NULL};
    duet_json *json = &reader->json;
    duet_solution *solution = reader->solution;
    if (!duet_json_want(json, DUET_JSON_OBJECT, "a bound with its certificate")) {
        return;
    }
    duet_json_object object = duet_json_open(json, own);
    while (duet_json_member(json, &object)) {
        if (object.which == 0) {
            duet_solution_fine_time(reader, "the certified bound", &reader->certified);
        } else if (object.which == 1) {
            read_text(json, "the bound's name", solution->certified.name,
                      sizeof solution->certified.name);
        } else if (object.which == 2) {
            duet_solution_read_certificate(reader, &solution->certified.certificate);
        } else {
            duet_json_skip(json);
        }
    }
    duet_json_require(json, &object, 7, "the certified bound");
}

// A member that is a text of the solution.
static void read_words(duet_solution_reader *reader, int which)
{
    duet_json *json = &reader->json;
    duet_solution *solution = reader->solution;
    if (which == ALGORITHM) {
        read_text(json, "the algorithm's name", solution->algorithm, sizeof solution->algorithm);
    } else if (which == FOUND_BY) {
        read_text(json, "the name of an algorithm", solution->found_by, sizeof solution->found_by);
    } else if (which == BOUND) {
        read_text(json, "the bound's name", solution->bound_name, sizeof solution->bound_name);
    } else {
        read_text(json, "the guarantee, a string or null,", solution->guarantee,
                  sizeof solution->guarantee);
    }
}

// A member that says how the search went.
static void read_search(duet_solution_reader *reader, int which)
{
    duet_json *json = &reader->json;
    duet_solution *solution = reader->solution;
    switch (which) {
    case STATUS:
        read_status(json, &solution->status);
        break;
    case SECONDS:
        read_seconds(json, &solution->seconds);
        break;
    case INTERRUPTED:
        duet_json_boolean(json, "true or false", &solution->interrupted);
        break;
    case ENDING:
        read_ending(json, &solution->ending);
        break;
    default:
        duet_json_skip(json);
        break;
    }
}

// What proves a bound, which parts of a schedule have none of.
static void read_proof(duet_solution_reader *reader, int which)
{
    if (reader->use == DUET_ENTRIES_PARTS) {
        duet_json_skip(&reader->json);
    } else if (which == CERTIFICATE) {
        duet_solution_read_certificate(reader, &reader->solution->certificate);
    } else {
        read_certified(reader);
    }
}

static void read_member(duet_solution_reader *reader, int which)
{
    duet_json *json = &reader->json;
    int64_t version;
    switch (which) {
    case FORMAT:
        read_format(reader);
        break;
    case VERSION:
        (void)duet_json_whole(json, "version 1 of the format", 1, 1, &version);
        break;
    case INSTANCE:
        read_instance_name(reader);
        break;
    case ALGORITHM:
    case FOUND_BY:
    case BOUND:
    case GUARANTEE:
        read_words(reader, which);
        break;
    case PLATFORM:
        read_platform(reader);
        break;
    case MAKESPAN:
        reader->has_makespan = true;
        duet_solution_fine_time(reader, "the makespan", &reader->makespan);
        break;
    case LOWER_BOUND:
        duet_solution_fine_time(reader, "the lower bound", &reader->lower_bound);
        break;
    case TIME_UNIT:
        read_unit(reader);
        break;
    case SCHEDULE:
    case ABORTED:
        keep_inexact(reader);
        duet_solution_read_intervals(reader, which == ABORTED);
        break;
    case CERTIFICATE:
    case CERTIFIED:
        read_proof(reader, which);
        break;
    default:
        read_search(reader, which);
        break;
    }
}

// The instance's own counts win; without them the solution's are taken.
static void take_platform(duet_solution_reader *reader)
{
    duet_json *json = &reader->json;
    duet_instance *instance = reader->instance;
    if (instance->has_platform || json->code != DUET_OK) {
        return;
    }
    for (size_t t = 0; t < instance->types; t++) {
        if (!reader->counted[t]) {
            duet_json_fail(json,
                           "the number of processors of type \"%.60s\" is nowhere given; "
                           "expected it in \"platform\", in the instance, or as -m and -k",
                           instance->type_names[t]);
            return;
        }
    }
    if (duet_instance_set_counts(instance, instance->types, reader->counts, NULL) != DUET_OK) {
        duet_json_fail(json, "the platform has no processors; expected at least one");
    }
}

// The instance's own unit wins; one without any takes the solution's.
static void take_unit(duet_solution_reader *reader)
{
    if (reader->unit != NULL && reader->json.code == DUET_OK) {
        duet_free(reader->instance->time_unit);
        reader->instance->time_unit = reader->unit;
        reader->unit = NULL;
    }
}

static void read_document(duet_solution_reader *reader)
{
    duet_json *json = &reader->json;
    if (reader->use == DUET_ENTRIES_PARTS && duet_json_next(json) == DUET_OK &&
        json->token == DUET_JSON_ARRAY) {
        duet_solution_read_elements(reader, false);
        (void)duet_json_next(json);
        return;
    }
    if (reader->use == DUET_ENTRIES_PARTS && json->code == DUET_OK &&
        json->token != DUET_JSON_OBJECT) {
        duet_json_expected(json, "a schedule, an object or an array of entries");
    }
    if (reader->use != DUET_ENTRIES_PARTS && !duet_json_want(json, DUET_JSON_OBJECT, "an object")) {
        return;
    }
    duet_json_object object = duet_json_open(json, members);
    while (duet_json_member(json, &object)) {
        read_member(reader, object.which);
    }
    object.line = json->line; // what is missing is missed at the end of the file
    object.column = json->column;
    unsigned claims = 1U << VERSION | 1U << MAKESPAN;
    claims = reader->exact && reader->use != DUET_ENTRIES_PARTS ? claims : 0;
    duet_json_require(json, &object, 1U << SCHEDULE | claims, "the solution");
    take_platform(reader);
    (void)duet_json_next(json);
    take_unit(reader);
}

duet_code duet_solution_read_json(duet_solution_reader *reader, duet_input *input,
                                  duet_error *error)
{
    duet_json_init(&reader->json, input, error);
    read_document(reader);
    duet_json_free(&reader->json);
    return reader->json.code;
}
