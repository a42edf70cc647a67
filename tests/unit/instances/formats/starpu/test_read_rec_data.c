// SPDX-License-Identifier: Apache-2.0
// What StarPU's records say of memory: which workers are where, what tasks hand to each other and
// how long that takes; devices that are nearly equal; and what goes back to StarPU.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <duet/duet.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "instances/formats/solution/run.h"
#include "tests/support/scratch_file.h"

#define TIMING(model, arch, mean)                                                                  \
    "Model: " model "\nArchitecture: " arch "\nFootprint: 1\nMean: " mean "\nSamples: 3\n\n"
#define NODE(number, name, workers)                                                                \
    "MemoryNode: " number "\nName: " name "\nSize: -1\nWorkers: " workers "\n\n"
#define LINK(from, to, bandwidth, latency)                                                         \
    "MemoryNodeSrc: " from "\nMemoryNodeDst: " to "\nBandwidth: " bandwidth "\nLatency: " latency  \
    "\n\n"
#define TASK(model, order, depends, handles, modes, sizes)                                         \
    "Model: " model "\nJobId: 1" order "\nSubmitOrder: " order "\n" depends "Handles: " handles    \
    "\nModes: " modes "\nSizes: " sizes "\nFootprint: 1\n\n"

// Two GPUs of CUDA, two others that are OpenCL workers without models, four CPUs.
static const char machine[] =
    "%rec: worker_count\n\nArchitecture: cuda0\nNbWorkers: 1\n\n"
    "Architecture: cuda1\nNbWorkers: 1\n\nArchitecture: cpu0\nNbWorkers: 4\n\n"
    "%rec: memory_workers\n\n" NODE("0", "NUMA 0", "4 5 6 7") NODE("1", "CUDA 0", "0")
        NODE("2", "CUDA 1", "1") NODE("3", "OpenCL 2", "2")
            NODE("4", "OpenCL 3", "3") "%rec: memory_performance\n\n" LINK("0", "1", "1000", "10")
                LINK("0", "2", "2000", "20") LINK("1", "0", "1000", "10")
                    LINK("2", "0", "1000", "10") LINK("1", "2", "500", "1")
                        LINK("2", "1", "250", "3") "%rec: timing\n\n" TIMING("a", "cpu0", "40")
                            TIMING("a", "cuda0", "10") TIMING("a", "cuda1", "10.5");
// The second reads what the first has written, and the third both; a handle that is only written
// comes from nobody, and one that is reduced from somewhere unknown.
static const char tasks[] = TASK("a", "1", "", "d e", "RW R", "4000 1000")
    TASK("a", "2", "DependsOn: 11\n", "d f", "R W", "4000 4000")
        TASK("a", "3", "DependsOn: 11 12\n", "d f g", "R RW REDUX", "4000 4000 8");

