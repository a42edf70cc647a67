// SPDX-License-Identifier: Apache-2.0
// The tokens of the JSON pull parser; for pull.c alone.
#ifndef DUET_INSTANCES_FORMATS_JSON_TOKEN_H
#define DUET_INSTANCES_FORMATS_JSON_TOKEN_H

#include "instances/formats/json/pull.h"

// How much deeper what follows a token is: 1, 0 or -1.
int duet_json_deeper(duet_json_token token);

// Skips white space, marks the place of the next token, and returns its first byte (-1: none).
int duet_json_blank(duet_json *json);
// Fails at the next byte: "expected WHAT, found BYTE"; or with the read fault behind it.
void duet_json_unexpected(duet_json *json, const char *expected);
// Each reads one token from its first byte into json->text.
void duet_json_scan_string(duet_json *json);
void duet_json_scan_number(duet_json *json);
// true, false, null, and what programs write in its place, NaN and Infinity: sets json->token.
void duet_json_scan_word(duet_json *json);

#endif
