// SPDX-License-Identifier: Apache-2.0
// The columns of a study: what they write, read back and show as JSON; and statistics of studies.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/run/columns.h"
#include "bench/run/statistics.h"
#include "tests/support/scratch_file.h"

typedef struct row {
    const char *name;
    char note[8];
    int64_t integer;
    uint64_t number;
    double real;
    int64_t ticks;
    int decimals;
    bool there;
} row;

static bool is_there(const void *r)
{
    return ((const row *)r)->there;
}

static double half(const void *r)
{
    return ((const row *)r)->real / 2;
}

static void write_there(const void *r, char text[DUET_COLUMN_ROOM])
{
    snprintf(text, DUET_COLUMN_ROOM, "%s", is_there(r) ? "there" : "gone");
}

static bool read_there(void *r, const char *text)
{
    ((row *)r)->there = strcmp(text, "there") == 0;
    return ((row *)r)->there || strcmp(text, "gone") == 0;
}

#define AT(member) .offset = offsetof(row, member)
#define RESULT .role = DUET_COLUMN_RESULT
static const duet_column columns[] = {
    {"name", DUET_COLUMN_KEY, DUET_COLUMN_TEXT, AT(name)},
    {"there", RESULT, DUET_COLUMN_OWN, .write = write_there, .read = read_there},
    {"integer", RESULT, DUET_COLUMN_INTEGER, AT(integer), .applies = is_there},
    {"number", RESULT, DUET_COLUMN_NUMBER, AT(number)},
    {"real", RESULT, DUET_COLUMN_REAL, AT(real), .format = "%.3f", .places = 1},
    {"half", RESULT, DUET_COLUMN_REAL, .value = half, .format = "%.2f", .csv_only = true},
    {"ticks", RESULT, DUET_COLUMN_TICKS, AT(ticks), .decimals = offsetof(row, decimals)},
    {"note", RESULT, DUET_COLUMN_CHARS, AT(note), .size = sizeof((row *)NULL)->note},
    {.name = NULL}};

static void expect(const row *r, const char *name, const char *results)
{
    char text[256];
    assert_int_equal(duet_columns_write(columns, DUET_COLUMN_KEY, r, text, sizeof text, NULL),
                     DUET_OK);
    assert_string_equal(text, name);
    assert_int_equal(duet_columns_write(columns, DUET_COLUMN_RESULT, r, text, sizeof text, NULL),
                     DUET_OK);
    assert_string_equal(text, results);
    row back = {.decimals = r->decimals, .real = -1};
    assert_int_equal(duet_columns_read(columns, DUET_COLUMN_RESULT, text, &back, NULL), DUET_OK);
    assert_true(back.there == r->there && back.number == r->number && back.ticks == r->ticks);
    assert_true(back.integer == (r->there ? r->integer : 0) && back.real == r->real);
    assert_string_equal(back.note, r->note);
    assert_int_equal(
        duet_columns_write(columns, DUET_COLUMN_RESULT, &back, text, sizeof text, NULL), DUET_OK);
    assert_string_equal(text, results);
}

static void test_round_trip(void **state)
{
    (void)state;
    row r = {"plain", "", -7, UINT64_MAX, 1.5, 1205, 2, true};
    expect(&r, "plain", "there,-7,18446744073709551615,1.500,0.75,12.05,");
    r = (row){"a, \"b\"", "x,\"\"y", INT64_MIN, 0, -1, 0, 0, true};
    expect(&r, "\"a, \"\"b\"\"\"", "there,-9223372036854775808,0,,,0,\"x,\"\"\"\"y\"");
    r = (row){"", "\"", 5, 1, 0, 3, 1, false};
    expect(&r, "", "gone,,1,0.000,0.00,0.3,\"\"\"\"");
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "there,1,2,3,4,5",
                                      "there,1,2,3,4,5,n,more",
                                      "where,1,2,3,4,5,n",
                                      "there,x,2,3,4,5,n",
                                      "there,1 ,2,3,4,5,n",
                                      "there,99999999999999999999,2,3,4,5,n",
                                      "there,1,-2,3,4,5,n",
                                      "there,1,2,nan,4,5,n",
                                      "there,1,2,3,4,5.55,n",
                                      "there,1,2,3,4,5,a note too long"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        row r = {.decimals = 1};
        duet_error error = DUET_ERROR_INIT;
        if (duet_columns_read(columns, DUET_COLUMN_RESULT, bad[i], &r, &error) != DUET_E_INPUT) {
            fail_msg("'%s' is taken", bad[i]);
        }
        assert_non_null(strstr(error.message, "none of this sweep"));
    }
    // What does not fit, and what no row can hold.
    char small[6];
    row r = {.name = "four"};
    assert_int_equal(duet_columns_write(columns, DUET_COLUMN_KEY, &r, small, sizeof small, NULL),
                     DUET_E_LIMIT);
    char text[64];
    r.name = "a\nb";
    assert_int_equal(duet_columns_write(columns, DUET_COLUMN_KEY, &r, text, sizeof text, NULL),
                     DUET_E_LIMIT);
}

