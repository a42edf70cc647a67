// SPDX-License-Identifier: Apache-2.0
// The boundary around the solver of linear programs: fatal errors, stops, threads and a caller's
// own use of the solver. Nothing in a build without it.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>

#include "core/number/random.h"
#include "core/system/context.h"
#include "lp/lp.h"

#ifdef DUET_WITH_GLPK

#include <glpk.h>

#include "lp/glpk_guard.h"
#include "tests/support/small_lp.h"

// What GLPK ends the process for comes back as our error, and the next solve works.
static void bad_row(void *data)
{
    (void)data;
    glp_prob *problem = glp_create_prob();
    glp_add_rows(problem, 3);
    glp_set_row_bnds(problem, 99, GLP_FR, 0.0, 0.0);
}

static void out_of_memory(void *data)
{
    (void)data;
    glp_mem_limit(1);
    for (int i = 0; i < 100; i++) {
        glp_alloc(1, 1000000);
    }
}

static void fatal_errors_come_back(void **state)
{
    (void)state;
    for (int round = 0; round < 3; round++) {
        duet_error error = DUET_ERROR_INIT;
        bool stopped = true;
        assert_int_equal(duet_glpk_run(bad_row, NULL, NULL, &stopped, &error), DUET_E_INTERNAL);
        assert_non_null(strstr(error.message, "glp_set_row_bnds: i = 99"));
        assert_null(strchr(error.message, '\n'));
        assert_false(stopped);
        duet_small_lp_check(false);
        duet_error_clear(&error);
        assert_int_equal(duet_glpk_run(out_of_memory, NULL, NULL, &stopped, &error), DUET_E_MEMORY);
        duet_small_lp_check(false);
    }
    // Through the interface: the same place set twice.
    duet_lp *lp = duet_small_lp();
    duet_error error = DUET_ERROR_INIT;
    duet_lp_add_entry(lp, 0, 0, 1);
    assert_int_equal(duet_lp_solve(lp, false, NULL, &error), DUET_E_INTERNAL);
    assert_non_null(strstr(error.message, "GLPK failed"));
    duet_lp_free(lp);
    duet_small_lp_check(false);
}

static int own_output(void *info, const char *text)
{
    (void)text;
    ++*(int *)info;
    return 1;
}

// A caller's own problems, hooks and environment are left alone, also by a fatal error.
static void leaves_a_callers_glpk_alone(void **state)
{
    (void)state;
    assert_int_equal(glp_init_env(), 0);
    int lines = 0;
    glp_term_hook(own_output, &lines);
    glp_prob *mine = glp_create_prob();
    glp_add_rows(mine, 5);
    duet_error error = DUET_ERROR_INIT;
    bool stopped;
    assert_int_equal(duet_glpk_run(bad_row, NULL, NULL, &stopped, &error), DUET_E_INTERNAL);
    duet_small_lp_check(false);
    assert_int_equal(lines, 0);
    assert_int_equal(glp_get_num_rows(mine), 5);
    glp_error_hook(NULL, NULL);
    glp_printf("mine\n");
    assert_int_equal(lines, 1);
    glp_delete_prob(mine);
    assert_int_equal(glp_free_env(), 0);
}

static void leaves_no_environment(void **state)
{
    (void)state;
    duet_small_lp_check(false);
    assert_int_equal(glp_free_env(), 1); // there was none
}

// A random assignment program with many columns; the same for the same seed.
static duet_lp *large_program(uint64_t seed, size_t tasks, size_t processors, bool integer)
{
    duet_random random;
    duet_random_seed(&random, seed);
    duet_lp *lp = NULL;
    assert_int_equal(duet_lp_create(&lp, NULL), DUET_OK);
    duet_lp_add_column(lp, 0, INFINITY, 1);
    for (size_t i = 0; i < processors; i++) {
        duet_lp_add_row(lp, -INFINITY, 0);
        duet_lp_add_entry(lp, i, 0, -1);
    }
    for (size_t j = 0; j < tasks; j++) {
        duet_lp_add_row(lp, 1, 1);
        for (size_t i = 0; i < processors; i++) {
            size_t column = duet_lp_columns(lp);
            duet_lp_add_column(lp, 0, 1, 0);
            if (integer) {
                duet_lp_set_integer(lp, column);
            }
            double time = (double)duet_random_between(&random, 1, 10000) * 1e-4;
            duet_lp_add_entry(lp, i, column, time);
            duet_lp_add_entry(lp, processors + j, column, 1);
        }
    }
    return lp;
}

static void check_stop(bool integer, bool deadline)
{
    duet_lp *lp = large_program(5, integer ? 60 : 3000, integer ? 10 : 60, integer);
    duet_cancel *cancel = duet_cancel_create();
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = deadline ? 0.2 : 0;
    params.cancel = cancel;
    duet_context context;
    duet_context_init(&context, &params, NULL);
    if (!deadline) {
        duet_cancel_request(cancel);
    }
    assert_int_equal(integer ? duet_lp_solve_integer(lp, NULL, NULL, &context, NULL)
                             : duet_lp_solve(lp, false, &context, NULL),
                     DUET_OK);
    assert_int_equal(duet_lp_get_status(lp), DUET_LP_STOPPED);
    duet_cancel_free(cancel);
    duet_lp_free(lp);
}

static void stops_in_time(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        check_stop(i % 2 == 1, i / 2 == 1);
    }
}

typedef struct worker {
    pthread_t thread;
    duet_lp *lp;
    duet_code code;
} worker;

static void *solve_in_thread(void *info)
{
    worker *w = info;
    bool stopped;
    duet_glpk_run(bad_row, NULL, NULL, &stopped, NULL);
    w->code = duet_lp_solve(w->lp, false, NULL, NULL);
    return NULL;
}

static void threads_agree(void **state)
{
    (void)state;
    enum { count = 8 };
    worker workers[count];
    for (size_t i = 0; i < count; i++) {
        workers[i].lp = large_program(11, 150, 8, false);
        assert_int_equal(pthread_create(&workers[i].thread, NULL, solve_in_thread, &workers[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(workers[i].code, DUET_OK);
        for (size_t j = 0; j < duet_lp_columns(workers[0].lp); j++) {
            assert_true(duet_lp_value(workers[i].lp, j) == duet_lp_value(workers[0].lp, j));
        }
    }
    for (size_t i = 0; i < count; i++) {
        duet_lp_free(workers[i].lp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fatal_errors_come_back), cmocka_unit_test(leaves_a_callers_glpk_alone),
        cmocka_unit_test(leaves_no_environment),  cmocka_unit_test(stops_in_time),
        cmocka_unit_test(threads_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
