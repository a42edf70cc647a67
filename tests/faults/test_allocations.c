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

#include "core/system/try.h"
#include "tests/faults/stage.h"

static duet_code solve(const stage *on, duet_error *error)
{
    duet_params params = stage_params(1);
    duet_solution *solution = NULL;
    duet_code code = duet_solve(on->instance, on->name, &params, &solution, error);
    return stage_check_answer(on, code, solution);
}

static duet_code solve_improved(const stage *on, duet_error *error)
{
    duet_params params = stage_params(1);
    duet_options *options = NULL;
    duet_code code = duet_options_create(&options, error);
    DUET_THEN(code, duet_options_add(options, "improve=true", error));
    duet_solution *solution = NULL;
    params.options = options;
    if (code == DUET_OK) {
        code = duet_solve(on->instance, on->name, &params, &solution, error);
        code = stage_check_answer(on, code, solution);
    }
    duet_options_free(options);
    return code;
}

static duet_code bound(const stage *on, duet_error *error)
{
    duet_params params = stage_params(1);
    duet_bound *found = NULL;
    duet_certificate *copy = NULL;
    duet_code code = duet_compute_bound(on->instance, on->name, &params, &found, error);
    if (code == DUET_OK) {
        duet_certificate_desc desc = {.struct_size = sizeof desc};
        duet_certificate_describe(duet_bound_certificate(found), &desc);
        code = duet_certificate_create(&desc, &copy, error);
    }
    DUET_THEN(code, duet_certificate_check(copy, on->instance, NULL, error));
    duet_certificate_free(copy);
    duet_bound_free(found);
    return code;
}

static duet_code bound_of_fixed(const stage *on, duet_error *error)
{
    duet_params params = stage_params(1);
    duet_bound *found = NULL;
    duet_bound_check check;
    duet_code code = duet_compute_bound(on->instance, on->name, &params, &found, error);
    DUET_THEN(code, duet_check_bound(on->instance, found, NULL, &check, error));
    duet_bound_free(found);
    return code;
}

// On CPUs and GPUs, -1 of both being the family's own.
static duet_code generate_on(const char *family, int64_t size, int64_t cpus, int64_t gpus,
                             const duet_options *options, duet_instance **out, duet_error *error)
{
    const int64_t counts[] = {cpus, gpus};
    const duet_generate_params params = {sizeof params, size, cpus < 0 ? 0 : 2, counts, 1, options};
    return duet_generate(family, &params, out, error);
}

static duet_code generate(const stage *on, duet_error *error)
{
    duet_instance *instance;
    duet_code code = generate_on(on->name, 0, -1, -1, NULL, &instance, error);
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
    DUET_THEN(code, duet_options_add(options, assignment, error));
    DUET_THEN(code, generate_on(on->name, 3, 2, 1, options, &instance, error));
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
        DUET_TRY(duet_work_place(work, task, type, 0, at, error));
        at += duet_instance_time(instance, kind, type);
    }
    return DUET_OK;
}

static duet_code solve_custom(const stage *on, duet_error *error)
{
    duet_params params = stage_params(1);
    duet_registry *registry;
    duet_solution *solution = NULL;
    const duet_custom own = {.struct_size = sizeof own, .name = "own", .run = run_custom};
    duet_code code = duet_registry_create(&registry, error);
    DUET_THEN(code, duet_registry_add(registry, &own, error));
    params.registry = registry;
    if (code == DUET_OK) {
        code = duet_solve(on->instance, "own", &params, &solution, error);
        code = stage_check_answer(on, code, solution);
    }
    duet_registry_free(registry);
    return code;
}

static duet_code read_instance(const stage *on, duet_error *error)
{
    duet_instance *instance;
    duet_code code = duet_read_instance(on->path, NULL, &instance, error);
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
    duet_code code = duet_read_solution(on->path, NULL, on->instance, &solution, error);
    DUET_THEN(code, duet_check_solution(on->instance, solution, NULL, NULL, error));
    duet_solution_free(solution);
    return code;
}

static duet_code write_solution(const stage *on, duet_error *error)
{
    return duet_write_solution(on->path, on->instance, on->solution, error);
}

