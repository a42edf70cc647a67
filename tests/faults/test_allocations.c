// SPDX-License-Identifier: Apache-2.0
// Every public call with each of its allocations failing in turn: it says that memory is short or
// does without, the answer it then gives is right, and nothing stays allocated.
#include <inttypes.h>
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

#include "lp/lp.h"
#include "solvers/exact/branch_and_price/branch_and_price.h"

#include "tests/faults/failing.h"

// What a scenario runs on, made before anything fails.
typedef struct stage {
    const char *name; // of the algorithm, bound, family or format
    duet_instance *instance;
    duet_solution *solution;
    char path[256]; // of a file to read or write
    int64_t guess;  // that is asked for
} stage;

typedef duet_code scenario(const stage *on, duet_error *error);

// Two types, forbidden times, equal tasks, decimals; small, so that an algorithm takes few hundred
// allocations.
static duet_instance *sample(void)
{
    static const duet_type platform[] = {{"cpu", 3}, {"gpu", 2}};
    static const char *const ids[] = {"a", "b", "c", "d", "e", "f", "g"};
    static const int64_t counts[] = {3, 1, 2, 1, 1, 1, 1};
    static const int64_t times[] = {17, 5, 23, 31, 9, 4, DUET_FORBIDDEN, 12, 14, 21, DUET_FORBIDDEN,
                                    29, 8};
    static const int64_t last[] = {41};
    int64_t all[14];
    memcpy(all, times, sizeof times);
    all[13] = last[0];
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "sample",
                               .time_unit = "ms",
                               .decimals = 1,
                               .types = 2,
                               .platform = platform,
                               .kinds = 7,
                               .ids = ids,
                               .counts = counts,
                               .times = all};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

static duet_params on_threads(int threads)
{
    duet_params params = DUET_PARAMS_INIT;
    params.threads = threads;
    params.memory_limit = (size_t)256 << 20;
    return params;
}

static bool says_memory(duet_code code, const duet_error *error)
{
    return code == DUET_E_MEMORY && error->code == code && error->message[0] != '\0';
}

// One run. False: the allocation that should fail was never asked for.
static bool one_run(const char *what, scenario *run, const stage *on, int64_t turn, bool lasting)
{
    duet_error error = DUET_ERROR_INIT;
    int64_t before = failing_live();
    failing_arm(turn, lasting);
    duet_code code = run(on, &error);
    bool reached = failing_disarm();
    if (failing_live() != before) {
        fail_msg("%s %s: %" PRId64 " blocks left after allocation %" PRId64 " failed", what,
                 on->name, failing_live() - before, turn);
    }
    bool fine = code == DUET_OK || code == DUET_E_UNSUPPORTED;
    if (!fine && !(reached && says_memory(code, &error))) {
        fail_msg("%s %s: allocation %" PRId64 " of %s failed, and it says %s: %s", what, on->name,
                 turn, lasting ? "all from there" : "one", duet_code_name(code), error.message);
    }
    return reached;
}

// Runs a scenario until no allocation is left to fail; of a long search's allocations, which repeat
// themselves round by round, every `stride`-th.
static void in_turn(const char *what, scenario *run, const stage *on, int64_t stride)
{
    int64_t turn = 1;
    while (one_run(what, run, on, turn, false)) {
        turn += stride;
    }
    for (turn = 1; one_run(what, run, on, turn, true);) {
        turn += stride;
    }
    if (getenv("DUET_TEST_VERBOSE") != NULL) {
        print_message("%s %s: %" PRId64 " allocations\n", what, on->name, turn - 1);
    }
}

static duet_code solve_on_two(const stage *on, duet_error *error);

