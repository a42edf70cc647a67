// SPDX-License-Identifier: Apache-2.0
// What is given of the tasks of an instance in JSON, and the processors that are lost.
#include "instances/formats/json/given.h"

#include <string.h>

#include "core/instance/given.h"
#include "core/number/minmax.h"
#include "core/solution/finer.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/json/times.h"
#include "instances/formats/task_map.h"

void duet_json_given_free(duet_json_given *given)
{
    duet_free(given->fix);
    duet_free(given->range);
    duet_free(given->without);
    duet_free(given->text);
}

// --- reading -------------------------------------------------------------------------------------

// The next token as a name, whose place is *at.
static void read_name(duet_json *json, const char *what, duet_json_given *given, size_t *at)
{
    if (!duet_json_want(json, DUET_JSON_STRING, what)) {
        return;
    }
    size_t size = json->length + 1;
    duet_code code = duet_vec_reserve(given->text, given->used + size, json->error);
    duet_json_note(json, code);
    if (code == DUET_OK) {
        memcpy(given->text + given->used, json->text, size);
        *at = given->used;
        given->used += size;
    }
}

static void read_time(duet_json *json, const char *what, bool *there, duet_decimal *time)
{
    duet_read_time read;
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    duet_json_read_number(json, what, false, &read);
    if (json->code == DUET_OK && read.tail != DUET_DECIMAL_NO_TAIL) {
        duet_json_fail(json, "%s with too many digits; expected at most %d decimal places", what,
                       DUET_MAX_DECIMALS);
    }
    *there = true;
    *time = read.value;
}

static void add_range(duet_json *json, duet_json_given *given, duet_json_fix *fix,
                      duet_json_range range)
{
    if (json->code == DUET_OK) {
        fix->range_at = fix->ranges == 0 ? given->ranges : fix->range_at;
        fix->ranges++;
        duet_json_note(json, duet_vec_push(given->range, given->ranges, json->error, range));
    }
}

static void read_processor(duet_json *json, duet_json_given *given, duet_json_fix *fix)
{
    int64_t number = 0;
    (void)duet_json_whole(json, "the processor", 0, DUET_MAX_PROCESSORS, &number);
    add_range(json, given, fix, (duet_json_range){false, 0, (int32_t)number, (int32_t)number});
}

// [[0, 3], [6, 6]]
static void read_ranges(duet_json *json, duet_json_given *given, duet_json_fix *fix,
                        duet_json_range range)
{
    static const char what[] = "a range of processors, [first, last]";
    (void)duet_json_want(json, DUET_JSON_ARRAY, "processors, an array of ranges [first, last]");
    while (duet_json_element(json)) {
        int64_t first = 0;
        int64_t last = 0;
        if (json->token != DUET_JSON_ARRAY) {
            duet_json_expected(json, what);
        }
        (void)duet_json_whole(json, what, 0, DUET_MAX_PROCESSORS, &first);
        (void)duet_json_whole(json, what, 0, DUET_MAX_PROCESSORS, &last);
        if (duet_json_next(json) == DUET_OK && json->token != DUET_JSON_ARRAY_END) {
            duet_json_expected(json, "the end of a range of processors, [first, last]");
        }
        range.first = (int32_t)first;
        range.last = (int32_t)last;
        add_range(json, given, fix, range);
    }
}

// [{"type": "cpu", "processors": [[0, 3]]}, ...], in this order.
static void read_parts(duet_json *json, duet_json_given *given, duet_json_fix *fix)
{
    static const char *const names[] = {"type", "processors", NULL};
    (void)duet_json_want(json, DUET_JSON_ARRAY, "parts, an array of sets of processors by type");
    while (duet_json_element(json)) {
        duet_json_range range = {.has_type = true};
        if (json->token != DUET_JSON_OBJECT) {
            duet_json_expected(json, "a part, {\"type\": ..., \"processors\": [[0, 3]]}");
        }
        duet_json_object object = duet_json_open(json, names);
        while (duet_json_member(json, &object)) {
            if (object.which == 0) {
                read_name(json, "a processor type's name", given, &range.type);
            } else if (object.which == 1 && (object.seen & 1U) == 0) {
                duet_json_fail(json, "processors before their type; expected the type first");
            } else if (object.which == 1) {
                read_ranges(json, given, fix, range);
            } else {
                duet_json_skip(json);
            }
        }
        duet_json_require(json, &object, 3, "the part");
    }
}