static duet_instance *read_with(const char *options)
{
    char text[8192];
    duet_options *set = NULL;
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_read_params params = DUET_READ_PARAMS_INIT;
    int length = snprintf(text, sizeof text, "%s%s", machine, tasks);
    duet_scratch_put(text, (size_t)length);
    assert_int_equal(duet_options_create(&set, NULL), DUET_OK);
    if (options != NULL) {
        assert_int_equal(duet_options_add(set, options, NULL), DUET_OK);
    }
    params.options = set;
    if (duet_read_instance(duet_scratch_path, &params, &instance, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    duet_options_free(set);
    return instance;
}

static void expect_time(const duet_instance *instance, int64_t time, const char *expected)
{
    char buffer[32];
    assert_string_equal(duet_instance_format_time(instance, time, buffer), expected);
}

// The costs of the edge between two tasks, row by row.
static void expect_costs(const duet_instance *instance, int64_t tail, int64_t head,
                         const char *expected)
{
    char found[256] = "no edge";
    char buffer[32];
    const duet_graph *graph = instance->graph;
    size_t cells = instance->types * instance->types;
    for (int64_t e = 0; e < graph->edges; e++) {
        const int64_t *costs = duet_graph_costs(graph, e);
        if (graph->tail[e] == tail && graph->head[e] == head) {
            found[0] = '\0';
            for (size_t i = 0; i < cells && costs != NULL; i++) {
                size_t length = strlen(found);
                snprintf(found + length, sizeof found - length, "%s%s", i > 0 ? " " : "",
                         duet_instance_format_time(instance, costs[i], buffer));
            }
        }
    }
    assert_string_equal(found, expected);
}

// A refusal of costs says how to read the records without.
static void test_refusal(void **state)
{
    (void)state;
    duet_instance *instance = read_with(NULL);
    duet_solution *solution = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_solve(instance, "heteroprio", NULL, &solution, &error),
                     DUET_E_UNSUPPORTED);
    assert_non_null(strstr(error.message, "communication between types (which -O data=false"));
    duet_instance_free(instance);
}

// Means over the pairs of workers; data of several parameters are one amount.
static void test_data(void **state)
{
    (void)state;
    duet_instance *instance = read_with(NULL);
    assert_int_equal(duet_instance_types(instance), 2);
    assert_string_equal(duet_instance_type_name(instance, 1), "cuda");
    assert_int_equal(duet_instance_type_count(instance, 1), 2);
    assert_int_equal(duet_instance_tasks(instance), 4);
    assert_string_equal(duet_instance_kind_id(instance, 1), "main memory");
    expect_time(instance, duet_instance_time(instance, 1, 0), "0");
    assert_int_equal(duet_instance_time(instance, 1, 1), DUET_FORBIDDEN);
    assert_int_equal(instance->graph->edges, 4);
    // 5000 bytes at 0.75, 1 and 3 ns, and 15, 10 and 2 us.
    expect_costs(instance, 3, 0, "0 18.75 15 17");
    expect_costs(instance, 0, 1, "0 18 14 14");
    expect_costs(instance, 0, 2, "0 18 14 14");
    expect_costs(instance, 1, 2, "0 18 14 14");
    duet_instance_free(instance);
    instance = read_with("data=false");
    assert_int_equal(duet_instance_tasks(instance), 3);
    assert_null(instance->graph->transfer);
    duet_instance_free(instance);
    instance = read_with("edges=false");
    assert_int_equal(duet_instance_tasks(instance), 3);
    assert_null(instance->graph);
    duet_instance_free(instance);
    instance = read_with("per-unit=1");
    expect_costs(instance, 3, 0, "5000 5000 5000 5000");
    duet_instance_free(instance);
}

static void test_merge(void **state)
{
    (void)state;
    duet_instance *instance = read_with(NULL);
    expect_time(instance, duet_instance_time(instance, 0, 1), "10.25");
    assert_non_null(strstr(duet_instance_notice(instance), "differ by at most 4.9 %"));
    duet_instance_free(instance);
    instance = read_with("merged=least");
    expect_time(instance, duet_instance_time(instance, 0, 1), "10");
    expect_costs(instance, 3, 0, "0 12.5 15 11");
    duet_instance_free(instance);
    static const char *const apart[] = {"merge=0", "merge=4.8%", "merge=0.048"};
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++) {
        instance = read_with(apart[i]);
        assert_int_equal(duet_instance_types(instance), 3);
        assert_string_equal(duet_instance_type_name(instance, 2), "cuda1");
        duet_instance_free(instance);
    }
    instance = read_with("merge=4.9%");
    assert_int_equal(duet_instance_types(instance), 2);
    duet_instance_free(instance);
}