// With an allocator of the caller's, a scenario asks the C library for nothing (but to find out how
// many threads the system will start): all of that fails, and it ends well.
static void from_another(const char *what, scenario *run, const stage *on)
{
    duet_error error = DUET_ERROR_INIT;
    const duet_allocator *before;
    assert_int_equal(duet_use_allocator(&failing_other, &before, &error), DUET_OK);
    failing_arm(1, true);
    duet_code code = run(on, &error);
    bool asked = failing_disarm();
    assert_int_equal(duet_use_allocator(before, NULL, &error), DUET_OK);
    if (code != DUET_OK && code != DUET_E_UNSUPPORTED) {
        fail_msg("%s %s: %s: %s", what, on->name, duet_code_name(code), error.message);
    }
    if (failing_other_live() != 0 || (asked && run != solve_on_two)) {
        fail_msg("%s %s: %" PRId64 " blocks left%s", what, on->name, failing_other_live(),
                 asked ? ", and the C library was asked" : "");
    }
}

static void each_in_turn(const char *what, scenario *run, const stage *on)
{
    in_turn(what, run, on, 1);
    from_another(what, run, on);
}

// What was answered without the memory must be right all the same.
static duet_code check_answer(const stage *on, duet_code code, duet_solution *solution)
{
    if (code != DUET_OK) {
        assert_null(solution);
        return code;
    }
    duet_error fault = DUET_ERROR_INIT;
    code = duet_check_solution(on->instance, solution, NULL, &fault);
    if (code != DUET_OK && code != DUET_E_MEMORY) {
        fail_msg("%s: a wrong answer where memory is short: %s", on->name, fault.message);
    }
    duet_solution_free(solution);
    return DUET_OK;
}

static duet_code solve(const stage *on, duet_error *error)
{
    duet_params params = on_threads(1);
    duet_solution *solution = NULL;
    duet_code code = duet_solve(on->instance, on->name, &params, &solution, error);
    return check_answer(on, code, solution);
}

static duet_code solve_on_two(const stage *on, duet_error *error)
{
    duet_params params = on_threads(2);
    duet_solution *solution = NULL;
    duet_code code = duet_solve(on->instance, on->name, &params, &solution, error);
    return check_answer(on, code, solution);
}

static duet_code solve_improved(const stage *on, duet_error *error)
{
    duet_params params = on_threads(1);
    duet_options *options = NULL;
    duet_code code = duet_options_create(&options, error);
    if (code == DUET_OK) {
        code = duet_options_add(options, "improve=true", error);
    }
    duet_solution *solution = NULL;
    params.options = options;
    if (code == DUET_OK) {
        code = duet_solve(on->instance, on->name, &params, &solution, error);
        code = check_answer(on, code, solution);
    }
    duet_options_free(options);
    return code;
}

static duet_code bound(const stage *on, duet_error *error)
{
    duet_params params = on_threads(1);
    duet_bound found;
    duet_code code = duet_compute_bound(on->instance, on->name, &params, &found, error);
    if (code == DUET_OK) {
        code = duet_certificate_check(&found.certificate, on->instance, error);
        duet_bound_release(&found);
    }
    return code;
}

static duet_code generate(const stage *on, duet_error *error)
{
    duet_instance *instance;
    duet_code code = duet_generate(on->name, 0, -1, -1, 1, NULL, &instance, error);
    duet_instance_free(instance);
    return code;
}

// From the user's table of kernel times.
static duet_code generate_timed(const stage *on, duet_error *error)
{
    char assignment[300];
    snprintf(assignment, sizeof assignment, "timings=%s", on->path);
    duet_options *options = NULL;
    duet_instance *instance = NULL;
    duet_code code = duet_options_create(&options, error);
    if (code == DUET_OK) {
        code = duet_options_add(options, assignment, error);
    }
    if (code == DUET_OK) {
        code = duet_generate(on->name, 3, 2, 1, 1, options, &instance, error);
    }
    duet_instance_free(instance);
    duet_options_free(options);
    return code;
}

static duet_code create(const stage *on, duet_error *error)
{
    (void)on;
    static const duet_type platform[] = {{"cpu", 1}, {"gpu", 1}};
    static const int64_t times[] = {1, 2, 3, 4};
    duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 2, .platform = platform, .kinds = 2, .times = times};
    duet_instance *instance;
    duet_code code = duet_instance_create(&desc, &instance, error);
    duet_instance_free(instance);
    return code;
}

