// SPDX-License-Identifier: Apache-2.0
// The exported assignment program: word for word on a small instance, and read back and solved by
// GLPK against the exhaustive optimum.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "core/number/random.h"
#include "instances/formats/text/program.h"
#include "solvers/cheap_bounds.h"
#include "tests/support/scratch_file.h"

#ifdef DUET_WITH_GLPK
#include <glpk.h>
#endif

static duet_instance *make(int64_t m, int64_t k, size_t kinds, const int64_t *counts,
                           const int64_t *times)
{
    const duet_type platform[2] = {{"cpu", m}, {"gpu", k}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "a\nb",
                               .types = 2,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = times};
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

// The program's text; owned by the caller.
static char *text_of(const duet_instance *instance, int64_t bound, duet_program_format format)
{
    char path[] = "/tmp/duet-program-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    duet_program program;
    duet_error error = DUET_ERROR_INIT;
    if (duet_program_create(instance, bound, &program, &error) != DUET_OK ||
        duet_program_write(&program, format, path, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    duet_program_free(&program);
    char *text = duet_file_text(path, NULL);
    unlink(path);
    return text;
}

// Two equal processors; a kind of two, one that the GPU cannot run, one that takes no time there.
static const int64_t few_counts[] = {2, 1, 1};
static const int64_t few_times[] = {5, 3, 7, DUET_FORBIDDEN, 4, 0};

static void lp_word_for_word(void **state)
{
    (void)state;
    duet_instance *instance = make(2, 1, 3, few_counts, few_times);
    char *text = text_of(instance, 7, DUET_PROGRAM_LP);
    assert_string_equal(
        text,
        "\\ Assignment program of a?b\n"
        "\\ x_K_T_P: tasks of kind K on processor P of type T, all from 0 in the order of the "
        "file\n"
        "\\ Cmax: the makespan in ticks; 0 decimal places of the unit of time\n"
        "Minimize\n obj: Cmax\nSubject To\n"
        " assign_0: x_0_0_0 + x_0_0_1 + x_0_1_0 = 2\n"
        " assign_1: x_1_0_0 = 1\n"
        " assign_2: x_2_0_0 + x_2_0_1 + x_2_1_0 = 1\n"
        " load_0_0: 5 x_0_0_0 + 7 x_1_0_0 + 4 x_2_0_0 - Cmax <= 0\n"
        " load_0_1: 5 x_0_0_1 + 4 x_2_0_1 - Cmax <= 0\n"
        " load_1_0: 3 x_0_1_0 - Cmax <= 0\n"
        "Bounds\n Cmax >= 7\n 0 <= x_0_0_0 <= 2\n 0 <= x_0_0_1 <= 2\n 0 <= x_0_1_0 <= 2\n"
        "Generals\n x_0_0_0\n x_0_0_1\n x_0_1_0\n"
        "Binaries\n x_1_0_0\n x_2_0_0\n x_2_0_1\n x_2_1_0\nEnd\n");
    free(text);
    duet_instance_free(instance);
}

static void mps_word_for_word(void **state)
{
    (void)state;
    duet_instance *instance = make(2, 1, 3, few_counts, few_times);
    char *text = text_of(instance, 7, DUET_PROGRAM_MPS);
    const char *body = strstr(text, "NAME");
    assert_non_null(body);
    assert_string_equal(body,
                        "NAME duet FREE\nROWS\n N obj\n E assign_0\n E assign_1\n E assign_2\n"
                        " L load_0_0\n L load_0_1\n L load_1_0\nCOLUMNS\n"
                        " MARKER 'MARKER' 'INTORG'\n"
                        " x_0_0_0 assign_0 1 load_0_0 5\n x_0_0_1 assign_0 1 load_0_1 5\n"
                        " x_0_1_0 assign_0 1 load_1_0 3\n x_1_0_0 assign_1 1 load_0_0 7\n"
                        " x_2_0_0 assign_2 1 load_0_0 4\n x_2_0_1 assign_2 1 load_0_1 4\n"
                        " x_2_1_0 assign_2 1\n MARKER 'MARKER' 'INTEND'\n"
                        " Cmax obj 1\n Cmax load_0_0 -1\n Cmax load_0_1 -1\n Cmax load_1_0 -1\n"
                        "RHS\n RHS assign_0 2\n RHS assign_1 1\n RHS assign_2 1\n"
                        "BOUNDS\n LO BOUND Cmax 7\n UP BOUND x_0_0_0 2\n UP BOUND x_0_0_1 2\n"
                        " UP BOUND x_0_1_0 2\n BV BOUND x_1_0_0\n BV BOUND x_2_0_0\n"
                        " BV BOUND x_2_0_1\n BV BOUND x_2_1_0\nENDATA\n");
    free(text);
    duet_instance_free(instance);
}

// Times near 2^61 are written digit by digit.
static void large_times_are_exact(void **state)
{
    (void)state;
    const int64_t times[] = {INT64_C(2305843009213693951), INT64_C(2305843009213693953)};
    duet_instance *instance = make(1, 1, 1, NULL, times);
    for (int format = 0; format < 2; format++) {
        char *text = text_of(instance, times[0], (duet_program_format)format);
        assert_non_null(strstr(text, "2305843009213693951"));
        assert_non_null(strstr(text, "2305843009213693953"));
        free(text);
    }
    duet_instance_free(instance);
}

// A million kinds on 100,000 processors are refused before a column is listed; one kind is not.
static void size_is_checked(void **state)
{
    (void)state;
    enum { KINDS = 1000000 };
    int64_t *times = malloc((size_t)2 * KINDS * sizeof *times);
    assert_non_null(times);
    for (size_t i = 0; i < (size_t)2 * KINDS; i++) {
        times[i] = 1;
    }
    duet_instance *instance = make(100000, 8, KINDS, NULL, times);
    duet_program program;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_program_create(instance, 0, &program, &error), DUET_E_LIMIT);
    assert_non_null(strstr(error.message, "too large"));
    duet_instance_free(instance);
    const int64_t count = 10000000;
    instance = make(100000, 8, 1, &count, times);
    assert_int_equal(duet_program_create(instance, 0, &program, NULL), DUET_OK);
    assert_int_equal(program.columns, 100008);
    duet_program_free(&program);
    duet_instance_free(instance);
    free(times);
}

static void refusals(void **state)
{
    (void)state;
    duet_program_format format;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_program_find_format("xls", &format, &error), DUET_E_USAGE);
    assert_non_null(strstr(error.message, "lp or mps"));
    const int64_t times[] = {DUET_FORBIDDEN, 1};
    duet_instance *instance = make(1, 0, 1, NULL, times);
    duet_program program;
    assert_int_equal(duet_program_create(instance, 0, &program, NULL), DUET_E_INFEASIBLE);
    duet_instance_free(instance);
    instance = make(2, 1, 3, few_counts, few_times);
    assert_int_equal(duet_program_create(instance, 0, &program, NULL), DUET_OK);
    duet_error_clear(&error);
    assert_int_equal(duet_program_write(&program, DUET_PROGRAM_LP, "/nonexistent/x.lp", &error),
                     DUET_E_OUTPUT);
    duet_program_free(&program);
    duet_instance_free(instance);
}

#ifdef DUET_WITH_GLPK
static glp_prob *read_back(const char *path, duet_program_format format)
{
    glp_prob *problem = glp_create_prob();
    int failed = format == DUET_PROGRAM_LP ? glp_read_lp(problem, NULL, path)
                                           : glp_read_mps(problem, GLP_MPS_FILE, NULL, path);
    if (failed != 0) {
        glp_delete_prob(problem);
        return NULL;
    }
    return problem;
}

// GLPK takes coefficients of 10^12 for ill-conditioned, and its answers are wrong. What was read is
// put into units of the bound: times and Cmax, so that its coefficient stays -1.
static void scale_times(const duet_program *program, glp_prob *problem)
{
    enum { MOST = 64 };
    int columns[MOST];
    double values[MOST];
    double unit = program->lower_bound > 0 ? (double)program->lower_bound : 1.0;
    for (int r = 1; r <= glp_get_num_rows(problem); r++) {
        if (strncmp(glp_get_row_name(problem, r), "load_", 5) != 0) {
            continue;
        }
        int length = glp_get_mat_row(problem, r, columns, values);
        assert_true(length < MOST);
        for (int e = 1; e <= length; e++) {
            if (strcmp(glp_get_col_name(problem, columns[e]), "Cmax") == 0) {
                assert_true(values[e] == -1);
                glp_set_col_bnds(problem, columns[e], GLP_LO, program->lower_bound > 0, 0);
            } else {
                values[e] /= unit;
            }
        }
        glp_set_mat_row(problem, r, length, columns, values);
    }
}

static void check_bound(const duet_program *program, glp_prob *problem)
{
    glp_create_index(problem);
    int cmax = glp_find_col(problem, "Cmax");
    assert_true(cmax > 0);
    assert_int_equal(glp_get_col_kind(problem, cmax), GLP_CV);
    assert_true(glp_get_col_lb(problem, cmax) == (double)program->lower_bound);
    assert_true(glp_get_obj_coef(problem, cmax) == 1 && glp_get_obj_dir(problem) == GLP_MIN);
}

// The optimum that GLPK finds of the program in a file, its assignment measured in integers; -1
// where it cannot read or solve it.
static int64_t solve_file(const duet_program *program, duet_program_format format, const char *path)
{
    glp_prob *problem = read_back(path, format);
    assert_non_null(problem);
    assert_int_equal(glp_get_num_cols(problem), program->columns + 1);
    check_bound(program, problem);
    glp_iocp how;
    glp_init_iocp(&how);
    how.presolve = GLP_ON;
    scale_times(program, problem);
    bool solved = glp_intopt(problem, &how) == 0 && glp_mip_status(problem) == GLP_OPT;
    int64_t load[DUET_MAX_TYPES][16] = {{0}};
    int64_t makespan = 0;
    int64_t placed = 0;
    for (int c = 1; c <= glp_get_num_cols(problem) && solved; c++) {
        size_t kind;
        size_t type;
        int64_t processor;
        // NOLINTNEXTLINE(cert-err34-c): names of our own making
        if (sscanf(glp_get_col_name(problem, c), "x_%zu_%zu_%" SCNd64, &kind, &type, &processor) !=
            3) {
            assert_string_equal(glp_get_col_name(problem, c), "Cmax");
            continue;
        }
        int64_t most = duet_program_most(program, kind, type, processor);
        assert_int_equal(glp_get_col_kind(problem, c), most == 1 ? GLP_BV : GLP_IV);
        assert_true(glp_get_col_lb(problem, c) == 0 && glp_get_col_ub(problem, c) == (double)most);
        int64_t amount = llround(glp_mip_col_val(problem, c));
        placed += amount;
        load[type][processor] += amount * duet_time(program->instance, kind, type);
        makespan = load[type][processor] > makespan ? load[type][processor] : makespan;
    }
    glp_delete_prob(problem);
    return solved && placed == duet_tasks(program->instance) ? makespan : -1;
}

static void solved_by_glpk(uint64_t seed, const duet_instance *instance, const char *path)
{
    int64_t optimum = duet_exhaustive_optimum(instance);
    int64_t bound = 0;
    duet_program program;
    assert_int_equal(duet_cheap_bound(instance, &bound, NULL), DUET_OK);
    if (bound > optimum) {
        fail_msg("seed %" PRIu64 ": bound %" PRId64 ", optimum %" PRId64, seed, bound, optimum);
    }
    assert_int_equal(duet_program_create(instance, bound, &program, NULL), DUET_OK);
    for (int format = 0; format < 2; format++) {
        assert_int_equal(duet_program_write(&program, (duet_program_format)format, path, NULL),
                         DUET_OK);
        int64_t found = solve_file(&program, (duet_program_format)format, path);
        // Within its tolerance a floating-point solver cannot tell makespans apart.
        int64_t slack = optimum / 1000000;
        if (found < optimum || found > optimum + slack) {
            fail_msg("seed %" PRIu64 ", %s: GLPK found %" PRId64 ", the optimum is %" PRId64, seed,
                     format == DUET_PROGRAM_LP ? "lp" : "mps", found, optimum);
        }
    }
    duet_program_free(&program);
}

static void read_back_and_solved(void **state)
{
    (void)state;
    enum { INSTANCES = 300 };
    char path[] = "/tmp/duet-program-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    glp_term_out(GLP_OFF);
    for (uint64_t seed = 1; seed <= INSTANCES; seed++) {
        duet_random random;
        duet_instance *instance = duet_random_of_seed(&random, seed, 0, 7, 3, 1 + seed % 3);
        assert_non_null(instance);
        solved_by_glpk(seed, instance, path);
        duet_instance_free(instance);
    }
    unlink(path);
    glp_free_env();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lp_word_for_word),
        cmocka_unit_test(mps_word_for_word),
        cmocka_unit_test(large_times_are_exact),
        cmocka_unit_test(size_is_checked),
        cmocka_unit_test(refusals),
#ifdef DUET_WITH_GLPK
        cmocka_unit_test(read_back_and_solved),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