// The plan of a file, half executed, and planned again; then the instance of it, written and read.
static duet_code replan(const stage *on, duet_error *error)
{
    duet_params params = stage_params(1);
    duet_fixes *fixes = NULL;
    duet_instance *given = NULL;
    duet_solution *continued = NULL;
    duet_solution *solution = NULL;
    duet_code code = duet_read_fixes(on->path, NULL, on->instance, &fixes, error);
    if (code == DUET_OK) {
        duet_replan_desc desc = {.struct_size = sizeof desc,
                                 .now = duet_solution_makespan(on->solution) / 2};
        desc.plan = duet_fixes_entries(fixes, &desc.plans, &desc.finer);
        code = duet_replan(on->instance, &desc, &given, &continued, error);
    }
    if (code == DUET_OK) {
        params.start_from = continued;
        code = duet_solve(given, "heft", &params, &solution, error);
    }
    DUET_THEN(code, duet_check_solution(given, solution, NULL, NULL, error));
    if (code == DUET_OK && duet_solution_makespan(solution) > duet_solution_makespan(continued)) {
        code = duet_error_set(error, DUET_E_INTERNAL, "longer than the plan that goes on");
    }
    duet_solution_free(solution);
    duet_solution_free(continued);
    duet_instance_free(given);
    duet_fixes_free(fixes);
    return code;
}

static duet_code write_gantt(const stage *on, duet_error *error)
{
    return duet_write_gantt(on->path, on->instance, on->solution, NULL, error);
}

static duet_code write_trace(const stage *on, duet_error *error)
{
    return duet_write_trace(on->path, on->instance, on->solution, error);
}

static duet_code verify_proof(const stage *on, duet_error *error)
{
    duet_params params = stage_params(1);
    duet_proof_stats stats;
    return duet_verify_proof(on->instance, on->path, duet_solution_lower_bound(on->solution),
                             &params, &stats, error);
}

static duet_code solve_with_proof(const stage *on, duet_error *error)
{
    duet_params params = stage_params(1);
    char assignment[300];
    snprintf(assignment, sizeof assignment, "proof=%s", on->path);
    duet_options *options = NULL;
    duet_code code = duet_options_create(&options, error);
    DUET_THEN(code, duet_options_add(options, assignment, error));
    params.options = options;
    duet_solution *solution = NULL;
    if (code == DUET_OK) {
        code = duet_solve(on->instance, "exact", &params, &solution, error);
        code = stage_check_answer(on, code, solution);
    }
    duet_options_free(options);
    return code;
}

static void test_solve(void **state)
{
    (void)state;
    stage on = stage_open();
    for (size_t a = 0; a < duet_algorithm_count(); a++) {
        on.name = duet_algorithm_entry(a)->name;
        stage_each_in_turn("solve", solve, &on);
    }
    on.name = "own";
    stage_each_in_turn("solve", solve_custom, &on);
    stage_close(&on);
}

// A task graph with communication.
static void test_solve_graph(void **state)
{
    (void)state;
    stage on = stage_open();
    stage_put_file(
        &on, "graph.json",
        "{\"platform\": [{\"type\": \"cpu\", \"count\": 2}, {\"type\": \"gpu\", \"count\": "
        "1}], \"tasks\": [{\"id\": \"a\", \"times\": [7, 2]}, {\"id\": \"b\", \"count\": 3, "
        "\"times\": [4, 5]}, {\"id\": \"c\", \"times\": [null, 3]}], \"edges\": [[\"a\", "
        "\"b#0\", 2], [\"a\", \"b#1\", 9], [\"b#0\", \"c\", 1], [\"b#1\", \"c\"]]}");
    stage_load(&on);
    for (size_t a = 0; a < duet_algorithm_count(); a++) {
        on.name = duet_algorithm_entry(a)->name;
        stage_each_in_turn("solve graph", solve, &on);
    }
    on.name = "ideals";
    stage_in_turn("certify", stage_certify_ideals, &on, 1);
    on.name = "ticks";
    stage_in_turn("fill", stage_fill, &on, 1);
    on.name = "guesses";
    on.guess = 12; // the optimum
    stage_in_turn("lift", stage_lift, &on, 1);
    stage_close(&on);
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
    int64_t stride = getenv("DUET_TEST_INSTANCES") == NULL ? 149 : 1201;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        stage on = {.name = "exact"};
        const int64_t counts[] = {cases[c].m, cases[c].k};
        const duet_generate_params params = {sizeof params, cases[c].n,    2,
                                             counts,        cases[c].seed, NULL};
        assert_int_equal(duet_generate(cases[c].family, &params, &on.instance, NULL), DUET_OK);
        stage_in_turn(cases[c].family, solve, &on, stride);
        stage_in_turn(cases[c].family, stage_solve_on_two, &on, 3 * stride);
        stage_close(&on);
    }
}