static void read_fix(duet_json *json, duet_json_given *given)
{
    enum { TASK, TYPE, PROCESSOR, PROCESSORS, PARTS, START, END };
    static const char *const names[] = {"task",  "type",  "processor", "processors",
                                        "parts", "start", "end",       NULL};
    duet_json_object object = duet_json_open(json, names);
    duet_json_fix fix = {.line = object.line, .column = object.column};
    while (duet_json_member(json, &object)) {
        switch (object.which) {
        case TASK:
            read_name(json, "the id of a task", given, &fix.task);
            break;
        case TYPE:
            fix.has_type = true;
            read_name(json, "a processor type's name", given, &fix.type);
            break;
        case PROCESSOR:
            read_processor(json, given, &fix);
            break;
        case PROCESSORS:
            read_ranges(json, given, &fix, (duet_json_range){.has_type = false});
            break;
        case PARTS:
            read_parts(json, given, &fix);
            break;
        case START:
            read_time(json, "the start", &fix.has_start, &fix.start);
            break;
        case END:
            read_time(json, "the end", &fix.has_end, &fix.end);
            break;
        default:
            duet_json_skip(json);
            break;
        }
    }
    unsigned ways = object.seen & (1U << PROCESSOR | 1U << PROCESSORS | 1U << PARTS);
    if (json->code == DUET_OK && (ways & (ways - 1)) != 0) {
        duet_json_fail(json, "processors in two ways; expected \"processor\", \"processors\" or "
                             "\"parts\" alone");
    }
    duet_json_require(json, &object, 1U << TASK, "what is fixed");
    duet_json_then(json, duet_vec_push(given->fix, given->fixes, json->error, fix));
}

void duet_json_read_given(duet_json *json, duet_json_given *given)
{
    static const char what[] = "what is fixed, {\"task\": ..., \"start\": ...}";
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of what is fixed");
    while (duet_json_element_of(json, DUET_JSON_OBJECT, what)) {
        read_fix(json, given);
    }
}

void duet_json_read_without(duet_json *json, int32_t type, duet_json_given *given)
{
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of processors that are left out");
    while (duet_json_element(json)) {
        duet_decimal number;
        if (json->token != DUET_JSON_NUMBER ||
            duet_decimal_parse(json->text, json->length, &number) != DUET_DECIMAL_OK ||
            number.places != 0 || number.mantissa > DUET_MAX_PROCESSORS) {
            duet_json_expected(json, "a processor's number, from 0 on");
            return;
        }
        const duet_processor_range one = {type, (int32_t)number.mantissa, (int32_t)number.mantissa};
        duet_json_note(json, duet_vec_push(given->without, given->withouts, json->error, one));
    }
}

bool duet_json_take_now(const duet_json *json, duet_json_given *given)
{
    return json->token == DUET_JSON_NUMBER &&
           duet_decimal_parse(json->text, json->length, &given->now) == DUET_DECIMAL_OK;
}

// --- taking it -----------------------------------------------------------------------------------

typedef struct taking {
    const duet_json_given *given;
    const duet_instance *instance;
    const char *file;
    int finer;
    duet_fix *fix;
    duet_processor_range *range;
    duet_error *error;
} taking;

static duet_code unknown(const taking *t, const duet_json_fix *fix, const char *what,
                         const char *name)
{
    return duet_error_set_at(t->error, DUET_E_INPUT, t->file, fix->line, fix->column,
                             "unknown %s \"%.60s\"; expected one of the instance's", what, name);
}

static bool find_type(const taking *t, size_t name, int32_t *type)
{
    const char *text = t->given->text + name;
    for (size_t i = 0; i < t->instance->types; i++) {
        if (strcmp(t->instance->type_names[i], text) == 0) {
            *type = (int32_t)i;
            return true;
        }
    }
    return false;
}

static bool in_ticks(const taking *t, duet_decimal value, int64_t *ticks)
{
    return duet_decimal_scale(value, t->instance->decimals + t->finer, ticks);
}

