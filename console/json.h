// SPDX-License-Identifier: Apache-2.0
// A small streaming JSON writer: commas, indentation and escapes.
#ifndef DUET_CONSOLE_JSON_H
#define DUET_CONSOLE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/export.h>

typedef struct duet_cli_json {
    FILE *stream;
    int depth;
    bool empty; // nothing was written yet at this depth
} duet_cli_json;

// `key` is NULL for the elements of an array and for the outermost value. `bracket` is '{' or '['.
void duet_cli_json_open(duet_cli_json *json, const char *key, char bracket);
// `bracket` is '}' or ']'. The end of the outermost value ends the line.
void duet_cli_json_close(duet_cli_json *json, char bracket);
// NULL is written as null. Bytes that are not UTF-8 become U+FFFD.
void duet_cli_json_string(duet_cli_json *json, const char *key, const char *value);
// A number that is formatted already, exactly.
void duet_cli_json_number(duet_cli_json *json, const char *key, const char *digits);
void duet_cli_json_integer(duet_cli_json *json, const char *key, int64_t value);
// With `places` decimals; null where it is not finite or negative (unknown).
void duet_cli_json_decimal(duet_cli_json *json, const char *key, double value, int places);
void duet_cli_json_boolean(duet_cli_json *json, const char *key, bool value);

// Members at once: "key:%s key:%.6f", separated by blanks. %s is a string, %d a boolean, %zu and
// PRId64 integers, %.Nf a decimal of N places.
void duet_cli_json_members(duet_cli_json *json, const char *format, ...) DUET_PRINTF(2, 3);
// An object of such members.
void duet_cli_json_object(duet_cli_json *json, const char *key, const char *format, ...)
    DUET_PRINTF(3, 4);

#endif