// The certificates that searches find last of all.
static void test_searched_proofs(void **state)
{
    (void)state;
    enum { LAST = 200 };
    static const struct {
        const char *family;
        int64_t n, m, k;
        uint64_t seed;
    } cases[] = {{"corr", 12, 3, 2, 9}, {"uniform", 12, 3, 2, 10}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases && duet_lp_available(); c++) {
        stage on = {.name = "exact"};
        const int64_t counts[] = {cases[c].m, cases[c].k};
        const duet_generate_params params = {sizeof params, cases[c].n,    2,
                                             counts,        cases[c].seed, NULL};
        assert_int_equal(duet_generate(cases[c].family, &params, &on.instance, NULL), DUET_OK);
        stage_last_in_turn(cases[c].family, solve, &on, LAST);
        stage_close(&on);
    }
}

static void test_types(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    stage on = {.name = "tree on types"};
    assert_int_equal(generate_on("unif4", 24, 6, 2, NULL, &on.instance, NULL), DUET_OK);
    duet_bound *bound;
    assert_int_equal(duet_compute_bound(on.instance, "configuration", NULL, &bound, NULL), DUET_OK);
    on.guess = duet_bound_value(bound) + 1;
    duet_bound_free(bound);
    stage_in_turn("search", stage_search_types, &on,
                  getenv("DUET_TEST_INSTANCES") == NULL ? 23 : 151);
    stage_from_another("search", stage_search_types, &on);
    stage_in_turn("search", stage_search_lists, &on,
                  getenv("DUET_TEST_INSTANCES") == NULL ? 23 : 151);
    stage_close(&on);
}

static void test_improve(void **state)
{
    (void)state;
    stage on = stage_open();
    on.name = "eft";
    stage_each_in_turn("improve", solve_improved, &on);
    on.name = "single processors";
    stage_put_file(
        &on, "single.json",
        "{\"platform\": [{\"type\": \"a\", \"count\": 1}, {\"type\": \"b\", \"count\": 1}, "
        "{\"type\": \"c\", \"count\": 1}], \"tasks\": [{\"id\": \"t\", \"count\": 5, "
        "\"times\": [3, 4, 6]}, {\"id\": \"u\", \"times\": [7, 5, null]}]}");
    stage_load(&on);
    stage_each_in_turn("exchange", stage_exchange_in_cycles, &on);
    stage_close(&on);
}

static void test_bound(void **state)
{
    (void)state;
    stage on = stage_open();
    for (size_t b = 0; b < duet_bound_count(); b++) {
        on.name = duet_bound_entry(b)->name;
        stage_each_in_turn("bound", bound, &on);
    }
    stage_close(&on);
}

static void test_instances(void **state)
{
    (void)state;
    stage on = stage_open();
    on.name = "from arrays";
    stage_each_in_turn("create", create, &on);
    for (size_t f = 0; f < duet_family_count(); f++) {
        on.name = duet_family_entry(f)->name;
        stage_each_in_turn("generate", generate, &on);
    }
    stage_close(&on);
}

static void test_files(void **state)
{
    (void)state;
    stage on = stage_open();
    static const char *const formats[] = {"json", "csv"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        on.name = formats[f];
        stage_path(&on, formats[f]);
        stage_each_in_turn("write instance", write_instance, &on);
        stage_each_in_turn("read instance", read_instance, &on);
        unlink(on.path);
    }
    static const char *const solutions[] = {"solution.json", "solution.csv"};
    for (size_t s = 0; s < sizeof solutions / sizeof *solutions; s++) {
        on.name = solutions[s];
        stage_path(&on, solutions[s]);
        stage_each_in_turn("write", write_solution, &on);
        stage_each_in_turn("read", read_solution, &on);
        stage_each_in_turn("plan again", replan, &on);
        unlink(on.path);
    }
    static const char *const traces[] = {"trace.json", "trace.paje", "trace.rec"};
    for (size_t t = 0; t < sizeof traces / sizeof *traces; t++) {
        on.name = traces[t];
        stage_path(&on, traces[t]);
        stage_each_in_turn("write", write_trace, &on);
        unlink(on.path);
    }
    on.name = "picture.svg";
    stage_path(&on, "picture.svg");
    stage_each_in_turn("write", write_gantt, &on);
    stage_close(&on);
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
    stage on = stage_open();
    on.name = "records";
    stage_put_file(&on, "tasks.rec", records);
    stage_each_in_turn("read instance", read_instance, &on);
    stage_load(&on);
    assert_non_null(duet_instance_notice(on.instance));
    unlink(on.path);
    on.name = "of records";
    stage_path(&on, "sched.rec");
    stage_each_in_turn("write trace", write_trace, &on);
    stage_close(&on);
}

