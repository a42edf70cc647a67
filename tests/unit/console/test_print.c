// SPDX-License-Identifier: Apache-2.0
// What people are shown of names (core/system/utf8.h), on its ways out: text, errors, JSON, tables.
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <duet/error.h>

#include "console/print.h"
#include "console/table.h"
#include "core/system/output.h"
#include "core/system/utf8.h"

enum { LAST_POINT = 0x10FFFF, SURROGATE = 0xD800, BEHIND_SURROGATES = 0xE000 };

// The code points that must not be shown as they are, written down once more.
static bool is_listed(unsigned long point)
{
    static const unsigned long ranges[][2] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},
                                              {0x200E, 0x200F}, {0x2028, 0x2029}, {0x202A, 0x202E},
                                              {0x2066, 0x2069}};
    bool listed = false;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        listed = listed || (point >= ranges[i][0] && point <= ranges[i][1]);
    }
    return listed;
}

// Each code point but NUL as a text of its own.
static void every_point(void (*check)(unsigned long point, const char *text))
{
    for (unsigned long point = 1; point <= LAST_POINT; point++) {
        char text[5] = "";
        if (point == SURROGATE) {
            point = BEHIND_SURROGATES;
        }
        text[duet_utf8_encode(point, text)] = '\0';
        check(point, text);
    }
}

static void check_point(unsigned long point, const char *text)
{
    char shown[DUET_SHOWN];
    unsigned long decoded = 0;
    const unsigned char *bytes = (const unsigned char *)text;
    assert_int_equal(duet_utf8_decode(bytes, strlen(text), &decoded), strlen(text));
    assert_int_equal(decoded, point);
    assert_int_equal(duet_utf8_show(bytes, strlen(text), shown), strlen(text));
    assert_int_equal(duet_utf8_is_plain(text), !is_listed(point));
    assert_int_equal(strcmp(shown, text) == 0, !is_listed(point));
    for (const char *c = shown; is_listed(point) && *c != '\0'; c++) {
        assert_true(*c > ' ' && *c < 0x7F);
    }
}

static void all_points(void **state)
{
    (void)state;
    every_point(check_point);
}

static char *print_json(const char *text)
{
    char *made = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&made, &size);
    assert_non_null(stream);
    duet_output_json_string(stream, text);
    fclose(stream);
    return made;
}

// JSON has every name exactly, and plainly.
static void check_json(unsigned long point, const char *text)
{
    (void)point;
    char *made = print_json(text);
    json_t *value = json_loads(made, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    assert_string_equal(json_string_value(value), text);
    assert_true(duet_utf8_is_plain(made));
    json_decref(value);
    free(made);
}

static void all_points_in_json(void **state)
{
    (void)state;
    every_point(check_json);
    char *made = print_json("a\xFF\xC3(");
    assert_string_equal(made, "\"a\\ufffd\\ufffd(\"");
    free(made);
}

// The bytes that are no UTF-8, and where a cut may be made.
static void escapes(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"plain", "plain"},
        {"a\nb\r\tc", "a\\nb\\r\\tc"},
        {"\x1b[8m\x7f", "\\x1b[8m\\x7f"},
        {"\xC2\x9B"
         "8m",
         "\\u009b8m"},
        {"\xE2\x80\xAE\xE2\x81\xA6\xD8\x9C", "\\u202e\\u2066\\u061c"},
        {"\xFF\xC3(\xED\xA0\x80\xC3", "\\xff\\xc3(\\xed\\xa0\\x80\\xc3"},
        {"\xC3\xA4\xF0\x9F\x98\x80", "\xC3\xA4\xF0\x9F\x98\x80"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[64];
        assert_string_equal(duet_utf8_show_text(cases[i][0], out, sizeof out), cases[i][1]);
        assert_int_equal(duet_utf8_is_plain(cases[i][0]), strcmp(cases[i][0], cases[i][1]) == 0);
        assert_int_equal(duet_cli_width(cases[i][0]),
                         i + 1 < sizeof cases / sizeof *cases ? strlen(cases[i][1]) : 3);
    }
    assert_int_equal(duet_cli_width("\xE6\x95\xB0\xE6\x8D\xAE"), 4); // wide characters
    assert_int_equal(duet_cli_width("e\xCC\x81"), 1);                // a letter and its accent
    char few[6];
    assert_string_equal(duet_utf8_show_text("ab\x1b", few, sizeof few), "ab");
    assert_string_equal(duet_utf8_show_text("abcd\xC3\xA4", few, sizeof few), "abcd");
    assert_string_equal(duet_utf8_show_text("abcde", few, sizeof few), "abcde");
}

// `printed` is what duet_cli_print() was to write; then the stream begins anew.
static void expect_printed(FILE *stream, char **text, const char *expected)
{
    fflush(stream);
    assert_string_equal(*text, expected);
    rewind(stream);
}

#define SAME(...)                                                                                  \
    do {                                                                                           \
        char expected[512];                                                                        \
        snprintf(expected, sizeof expected, __VA_ARGS__);                                          \
        duet_cli_print(stream, __VA_ARGS__);                                                       \
        fputc('\0', stream);                                                                       \
        expect_printed(stream, &text, expected);                                                   \
    } while (0)
#define SHOWN(expected, ...)                                                                       \
    do {                                                                                           \
        duet_cli_print(stream, __VA_ARGS__);                                                       \
        fputc('\0', stream);                                                                       \
        expect_printed(stream, &text, expected);                                                   \
    } while (0)