// The schedule: a and c on GPUs, b on the third CPU.
static void expect_trace(duet_instance *instance, const char *expected)
{
    static const char names[] = "/sched.rec";
    char path[300];
    duet_solution *solution = NULL;
    int64_t ends = 0;
    static const int placed[4][2] = {{1, 0}, {0, 2}, {1, 1}, {0, 0}};
    assert_int_equal(duet_solution_create(4, &solution, NULL), DUET_OK);
    for (int64_t task = 0; task < 4; task++) {
        bool memory = task == 3;
        solution->placement[task] = (duet_placement){
            .type = placed[task][0], .processor = placed[task][1], .start = memory ? 0 : ends};
        ends += memory ? 0 : 1000000000;
    }
    snprintf(path, sizeof path, "%.*s%s",
             (int)(strrchr(duet_scratch_path, '/') - duet_scratch_path), duet_scratch_path, names);
    assert_int_equal(duet_write_trace(path, instance, solution, NULL), DUET_OK);
    char *text = duet_file_text(path, NULL);
    const char *from = strstr(text, "# workers");
    assert_non_null(from);
    assert_string_equal(from, expected);
    free(text);
    assert_int_equal(remove(path), 0);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// CPUs have the numbers behind the OpenCL workers.
static void test_workers(void **state)
{
    (void)state;
    expect_trace(read_with(NULL), "# workers 0 to 1: cuda\n# workers 4 to 7: cpu\n"
                                  "# tasks without a SubmitOrder, left out: 1\n"
                                  "\nSubmitOrder: 1\nPriority: 3\nSpecificWorker: 0\n"
                                  "\nSubmitOrder: 2\nPriority: 2\nWorkers: 4 5 6 7\n"
                                  "\nSubmitOrder: 3\nPriority: 1\nSpecificWorker: 1\n");
    // d comes from main memory, f was written on a CPU.
    expect_trace(read_with("sched=strict"),
                 "# workers 0 to 1: cuda\n# workers 4 to 7: cpu\n"
                 "# tasks without a SubmitOrder, left out: 1\n"
                 "\nSubmitOrder: 2\nSpecificWorker: 6\nWorkerorder: 1\n"
                 "\nSubmitOrder: 1\nSpecificWorker: 0\nWorkerorder: 1\n"
                 "\nSubmitOrder: 3\nSpecificWorker: 1\nWorkerorder: 1\n"
                 "\nPrefetch: 1\nMemoryNode: 1\nParameters: 0\n"
                 "\nPrefetch: 3\nDependsOn: 2\nMemoryNode: 2\nParameters: 1\n");
}

// What is written as JSON and read again has the same way back, but for prefetches.
static void test_written(void **state)
{
    (void)state;
    char path[300];
    static const char *const faults[][2] = {{"{\"a\": [1]}", "has 1 numbers; expected 2"},
                                            {"{\"a\": [1, 2.5]}", "expected a whole number"},
                                            {"{\"a\": 3}", "expected an array"},
                                            {"[1, 2]", "expected an object"},
                                            {"{\"a\": [1, 2], \"a\": [1, 2]}", "is given twice"}};
    duet_instance *instance = read_with(NULL);
    duet_instance *again = NULL;
    snprintf(path, sizeof path, "%.*s/app.json",
             (int)(strrchr(duet_scratch_path, '/') - duet_scratch_path), duet_scratch_path);
    assert_int_equal(duet_write_instance(path, "json", instance, NULL), DUET_OK);
    assert_int_equal(duet_read_instance(path, NULL, &again, NULL), DUET_OK);
    assert_int_equal(remove(path), 0);
    duet_instance_free(instance);
    expect_trace(again, "# workers 0 to 1: cuda\n# workers 4 to 7: cpu\n"
                        "# tasks without a SubmitOrder, left out: 1\n"
                        "\nSubmitOrder: 1\nPriority: 3\nSpecificWorker: 0\n"
                        "\nSubmitOrder: 2\nPriority: 2\nWorkers: 4 5 6 7\n"
                        "\nSubmitOrder: 3\nPriority: 1\nSpecificWorker: 1\n");
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        char text[300];
        duet_error error = DUET_ERROR_INIT;
        snprintf(text, sizeof text,
                 "{\"starpu\": {\"submit_order\": %s}, "
                 "\"tasks\": [{\"id\": \"a\", \"count\": 2, \"times\": [1, 2]}]}",
                 faults[i][0]);
        duet_scratch_put(text, strlen(text));
        if (duet_read_instance(duet_scratch_path, NULL, &again, &error) != DUET_E_INPUT ||
            strstr(error.message, faults[i][1]) == NULL) {
            fail_msg("%s: %s; expected %s", text, error.message, faults[i][1]);
        }
    }
}

// --- runs ----------------------------------------------------------------------------------------

#define RAN(order, worker, start, end)                                                             \
    "JobId: 1" order "\nSubmitOrder: " order "\nWorkerId: " worker "\nStartTime: " start           \
    "\nEndTime: " end "\n\n"

static duet_code read_run(const duet_instance *instance, const char *text, duet_ran *ran,
                          duet_error *error)
{
    duet_scratch_put(text, strlen(text));
    assert_true(duet_is_run(duet_scratch_path));
    return duet_read_run(duet_scratch_path, NULL, instance, ran, error);
}

