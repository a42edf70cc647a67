// SPDX-License-Identifier: Apache-2.0
// The JSON pull parser: against jansson on seeded mutations of JSON texts, and its places.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number/random.h"
#include "instances/formats/json/pull.h"

static const char *const seeds[] = {
    "{\"format\": \"duet-instance\", \"version\": 1, \"tasks\": [{\"id\": \"a\", \"times\": "
    "[1, 2.5e-3, null, -0, 0.10E+2]}], \"x\": {}, \"y\": []}",
    "[true, false, null, \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\", "
    "\"\xc3\xa9\xe2\x82\xac"
    "\xf0\x9f\x98\x80\", -12.5e10, 0, 123456789012345678]",
    "{\"a\": {\"b\": {\"c\": [[[[]]], [{}]]}}, \"\": \"\", \"\\u0041\": 1e5}",
    " \t\r\n[ 1 , \"two\" ,\n{ \"three\" : 3 } ] \n",
    "{\"k\": \"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\", \"n\": [0.0, 1E0, -1e-0]}",
};

// What a mutation puts in: every byte the grammar knows, and some it does not.
static const char *const pieces[] = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u",
    "\\ud800",
    "\\udc00",
    "\\u0000",
    "0",
    "1",
    "-",
    "+",
    ".",
    "e",
    "E",
    "1e400",
    "true",
    "nul",
    "null",
    " ",
    "\n",
    "\t",
    "\x01",
    "\x7f",
    "\x80",
    "\xc0\xaf",
    "\xed\xa0\x80",
    "\xf4\x90\x80\x80",
    "\xe2\x82",
    "\xff",
    "//",
    "'",
    "NaN",
    "Infinity",
    "01",
    "00",
    "-0",
    "\"\":",
    "\xef\xbb\xbf",
};

static size_t mutate(duet_random *random, char *text, size_t length, size_t room)
{
    int changes = (int)duet_random_between(random, 1, 4);
    for (int i = 0; i < changes; i++) {
        size_t at = (size_t)duet_random_between(random, 0, (int64_t)length);
        size_t cut = (size_t)duet_random_between(random, 0, 3);
        cut = cut > length - at ? length - at : cut;
        const char *piece = "";
        char byte[2] = {0, 0};
        int64_t kind = duet_random_between(random, 0, 3);
        if (kind == 0) {
            byte[0] = (char)duet_random_between(random, 1, 255);
            piece = byte;
        } else if (kind < 3) {
            piece = pieces[duet_random_between(random, 0,
                                               (int64_t)(sizeof pieces / sizeof *pieces) - 1)];
        }
        size_t added = strlen(piece);
        if (length - cut + added >= room) {
            return length;
        }
        memmove(text + at + added, text + at + cut, length - at - cut);
        for (const char *from = piece; *from != '\0'; from++) {
            text[at++] = *from;
        }
        length = length - cut + added;
    }
    return length;
}

static duet_code parse(char *text, size_t length, duet_error *error)
{
    FILE *stream = fmemopen(text, length, "rb");
    assert_non_null(stream);
    duet_input *input = NULL;
    duet_code code = duet_input_wrap(&input, stream, "text", error);
    assert_int_equal(code, DUET_OK);
    duet_json json;
    duet_json_init(&json, input, error);
    do {
        code = duet_json_next(&json);
    } while (code == DUET_OK && json.token != DUET_JSON_END);
    duet_json_free(&json);
    duet_input_close(input);
    fclose(stream);
    return code;
}

// Where the two differ by design: jansson converts numbers (so huge ones overflow there), a byte
// order mark at the start is skipped here, and NaN and Infinity are read.
static int known_difference(const json_error_t *error, const char *text, size_t length)
{
    return strstr(text, "NaN") != NULL || strstr(text, "Infinity") != NULL ||
           strstr(error->text, "too big") != NULL || strstr(error->text, "overflow") != NULL ||
           (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0);
}

static void test_agrees_with_jansson(void **state)
{
    (void)state;
    duet_random random;
    duet_random_seed(&random, 20260101);
    int accepted = 0;
    for (int round = 0; round < 60000; round++) {
        char text[1024];
        const char *seed = seeds[(size_t)round % (sizeof seeds / sizeof *seeds)];
        size_t length = strlen(seed);
        memcpy(text, seed, length);
        length = mutate(&random, text, length, sizeof text - 1);
        if (length == 0) {
            continue;
        }
        json_error_t reason;
        json_t *value = json_loadb(text, length, 0, &reason);
        duet_error error = DUET_ERROR_INIT;
        duet_code code = parse(text, length, &error);
        text[length] = '\0';
        if ((code == DUET_OK) != (value != NULL) &&
            !(value == NULL && known_difference(&reason, text, length))) {
            fail_msg("round %d: jansson: %s; ours: %s; text: %s", round,
                     value != NULL ? "accepts" : reason.text,
                     code == DUET_OK ? "accepts" : error.message, text);
        }
        accepted += code == DUET_OK;
        json_decref(value);
    }
    // Both outcomes must have been tried in earnest.
    assert_in_range(accepted, 3000, 40000);
}

