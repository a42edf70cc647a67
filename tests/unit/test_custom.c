// SPDX-License-Identifier: Apache-2.0
// Algorithms of the caller's own: what may be registered, what their runs may do, and that nothing
// but a valid schedule comes out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include <duet/duet.h>

static const duet_option_spec table[] = {
    {"number", DUET_OPTION_INTEGER, "7", 0, 9, NULL, "", "a number"},
    {"share", DUET_OPTION_DECIMAL, "0.5", 0, 1000, NULL, "", "a decimal"},
    {"switch", DUET_OPTION_BOOLEAN, "true", 0, 0, NULL, "", "a switch"},
    {"choice", DUET_OPTION_CHOICE, "b", 0, 0, "a|b|c", "", "a choice"},
    {"text", DUET_OPTION_TEXT, "word", 0, 0, NULL, "", "a text"},
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

// What a run is told to do.
typedef enum deed {
    CHAIN,   // all tasks one after another on CPU 0
    PILE,    // all at once on CPU 0
    SKIP,    // the last task nowhere
    FAIL,    // says so
    CURSE,   // fails without saying why
    STRAY,   // returns what is no code
    FORBID,  // a type it may not run on
    OPTIONS, // looks at its options
    BOUND,   // offers a true bound, and one without a certificate, and a false one
    STOP     // waits for the end
} deed;

static duet_instance *sample(void)
{
    static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    static const int64_t times[] = {4, 9, 3, DUET_FORBIDDEN, 5, 1};
    const duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 2, .platform = platform, .kinds = 3, .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

static void look_at_options(const duet_work *work)
{
    assert_int_equal(duet_work_integer(work, "number"), 3);
    assert_int_equal(duet_work_decimal(work, "share"), 500);
    assert_true(duet_work_boolean(work, "switch"));
    assert_int_equal(duet_work_choice(work, "choice"), 1);
    assert_string_equal(duet_work_text(work, "text"), "word");
    assert_null(duet_work_text(work, "colour"));
    assert_int_equal(duet_work_integer(work, "colour"), 0);
    assert_int_equal(duet_work_threads(work), 3);
    assert_int_equal(duet_work_seed(work), 11);
}

static void offer_bounds(const duet_instance *instance, duet_work *work)
{
    duet_error error = DUET_ERROR_INIT;
    duet_bound bound;
    assert_int_equal(duet_compute_bound(instance, "area", NULL, &bound, &error), DUET_OK);
    assert_int_equal(duet_work_offer_bound(work, &bound, &error), DUET_OK);
    duet_bound none = {.name = "guess", .value = 100};
    assert_int_equal(duet_work_offer_bound(work, &none, &error), DUET_E_USAGE);
    bound.value += 50;
    bound.certificate.lambda += 50;
    duet_error_clear(&error);
    assert_int_equal(duet_work_offer_bound(work, &bound, &error), DUET_E_USAGE);
    bound.certificate.lambda -= 50;
    duet_error_clear(&error);
    assert_int_equal(duet_work_offer_bound(work, &bound, &error), DUET_E_USAGE);
    duet_bound_release(&bound);
}

static duet_code run(void *user, const duet_instance *instance, duet_work *work, duet_error *error)
{
    deed what = *(const deed *)user;
    if (what == FAIL) {
        return duet_error_set(error, DUET_E_LIMIT, "no time for this");
    }
    if (what == CURSE) {
        return DUET_E_INFEASIBLE;
    }
    if (what == STRAY) {
        return (duet_code)77;
    }
    if (what == OPTIONS) {
        look_at_options(work);
    }
    if (what == BOUND) {
        offer_bounds(instance, work);
    }
    while (what == STOP && !duet_work_stop(work)) {
        duet_work_report(work, "waiting", 0, DUET_FORBIDDEN);
    }
    if (what == FORBID) {
        static const int64_t bad[][4] = {{-1, 0, 0, 0}, {3, 0, 0, 0},  {0, 2, 0, 0},
                                         {0, 0, 2, 0},  {0, 0, -1, 0}, {0, 0, 0, -1}};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            assert_int_equal(
                duet_work_place(work, bad[i][0], (size_t)bad[i][1], bad[i][2], bad[i][3], NULL),
                DUET_E_USAGE);
        }
        return duet_work_place(work, 1, 1, 0, 0, error);
    }
    int64_t at = 0;
    int64_t tasks = duet_instance_tasks(instance) - (what == SKIP);
    for (int64_t task = 0; task < tasks; task++) {
        duet_code code = duet_work_place(work, task, 0, 0, at, error);
        assert_int_equal(code, DUET_OK);
        at += what == PILE ? 0 : duet_instance_time(instance, (size_t)task, 0);
    }
    return DUET_OK;
}

typedef struct outcome {
    duet_code code;
    duet_error error;
    duet_solution *solution;
} outcome;

// Registers an algorithm that does `what` and runs it.
static outcome do_run(deed what, const char *option)
{
    outcome out = {.error = DUET_ERROR_INIT};
    duet_instance *instance = sample();
    duet_registry *registry;
    duet_options *options;
    assert_int_equal(duet_registry_create(&registry, NULL), DUET_OK);
    const duet_custom own = {
        .struct_size = sizeof own, .name = "own", .options = table, .run = run, .user = &what};
    assert_int_equal(duet_registry_add(registry, &own, &out.error), DUET_OK);
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    if (option != NULL) {
        assert_int_equal(duet_options_add(options, option, NULL), DUET_OK);
    }
    duet_params params = DUET_PARAMS_INIT;
    params.registry = registry;
    params.options = options;
    params.threads = 3;
    params.seed = 11;
    params.time_limit = what == STOP ? 0.01 : 0;
    out.code = duet_solve(instance, "own", &params, &out.solution, &out.error);
    if (out.code == DUET_OK) {
        assert_int_equal(duet_check_solution(instance, out.solution, NULL, NULL), DUET_OK);
        assert_string_equal(duet_solution_algorithm(out.solution), "own");
        assert_null(duet_solution_guarantee(out.solution));
    } else {
        assert_null(out.solution);
    }
    duet_options_free(options);
    duet_registry_free(registry);
    duet_instance_free(instance);
    return out;
}

static void test_schedule(void **state)
{
    (void)state;
    outcome out = do_run(CHAIN, NULL);
    assert_int_equal(out.code, DUET_OK);
    assert_int_equal(duet_solution_makespan(out.solution), 12);
    assert_true(duet_solution_lower_bound(out.solution) > 0); // the library's
    duet_solution_free(out.solution);
    out = do_run(CHAIN, "improve=true");
    assert_int_equal(out.code, DUET_OK);
    assert_int_equal(duet_solution_makespan(out.solution), 4);
    duet_solution_free(out.solution);
}

static void test_faults(void **state)
{
    (void)state;
    static const struct {
        deed what;
        duet_code code;
        const char *message;
    } cases[] = {{PILE, DUET_E_USAGE, "no valid schedule"},
                 {SKIP, DUET_E_USAGE, "nowhere"},
                 {STRAY, DUET_E_USAGE, "77"},
                 {FAIL, DUET_E_LIMIT, "no time for this"},
                 {CURSE, DUET_E_INFEASIBLE, "failed"},
                 {FORBID, DUET_E_USAGE, "may run on"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        outcome out = do_run(cases[c].what, NULL);
        assert_int_equal(out.code, cases[c].code);
        assert_int_equal(out.error.code, cases[c].code);
        assert_non_null(strstr(out.error.message, cases[c].message));
        // Improving begins with what is known to be a schedule.
        out = do_run(cases[c].what, "improve=true");
        assert_int_equal(out.code, cases[c].code);
    }
}

static void test_options(void **state)
{
    (void)state;
    outcome out = do_run(OPTIONS, "number=3");
    assert_int_equal(out.code, DUET_OK);
    duet_solution_free(out.solution);
    out = do_run(OPTIONS, "number=10");
    assert_int_equal(out.code, DUET_E_USAGE);
    out = do_run(OPTIONS, "colour=blue");
    assert_int_equal(out.code, DUET_E_USAGE);
}

static void test_bounds_and_time(void **state)
{
    (void)state;
    outcome out = do_run(BOUND, NULL);
    assert_int_equal(out.code, DUET_OK);
    assert_string_equal(duet_solution_bound_name(out.solution), "area");
    duet_solution_free(out.solution);
    out = do_run(STOP, NULL);
    assert_int_equal(out.code, DUET_OK);
    duet_solution_free(out.solution);
}

static void test_registry(void **state)
{
    (void)state;
    duet_registry *registry;
    deed what = CHAIN;
    assert_int_equal(duet_registry_create(&registry, NULL), DUET_OK);
    duet_custom own = {.struct_size = sizeof own, .name = "own", .run = run, .user = &what};
    assert_int_equal(duet_registry_add(registry, &own, NULL), DUET_OK);
    static const char *const bad[] = {
        "own", "exact", "", "Own", "o n", NULL, "an-algorithm-whose-name-is-too-long"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        duet_error error = DUET_ERROR_INIT;
        own.name = bad[i];
        assert_int_equal(duet_registry_add(registry, &own, &error), DUET_E_USAGE);
        assert_true(error.message[0] != '\0');
    }
    own.name = "idle";
    own.run = NULL;
    assert_int_equal(duet_registry_add(registry, &own, NULL), DUET_E_USAGE);
    // A caller of older headers, whose struct ended before the function.
    own.run = run;
    own.struct_size = offsetof(duet_custom, run);
    assert_int_equal(duet_registry_add(registry, &own, NULL), DUET_E_USAGE);
    duet_registry_free(registry);
    duet_registry_free(NULL);

    duet_instance *instance = sample();
    duet_solution *solution;
    assert_int_equal(duet_solve(instance, "own", NULL, &solution, NULL), DUET_E_USAGE);
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = (double)NAN;
    assert_int_equal(duet_solve(instance, "lpt", &params, &solution, NULL), DUET_E_USAGE);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule), cmocka_unit_test(test_faults),
        cmocka_unit_test(test_options),  cmocka_unit_test(test_bounds_and_time),
        cmocka_unit_test(test_registry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
