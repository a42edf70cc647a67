// SPDX-License-Identifier: Apache-2.0
// `--tuning NAME=VALUE`: what it changes, what it takes out of the arguments, what it refuses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "console/tuning.h"
#include "heuristics/graph_search/tuning.h"
#include "lp/graph/timed/tuning.h"

enum { MOST = 8 };

// Whether these arguments, which end with a null, are taken; `left` of them stay.
static bool tune(const char *const *given, int *left, char **argv)
{
    *left = 0;
    while (given[*left] != NULL) {
        argv[*left] = (char *)given[*left];
        ++*left;
    }
    return duet_cli_tune(left, argv);
}

static void test_others_stay(void **state)
{
    (void)state;
    char *argv[MOST];
    int left = 0;
    assert_true(
        tune((const char *[]){"exact", "--set", "main", "--tuningfork", NULL}, &left, argv));
    assert_int_equal(left, 4);
    assert_string_equal(argv[3], "--tuningfork");
}

#ifdef DUET_TUNING

static void test_changes(void **state)
{
    (void)state;
    char *argv[MOST];
    int left = 0;
    assert_int_equal(DUET_GRAPH_ROUND_TRIALS, 4);
    assert_true(tune((const char *[]){"exact", "--tuning", "DUET_GRAPH_ROUND_TRIALS=7", "-j",
                                      "--tuning=DUET_TIMED_SHORTER=0.5", NULL},
                     &left, argv));
    assert_int_equal(left, 2);
    assert_string_equal(argv[1], "-j");
    assert_int_equal(DUET_GRAPH_ROUND_TRIALS, 7);
    assert_true(DUET_TIMED_SHORTER == 0.5);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"DUET_NONE=1",
                                        "DUET_GRAPH_ROUND_TRIALS",
                                        "DUET_GRAPH_ROUND_TRIALS=",
                                        "DUET_GRAPH_ROUND_TRIALS=0",
                                        "DUET_GRAPH_ROUND_TRIALS=-3",
                                        "DUET_GRAPH_ROUND_TRIALS=3x",
                                        "DUET_GRAPH_ROUND_TRIALS=3000000000",
                                        "DUET_TIMED_SHORTER=nan",
                                        ""};
    int before = DUET_GRAPH_ROUND_TRIALS;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *argv[MOST];
        int left = 0;
        assert_false(tune((const char *[]){"exact", "--tuning", wrong[i], NULL}, &left, argv));
        assert_int_equal(DUET_GRAPH_ROUND_TRIALS, before);
    }
}

#else

static void test_changes(void **state)
{
    (void)state;
    assert_int_equal(DUET_GRAPH_ROUND_TRIALS, 4);
}

static void test_refused(void **state)
{
    (void)state;
    char *argv[MOST];
    int left = 0;
    assert_false(tune((const char *[]){"exact", "--tuning", "DUET_GRAPH_ROUND_TRIALS=7", NULL},
                      &left, argv));
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_others_stay),
                                       cmocka_unit_test(test_changes),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
