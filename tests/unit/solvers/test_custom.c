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

// A certificate of the algorithm's own.
static void offer(duet_work *work, const duet_certificate_desc *desc, duet_code expected)
{
    duet_error error = DUET_ERROR_INIT;
    duet_certificate *certificate;
    assert_int_equal(duet_certificate_create(desc, &certificate, NULL), DUET_OK);
    assert_int_equal(duet_work_offer_bound(work, "mine", certificate, &error), expected);
    duet_certificate_free(certificate);
}

static void offer_bounds(const duet_instance *instance, duet_work *work)
{
    duet_error error = DUET_ERROR_INIT;
    duet_bound *bound;
    assert_int_equal(duet_compute_bound(instance, "area", NULL, &bound, &error), DUET_OK);
    duet_certificate_desc desc = {.struct_size = sizeof desc};
    duet_certificate_describe(duet_bound_certificate(bound), &desc);
    offer(work, &desc, DUET_OK);
    desc.lambda += 50;
    offer(work, &desc, DUET_E_USAGE);
    desc.proof = DUET_PROOF_NONE;
    offer(work, &desc, DUET_E_USAGE);
    duet_bound_free(bound);
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
        assert_int_equal(duet_check_solution(instance, out.solution, NULL, NULL, NULL), DUET_OK);
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
    assert_string_equal(duet_solution_bound_name(out.solution), "mine");
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

// --- online rules --------------------------------------------------------------------------------

// What a rule does, and what it was told.
typedef struct asked {
    const duet_instance *instance;
    const char *as;  // "eft", "quickest", or "wrong": a type that there is not
    int information; // that it has asked for
    int64_t last;    // the last instant
    int calls;
} asked;

static int64_t bottom_level(const duet_instance *instance, int64_t task)
{
    int64_t behind = 0;
    for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
        duet_edge edge = duet_instance_edge(instance, e);
        int64_t way = edge.from == task ? bottom_level(instance, edge.to) : 0;
        behind = way > behind ? way : behind;
    }
    size_t kind = duet_instance_kind_of(instance, task);
    int64_t cpu = duet_instance_time(instance, kind, 0);
    int64_t gpu = duet_instance_time(instance, kind, 1);
    return behind + (cpu < gpu ? cpu : gpu);
}

static bool is_descendant(const duet_instance *instance, int64_t task, int64_t of)
{
    bool found = false;
    for (int64_t e = 0; e < duet_instance_edges(instance) && !found; e++) {
        duet_edge edge = duet_instance_edge(instance, e);
        found = edge.from == of && (edge.to == task || is_descendant(instance, task, edge.to));
    }
    return found;
}

static int64_t descendants(const duet_instance *instance, int64_t task)
{
    int64_t work = 0;
    for (int64_t j = 0; j < duet_instance_tasks(instance); j++) {
        size_t kind = duet_instance_kind_of(instance, j);
        int64_t cpu = duet_instance_time(instance, kind, 0);
        int64_t gpu = duet_instance_time(instance, kind, 1);
        work += is_descendant(instance, j, task) ? (cpu < gpu ? cpu : gpu) : 0;
    }
    return work;
}

static size_t choose(void *user, const duet_revealed *task)
{
    asked *a = user;
    int64_t index = duet_revealed_task(task);
    assert_int_equal(duet_revealed_types(task), 2);
    assert_true(duet_revealed_now(task) >= a->last);
    assert_int_equal(duet_revealed_processors(task, 0), 2);
    assert_int_equal(duet_revealed_processors(task, 2), 0);
    assert_int_equal(duet_revealed_time(task, 2), DUET_FORBIDDEN);
    assert_int_equal(duet_revealed_start(task, 2), DUET_FORBIDDEN);
    // It is told what it has asked for, and no more.
    assert_int_equal(duet_revealed_bottom_level(task),
                     a->information >= DUET_SEES_BOTTOM ? bottom_level(a->instance, index) : -1);
    assert_int_equal(duet_revealed_descendants(task), a->information >= DUET_SEES_DESCENDANTS
                                                          ? descendants(a->instance, index)
                                                          : -1);
    a->last = duet_revealed_now(task);
    a->calls++;
    if (strcmp(a->as, "wrong") == 0) {
        return a->calls < 3 ? 0 : 2;
    }
    bool finish = strcmp(a->as, "eft") == 0;
    int64_t end[2];
    for (size_t t = 0; t < 2; t++) {
        end[t] = duet_revealed_time(task, t);
        if (end[t] != DUET_FORBIDDEN && finish) {
            assert_true(duet_revealed_start(task, t) >= a->last);
            end[t] += duet_revealed_start(task, t);
        }
    }
    return end[1] <= end[0] ? 1 : 0;
}

