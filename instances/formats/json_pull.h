// SPDX-License-Identifier: Apache-2.0
// A strict pull parser for JSON (RFC 8259): tokens with line and column, numbers as their exact
// text, memory independent of the file's size. The outermost value is an object or an array, and
// nothing but white space may follow it.
//
// A general JSON library would not do: it turns numbers into doubles, keeps no places for errors in
// meaning, and holds the whole document in memory.
#ifndef DUET_INSTANCES_FORMATS_JSON_PULL_H
#define DUET_INSTANCES_FORMATS_JSON_PULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "instances/formats/input.h"

enum {
    DUET_JSON_MAX_DEPTH = 256,
    DUET_JSON_MAX_TEXT = 1 << 20 // bytes of a string or number that is kept
};

typedef enum duet_json_token {
    DUET_JSON_END, // after the outermost value
    DUET_JSON_OBJECT,
    DUET_JSON_OBJECT_END,
    DUET_JSON_ARRAY,
    DUET_JSON_ARRAY_END,
    DUET_JSON_NAME, // of a member; its value follows
    DUET_JSON_STRING,
    DUET_JSON_NUMBER,
    DUET_JSON_TRUE,
    DUET_JSON_FALSE,
    DUET_JSON_NULL
} duet_json_token;

typedef struct duet_json {
    duet_input *input; // borrowed
    duet_error *error; // borrowed; every failure is recorded here
    duet_json_token token;
    int line; // where the token begins
    int column;
    char *text; // NAME and STRING decoded, NUMBER as written; ends in NUL
    size_t length;
    // Internal from here.
    size_t capacity;
    bool discard; // texts are checked but not kept
    int expect;
    size_t depth;
    char nesting[DUET_JSON_MAX_DEPTH]; // '{' or '['
} duet_json;

void duet_json_init(duet_json *json, duet_input *input, duet_error *error);
void duet_json_free(duet_json *json);

// Reads the next token. DUET_E_INPUT with the place, or DUET_E_MEMORY.
duet_code duet_json_next(duet_json *json);
// Reads over the next value, whatever it is (checked, not kept).
duet_code duet_json_skip(duet_json *json);

// DUET_E_INPUT at the current token.
duet_code duet_json_fail(duet_json *json, const char *format, ...) DUET_PRINTF(2, 3);
// DUET_E_INPUT: "expected WHAT, found TOKEN".
duet_code duet_json_expected(duet_json *json, const char *what);
// Reads the next token, which must be of that kind.
duet_code duet_json_want(duet_json *json, duet_json_token token, const char *what);

// Within an object, after its first token or a member's value: reads the next member's name.
// `*which` receives its index in `names` (ends in NULL), -1 for a name that is not among them,
// and -2 at the object's end. A second member of a listed name is an error; `*seen` collects bits.
duet_code duet_json_member(duet_json *json, const char *const *names, unsigned *seen, int *which);
// DUET_E_INPUT at line and column unless every member in `required` was seen.
duet_code duet_json_require(duet_json *json, const char *const *names, unsigned seen,
                            unsigned required, const char *owner, int line, int column);

// Reads the next token as a whole number in [minimum, maximum]. `what` names it for the message.
duet_code duet_json_whole(duet_json *json, const char *what, int64_t minimum, int64_t maximum,
                          int64_t *value);

#endif
