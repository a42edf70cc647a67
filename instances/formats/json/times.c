// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/json/times.h"

#include "core/system/vec.h"
#include "instances/formats/formats.h"
#include "instances/formats/json/members.h"

static void read_text(duet_json *json, duet_read_time *time)
{
    duet_json_note(json,
                   duet_read_time_text(json->text, json->length,
                                       (duet_place){json->input->name, json->line, json->column},
                                       time, json->error));
}

void duet_json_read_number(duet_json *json, const char *what, bool positive, duet_read_time *number)
{
    *number = (duet_read_time){.forbidden = false};
    if (json->code != DUET_OK) {
        return;
    }
    duet_decimal_fault fault = DUET_DECIMAL_SYNTAX;
    if (json->token == DUET_JSON_NUMBER) {
        fault = duet_decimal_read(json->text, json->length, &number->value, &number->tail);
    }
    bool zero = number->value.mantissa == 0 && number->tail == DUET_DECIMAL_NO_TAIL;
    if (json->token != DUET_JSON_NUMBER || fault == DUET_DECIMAL_NEGATIVE || (positive && zero)) {
        char expected[120];
        snprintf(expected, sizeof expected, "%s, a number %s 0", what,
                 positive ? "above" : "of at least");
        duet_json_expected(json, expected);
    } else if (fault != DUET_DECIMAL_OK) {
        duet_json_fail(json, "%s %.40s: expected %s", what, json->text,
                       duet_decimal_expected(fault));
    }
}

void duet_json_read_alpha(duet_json *json, duet_read_time *alpha)
{
    static const char what[] = "alpha, the sequential part of the work, a number from 0 to 1";
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    *alpha = (duet_read_time){.forbidden = false};
    duet_decimal_fault fault = DUET_DECIMAL_SYNTAX;
    if (json->token == DUET_JSON_NUMBER) {
        fault = duet_decimal_read(json->text, json->length, &alpha->value, &alpha->tail);
    }
    bool one = alpha->value.mantissa == 1 && alpha->value.places == 0 &&
               alpha->tail == DUET_DECIMAL_NO_TAIL;
    uint64_t unit = 1;
    uint64_t mantissa = (uint64_t)alpha->value.mantissa;
    for (int i = 0; i < alpha->value.places && unit <= mantissa; i++) {
        unit *= 10;
    }
    if (fault != DUET_DECIMAL_OK || (!one && mantissa >= unit)) {
        duet_json_expected(json, what);
    }
}

static void read_table(duet_json *json, duet_json_values *values, duet_json_time *time)
{
    time->first = values->count;
    while (duet_json_element(json)) {
        duet_json_note(json, duet_vec_grow(values->value, values->count, json->error));
        if (json->code != DUET_OK) {
            continue;
        }
        duet_read_time *value = &values->value[values->count++];
        if (json->token == DUET_JSON_NULL) { // a size that is not allowed
            *value = (duet_read_time){.forbidden = true};
        } else {
            duet_json_read_number(json, "a time for each number of processors", false, value);
        }
    }
    time->length = values->count - time->first;
    if (json->code == DUET_OK && time->length == 0) {
        duet_json_fail(json, "a table without times; expected the time on one processor, on two, "
                             "and so on");
    } else if (json->code == DUET_OK) {
        size_t at = time->first; // of the first size that is allowed
        while (at + 1 < values->count && values->value[at].forbidden) {
            at++;
        }
        time->time = values->value[at];
    }
}

static void read_law(duet_json *json, duet_json_time *time)
{
    enum { WORK, ALPHA };
    static const char *const names[] = {"work", "alpha", NULL};
    duet_json_object object = duet_json_open(json, names);
    time->law = true;
    while (duet_json_member(json, &object)) {
        if (object.which == WORK) {
            if (duet_json_next(json) == DUET_OK) {
                duet_json_read_number(json, "work", true, &time->work);
            }
        } else if (object.which == ALPHA) {
            duet_json_read_alpha(json, &time->alpha);
        } else {
            duet_json_pass(json, DUET_FIELD_PART, NULL);
        }
    }
    duet_json_require(json, &object, 1U << WORK, "the law of a task's times");
}

void duet_json_read_entry(duet_json *json, duet_json_values *values, duet_json_time *time)
{
    *time = (duet_json_time){.time = {.forbidden = json->token == DUET_JSON_NULL}};
    switch (json->token) {
    case DUET_JSON_NUMBER:
        read_text(json, &time->time);
        break;
    case DUET_JSON_NULL:
        break;
    case DUET_JSON_ARRAY:
        read_table(json, values, time);
        break;
    case DUET_JSON_OBJECT:
        read_law(json, time);
        break;
    default:
        duet_json_expected(json, "a time: a number, or null where it cannot run");
        break;
    }
}
