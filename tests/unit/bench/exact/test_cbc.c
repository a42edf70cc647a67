// SPDX-License-Identifier: Apache-2.0
// What `duet bench exact` reads of CBC: solution files and messages.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/exact/cbc.h"
#include "bench/exact/exact.h"

// A program of three tasks of 5 and 3 and one of 7 that the GPU cannot run, on two CPUs and a GPU.
typedef struct cbc_fixture {
    duet_instance *instance;
    duet_program program;
} cbc_fixture;

static int cbc_setup(void **state)
{
    static cbc_fixture fixture;
    static const int64_t counts[] = {3, 1};
    static const int64_t times[] = {5, 3, 7, DUET_FORBIDDEN};
    static const duet_type platform[2] = {{"cpu", 2}, {"gpu", 1}};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = 2,
                                     .counts = counts,
                                     .times = times};
    *state = &fixture;
    return duet_instance_create(&desc, &fixture.instance, NULL) != DUET_OK ||
           duet_program_create(fixture.instance, 7, &fixture.program, NULL) != DUET_OK;
}

static int cbc_teardown(void **state)
{
    cbc_fixture *fixture = *state;
    duet_program_free(&fixture->program);
    duet_instance_free(fixture->instance);
    return 0;
}

static duet_code read_text(const cbc_fixture *fixture, const char *text, duet_cbc_answer *answer,
                           duet_error *error)
{
    char path[] = "/tmp/duet-cbc-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
    *answer = (duet_cbc_answer){.claimed = -1};
    duet_code code = duet_cbc_read_solution(path, &fixture->program, answer, error);
    unlink(path);
    return code;
}

static void cbc_optimal(void **state)
{
    duet_cbc_answer answer;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(read_text(*state,
                               "Optimal - objective value 8.00000000\n"
                               "      0 Cmax                   8                       0\n"
                               "      1 x_0_0_0                1                       0\n"
                               "      2 x_0_0_1                0                       5\n"
                               "**    3 x_0_1_0       1.99999999                       0\n"
                               "      5 x_1_0_1                1                       0\n",
                               &answer, &error),
                     DUET_E_INPUT); // processor 1 of the CPUs cannot have the longest task
    duet_error_clear(&error);
    assert_int_equal(read_text(*state,
                               "Optimal - objective value 7.00000000\n"
                               "      0 Cmax                   7                       0\n"
                               "      2 x_0_0_1                1                       5\n"
                               "**    3 x_0_1_0       1.99999999                       0\n"
                               "      4 x_1_0_0                1                       0\n",
                               &answer, &error),
                     DUET_OK);
    assert_true(answer.optimal);
    assert_true(answer.objective == 7);
    assert_non_null(answer.solution);
    assert_int_equal(duet_solution_makespan(answer.solution), 7);
    const cbc_fixture *fixture = *state;
    assert_int_equal(duet_check_solution(fixture->instance, answer.solution, NULL, NULL, NULL),
                     DUET_OK);
    duet_solution_free(answer.solution);
}

static void cbc_stopped(void **state)
{
    duet_cbc_answer answer;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(read_text(*state,
                               "Stopped on time - objective value 15.00000000\n"
                               " 1 x_0_0_1 3 0\n 4 x_1_0_0 1 0\n",
                               &answer, &error),
                     DUET_OK);
    assert_false(answer.optimal);
    assert_int_equal(duet_solution_makespan(answer.solution), 15);
    duet_solution_free(answer.solution);
    static const char *const none[] = {
        "", "Infeasible - objective value 0.0\n 1 x_0_0_1 3 0\n", "Integer infeasible - x\n",
        ("Stopped on time (no integer solution - continuous used) - objective value 6.5\n"
         " 1 x_0_0_1 0.5 0\n")};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(read_text(*state, none[i], &answer, &error), DUET_OK);
        assert_null(answer.solution);
        assert_false(answer.optimal);
    }
    const cbc_fixture *fixture = *state;
    assert_int_equal(duet_cbc_read_solution("/nonexistent/s", &fixture->program, &answer, &error),
                     DUET_OK);
    assert_null(answer.solution);
}

static void cbc_nonsense(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } wrong[] = {
        {" 1 x_0_0_1 3 0\n", "not all tasks are placed"},
        {" 1 x_0_0_1 4 0\n", "more tasks of a kind"},
        {" 1 x_0_0_1 2.5 0\n", "whole number"},
        {" 1 x_0_0_1 -1 0\n", "not negative"},
        {" 1 x_0_0_1 nan 0\n", "whole number"},
        {" 1 x_0_0_1 1e300 0\n", "whole number"},
        {" 1 x_0_0_9 1 0\n", "does not have"},
        {" 1 x_9_0_0 1 0\n", "does not have"},
        {" 1 x_0_2_0 1 0\n", "does not have"},
        {" 1 x_1_1_0 1 0\n", "does not have"},
        {" 1 x_0_0_99999999999999999999 1 0\n", "does not have"},
        {" 1 x_0_0_-1 1 0\n", "does not have"},
        {" 1 y 1 0\n", "does not have"},
        {" 1 x_0_0_1\n", "expected number, name and value"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        duet_cbc_answer answer;
        duet_error error = DUET_ERROR_INIT;
        snprintf(text, sizeof text, "Optimal - objective value 7\n%s", wrong[i].text);
        assert_int_equal(read_text(*state, text, &answer, &error), DUET_E_INPUT);
        if (strstr(error.message, wrong[i].message) == NULL) {
            fail_msg("'%s' gives '%s'", wrong[i].text, error.message);
        }
        assert_null(answer.solution);
        assert_false(answer.optimal);
    }
}

static void cbc_messages(void **state)
{
    (void)state;
    char path[] = "/tmp/duet-cbc-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    assert_non_null(stream);
    fputs("Result - Stopped on time limit\n\nObjective value:                16814.00000000\n"
          "Lower bound:                    16194.626\nGap:                            0.04\n",
          stream);
    fclose(stream);
    duet_cbc_answer answer = {.claimed = -1};
    assert_int_equal(duet_cbc_read_log(path, &answer, NULL), DUET_OK);
    assert_true(answer.claimed == 16194.626);
    stream = fopen(path, "w");
    assert_non_null(stream);
    fputs("Lower bound: nonsense\n", stream);
    fclose(stream);
    answer.claimed = -1;
    assert_int_equal(duet_cbc_read_log(path, &answer, NULL), DUET_OK);
    assert_true(answer.claimed == -1);
    unlink(path);
    assert_int_equal(duet_cbc_read_log(path, &answer, NULL), DUET_E_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cbc_optimal, cbc_setup, cbc_teardown),
        cmocka_unit_test_setup_teardown(cbc_stopped, cbc_setup, cbc_teardown),
        cmocka_unit_test_setup_teardown(cbc_nonsense, cbc_setup, cbc_teardown),
        cmocka_unit_test(cbc_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