static duet_code run_custom(void *user, const duet_instance *instance, duet_work *work,
                            duet_error *error)
{
    (void)user;
    for (int64_t task = 0, at = 0; task < duet_instance_tasks(instance); task++) {
        size_t kind = duet_instance_kind_of(instance, task);
        size_t type = duet_instance_time(instance, kind, 0) == DUET_FORBIDDEN;
        duet_code code = duet_work_place(work, task, type, 0, at, error);
        if (code != DUET_OK) {
            return code;
        }
        at += duet_instance_time(instance, kind, type);
    }
    return DUET_OK;
}

static duet_code solve_custom(const stage *on, duet_error *error)
{
    duet_params params = on_threads(1);
    duet_registry *registry;
    duet_solution *solution = NULL;
    const duet_custom own = {.struct_size = sizeof own, .name = "own", .run = run_custom};
    duet_code code = duet_registry_create(&registry, error);
    if (code == DUET_OK) {
        code = duet_registry_add(registry, &own, error);
    }
    params.registry = registry;
    if (code == DUET_OK) {
        code = duet_solve(on->instance, "own", &params, &solution, error);
        code = check_answer(on, code, solution);
    }
    duet_registry_free(registry);
    return code;
}

static duet_code read_instance(const stage *on, duet_error *error)
{
    duet_instance *instance;
    duet_code code = duet_read_instance(on->path, &instance, error);
    duet_instance_free(instance);
    return code;
}

static duet_code write_instance(const stage *on, duet_error *error)
{
    return duet_write_instance(on->path, on->name, on->instance, error);
}

static duet_code read_solution(const stage *on, duet_error *error)
{
    duet_solution *solution;
    duet_code code = duet_read_solution(on->path, on->instance, &solution, error);
    if (code == DUET_OK) {
        code = duet_check_solution(on->instance, solution, NULL, error);
    }
    duet_solution_free(solution);
    return code;
}

static duet_code write_solution(const stage *on, duet_error *error)
{
    return duet_write_solution(on->path, on->instance, on->solution, error);
}

static duet_code write_gantt(const stage *on, duet_error *error)
{
    return duet_write_gantt(on->path, on->instance, on->solution, error);
}

static duet_code write_trace(const stage *on, duet_error *error)
{
    return duet_write_trace(on->path, on->instance, on->solution, error);
}

static duet_code verify_proof(const stage *on, duet_error *error)
{
    duet_params params = on_threads(1);
    duet_proof_stats stats;
    return duet_verify_proof(on->instance, on->path, duet_solution_lower_bound(on->solution),
                             &params, &stats, error);
}

static duet_code solve_with_proof(const stage *on, duet_error *error)
{
    duet_params params = on_threads(1);
    char assignment[300];
    snprintf(assignment, sizeof assignment, "proof=%s", on->path);
    duet_options *options = NULL;
    duet_code code = duet_options_create(&options, error);
    if (code == DUET_OK) {
        code = duet_options_add(options, assignment, error);
    }
    params.options = options;
    duet_solution *solution = NULL;
    if (code == DUET_OK) {
        code = duet_solve(on->instance, "exact", &params, &solution, error);
        code = check_answer(on, code, solution);
    }
    duet_options_free(options);
    return code;
}