// Two CPUs and two GPUs of little memory, a run on them, and the same run as a trace.
static const char machine[] =
    "%rec: memory_workers\n\nMemoryNode: 0\nName: NUMA 0\nSize: -1\nWorkers: 2 3\n\n"
    "MemoryNode: 1\nName: CUDA 0\nSize: 12\nWorkers: 0\n\n"
    "MemoryNode: 2\nName: CUDA 1\nSize: 12\nWorkers: 1\n\n"
    "MemoryNodeSrc: 0\nMemoryNodeDst: 1\nBandwidth: 10\nLatency: 1\n\n"
    "MemoryNodeSrc: 1\nMemoryNodeDst: 2\nBandwidth: 9\nLatency: 1\n\n"
    "Architecture: cuda0\nNbWorkers: 1\n\nArchitecture: cuda1\nNbWorkers: 1\n\n"
    "Architecture: cpu0\nNbWorkers: 2\n\n"
    "Model: a\nArchitecture: cpu0\nFootprint: 1\nMean: 40.5\nSamples: 3\n\n"
    "Model: a\nArchitecture: cuda0\nFootprint: 1\nMean: 2\nSamples: 3\n\n"
    "Model: a\nArchitecture: cuda1\nFootprint: 1\nMean: 2\nSamples: 3\n\n"
    "Model: a\nJobId: 1\nSubmitOrder: 1\nFootprint: 1\nHandles: 1 2\nModes: RW R\n"
    "Sizes: 4 8\nWorkerId: 0\nStartTime: 0.1\nEndTime: 0.2\n\n"
    "Model: a\nJobId: 2\nSubmitOrder: 2\nFootprint: 1\nHandles: 3 2\nModes: RW R\n"
    "Sizes: 4 8\nWorkerId: 1\nStartTime: 0.1\nEndTime: 0.2\n\n"
    "Model: a\nJobId: 3\nSubmitOrder: 3\nFootprint: 1\nDependsOn: 1 2\nHandles: 1 3 4\n"
    "Modes: RW R W\nSizes: 4 4 4\nWorkerId: 0\nStartTime: 0.3\nEndTime: 0.4\n";
static const char run[] =
    "%EventDef PajeSetState 1\n% Time date\n% Container string\n% Type string\n"
    "% Value string\n% SubmitOrder string\n%EndEventDef\n"
    "1 0.1 w0 WS a 1\n1 0.1 w1 WS a 2\n1 0.2 w0 WS I 0\n1 0.2 w1 WS I 0\n"
    "1 0.3 w0 WS \"a\" 3\n1 0.4 w0 WS I 0\n";
static const char bus[] =
    "{\"format\": \"duet-bus\", \"version\": 1,\n"
    " \"nodes\": [{\"name\": \"ram\"}, {\"name\": \"gpu\", \"processors\": [\"gpu\"],"
    " \"memory\": 100}],\n"
    " \"links\": [{\"name\": \"host\", \"bandwidth\": 10, \"latency\": 1}],\n"
    " \"routes\": [{\"from\": \"ram\", \"to\": \"gpu\", \"links\": [\"host\"]}],\n"
    " \"data\": [{\"id\": \"A\", \"size\": 20, \"at\": \"ram\"}],\n"
    " \"accesses\": [{\"task\": \"a#0\", \"data\": \"A\", \"mode\": \"rw\"}]}";

