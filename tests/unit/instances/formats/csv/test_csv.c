// SPDX-License-Identifier: Apache-2.0
// Records of CSV.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <duet/solve.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "instances/formats/csv/csv.h"

static void read_fields(const char *text, size_t records, const size_t *fields,
                        const char *const *expected)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    fputs(text, stream);
    rewind(stream);
    duet_input *input;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_input_wrap(&input, stream, "table", &error), DUET_OK);
    duet_csv csv = duet_csv_over(input, 8, "at most 8 fields", &error);
    size_t at = 0;
    for (size_t r = 0; r < records; r++) {
        assert_int_equal(duet_csv_next(&csv), DUET_OK);
        assert_int_equal(csv.count, fields[r]);
        for (size_t f = 0; f < csv.count; f++) {
            assert_string_equal(duet_csv_text(&csv, f), expected[at++]);
        }
    }
    assert_int_equal(duet_csv_next(&csv), DUET_OK);
    assert_int_equal(csv.count, 0);
    duet_csv_free(&csv);
    duet_input_close(input);
    fclose(stream);
}

static void test_csv(void **state)
{
    (void)state;
    read_fields("a, b ,c\r\n\r\n\"x,\"\"y\"\"\nz\",,\t\n\n1,2", 3, (size_t[]){3, 3, 2},
                (const char *const[]){"a", "b", "c", "x,\"y\"\nz", "", "", "1", "2"});
    read_fields("\xEF\xBB\xBFratio\n", 1, (size_t[]){1}, (const char *const[]){"ratio"});
    read_fields("", 0, NULL, NULL);
}

// A last line without a line break, where that is left out.
static void check_cut(const char *text, size_t records, bool cut, duet_code last)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    fputs(text, stream);
    rewind(stream);
    duet_input *input;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_input_wrap(&input, stream, "table", &error), DUET_OK);
    duet_csv csv = duet_csv_over(input, 3, "at most 3 fields", &error);
    csv.cut = DUET_CSV_CUT_LEAVES;
    for (size_t i = 0; i < records; i++) {
        assert_int_equal(duet_csv_next(&csv), DUET_OK);
        assert_true(csv.count > 0);
    }
    assert_int_equal(duet_csv_next(&csv), last);
    assert_int_equal(error.code, last);
    assert_int_equal(csv.count == 0, last == DUET_OK);
    assert_int_equal(csv.cut == DUET_CSV_CUT_LEFT, cut);
    duet_csv_free(&csv);
    duet_input_close(input);
    fclose(stream);
}

static void test_csv_cut(void **state)
{
    (void)state;
    check_cut("a,b\n1,2\n", 2, false, DUET_OK);
    check_cut("a,b\n1,2\n\n\n  ", 2, false, DUET_OK);
    check_cut("a,b\n1,2", 1, true, DUET_OK);
    check_cut("a,b\r\n1,2\r", 1, true, DUET_OK);
    check_cut("a,b\n1,\"x", 1, true, DUET_OK);
    check_cut("a,b\n1,\"x\"", 1, true, DUET_OK);
    check_cut("a,b\n1,\xC3", 1, true, DUET_OK);
    check_cut("a,b\n1,\"x\n2,3", 1, false, DUET_E_INPUT); // the quote swallowed a line
    check_cut("a,b\n1,x\"\n", 1, false, DUET_E_INPUT);
    check_cut("a,b\n1,2,3,4", 1, false, DUET_E_INPUT);
    check_cut("", 0, false, DUET_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_csv_cut),
    };
    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
