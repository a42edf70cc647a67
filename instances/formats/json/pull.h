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

// A token that is kept. Its text is in the owner's block.
typedef struct duet_json_kept {
    duet_json_token token;
    int line, column;
    size_t text, length;
} duet_json_kept;

// Tokens of values, to be read again: duet_json_replay().
typedef struct duet_json_tape {
    duet_json_kept *kept;
    size_t count;
    char *text; // each with its final NUL
    size_t used;
} duet_json_tape;

// The first failure sticks. Once `code` is not DUET_OK nothing more is read or recorded: every
// function does nothing, and one that returns a boolean returns false. A caller may go on as if all
// went well and ask for `code` once, at its end; only what uses a token must know that there is
// one.
typedef struct duet_json {
    // Inputs.
    duet_input *input; // borrowed
    duet_error *error; // borrowed; the first failure is recorded here
    duet_code code;    // of that failure: DUET_E_INPUT with the place, or DUET_E_MEMORY

    // The current token.
    duet_json_token token;
    int line; // where it begins
    int column;
    char *text; // NAME and STRING decoded, NUMBER as written; ends in NUL
    size_t length;

    // Internal.
    const duet_json_tape *tape; // from which tokens come; NULL: from the file
    size_t played;
    bool discard; // texts are checked but not kept
    int expect;
    size_t depth;
    char nesting[DUET_JSON_MAX_DEPTH]; // '{' or '['
} duet_json;

void duet_json_init(duet_json *json, duet_input *input, duet_error *error);
void duet_json_free(duet_json *json);

// Reads the next token. Returns json->code.
duet_code duet_json_next(duet_json *json);
// Reads the next token, which must be of that kind. Whether it is.
bool duet_json_want(duet_json *json, duet_json_token token, const char *what);
// Behind the outermost value: another one may follow, or the end.
void duet_json_again(duet_json *json);
// Reads over the next value, whatever it is (checked, not kept).
void duet_json_skip(duet_json *json);
// Reads over the rest of the value whose first token is the current one.
void duet_json_skip_rest(duet_json *json);

// Keeps the value whose first token is the current one, all of it, on a tape.
void duet_json_keep_rest(duet_json *json, duet_json_tape *tape);
// Puts a token on a tape; `text` is copied, NULL: it has none.
void duet_json_put(duet_json *json, duet_json_tape *tape, duet_json_token token, const char *text);
// Copies a value from one tape to another; returns where the next one begins.
size_t duet_json_copy(duet_json *json, duet_json_tape *tape, const duet_json_tape *from, size_t at);
// The tokens of a tape come next, before what follows in the file. It stays as it is until then.
void duet_json_replay(duet_json *json, const duet_json_tape *tape);
void duet_json_tape_free(duet_json_tape *tape);

// Fails at the current token.
void duet_json_fail(duet_json *json, const char *format, ...) DUET_PRINTF(2, 3);
// Fails at the current token: "expected WHAT, found TOKEN".
void duet_json_expected(duet_json *json, const char *what);
// Takes over the result of a call that recorded its failure, if it is one, in json->error. Such a
// call is made only while json->code is DUET_OK, for else it would hide the first failure.
void duet_json_note(duet_json *json, duet_code code);
// Makes such a call unless something has failed before.
#define duet_json_then(json, call)                                                                 \
    do {                                                                                           \
        if ((json)->code == DUET_OK) {                                                             \
            duet_json_note(json, call);                                                            \
        }                                                                                          \
    } while (0)

// Within an array: reads the first token of the next element. False at the array's end.
bool duet_json_element(duet_json *json);
// The same where all elements are of one kind; `what` names one in the message that asks for it.
bool duet_json_element_of(duet_json *json, duet_json_token token, const char *what);

// An object while its members are read.
typedef struct duet_json_object {
    const char *const *names; // of the members that are known, at most 32; ends in NULL
    unsigned seen;            // a bit for each of them that was there
    int which;                // the current member's index in `names`, or -1: not among them
    int line;                 // where the object begins
    int column;
} duet_json_object;

// The object whose first token is the current one.
duet_json_object duet_json_open(const duet_json *json, const char *const *names);
// Reads the name of the next member. False at the object's end. A second member of a known name is
// a failure.
bool duet_json_member(duet_json *json, duet_json_object *object);
// Behind a member's name: whether its value is null, which is then read.
bool duet_json_skip_null(duet_json *json);
// As duet_json_member(), but a known member that is null is as if it were not there, unless its bit
// is in `nulls`.
bool duet_json_said(duet_json *json, duet_json_object *object, unsigned nulls);
// Fails where the object begins unless every member in `required` was seen.
void duet_json_require(duet_json *json, const duet_json_object *object, unsigned required,
                       const char *owner);

// Reads the next token as true or false. `what` names it for the message; *value is set all the
// same, to false where it is neither.
void duet_json_boolean(duet_json *json, const char *what, bool *value);

// Reads the next token as a whole number in [minimum, maximum]. `what` names it for the message.
// Whether it is one; *value is set all the same, to 0 where there is no number.
bool duet_json_whole(duet_json *json, const char *what, int64_t minimum, int64_t maximum,
                     int64_t *value);

// The same of the current token.
bool duet_json_this_whole(duet_json *json, const char *what, int64_t minimum, int64_t maximum,
                          int64_t *value);

#endif
