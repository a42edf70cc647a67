// SPDX-License-Identifier: Apache-2.0
// What a file, or a value that is kept, looks like before it is read. For json/instance.c alone.
#include "instances/formats/json/parts.h"

#include <string.h>

#include "instances/formats/fields.h"

// How deep what follows token `at` is, by how deep it is itself.
static int step(const duet_json_tape *tape, size_t at)
{
    switch (tape->kept[at].token) {
    case DUET_JSON_OBJECT:
    case DUET_JSON_ARRAY:
        return 1;
    case DUET_JSON_OBJECT_END:
    case DUET_JSON_ARRAY_END:
        return -1;
    default:
        return 0;
    }
}

bool duet_json_is_order(const duet_json_tape *array)
{
    int depth = 0;
    size_t parts = 0; // of the element
    for (size_t i = 0; i < array->count; i++) {
        int by = step(array, i);
        if (depth == 1 && by == 0) {
            return true;
        }
        parts = depth == 1 ? 0 : parts + (depth == 2 && by >= 0);
        depth += by;
        if (depth == 1 && array->kept[i].token == DUET_JSON_ARRAY_END && parts == 0) {
            return true;
        }
    }
    return false;
}

bool duet_json_holds_tasks(const duet_json_tape *object)
{
    static const char *const names[] = {"tasks", "jobs", "nodes", "task_instances"};
    int depth = 0;
    for (size_t i = 0; i + 2 < object->count; i++) {
        bool list = depth == 1 && object->kept[i].token == DUET_JSON_NAME &&
                    object->kept[i + 1].token == DUET_JSON_ARRAY &&
                    object->kept[i + 2].token == DUET_JSON_OBJECT;
        for (size_t n = 0; n < sizeof names / sizeof *names && list; n++) {
            if (strcmp(object->text + object->kept[i].text, names[n]) == 0) {
                return true;
            }
        }
        depth += step(object, i);
    }
    return false;
}

void duet_json_check_tests(duet_json *json, const duet_names *names)
{
    size_t types = 0;
    bool task = false;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = duet_names_text(names, i);
        duet_meaning meaning = duet_field_meaning(name);
        bool type = meaning == DUET_MEANS_NOTHING && duet_field_is_type_name(name);
        task = task || meaning == DUET_MEANS_ID;
        types += type;
    }
    if (json->code == DUET_OK && (task || (types > 1 && types == names->count))) {
        duet_json_fail(json, "one object of numbers may be a task or the times of several; "
                             "expected [{...}] around one task, or [{\"id\": \"a\", \"cpu\": 3}, "
                             "...] with one for each");
    }
}

bool duet_json_has_lines(duet_input *input)
{
    duet_input_fill(input, DUET_INPUT_LINE);
    const unsigned char *text = input->buffer + input->at;
    size_t left = input->filled - input->at;
    size_t at = 0;
    size_t depth = 0;
    bool quoted = false;
    for (; at < left && text[at] != '\n' && (at == 0 || depth > 0 || quoted); at++) {
        unsigned char byte = text[at];
        if (quoted) {
            at += byte == '\\';
            quoted = byte != '"';
        } else {
            quoted = byte == '"';
            depth += byte == '{' || byte == '[';
            depth -= (byte == '}' || byte == ']') && depth > 0;
        }
    }
    size_t end = at;
    while (at < left &&
           (text[at] == ' ' || text[at] == '\r' || text[at] == '\n' || text[at] == '\t')) {
        at++;
    }
    return left > 0 && text[0] == '{' && depth == 0 && !quoted && at > end && at < left &&
           text[at] == '{';
}