static duet_code take_fix(const taking *t, const duet_task_map *tasks, size_t at)
{
    const duet_json_fix *from = &t->given->fix[at];
    duet_fix *to = &t->fix[at];
    const char *id = t->given->text + from->task;
    *to = (duet_fix){duet_task_map_find(tasks, id, strlen(id)),
                     -1,
                     t->range + from->range_at,
                     from->ranges,
                     DUET_FORBIDDEN,
                     DUET_FORBIDDEN};
    if (to->task < 0) {
        return unknown(t, from, "task", id);
    }
    if (from->has_type && !find_type(t, from->type, &to->type)) {
        return unknown(t, from, "processor type", t->given->text + from->type);
    }
    to->type = to->type < 0 && t->instance->types == 1 ? 0 : to->type;
    for (size_t r = from->range_at; r < from->range_at + from->ranges; r++) {
        const duet_json_range *range = &t->given->range[r];
        t->range[r] = (duet_processor_range){to->type, range->first, range->last};
        if (range->has_type && !find_type(t, range->type, &t->range[r].type)) {
            return unknown(t, from, "processor type", t->given->text + range->type);
        }
        if (t->range[r].type < 0) {
            return duet_error_set_at(t->error, DUET_E_INPUT, t->file, from->line, from->column,
                                     "a processor without its type; expected \"type\", too");
        }
    }
    bool fits = (!from->has_start || in_ticks(t, from->start, &to->start)) &&
                (!from->has_end || in_ticks(t, from->end, &to->end));
    return fits ? DUET_OK
                : duet_error_set_at(t->error, DUET_E_INPUT, t->file, from->line, from->column,
                                    "a fixed time is too large: expected at most 2^62 ticks");
}

static duet_code take_all(taking *t)
{
    duet_task_map tasks;
    size_t fixes = t->given->fixes;
    t->fix = duet_alloc(fixes, sizeof *t->fix, t->error);
    t->range = duet_alloc(t->given->ranges, sizeof *t->range, t->error);
    DUET_NEED(t->fix != NULL && t->range != NULL);
    for (size_t i = 0; i < fixes; i++) {
        const duet_json_fix *from = &t->given->fix[i];
        int start = from->has_start ? from->start.places - t->instance->decimals : 0;
        int end = from->has_end ? from->end.places - t->instance->decimals : 0;
        t->finer = duet_max(start, t->finer);
        t->finer = duet_max(end, t->finer);
    }
    if (t->finer > DUET_FINER_PLACES) {
        return duet_error_set_at(t->error, DUET_E_INPUT, t->file, 0, 0,
                                 "fixed times with too many digits: expected at most %d decimal "
                                 "places more than other times",
                                 DUET_FINER_PLACES);
    }
    duet_code code = duet_task_map_create(&tasks, t->instance, t->error);
    for (size_t i = 0; i < fixes && code == DUET_OK; i++) {
        code = take_fix(t, &tasks, i);
    }
    duet_task_map_free(&tasks);
    return code;
}

duet_code duet_json_take_given(const duet_json_given *given, const char *file,
                               duet_instance **instance, duet_error *error)
{
    taking t = {.given = given, .instance = *instance, .file = file, .error = error};
    duet_instance *made = NULL;
    duet_error why = DUET_ERROR_INIT;
    (*instance)->now = given->now;
    if (given->fixes == 0 && given->withouts == 0) {
        return DUET_OK;
    }
    duet_code code = take_all(&t);
    if (code == DUET_OK) {
        const duet_replan_desc desc = {.struct_size = sizeof desc,
                                       .finer = t.finer,
                                       .now = DUET_FORBIDDEN,
                                       .fix = t.fix,
                                       .fixes = given->fixes,
                                       .without = given->without,
                                       .withouts = given->withouts};
        code = duet_instance_give(*instance, &desc, &made, &why);
        if (code != DUET_OK) {
            duet_error_set_at(error, code == DUET_E_USAGE ? DUET_E_INPUT : code, file, 0, 0, "%s",
                              why.message);
            code = code == DUET_E_USAGE ? DUET_E_INPUT : code;
        }
    }
    if (code == DUET_OK) {
        duet_instance_free(*instance);
        *instance = made;
    }
    duet_free(t.fix);
    duet_free(t.range);
    return code;
}
