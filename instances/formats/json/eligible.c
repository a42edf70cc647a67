// SPDX-License-Identifier: Apache-2.0
// Where a task may run: "eligible": ["cpu"], "allowed_types": "gpu", "forbidden": ["gpu"].
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/instance/moment.h"
#include "instances/formats/json/members.h"
#include "instances/formats/json/task_state.h"

// Whether a text is one of those that end with NULL, in capitals or not.
static bool is_any(const char *text, const char *const *words)
{
    while (*words != NULL && strcasecmp(text, *words) != 0) {
        words++;
    }
    return *words != NULL;
}

bool duet_json_names_types(const char *name)
{
    static const char *const words[] = {"eligible", "allowed", "forbidden", "compatible"};
    static const char *const ends[] = {"",          "types",      "type",    "machines",
                                       "resources", "processors", "devices", NULL};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (strncasecmp(name, words[i], length) == 0) {
            const char *end = name + length;
            return is_any(*end == '_' || *end == ' ' ? end + 1 : end, ends);
        }
    }
    return false;
}

// Whether a text says nothing of types: it is empty, a day, as Slurm has the time from which a job
// is eligible, or an answer.
static bool is_other(const char *text)
{
    static const char *const answers[] = {"", "yes", "no", "true", "false", "unknown", NULL};
    return is_any(text, answers) || duet_moment_is_one(text);
}

static void refuse(duet_json_task_reader *reader, const char *why)
{
    char advice[DUET_FIELD_ADVICE];
    char what[400 + DUET_FIELD_ADVICE];
    const duet_json_where *where = &reader->where;
    duet_field_ignore_advice(where->name, advice);
    snprintf(
        what, sizeof what,
        "member \"%.60s\" of a task says on which types it may run%s; expected names of types, "
        "or null as its time on a type where it may not, as in \"times\": [3, null], or %s",
        where->name, why, advice);
    duet_json_fail_at(reader->json, where->line, where->column, what);
}

void duet_json_read_types(duet_json_task_reader *reader)
{
    duet_json *json = reader->json;
    duet_json_where *where = &reader->where;
    char name[sizeof where->name];
    snprintf(name, sizeof name, "%s", json->text);
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    bool text = json->token == DUET_JSON_STRING && !is_other(json->text);
    bool list = json->token == DUET_JSON_ARRAY || json->token == DUET_JSON_OBJECT;
    if ((!text && !list) || duet_field_is_ignored(json->input->fields, name)) {
        duet_json_pass_named(json, DUET_FIELD_TASK, name, NULL);
        duet_json_skip_rest(json);
        return;
    }
    bool twice = where->said;
    snprintf(where->name, sizeof where->name, "%s", name);
    where->said = true;
    where->forbids = strncasecmp(name, "forbidden", 9) == 0;
    where->line = json->line;
    where->column = json->column;
    where->types.count = 0;
    where->types.used = 0;
    if (twice || json->token == DUET_JSON_OBJECT) {
        refuse(reader, twice ? ", as another one does" : " in a form that is not read");
        return;
    }
    duet_json_keep_rest(json, &where->types);
}

// Marks the types that are named. Whether all names are those of types.
static bool find_types(const duet_json_task_reader *reader, bool named[DUET_MAX_TYPES])
{
    const duet_json_tape *tape = &reader->where.types;
    size_t types = duet_builder_types(reader->builder);
    bool good = true;
    for (size_t at = 0; at < tape->count && good; at++) {
        duet_json_token token = tape->kept[at].token;
        if (token == DUET_JSON_ARRAY || token == DUET_JSON_ARRAY_END) {
            good = token == DUET_JSON_ARRAY_END || at == 0;
            continue;
        }
        size_t type =
            token == DUET_JSON_STRING
                ? duet_builder_find_type(reader->builder, tape->text + tape->kept[at].text)
                : types;
        good = type < types;
        named[type] = named[type] || good;
    }
    return good;
}

void duet_json_forbid_types(duet_json_task_reader *reader, duet_json_task *task)
{
    bool named[DUET_MAX_TYPES + 1] = {false};
    const duet_json_where *where = &reader->where;
    size_t types = duet_builder_types(reader->builder);
    if (!where->said) {
        return;
    }
    if (types == 0) {
        refuse(reader, ", before these are known (\"platform\" in front of the tasks)");
        return;
    }
    if (!find_types(reader, named)) {
        refuse(reader, ", by other names than those of the types");
        return;
    }
    if (task->law.law) {
        refuse(reader, ", beside the law of all types");
        return;
    }
    for (size_t t = 0; t < task->time_count; t++) {
        if (named[t] == where->forbids) {
            task->times[t] = (duet_json_time){.time = {.forbidden = true}};
        }
    }
}