// What is read of a text as a run, beside that of `text` as tasks.rec.
static void expect_same_run(const duet_instance *instance, const char *text, const char *trace)
{
    duet_ran ran;
    duet_ran traced;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(read_run(instance, text, &ran, &error), DUET_OK);
    if (read_run(instance, trace, &traced, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(traced.count, ran.count);
    assert_int_equal(traced.span, ran.span);
    for (size_t i = 0; i < ran.count; i++) {
        const duet_ran_task *a = &ran.task[i];
        const duet_ran_task *b = &traced.task[i];
        assert_true(a->task == b->task && a->start == b->start && a->end == b->end &&
                    a->type == b->type && a->processor == b->processor);
    }
    duet_free(ran.task);
    duet_free(traced.task);
}

// The second task waits 5 us for data, the third begins before it ends.
static void test_run(void **state)
{
    (void)state;
    static const char text[] = "# a run\n\n" RAN("1", "0", "2.0", "2.01")
        RAN("3", "0", "2.054", "2.064") RAN("2", "6", "2.015", "2.055") RAN("99", "1", "0", "1");
    duet_instance *instance = read_with("data=false");
    duet_ran ran;
    duet_error error = DUET_ERROR_INIT;
    duet_solution *order = NULL;
    assert_int_equal(read_run(instance, text, &ran, &error), DUET_OK);
    assert_int_equal(ran.count, 3);
    expect_time(instance, ran.span, "64");
    assert_int_equal(ran.task[1].task, 1);
    assert_int_equal(ran.task[1].type, 0);
    assert_int_equal(ran.task[1].processor, 2);
    expect_time(instance, ran.task[2].start, "54");
    assert_int_equal(duet_run_order(instance, &ran, &order, &error), DUET_OK);
    assert_int_equal(duet_check_solution(instance, order, NULL, NULL, &error), DUET_OK);
    expect_time(instance, duet_solution_makespan(order), "60.5"); // 10.25 + 40 + 10.25
    duet_solution_free(order);
    duet_free(ran.task);
    duet_instance_free(instance);
    // With data the order pays for them: 18 to the CPU and 14 back.
    instance = read_with(NULL);
    assert_int_equal(read_run(instance, text, &ran, &error), DUET_OK);
    assert_int_equal(duet_run_order(instance, &ran, &order, &error), DUET_OK);
    assert_int_equal(duet_check_solution(instance, order, NULL, NULL, &error), DUET_OK);
    duet_solution_free(order);
    duet_free(ran.task);
    duet_instance_free(instance);
}

// Events have other numbers and fields than in StarPU's traces, but the names of theirs.
#define TRACE_EVENTS                                                                               \
    "# a trace\n%EventDef\tPajeCreateContainer\t7\n%\tTime\tdate\n%EndEventDef\n"                  \
    "%EventDef PajeSetState 3\n% Container string\n% Time date\n% Type string\n%EndEventDef\n"     \
    "%EventDef PajePushState 4\n% Time date\n% Container string\n%EndEventDef\n"
#define TRACE_TASKS                                                                                \
    "%EventDef PajeSetState 20\n%\tTime\tdate\n%\tContainer\tstring\n%\tType\tstring\n"            \
    "%\tValue\tstring\n%\tParams\tstring\n%\tSubmitOrder\tstring\n%EndEventDef\n\n"
#define TRACE_HEAD TRACE_EVENTS TRACE_TASKS
#define BEGINS(time, worker, order)                                                                \
    "20\t" time "\tw" worker "\tWS\t\"a task\"\t\t" order "\t\"-1 -1\"\n"
#define ENDS(time, worker) "3 w" worker "   " time " WS\n"

static const char run_trace[] =
    TRACE_HEAD BEGINS("0", "1", "99") ENDS("1", "1") BEGINS("2.0", "0", "1") ENDS("2.01", "0")
        BEGINS("2.015", "6", "2") "4 2.02 w6\r\n"
                                  "3 w6 2.03 Ctx1\n" BEGINS("2.054", "0", "3") ENDS("2.055", "6")
                                      ENDS("2.064", "0") "7 0.001000000 w17\n" ENDS("3", "17");

static void test_trace(void **state)
{
    (void)state;
    static const char text[] = RAN("1", "0", "2.0", "2.01") RAN("3", "0", "2.054", "2.064")
        RAN("2", "6", "2.015", "2.055");
    duet_instance *instance = read_with("data=false");
    expect_same_run(instance, text, run_trace);
    // Cut anywhere, it is the same run or an error, and nothing else.
    for (size_t length = sizeof "# a trace\n%EventDef"; length < sizeof run_trace; length++) {
        char cut[sizeof run_trace];
        duet_ran ran;
        duet_error error = DUET_ERROR_INIT;
        snprintf(cut, sizeof cut, "%.*s", (int)length, run_trace);
        duet_code code = read_run(instance, cut, &ran, &error);
        assert_true(code == DUET_OK || (code == DUET_E_INPUT && error.message[0] != '\0'));
        assert_true(code == DUET_E_INPUT ? ran.task == NULL : ran.count == 3);
        duet_free(ran.task);
    }
    duet_instance_free(instance);
}

// d and e go to the first GPU (14 and 11), d back to main memory (14), and f to the GPU (14).
static void test_bus(void **state)
{
    (void)state;
    static const char run[] =
        RAN("1", "0", "0", "1") RAN("2", "6", "1", "2") RAN("3", "0", "2", "3");
    duet_instance *instance = read_with("data=false"); // and the records are in the file
    duet_error error = DUET_ERROR_INIT;
    duet_ran ran;
    duet_bus *bus = NULL;
    duet_bus_run carried;
    duet_solution *order = NULL;
    if (duet_bus_read(duet_scratch_path, instance, &bus, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(read_run(instance, run, &ran, &error), DUET_OK);
    assert_int_equal(duet_run_order(instance, &ran, &order, &error), DUET_OK);
    assert_int_equal(
        duet_bus_carry_out(bus, instance, order, DUET_BUS_PLACES, NULL, &carried, &error), DUET_OK);
    expect_time(instance, carried.makespan, "113.5"); // 25 + 10.25 + 14 + 40 + 14 + 10.25
    assert_int_equal(carried.transfers, 4);
    assert_int_equal(carried.moved, 13000);
    duet_bus_free(bus);
    // The records of the run say nothing of the machine.
    assert_int_equal(duet_bus_read(duet_scratch_path, instance, &bus, &error), DUET_E_INPUT);
    assert_non_null(strstr(error.message, "no MemoryNode 0"));
    assert_null(bus);
    duet_solution_free(order);
    duet_free(ran.task);
    duet_instance_free(instance);
}

static void test_bad_runs(void **state)
{
    (void)state;
    static const struct {
        const char *text, *fragment;
    } cases[] = {
        {RAN("1", "0", "0", "1") RAN("2", "0", "1", "2"), "(SubmitOrder 3) did not run"},
        {RAN("1", "2", "0", "1"), "WorkerId \"2\": expected a worker"},
        {RAN("1", "0", "0", "1") RAN("1", "0", "0", "1"), "expected each task once"},
        {RAN("1", "0", "x", "1"), "\"x\": expected a decimal"},
        {RAN("1", "0", "1e30", "1e30"), "expected"},
        {RAN("x", "0", "0", "1"), "expected a whole number"},
        {"%EventDef PajeSetState\n", "\"%EventDef\": expected the event's name and its number"},
        {"%EventDef PajeSetState 1000\n", "its number below 1000"},
        {"%EventDef PajeSetState 3\n% Time date\n%EndEventDef\n", "\"PajeSetState\": expected"},
        {"%EventDef X 3\n%EndEventDef\n% Time date\n", "\"Time\": expected %EventDef"},
        {TRACE_EVENTS ENDS("1", "0"), "no PajeSetState has a SubmitOrder"},
        {TRACE_HEAD "21 0 w0 WS\n", "\"21\": expected the number of an event"},
        {TRACE_HEAD "x 0 w0 WS\n", "\"x\": expected the number of an event"},
        {TRACE_HEAD "20 0 w0 WS a\n", "\"20\": expected as many fields"},
        {TRACE_HEAD "20\t0\tt0\tWS\ta\t\t1\n", "\"t0\": expected w and the number"},
        {TRACE_HEAD BEGINS("0", "x", "1"), "Container \"x\": expected a whole number"},
        {TRACE_HEAD BEGINS("0", "2", "1"), "Container \"2\": expected a worker"},
        {TRACE_HEAD BEGINS("x", "0", "1"), "\"x\": expected a decimal"},
        {TRACE_HEAD BEGINS("0", "0", "1st"), "SubmitOrder \"1st\": expected a whole number"},
        {TRACE_HEAD BEGINS("0", "0", "1") BEGINS("1", "0", "1"), "expected each task once"},
        {TRACE_HEAD BEGINS("0", "0", "1"), "a task that does not end; expected another state"},
        {TRACE_HEAD BEGINS("0", "0", "1") ENDS("1", "0"), "expected a state of a worker with"},
        {TRACE_HEAD "20 \001\n", "expected text"},
        {TRACE_HEAD "20 \xff\n", "invalid UTF-8"},
    };
    duet_instance *instance = read_with("data=false");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        duet_ran ran;
        duet_error error = DUET_ERROR_INIT;
        if (read_run(instance, cases[i].text, &ran, &error) != DUET_E_INPUT ||
            strstr(error.message, cases[i].fragment) == NULL) {
            fail_msg("%s\n%s; expected %s", cases[i].text, error.message, cases[i].fragment);
        }
        assert_null(ran.task);
    }
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_data),     cmocka_unit_test(test_merge),
        cmocka_unit_test(test_workers),  cmocka_unit_test(test_written),
        cmocka_unit_test(test_run),      cmocka_unit_test(test_trace),
        cmocka_unit_test(test_refusal),  cmocka_unit_test(test_bus),
        cmocka_unit_test(test_bad_runs),
    };
    return cmocka_run_group_tests(all, duet_scratch_make, duet_scratch_remove);
}
