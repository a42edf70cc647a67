// SPDX-License-Identifier: Apache-2.0
// What nodes of a DOT file say beside their times: groups, releases, deadlines, priorities and on
// how many processors a task runs at once.
#include "instances/formats/dot/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

#include "core/instance/moment.h"
#include "core/system/vec.h"
#include "instances/formats/when.h"

void duet_dot_take_group(duet_dot_values *values, size_t node, uint32_t attribute,
                         const duet_field *field)
{
    duet_dot_lexer *lexer = values->lexer;
    uint32_t number = 0;
    uint32_t *grouped = &values->nodes[node].grouped;
    if (*grouped != 0 && *grouped != attribute + 1) { // another attribute has said it
        duet_dot_note(lexer, duet_field_pass(lexer->input->fields, field, NULL, lexer->input->name,
                                             lexer->error));
        return;
    }
    values->nodes[node].group = 0;
    if (lexer->length > 0) {
        *grouped = attribute + 1;
        duet_dot_note(lexer,
                      duet_names_add(&values->groups, 0, lexer->text, &number, lexer->error));
        values->nodes[node].group = number + 1;
    }
}

// A release or a deadline of a node: a moment, or a time.
static void take_when(duet_dot_values *values, duet_dot_own *own, uint32_t attribute,
                      const duet_field *field)
{
    duet_dot_lexer *lexer = values->lexer;
    bool deadline = values->kinds[attribute] == DUET_DOT_DEADLINES;
    uint32_t *said = deadline ? &own->due : &own->released;
    duet_read_when when = {.time = {.forbidden = false}};
    bool dated;
    if (*said != 0 && *said != attribute + 1) { // another attribute has said it
        duet_dot_note(lexer, duet_field_pass(lexer->input->fields, field, NULL, lexer->input->name,
                                             lexer->error));
        return;
    }
    duet_dot_note(lexer, duet_read_moment(lexer->input->fields, field, lexer->text,
                                          lexer->input->name, &dated, &when, lexer->error));
    duet_decimal_fault fault =
        dated ? DUET_DECIMAL_OK
              : duet_decimal_read(lexer->text, lexer->length, &when.time.value, &when.time.tail);
    if (fault == DUET_DECIMAL_SYNTAX &&
        duet_duration_read(lexer->text, lexer->length, &when.time)) {
        fault = DUET_DECIMAL_OK;
        values->lengths = true;
    }
    if (lexer->code != DUET_OK) {
        return;
    }
    if (fault != DUET_DECIMAL_OK) {
        char advice[DUET_FIELD_ADVICE];
        duet_field_ignore_advice(field->name, advice);
        duet_dot_fail(lexer, "%.60s \"%.40s\": expected %s, or %s", field->name, lexer->text,
                      duet_decimal_expected(fault), advice);
        return;
    }
    duet_see_serial(lexer->input->fields, field, deadline, lexer->text, &when);
    *said = attribute + 1;
    *(deadline ? &own->deadline : &own->release) = when;
}

void duet_dot_take_own(duet_dot_values *values, size_t node, uint32_t attribute,
                       const duet_field *field)
{
    duet_dot_lexer *lexer = values->lexer;
    if (lexer->length == 0) {
        return;
    }
    if (values->nodes[node].own == 0) {
        duet_dot_note(lexer, duet_vec_push(values->owns, values->own_count, lexer->error,
                                           (duet_dot_own){.due = 0}));
        values->nodes[node].own = values->own_count;
    }
    if (lexer->code != DUET_OK) {
        return;
    }
    duet_dot_own *own = &values->owns[values->nodes[node].own - 1];
    duet_dot_kind kind = values->kinds[attribute];
    if (kind == DUET_DOT_PRIORITIES) {
        duet_decimal priority;
        bool read = duet_field_priority(lexer->text, lexer->length, &priority);
        own->priority = read ? priority : own->priority;
        duet_dot_note(lexer, duet_field_pass(lexer->input->fields, field,
                                             read ? DUET_FIELD_PRIORITY_USE : NULL,
                                             lexer->input->name, lexer->error));
        return;
    }
    take_when(values, own, attribute, field);
}

void duet_dot_take_cores(duet_dot_values *values, size_t node, const duet_field *field)
{
    duet_dot_lexer *lexer = values->lexer;
    duet_field_uses *fields = lexer->input->fields;
    if (fields != NULL) {
        fields->cores = values->nodes[node].cores; // what another attribute has said
    }
    duet_dot_note(lexer,
                  duet_field_guard(fields, field, lexer->text, lexer->input->name, lexer->error));
    int64_t cores = duet_field_take_cores(fields);
    values->nodes[node].cores = cores > 1 ? cores : values->nodes[node].cores;
}

// Takes the value that the lexer would have read as a time.
static void take_number(duet_dot_values *values, size_t node, const duet_dot_value *value)
{
    duet_dot_lexer *lexer = values->lexer;
    duet_field_uses *fields = lexer->input->fields;
    char text[40];
    const duet_field field = {DUET_FIELD_NODE_ATTRIBUTE,
                              duet_names_text(&values->attributes, value->attribute),
                              values->nodes[node].line, 0};
    snprintf(text, sizeof text, "%" PRId64 "%s", value->time.value.mantissa,
             value->time.value.places > 0 ? " with a fraction" : "");
    if (lexer->code == DUET_OK && fields != NULL) {
        fields->cores = values->nodes[node].cores;
        duet_dot_note(lexer,
                      duet_field_guard(fields, &field, text, lexer->input->name, lexer->error));
        int64_t cores = duet_field_take_cores(fields);
        values->nodes[node].cores = cores > 1 ? cores : values->nodes[node].cores;
    }
}

void duet_dot_settle_cpus(duet_dot_values *values, const uint32_t *types, size_t count)
{
    for (uint32_t a = (uint32_t)values->declared; a < values->attributes.count; a++) {
        bool type = values->kinds[a] != DUET_DOT_TIMES ||
                    strcasecmp(duet_names_text(&values->attributes, a), "cpus") != 0;
        for (size_t t = 0; t < count; t++) {
            type = type || types[t] == a;
        }
        values->kinds[a] = type ? values->kinds[a] : DUET_DOT_GUARDED;
        for (size_t node = 0; !type && node < values->names.count; node++) {
            size_t at = values->nodes[node].last;
            while (at > 0 && values->values[at - 1].attribute != a) {
                at = values->values[at - 1].before;
            }
            if (at > 0) {
                take_number(values, node, &values->values[at - 1]);
            }
        }
    }
}
