// SPDX-License-Identifier: Apache-2.0
// A member of a name that means nothing, whose value holds an instance, as {"data": {"tasks":
// [...]}}. Whether it is the instance is known at the end: only where the file has no tasks of its
// own. For json/instance.c alone.
#include "instances/formats/json/parts.h"

#include "core/names.h"
#include "core/system/memory.h"
#include "instances/formats/fields.h"
#include "instances/formats/json/members.h"

static char *copy(duet_json *json, const char *name)
{
    char *copied = duet_copy_string(name, json->error);
    if (copied == NULL) {
        duet_json_note(json, json->code == DUET_OK ? DUET_E_MEMORY : DUET_OK);
    }
    return copied;
}

bool duet_json_wrapped_keep(duet_json *json, duet_json_wrapped *wrapped, const char *name)
{
    if (json->token != DUET_JSON_OBJECT || duet_field_is_ignored(json->input->fields, name)) {
        return false;
    }
    int line = json->line;
    int column = json->column;
    duet_json_tape_free(&wrapped->looked);
    duet_json_keep_rest(json, &wrapped->looked);
    if (json->code != DUET_OK) { // what is kept of it cannot be read again
        return true;
    }
    if (!duet_json_holds_tasks(&wrapped->looked)) {
        duet_json_replay(json, &wrapped->looked);
        (void)duet_json_next(json);
        return false;
    }
    if (wrapped->name == NULL) {
        wrapped->name = copy(json, name);
        wrapped->line = line;
        wrapped->column = column;
        wrapped->tape = wrapped->looked;
        wrapped->looked = (duet_json_tape){.count = 0};
    } else if (wrapped->second == NULL) {
        wrapped->second = copy(json, name);
        wrapped->second_line = line;
        wrapped->second_column = column;
    }
    return true;
}

bool duet_json_wrapped_open(duet_json *json, const duet_json_wrapped *wrapped)
{
    if (wrapped->name == NULL || json->code != DUET_OK) {
        return false;
    }
    if (wrapped->second != NULL) {
        char advice[DUET_FIELD_ADVICE];
        duet_field_ignore_advice(wrapped->second, advice);
        json->line = wrapped->second_line;
        json->column = wrapped->second_column;
        duet_json_fail(json, "tasks in \"%.60s\" and in \"%.60s\"; expected one of them, or %s",
                       wrapped->name, wrapped->second, advice);
        return false;
    }
    duet_json_replay(json, &wrapped->tape);
    return duet_json_next(json) == DUET_OK;
}

static void pass(duet_json *json, const char *name, int line, int column)
{
    if (name != NULL && json->code == DUET_OK) {
        json->line = line;
        json->column = column;
        duet_json_pass_named(json, DUET_FIELD_INSTANCE, name, NULL);
    }
}

void duet_json_wrapped_pass(duet_json *json, const duet_json_wrapped *wrapped)
{
    pass(json, wrapped->name, wrapped->line, wrapped->column);
    pass(json, wrapped->second, wrapped->second_line, wrapped->second_column);
}

void duet_json_wrapped_free(duet_json_wrapped *wrapped)
{
    duet_json_tape_free(&wrapped->tape);
    duet_json_tape_free(&wrapped->looked);
    duet_free(wrapped->name);
    duet_free(wrapped->second);
}