static void test_every_prefix_is_refused(void **state)
{
    (void)state;
    char text[512];
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        size_t length = strlen(seeds[i]);
        memcpy(text, seeds[i], length);
        while (text[length - 1] == ' ' || text[length - 1] == '\n') {
            length--;
        }
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(parse(text, length, &error), DUET_OK);
        for (size_t cut = 1; cut < length; cut++) {
            duet_error_clear(&error);
            assert_int_equal(parse(text, cut, &error), DUET_E_INPUT);
            assert_true(error.line >= 1 && error.column >= 1);
        }
    }
}

static void expect_text(duet_json *json, duet_json_token token, const char *text, int line,
                        int column)
{
    assert_int_equal(duet_json_next(json), DUET_OK);
    assert_int_equal(json->token, token);
    assert_string_equal(json->text, text);
    assert_int_equal(json->line, line);
    assert_int_equal(json->column, column);
}

static void test_tokens_and_places(void **state)
{
    (void)state;
    char text[] = "{\"a\\u0041\": 12345678901234567890.10,\n  \"\\ud83d\\ude00\": \"\xc3\xa9\" }";
    FILE *stream = fmemopen(text, sizeof text - 1, "rb");
    duet_input *input = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_input_wrap(&input, stream, "text", &error), DUET_OK);
    duet_json json;
    duet_json_init(&json, input, &error);
    assert_int_equal(duet_json_next(&json), DUET_OK);
    assert_int_equal(json.token, DUET_JSON_OBJECT);
    expect_text(&json, DUET_JSON_NAME, "aA", 1, 2);
    expect_text(&json, DUET_JSON_NUMBER, "12345678901234567890.10", 1, 13);
    expect_text(&json, DUET_JSON_NAME, "\xf0\x9f\x98\x80", 2, 3);
    expect_text(&json, DUET_JSON_STRING, "\xc3\xa9", 2, 19);
    assert_int_equal(duet_json_next(&json), DUET_OK);
    assert_int_equal(json.token, DUET_JSON_OBJECT_END);
    assert_int_equal(duet_json_next(&json), DUET_OK);
    assert_int_equal(json.token, DUET_JSON_END);
    duet_json_free(&json);
    duet_input_close(input);
    fclose(stream);
}

// Tokens that lie across the end of the buffer.
static void test_buffer_boundaries(void **state)
{
    (void)state;
    static const char tail[] = "\"\\u20ac\xe2\x82\xac\\\\\", -12.5e3, true]";
    size_t room = DUET_INPUT_BUFFER + sizeof tail + 16;
    char *text = malloc(room);
    assert_non_null(text);
    for (size_t shift = 0; shift < sizeof tail; shift++) {
        size_t blanks = DUET_INPUT_BUFFER - 1 - shift;
        text[0] = '[';
        memset(text + 1, ' ', blanks);
        memcpy(text + 1 + blanks, tail, sizeof tail - 1);
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(parse(text, blanks + sizeof tail, &error), DUET_OK);
    }
    free(text);
}

static void test_depth_and_length_limits(void **state)
{
    (void)state;
    static const size_t deepest = DUET_JSON_MAX_DEPTH;
    char text[2 * (size_t)DUET_JSON_MAX_DEPTH + 3];
    duet_error error = DUET_ERROR_INIT;
    memset(text, '[', deepest);
    memset(text + deepest, ']', deepest);
    assert_int_equal(parse(text, 2 * deepest, &error), DUET_OK);
    memset(text, '[', deepest + 1);
    memset(text + deepest + 1, ']', deepest + 1);
    assert_int_equal(parse(text, 2 * deepest + 2, &error), DUET_E_INPUT);
    size_t length = DUET_JSON_MAX_TEXT + 5;
    char *large = malloc(length);
    assert_non_null(large);
    memset(large, 'x', length);
    large[0] = '[';
    large[1] = '"';
    large[length - 2] = '"';
    large[length - 1] = ']';
    duet_error_clear(&error);
    assert_int_equal(parse(large, length, &error), DUET_E_INPUT);
    free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_jansson),
        cmocka_unit_test(test_every_prefix_is_refused),
        cmocka_unit_test(test_tokens_and_places),
        cmocka_unit_test(test_buffer_boundaries),
        cmocka_unit_test(test_depth_and_length_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
