// SPDX-License-Identifier: Apache-2.0
// The options table: what is out of range is rejected, defaults come from the table.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/options.h"
#include "core/system/try.h"

static const duet_option_spec table[] = {
    {"level", DUET_OPTION_INTEGER, "3", 1, 9, NULL, "", "an integer"},
    {"scale", DUET_OPTION_DECIMAL, "1.5", 0, 2000, NULL, "", "a decimal"},
    {"warm", DUET_OPTION_BOOLEAN, "true", 0, 0, NULL, "", "a boolean"},
    {"side", DUET_OPTION_CHOICE, "auto", 0, 0, "auto|cpu|gpu", "", "a choice"},
    {"file", DUET_OPTION_TEXT, "", 0, 0, NULL, "", "a text"},
    {"gap", DUET_OPTION_SHARE, "0", 0, 2 * (int64_t)DUET_BILLION, NULL, "", "a share"},
    {.name = NULL}};

static duet_code check_one(const char *assignment, duet_error *error)
{
    duet_options *options;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    duet_code code = duet_options_add(options, assignment, error);
    DUET_THEN(code, duet_options_check(options, table, "algo", error));
    duet_options_free(options);
    return code;
}

static void defaults_and_values(void **state)
{
    (void)state;
    assert_int_equal(duet_option_integer(NULL, table, "level"), 3);
    assert_int_equal(duet_option_thousandths(NULL, table, "scale"), 1500);
    assert_true(duet_option_boolean(NULL, table, "warm"));
    assert_int_equal(duet_option_choice(NULL, table, "side"), 0);
    duet_options *options;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    static const char *const given[] = {"level=9",  "scale=0.25", "warm=false",
                                        "side=gpu", "level=1",    "file=a=b"};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        assert_int_equal(duet_options_add(options, given[i], NULL), DUET_OK);
    }
    assert_int_equal(duet_options_check(options, table, "algo", NULL), DUET_OK);
    assert_int_equal(duet_option_integer(options, table, "level"), 1); // the later one
    assert_int_equal(duet_option_thousandths(options, table, "scale"), 250);
    assert_false(duet_option_boolean(options, table, "warm"));
    assert_int_equal(duet_option_choice(options, table, "side"), 2);
    assert_string_equal(duet_option_text(options, table, "file"), "a=b");
    duet_options_free(options);
}

// Shares are exact: decimals and percent, to a billionth.
static void shares(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t billionths;
    } cases[] = {{"gap=0", 0},
                 {"gap=1%", 10000000},
                 {"gap=0.001", 1000000},
                 {"gap=.1%", 1000000},
                 {"gap=0.000000001", 1},
                 {"gap=0.0000001%", 1},
                 {"gap=1e-9", 1},
                 {"gap=1.234567891", 1234567891},
                 {"gap=200%", 2000000000},
                 {"gap=2", 2000000000},
                 {"gap=33.3333333%", 333333333}};
    assert_int_equal(duet_option_billionths(NULL, table, "gap"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        duet_options *options;
        assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
        assert_int_equal(duet_options_add(options, cases[i].text, NULL), DUET_OK);
        assert_int_equal(duet_options_check(options, table, "algo", NULL), DUET_OK);
        assert_int_equal(duet_option_billionths(options, table, "gap"), cases[i].billionths);
        duet_options_free(options);
    }
}

static void rejects(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"level", "expected key=value"},
        {"=3", "expected key=value"},
        {"level=0", "expected a whole number from 1 to 9"},
        {"level=10", "expected a whole number from 1 to 9"},
        {"level=", "expected a whole number"},
        {"level=3.0", "expected a whole number"},
        {"level=99999999999999999999", "expected a whole number"},
        {"scale=2.001", "expected a number from 0 to 2"},
        {"scale=0.0001", "at most 3 places"},
        {"scale=-1", "expected a number from 0 to 2"},
        {"scale=.", "expected a number from 0 to 2"},
        {"warm=yes", "expected true or false"},
        {"side=both", "expected auto|cpu|gpu"},
        {"side=aut", "expected auto|cpu|gpu"},
        {"gap=", "expected a share from 0 to 2, such as 0.01 or 1%"},
        {"gap=%", "expected a share"},
        {"gap=1 %%", "expected a share"},
        {"gap=x", "expected a share"},
        {"gap=nan", "expected a share"},
        {"gap=-1%", "expected a share"},
        {"gap=2.1", "expected a share from 0 to 2"},
        {"gap=1e-10", "at most 9 places"},
        {"gap=0.00000001%", "at most 9 places"},
        {"gap=9999999999999999999", "expected a share"},
        {"colour=red", "expected one of level, scale, warm, side, file, gap"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(check_one(wrong[i][0], &error), DUET_E_USAGE);
        if (strstr(error.message, wrong[i][1]) == NULL) {
            fail_msg("%s: '%s' lacks '%s'", wrong[i][0], error.message, wrong[i][1]);
        }
    }
    duet_options *options;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    assert_int_equal(duet_options_add(options, "a=1", NULL), DUET_OK);
    assert_int_equal(duet_options_check(options, NULL, "algo", NULL), DUET_E_USAGE);
    duet_options_free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults_and_values),
                                       cmocka_unit_test(shares), cmocka_unit_test(rejects)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