// The tree on types, which whole searches of a test's size do not come to.
static duet_code search_modes(const stage *on, const bool area[2], duet_error *error)
{
    duet_context context;
    duet_classes classes;
    duet_code code = duet_context_init(&context, NULL, error);
    context.memory_limit = (size_t)256 << 20;
    assert_int_equal(code, DUET_OK);
    code = duet_classes_create(on->instance, on->guess, &classes, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_random random;
    duet_random_seed(&random, 1);
    duet_column_store store = {.columns = 0};
    duet_log log = {.out.text = NULL};
    duet_loads loads = {.loads = 0};
    duet_search_stats counts = {0, 0, 0};
    duet_tree_stats stats = {0, 0, 0, false};
    duet_residual state = {.left = NULL};
    duet_search search = {
        .classes = &classes,
        .state = &state,
        .divisible = {area[0], area[1]},
        .pooled = {true, true},
        .context = &context,
        .random = &random,
        .store = &store,
        .limits = {.nodes = 3, .patterns = 50, .pack_effort = 1, .complete = true, .pool = 10000},
        .log = &log,
        .loads = &loads,
        .stats = &counts};
    duet_log_start(&log, &classes, 1 << 24);
    code = duet_residual_create(&classes, &state, error);
    if (code == DUET_OK) {
        code = duet_branch_and_price(&search, 40, &stats, error);
    }
    assert_true(code != DUET_OK || stats.nodes > 1);
    assert_true(code != DUET_OK || (stats.pooled > 0) == (area[0] != area[1]));
    duet_log_free(&log);
    duet_loads_free(&loads);
    duet_column_store_free(&store);
    duet_residual_free(&state);
    duet_classes_free(&classes);
    return code;
}

static duet_code search_types(const stage *on, duet_error *error)
{
    static const bool area[2] = {false, false};
    return search_modes(on, area, error);
}

// The same where one type has patterns: on lists of them.
static duet_code search_lists(const stage *on, duet_error *error)
{
    static const bool area[2] = {false, true};
    return search_modes(on, area, error);
}

static void path_of(stage *on, const char *name)
{
    const char *folder = getenv("TMPDIR");
    snprintf(on->path, sizeof on->path, "%s/duet-faults-%ld-%s", folder == NULL ? "/tmp" : folder,
             (long)getpid(), name);
}

static stage open_stage(void)
{
    stage on = {.name = "", .instance = sample()};
    duet_params params = on_threads(1);
    assert_int_equal(duet_solve(on.instance, "shelf-3-2", &params, &on.solution, NULL), DUET_OK);
    return on;
}

static void put_file(stage *on, const char *name, const char *text)
{
    path_of(on, name);
    FILE *file = fopen(on->path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// Takes the instance of the file, and a schedule of it.
static void load_stage(stage *on)
{
    duet_params params = on_threads(1);
    duet_solution_free(on->solution);
    duet_instance_free(on->instance);
    assert_int_equal(duet_read_instance(on->path, &on->instance, NULL), DUET_OK);
    assert_int_equal(duet_solve(on->instance, "heft", &params, &on->solution, NULL), DUET_OK);
}

static void close_stage(stage *on)
{
    duet_solution_free(on->solution);
    duet_instance_free(on->instance);
    if (on->path[0] != '\0') {
        unlink(on->path);
    }
}

static void test_solve(void **state)
{
    (void)state;
    stage on = open_stage();
    for (size_t a = 0; a < duet_algorithm_count(); a++) {
        on.name = duet_algorithm_entry(a)->name;
        each_in_turn("solve", solve, &on);
    }
    on.name = "own";
    each_in_turn("solve", solve_custom, &on);
    close_stage(&on);
}

// A task graph with communication.
static void test_solve_graph(void **state)
{
    (void)state;
    stage on = open_stage();
    put_file(&on, "graph.json",
             "{\"platform\": [{\"type\": \"cpu\", \"count\": 2}, {\"type\": \"gpu\", \"count\": "
             "1}], \"tasks\": [{\"id\": \"a\", \"times\": [7, 2]}, {\"id\": \"b\", \"count\": 3, "
             "\"times\": [4, 5]}, {\"id\": \"c\", \"times\": [null, 3]}], \"edges\": [[\"a\", "
             "\"b#0\", 2], [\"a\", \"b#1\", 9], [\"b#0\", \"c\", 1], [\"b#1\", \"c\"]]}");
    load_stage(&on);
    for (size_t a = 0; a < duet_algorithm_count(); a++) {
        on.name = duet_algorithm_entry(a)->name;
        each_in_turn("solve graph", solve, &on);
    }
    close_stage(&on);
}

// Instances that take the parts of the search that a handful of tasks does not reach.
static void test_search(void **state)
{
    (void)state;
    static const struct {
        const char *family;
        int64_t n, m, k;
        uint64_t seed;
    } cases[] = {{"unif4", 24, 6, 2, 1}, {"corr", 30, 8, 2, 3}, {"bimod", 30, 4, 2, 1},
                 {"acc", 60, 8, 2, 1},   {"chol", 6, 4, 2, 0},  {"unif4", 20, 6, 0, 1}};
    // Fewer where the build is slow, as for the random instances.
    int64_t stride = getenv("DUET_TEST_INSTANCES") == NULL ? 13 : 251;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        stage on = {.name = "exact"};
        assert_int_equal(duet_generate(cases[c].family, cases[c].n, cases[c].m, cases[c].k,
                                       cases[c].seed, NULL, &on.instance, NULL),
                         DUET_OK);
        in_turn(cases[c].family, solve, &on, stride);
        in_turn(cases[c].family, solve_on_two, &on, 3 * stride);
        close_stage(&on);
    }
}

static void test_types(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    stage on = {.name = "tree on types"};
    assert_int_equal(duet_generate("unif4", 24, 6, 2, 1, NULL, &on.instance, NULL), DUET_OK);
    duet_bound bound;
    assert_int_equal(duet_compute_bound(on.instance, "configuration", NULL, &bound, NULL), DUET_OK);
    on.guess = bound.value + 1;
    duet_bound_release(&bound);
    in_turn("search", search_types, &on, getenv("DUET_TEST_INSTANCES") == NULL ? 7 : 151);
    from_another("search", search_types, &on);
    in_turn("search", search_lists, &on, getenv("DUET_TEST_INSTANCES") == NULL ? 7 : 151);
    close_stage(&on);
}

static void test_improve(void **state)
{
    (void)state;
    stage on = open_stage();
    on.name = "eft";
    each_in_turn("improve", solve_improved, &on);
    close_stage(&on);
}

static void test_bound(void **state)
{
    (void)state;
    stage on = open_stage();
    for (size_t b = 0; b < duet_bound_count(); b++) {
        on.name = duet_bound_entry(b)->name;
        each_in_turn("bound", bound, &on);
    }
    close_stage(&on);
}

static void test_instances(void **state)
{
    (void)state;
    stage on = open_stage();
    on.name = "from arrays";
    each_in_turn("create", create, &on);
    for (size_t f = 0; f < duet_family_count(); f++) {
        on.name = duet_family_entry(f)->name;
        each_in_turn("generate", generate, &on);
    }
    close_stage(&on);
}

static void test_files(void **state)
{
    (void)state;
    stage on = open_stage();
    static const char *const formats[] = {"json", "csv"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        on.name = formats[f];
        path_of(&on, formats[f]);
        each_in_turn("write instance", write_instance, &on);
        each_in_turn("read instance", read_instance, &on);
        unlink(on.path);
    }
    static const char *const solutions[] = {"solution.json", "solution.csv"};
    for (size_t s = 0; s < sizeof solutions / sizeof *solutions; s++) {
        on.name = solutions[s];
        path_of(&on, solutions[s]);
        each_in_turn("write", write_solution, &on);
        each_in_turn("read", read_solution, &on);
        unlink(on.path);
    }
    static const char *const traces[] = {"trace.json", "trace.paje", "trace.rec"};
    for (size_t t = 0; t < sizeof traces / sizeof *traces; t++) {
        on.name = traces[t];
        path_of(&on, traces[t]);
        each_in_turn("write", write_trace, &on);
        unlink(on.path);
    }
    on.name = "picture.svg";
    path_of(&on, "picture.svg");
    each_in_turn("write", write_gantt, &on);
    close_stage(&on);
}

// Workers, timings, tasks with and without estimates, one that waits, one without a model.
static const char records[] =
    "%rec: timing\n\n"
    "Model: a\nArchitecture: cpu0\nFootprint: 1\nMean: 4.5\nSamples: 3\n\n"
    "Model: a\nArchitecture: cuda0\nFootprint: 1\nMean: 2\nSamples: 3\n\n"
    "Model: a\nArchitecture: cuda1\nFootprint: 1\nMean: 3\nSamples: 3\n\n"
    "Model: new\nArchitecture: cpu0\nFootprint: 1\nMean: 0\nSamples: 0\n\n"
    "Architecture: cuda0\nNbWorkers: 1\n\nArchitecture: cuda1\nNbWorkers: 1\n\n"
    "Architecture: cpu0\nNbWorkers: 2\n\n"
    "Name: a\nModel: a\nJobId: 1\nSubmitOrder: 1\nFootprint: 1\nMPIRank: -1\n\n"
    "Name: b\nModel: b\nJobId: 2\nSubmitOrder: 2\nDependsOn: 1\nEstimatedTime: 2 3 \\\n7 7\n\n"
    "Name: b\nModel: b\nJobId: 3\nSubmitOrder: 3\nEstimatedTime: 2 3 7 7\n\n"
    "Name: c\nJobId: 4\nSubmitOrder: 4\n";

static void test_records(void **state)
{
    (void)state;
    stage on = open_stage();
    on.name = "records";
    put_file(&on, "tasks.rec", records);
    each_in_turn("read instance", read_instance, &on);
    load_stage(&on);
    assert_non_null(duet_instance_notice(on.instance));
    unlink(on.path);
    on.name = "of records";
    path_of(&on, "sched.rec");
    each_in_turn("write trace", write_trace, &on);
    close_stage(&on);
}

static void test_claim(void **state)
{
    (void)state;
    stage on = open_stage();
    on.name = "json";
    put_file(&on, "claim.json",
             "{\"format\": \"duet-instance\", \"version\": 1,"
             "\"platform\": [{\"type\": \"cpu\", \"count\": 1}, {\"type\": \"gpu\", \"count\": 1}],"
             "\"claim\": {\"algorithm\": \"eft\", \"options\": \"ties=cpu\", \"optimum\": 2.0,"
             "\"makespan\": 3, \"ratio\": \"3/2\", \"limit\": \"2\", \"source\": \"nowhere\","
             "\"refuted\": true}, \"tasks\": [{\"id\": \"a\", \"times\": [2, null]}]}");
    each_in_turn("read claim", read_instance, &on);
    load_stage(&on);
    assert_non_null(duet_instance_claim(on.instance));
    each_in_turn("write claim", write_instance, &on);
    close_stage(&on);
}

static void test_timings(void **state)
{
    (void)state;
    stage on = open_stage();
    on.name = "lu";
    put_file(&on, "timings.csv",
             "# comment\nmachine,factorisation,precision,kernel,tile,unit,cpu,gpu,cpu_samples,"
             "gpu_samples\na,lu,double,getrf,8,us,6.25,3,1,0\na,lu,double,trsm-ll,8,us,9,3,,\n"
             "a,lu,double,trsm-ru,8,us,8,2,1,\na,lu,double,gemm,8,us,100,1,1,0\n");
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(generate_timed(&on, &error), DUET_OK);
    each_in_turn("generate from a table", generate_timed, &on);
    close_stage(&on);
}

static void test_proof(void **state)
{
    (void)state;
    stage on = open_stage();
    duet_solution_free(on.solution);
    duet_params params = on_threads(1);
    assert_int_equal(duet_solve(on.instance, "exact", &params, &on.solution, NULL), DUET_OK);
    on.name = "proof";
    path_of(&on, "proof.txt");
    each_in_turn("solve with", solve_with_proof, &on);
    each_in_turn("verify", verify_proof, &on);
    close_stage(&on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solve),     cmocka_unit_test(test_solve_graph),
        cmocka_unit_test(test_search),    cmocka_unit_test(test_types),
        cmocka_unit_test(test_improve),   cmocka_unit_test(test_bound),
        cmocka_unit_test(test_instances), cmocka_unit_test(test_files),
        cmocka_unit_test(test_records),   cmocka_unit_test(test_claim),
        cmocka_unit_test(test_timings),   cmocka_unit_test(test_proof),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
