// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/json/members.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 80 };

bool duet_json_is_any(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(name, *names) != 0) {
        names++;
    }
    return *names != NULL;
}

void duet_json_pass_named(duet_json *json, duet_field_owner owner, const char *name,
                          const char *why)
{
    const duet_field field = {owner, name, json->line, json->column};
    if (json->code == DUET_OK) {
        duet_json_note(json, duet_field_pass(json->input->fields, &field, why, json->input->name,
                                             json->error));
    }
}

void duet_json_pass(duet_json *json, duet_field_owner owner, const char *why)
{
    duet_json_pass_named(json, owner, json->text, why);
    duet_json_skip(json);
}

void duet_json_guard(duet_json *json, duet_field_owner owner)
{
    char name[NAME];
    snprintf(name, sizeof name, "%s", json->text);
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    const duet_field field = {owner, name, json->line, json->column};
    bool text = json->token == DUET_JSON_NUMBER || json->token == DUET_JSON_STRING;
    const char *value = text ? json->text : json->token == DUET_JSON_NULL ? "" : "no number";
    duet_json_note(
        json, duet_field_guard(json->input->fields, &field, value, json->input->name, json->error));
    duet_json_skip_rest(json);
}