static void test_header(void **state)
{
    (void)state;
    char line[128];
    size_t length = duet_columns_header(columns, line, sizeof line);
    assert_string_equal(line, "name,there,integer,number,real,half,ticks,note");
    assert_int_equal(length, strlen(line));
    assert_int_equal(duet_columns_count(columns, DUET_COLUMN_KEY), 1);
    assert_int_equal(duet_columns_count(columns, DUET_COLUMN_RESULT), 7);
    assert_int_equal(duet_columns_count(columns, DUET_COLUMN_STAMP), 0);
}

static void test_json(void **state)
{
    (void)state;
    char text[512] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    duet_cli_json json = {stream, 0, true};
    const row rows[] = {{"a", "", -7, 8, 1.25, 1205, 2, true}, {"", "n", 1, 2, -1, 3, 0, false}};
    for (size_t i = 0; i < 2; i++) {
        duet_cli_json_open(&json, NULL, '{');
        duet_columns_json(columns, &rows[i], &json);
        duet_cli_json_close(&json, '}');
    }
    fclose(stream);
    // Blanks aside.
    char dense[512];
    size_t used = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at != ' ' && *at != '\n') {
            dense[used++] = *at;
        }
    }
    dense[used] = '\0';
    assert_string_equal(dense, "{\"name\":\"a\",\"there\":\"there\",\"integer\":-7,\"number\":8,"
                               "\"real\":1.2,\"ticks\":12.05,\"note\":null}"
                               "{\"name\":null,\"there\":\"gone\",\"number\":2,\"real\":null,"
                               "\"ticks\":3,\"note\":\"n\"}");
}

typedef struct small_row {
    const char *name;
    int count;
} small_row;

// A study that is no sweep: a header, then its rows; without a path, nothing.
static void test_save(void **state)
{
    (void)state;
    static const duet_column small[] = {
        {"name", DUET_COLUMN_OF(small_row, name, DUET_COLUMN_TEXT)},
        {"count", DUET_COLUMN_OF(small_row, count, DUET_COLUMN_INT)},
        {.name = NULL}};
    const small_row rows[] = {{"one", 1}, {"a, b", -2}};
    const small_row broken = {"two\nlines", 1};
    duet_error error = DUET_ERROR_INIT;
    char path[] = "/tmp/duet-columns-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(duet_columns_save(small, rows, 2, sizeof *rows, NULL, &error), DUET_OK);
    assert_int_equal(duet_columns_save(small, rows, 2, sizeof *rows, path, &error), DUET_OK);
    // What cannot be written leaves the file as it was.
    assert_int_equal(duet_columns_save(small, &broken, 1, sizeof broken, path, &error),
                     DUET_E_LIMIT);
    char *text = duet_file_text(path, NULL);
    assert_string_equal(text, "name,count\none,1\n\"a, b\",-2\n");
    free(text);
    close(descriptor);
    unlink(path);
}

static void test_statistics(void **state)
{
    (void)state;
    double values[] = {3, 1, 2, 10};
    duet_statistics found = duet_statistics_of(values, 4);
    assert_int_equal(found.count, 4);
    assert_true(found.mean == 4 && found.median == 2 && found.q90 == 10 && found.largest == 10);
    assert_true(duet_bench_median(values, 4) == 2.5 && duet_bench_median(values, 3) == 2);
    assert_int_equal(duet_statistics_of(values, 0).count, 0);
    duet_fraction gaps[] = {{1, 2}, {1, 3}, {0, 1}};
    duet_sort_fractions(gaps, 3);
    assert_true(gaps[0].num == 0 && gaps[1].den == 3 && gaps[2].den == 2);
    duet_ratio_statistics ratios = {.count = 0};
    static const duet_fraction given[] = {{1, 2}, {3, 4}, {6, 8}, {5, 4}, {1, 4}};
    for (size_t i = 0; i < 5; i++) {
        duet_ratio_statistics_add(&ratios, given[i], 10 + i);
    }
    assert_int_equal(ratios.count, 5);
    assert_int_equal(ratios.where, 13);
    assert_int_equal(ratios.above_half, 3);
    assert_int_equal(ratios.above_one, 1);
    assert_true(ratios.sum == 3.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_header),     cmocka_unit_test(test_json),
        cmocka_unit_test(test_save),       cmocka_unit_test(test_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
