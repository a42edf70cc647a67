// SPDX-License-Identifier: Apache-2.0
// Tokens of JSON that are kept and read again: for values that mean something only once others are
// known, and for what is made of them.
#include <string.h>

#include "core/system/memory.h"
#include "core/system/vec.h"
#include "instances/formats/json/token.h"

static void put(duet_json *json, duet_json_tape *tape, duet_json_kept kept, const char *text)
{
    kept.text = tape->used;
    duet_json_then(json, duet_vec_push(tape->kept, tape->count, json->error, kept));
    duet_json_then(json, duet_vec_reserve(tape->text, tape->used + kept.length + 1, json->error));
    if (json->code == DUET_OK) {
        memcpy(tape->text + tape->used, text, kept.length);
        tape->text[tape->used + kept.length] = '\0';
        tape->used += kept.length + 1;
    }
}

static bool has_text(duet_json_token token)
{
    return token == DUET_JSON_NAME || token == DUET_JSON_STRING || token == DUET_JSON_NUMBER;
}

void duet_json_put(duet_json *json, duet_json_tape *tape, duet_json_token token, const char *text)
{
    text = text == NULL ? "" : text;
    put(json, tape, (duet_json_kept){token, json->line, json->column, 0, strlen(text)}, text);
}

void duet_json_keep_rest(duet_json *json, duet_json_tape *tape)
{
    int depth = 0;
    while (json->code == DUET_OK) {
        bool text = has_text(json->token);
        put(json, tape,
            (duet_json_kept){json->token, json->line, json->column, 0, text ? json->length : 0},
            text ? json->text : "");
        depth += duet_json_deeper(json->token);
        if (depth == 0) {
            return;
        }
        duet_json_next(json);
    }
}

size_t duet_json_copy(duet_json *json, duet_json_tape *tape, const duet_json_tape *from, size_t at)
{
    int depth = 0;
    do {
        const duet_json_kept *kept = &from->kept[at++];
        put(json, tape, *kept, from->text + kept->text);
        depth += duet_json_deeper(kept->token);
    } while (depth > 0);
    return at;
}

void duet_json_replay(duet_json *json, const duet_json_tape *tape)
{
    json->tape = tape->count > 0 ? tape : NULL;
    json->played = 0;
}

void duet_json_tape_free(duet_json_tape *tape)
{
    duet_free(tape->kept);
    duet_free(tape->text);
    *tape = (duet_json_tape){.count = 0};
}