static void test_machines(void **state)
{
    (void)state;
    stage on = stage_open();
    on.name = "machine of records";
    stage_put_file(&on, "machine.rec", machine);
    stage_load(&on);
    stage_each_in_turn("read", stage_read_bus, &on);
    stage_each_in_turn("carry out", stage_carry_out, &on);
    on.name = "run of records";
    stage_each_in_turn("read", stage_read_run, &on);
    unlink(on.path);
    on.name = "run of a trace";
    stage_put_file(&on, "paje.trace", run);
    stage_each_in_turn("read", stage_read_run, &on);
    stage_close(&on);
    on = stage_open();
    on.name = "machine of json";
    stage_put_file(&on, "bus.json", bus);
    stage_each_in_turn("read", stage_read_bus, &on);
    stage_each_in_turn("carry out", stage_carry_out, &on);
    stage_close(&on);
}

static void test_claim(void **state)
{
    (void)state;
    stage on = stage_open();
    on.name = "json";
    stage_put_file(
        &on, "claim.json",
        "{\"format\": \"duet-instance\", \"version\": 1,"
        "\"platform\": [{\"type\": \"cpu\", \"count\": 1}, {\"type\": \"gpu\", \"count\": 1}],"
        "\"claim\": {\"algorithm\": \"eft\", \"options\": \"ties=cpu\", \"optimum\": 2.0,"
        "\"makespan\": 3, \"ratio\": \"3/2\", \"limit\": \"2\", \"source\": \"nowhere\","
        "\"refuted\": true}, \"tasks\": [{\"id\": \"a\", \"times\": [2, null]}]}");
    stage_each_in_turn("read claim", read_instance, &on);
    stage_load(&on);
    assert_non_null(duet_instance_claim(on.instance));
    stage_each_in_turn("write claim", write_instance, &on);
    stage_close(&on);
}

static void test_timings(void **state)
{
    (void)state;
    stage on = stage_open();
    on.name = "lu";
    stage_put_file(
        &on, "timings.csv",
        "# comment\nmachine,factorisation,precision,kernel,tile,unit,cpu,gpu,cpu_samples,"
        "gpu_samples\na,lu,double,getrf,8,us,6.25,3,1,0\na,lu,double,trsm-ll,8,us,9,3,,\n"
        "a,lu,double,trsm-ru,8,us,8,2,1,\na,lu,double,gemm,8,us,100,1,1,0\n");
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(generate_timed(&on, &error), DUET_OK);
    stage_each_in_turn("generate from a table", generate_timed, &on);
    stage_close(&on);
}

// What is fixed in the file of an instance.
static void test_fixed(void **state)
{
    static const char text[] =
        "{\"platform\": [{\"type\": \"cpu\", \"count\": 2, \"without\": [1]}, {\"type\": \"gpu\", "
        "\"count\": 1, \"busy\": [2]}], \"tasks\": [{\"id\": \"a\", \"times\": [4, 2]}, {\"id\": "
        "\"b\", \"count\": 3, \"times\": [3, 1]}], \"edges\": [[\"a\", \"b#1\", 2]], \"fixed\": "
        "[{\"task\": \"a\", \"type\": \"cpu\", \"processor\": 0, \"start\": 0, \"end\": 4.5}, "
        "{\"task\": \"b#0\", \"type\": \"gpu\"}]}";
    stage on = stage_open();
    (void)state;
    on.name = "auto";
    stage_put_file(&on, "fixed.json", text);
    stage_each_in_turn("read", read_instance, &on);
    stage_load(&on);
    stage_each_in_turn("solve", solve, &on);
    on.name = "area";
    stage_each_in_turn("bound", bound_of_fixed, &on);
    unlink(on.path);
    stage_close(&on);
}

static void test_proof(void **state)
{
    (void)state;
    stage on = stage_open();
    duet_solution_free(on.solution);
    duet_params params = stage_params(1);
    assert_int_equal(duet_solve(on.instance, "exact", &params, &on.solution, NULL), DUET_OK);
    on.name = "proof";
    stage_path(&on, "proof.txt");
    stage_each_in_turn("solve with", solve_with_proof, &on);
    stage_each_in_turn("verify", verify_proof, &on);
    stage_close(&on);
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
        cmocka_unit_test(test_fixed),     cmocka_unit_test(stage_readers),
        cmocka_unit_test(test_machines),  cmocka_unit_test(test_searched_proofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