// Twelve tasks, each after the one three before, every other also after the one before; one may
// not run on a GPU. Without edges where `edges` is false.
static duet_instance *graph(bool edges)
{
    static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    int64_t times[24];
    duet_edge edge[24];
    size_t count = 0;
    for (int64_t j = 0; j < 12; j++) {
        times[2 * j] = 3 + 5 * j % 7;
        times[2 * j + 1] = j == 4 ? DUET_FORBIDDEN : 1 + 3 * j % 5;
        if (j >= 3) {
            edge[count++] = (duet_edge){j - 3, j, 0};
        }
        if (j % 2 == 1) {
            edge[count++] = (duet_edge){j - 1, j, 0};
        }
    }
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = 12,
                                     .times = times,
                                     .edges = edges ? count : 0,
                                     .edge = edge};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

static duet_code run_rule(asked *a, const char *option, duet_solution **solution, duet_error *error)
{
    duet_registry *registry;
    duet_options *options;
    assert_int_equal(duet_registry_create(&registry, NULL), DUET_OK);
    const duet_custom own = {.struct_size = sizeof own,
                             .name = "own",
                             .choose = choose,
                             .user = a,
                             .information = a->information};
    assert_int_equal(duet_registry_add(registry, &own, error), DUET_OK);
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    assert_int_equal(duet_options_add(options, option, NULL), DUET_OK);
    duet_params params = DUET_PARAMS_INIT;
    params.registry = registry;
    params.options = options;
    duet_code code = duet_solve(a->instance, "own", &params, solution, error);
    duet_options_free(options);
    duet_registry_free(registry);
    return code;
}

// A rule that decides as one of the library's makes its schedule.
static void test_rules(void **state)
{
    (void)state;
    static const char *const names[] = {"eft", "quickest"};
    for (int i = 0; i < 12; i++) {
        duet_instance *instance = graph(i % 2 == 0);
        asked a = {.instance = instance, .as = names[i / 2 % 2], .information = i / 4};
        duet_solution *solution = NULL;
        duet_solution *expected;
        duet_error error = DUET_ERROR_INIT;
        if (run_rule(&a, "bind=queue", &solution, &error) != DUET_OK) {
            fail_msg("%s", error.message);
        }
        assert_int_equal(a.calls, 12);
        assert_int_equal(duet_solve(instance, a.as, NULL, &expected, NULL), DUET_OK);
        const duet_placement *at = duet_solution_placements(solution);
        assert_memory_equal(at, duet_solution_placements(expected), 12 * sizeof *at);
        duet_solution_free(expected);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

static void test_rule_faults(void **state)
{
    (void)state;
    duet_instance *instance = graph(true);
    asked a = {.instance = instance, .as = "wrong"};
    duet_solution *solution;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(run_rule(&a, "bind=queue", &solution, &error), DUET_E_USAGE);
    assert_null(solution);
    assert_non_null(strstr(error.message, "on type 2"));
    assert_int_equal(a.calls, 3);
    duet_instance_free(instance);

    duet_registry *registry;
    assert_int_equal(duet_registry_create(&registry, NULL), DUET_OK);
    duet_custom own = {.struct_size = sizeof own, .name = "own", .choose = choose, .run = run};
    assert_int_equal(duet_registry_add(registry, &own, NULL), DUET_E_USAGE);
    own.run = NULL;
    own.information = DUET_SEES_DESCENDANTS + 1;
    assert_int_equal(duet_registry_add(registry, &own, NULL), DUET_E_UNSUPPORTED);
    // Of a caller whose struct ended before rules, `choose` does not count.
    own.struct_size = offsetof(duet_custom, choose);
    assert_int_equal(duet_registry_add(registry, &own, NULL), DUET_E_USAGE);
    duet_registry_free(registry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule),    cmocka_unit_test(test_faults),
        cmocka_unit_test(test_options),     cmocka_unit_test(test_bounds_and_time),
        cmocka_unit_test(test_registry),    cmocka_unit_test(test_rules),
        cmocka_unit_test(test_rule_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