// Where a text is plain ASCII, the format means what printf() means by it.
static void as_printf(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    SAME("no conversion\n");
    SAME("%% %s %%%d", "a", 3);
    for (int width = 0; width < 5; width++) {
        SAME("|%*s|%-*s|%*.*s|%-*.2s|", width, "abc", width, "abc", width, width, "abc", width,
             "abc");
        SAME("|%*d|%-*d|%0*d|%+*d|%*.3d|", width, -7, width, 7, width + 1, 7, width, 7, width, 7);
        SAME("|%*.2f|%-*.1f|%.*f|%*g|%+.3e|", width, 2.5, width, -0.25, width, 1e3, width, 1e-9,
             3.0);
    }
    SAME("|%4.1f|%8s|%-8s|%3.*s|%.0s|", 3.14159, "right", "left", 2, "abc", "none");
    SAME("%d %d %u %x %04x", INT_MAX, INT_MIN, UINT_MAX, 0xBEEFU, 0xAU);
    SAME("%ld %ld %lu %lx", LONG_MAX, LONG_MIN, ULONG_MAX, ULONG_MAX);
    SAME("%lld %lld %llu %016llx", LLONG_MAX, LLONG_MIN, ULLONG_MAX, 0xABCULL);
    SAME("%zu %zu %c%c", SIZE_MAX, (size_t)0, 'x', '-');
    SAME("%9s|%g|%s", "", 0.1, "");
    fclose(stream);
    free(text);
}

static void names_in_formats(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    SHOWN("\x1b[Kname \\x1b[K\n", "\x1b[Kname %s\n", "\x1b[K");
    SHOWN("|  \xC3\xA4|\xC3\xA4  |  \\n|\\n  |", "|%3s|%-3s|%4s|%-4s|", "\xC3\xA4", "\xC3\xA4",
          "\n", "\n");
    // A character that a precision would part is left out.
    SHOWN("|a|a\xC3\xA4|a\xC3\xA4|", "|%.2s|%.3s|%.9s|",
          "a\xC3\xA4"
          "b",
          "a\xC3\xA4"
          "b",
          "a\xC3\xA4");
    SHOWN("a\\xc3|", "%.9s|", "a\xC3");
    SHOWN("-\\x1b: no", "-%c: no", '\x1b');
    SHOWN("-\\xc3: no", "-%c: no", '\xc3');
    const char unended[3] = {'a', 'b', 'c'};
    SHOWN("abc", "%.*s", 3, unended);
    fclose(stream);
    free(text);
}

// A message is one line of whole characters, also where it is cut.
static void messages(void **state)
{
    (void)state;
    char name[700];
    char line[2000];
    for (size_t shift = 0; shift < 8; shift++) {
        static const char *const parts[] = {"\xC3\xA4", "\xE2\x80\xAE", "\xF0\x9F\x98\x80", "\n"};
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            duet_error error = DUET_ERROR_INIT;
            memset(name, 'x', shift);
            name[shift] = '\0';
            while (strlen(name) + 5 < sizeof name) {
                strcat(name, parts[p]);
            }
            duet_error_set_at(&error, DUET_E_INPUT, name, 1, 2, "%s", name);
            assert_true(duet_utf8_is_plain(error.message));
            assert_true(strlen(error.message) + 8 > sizeof error.message);
            duet_error_format(&error, line, sizeof line);
            assert_null(strchr(line, '\n'));
        }
    }
}

static char *print_table(duet_cli_format format)
{
    char *made = NULL;
    size_t size = 0;
    duet_cli_table table;
    FILE *stream = open_memstream(&made, &size);
    assert_non_null(stream);
    duet_cli_table_init(&table, "lr");
    static const char *const cells[] = {"name",           "n", "a\nb",     "1",
                                        "\xE2\x80\xAE|&", "2", "\xC3\xA4", "3"};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        duet_cli_table_add(&table, cells[i]);
    }
    duet_cli_table_print_as(&table, format, stream);
    duet_cli_table_free(&table);
    fclose(stream);
    return made;
}

// Columns are as wide as what is shown. CSV, which is no text for people, is exact.
static void tables(void **state)
{
    (void)state;
    static const char *const expected[] = {
        [DUET_CLI_TEXT_TABLE] =
            "  name      n\n  a\\nb      1\n  \\u202e|&  2\n  \xC3\xA4         3\n",
        [DUET_CLI_CSV] = "name,n\n\"a\nb\",1\n\xE2\x80\xAE|&,2\n\xC3\xA4,3\n",
        [DUET_CLI_MARKDOWN] =
            "| name | n |\n|---|---:|\n| a\\nb | 1 |\n| \\u202e\\|& | 2 |\n| \xC3\xA4 | 3 |\n",
        [DUET_CLI_LATEX] =
            ("\\begin{tabular}{lr}\n\\hline\nname & n \\\\\n\\hline\na\\textbackslash{}nb & 1 "
             "\\\\\n"
             "\\textbackslash{}u202e|\\& & 2 \\\\\n\xC3\xA4 & 3 \\\\\n\\hline\n\\end{tabular}\n")};
    for (size_t f = 0; f < sizeof expected / sizeof *expected; f++) {
        char *made = print_table((duet_cli_format)f);
        assert_string_equal(made, expected[f]);
        free(made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_points),
                                       cmocka_unit_test(all_points_in_json),
                                       cmocka_unit_test(escapes),
                                       cmocka_unit_test(as_printf),
                                       cmocka_unit_test(names_in_formats),
                                       cmocka_unit_test(messages),
                                       cmocka_unit_test(tables)};
    return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
