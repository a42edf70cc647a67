// SPDX-License-Identifier: Apache-2.0
// Traces: every placement and every aborted run is there, at the right time.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include <duet/check.h>
#include <duet/report.h>

#include "core/instance/instance.h"
#include "core/instance/pins.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "tests/support/scratch_file.h"

enum { TASKS = 6, ABORTED = 1 };

typedef struct fixture {
    duet_instance *instance;
    duet_solution *solution;
    char folder[64];
    char path[128];
} fixture;

// Two kinds of 3 tasks on 2 CPUs and 1 GPU; task 4 was first tried on CPU 1. Times in units with
// one decimal.
static void prepare(fixture *f, const char *unit, const char *name)
{
    static const duet_type platform[] = {{"cpu", 2}, {"g\"pu", 1}};
    static const char *const ids[] = {"gemm", "a\"b\\c"};
    static const int64_t counts[] = {3, 3};
    static const int64_t times[] = {100, 25, 200, 55};
    duet_instance_desc desc = {
        .struct_size = sizeof desc, "tra\"ce", unit, 1, 2, platform, 2, ids, counts, times, NULL};
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_instance_create(&desc, &f->instance, &error), DUET_OK);
    assert_int_equal(duet_solution_create(TASKS, &f->solution, &error), DUET_OK);
    static const duet_placement placement[TASKS] = {{0, 0, 0},  {100, 0, 0}, {0, 0, 1},
                                                    {25, 0, 1}, {80, 0, 1},  {135, 1, 0}};
    memcpy(f->solution->placement, placement, sizeof placement);
    assert_int_equal(duet_solution_add_aborted(f->solution, (duet_aborted){4, 0, 80, 1, 0}, &error),
                     DUET_OK);
    f->solution->makespan = 335;
    f->solution->lower_bound = 123;
    f->solution->status = DUET_BOUNDED;
    snprintf(f->solution->algorithm, sizeof f->solution->algorithm, "heteroprio");
    snprintf(f->folder, sizeof f->folder, "/tmp/duet-trace-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/%s", f->folder, name);
}

static void finish(fixture *f)
{
    duet_instance_free(f->instance);
    duet_solution_free(f->solution);
    assert_int_equal(rmdir(f->folder), 0); // fails where something was left
}

static void write_trace(const fixture *f)
{
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_write_trace(f->path, f->instance, f->solution, &error);
    if (code != DUET_OK) {
        print_error("%s\n", error.message);
    }
    assert_int_equal(code, DUET_OK);
}

static json_t *load(const fixture *f)
{
    write_trace(f);
    json_error_t error;
    json_t *root = json_load_file(f->path, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        print_error("%d:%d: %s\n", error.line, error.column, error.text);
    }
    assert_non_null(root);
    assert_int_equal(unlink(f->path), 0);
    return root;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

static int64_t whole(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return (int64_t)json_number_value(value);
}

static void check_event(const fixture *f, const json_t *event, int64_t task, int64_t start,
                        int64_t end, int64_t tick, int32_t type, int32_t processor)
{
    char id[64];
    duet_instance_task_id(f->instance, task, id, sizeof id);
    const json_t *args = json_object_get(event, "args");
    size_t kind = duet_instance_kind_of(f->instance, task);
    assert_string_equal(text_of(args, "task"), id);
    assert_string_equal(text_of(args, "kind"), duet_instance_kind_id(f->instance, kind));
    assert_string_equal(text_of(event, "name"), text_of(args, "kind"));
    assert_int_equal(whole(event, "ts"), start * tick);
    assert_int_equal(whole(event, "dur"), (end - start) * tick);
    assert_int_equal(whole(event, "pid"), type);
    assert_int_equal(whole(event, "tid"), processor);
}

static void check_run(const fixture *f, const json_t *event, int64_t tick, bool *seen,
                      size_t *aborted)
{
    if (strcmp(text_of(event, "cat"), "aborted") == 0) {
        const duet_aborted *lost = &f->solution->aborted[(*aborted)++];
        check_event(f, event, lost->task, lost->start, lost->end, tick, lost->type,
                    lost->processor);
        return;
    }
    for (int64_t task = 0; task < TASKS; task++) {
        char id[64];
        duet_instance_task_id(f->instance, task, id, sizeof id);
        if (strcmp(id, text_of(json_object_get(event, "args"), "task")) != 0) {
            continue;
        }
        const duet_placement *at = &f->solution->placement[task];
        size_t kind = duet_instance_kind_of(f->instance, task);
        int64_t time = duet_instance_time(f->instance, kind, (size_t)at->type);
        check_event(f, event, task, at->start, at->start + time, tick, at->type, at->processor);
        assert_false(seen[task]);
        seen[task] = true;
    }
}

static void test_chrome_events(void **state)
{
    (void)state;
    fixture f;
    prepare(&f, "ms", "a.json");
    json_t *root = load(&f);
    bool seen[TASKS] = {false};
    size_t aborted = 0;
    size_t processes = 0;
    size_t threads = 0;
    size_t flags = 0;
    size_t index;
    json_t *event;
    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
    {
        const char *phase = text_of(event, "ph");
        if (strcmp(phase, "X") == 0) {
            check_run(&f, event, 100, seen, &aborted); // 0.1 ms = 100 us
        }
        processes += strcmp(text_of(event, "name"), "process_name") == 0;
        threads += strcmp(text_of(event, "name"), "thread_name") == 0;
        flags += strcmp(phase, "i") == 0;
    }
    for (size_t task = 0; task < TASKS; task++) {
        assert_true(seen[task]);
    }
    assert_int_equal(aborted, ABORTED);
    assert_int_equal(processes, 2);
    assert_int_equal(threads, 3);
    assert_int_equal(flags, 2);
    const json_t *other = json_object_get(root, "otherData");
    assert_true(json_number_value(json_object_get(other, "makespan")) == 33.5);
    assert_true(json_number_value(json_object_get(other, "lower_bound")) == 12.3);
    assert_string_equal(text_of(other, "instance"), "tra\"ce");
    json_decref(root);
    finish(&f);
}

// The makespan, 33.5 units, in microseconds.
static void test_chrome_units(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double makespan;
    } cases[] = {{"s", 33500000}, {"ms", 33500}, {"us", 33.5},  {"\xC2\xB5s", 33.5},
                 {"ns", 0.0335},  {"", 33.5},    {"flop", 33.5}};
    static const bool known[] = {true, true, true, true, true, false, false};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        prepare(&f, cases[i].unit, "a.JSON");
        json_t *root = load(&f);
        const json_t *events = json_object_get(root, "traceEvents");
        const json_t *last = json_array_get(events, json_array_size(events) - 1);
        assert_string_equal(text_of(last, "name"), "makespan");
        assert_true(json_number_value(json_object_get(last, "ts")) == cases[i].makespan);
        const json_t *other = json_object_get(root, "otherData");
        assert_int_equal(json_object_get(other, "time_conversion") == NULL, known[i]);
        json_decref(root);
        finish(&f);
    }
}

// Counts the lines that begin with `start`.
static size_t count_lines(const char *path, const char *start)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[512];
    size_t count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        count += strncmp(line, start, strlen(start)) == 0;
    }
    fclose(file);
    return count;
}

static void test_paje_events(void **state)
{
    (void)state;
    fixture f;
    prepare(&f, "ms", "a.paje");
    write_trace(&f);
    assert_int_equal(count_lines(f.path, "%EventDef"), 6);
    assert_int_equal(count_lines(f.path, "%EndEventDef"), 6);
    assert_int_equal(count_lines(f.path, "2 "), 4); // idle, aborted and two kinds
    assert_int_equal(count_lines(f.path, "3 "), 6); // machine, two types, three processors
    // Three processors begin idle; seven runs start; one gap; three processors end.
    assert_int_equal(count_lines(f.path, "5 "), 3 + TASKS + ABORTED + 1 + 3);
    assert_int_equal(count_lines(f.path, "5 0 S t0p0 k0 \"gemm#0\""), 1);
    assert_int_equal(count_lines(f.path, "5 10 S t0p0 k0 \"gemm#1\""), 1);
    assert_int_equal(count_lines(f.path, "5 20 S t0p0 i \"\""), 1);
    assert_int_equal(count_lines(f.path, "5 0 S t0p1 a "), 1);
    assert_int_equal(count_lines(f.path, "5 8 S t0p1 i \"\""), 1);
    assert_int_equal(count_lines(f.path, "5 8 S t1p0 k1 \"a'b\\c#1\""), 1);
    assert_int_equal(count_lines(f.path, "4 33.5 M m"), 1);
    assert_int_equal(unlink(f.path), 0);
    finish(&f);
}

// The same with edges 0 -> 1 on one processor and 3 -> 5 between two.
static void prepare_graph(fixture *f, const char *name)
{
    static const duet_edge edges[] = {{0, 1, 0}, {3, 5, 0}};
    static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    static const int64_t counts[] = {3, 3};
    static const int64_t times[] = {100, 25, 200, 55};
    prepare(f, "ms", name);
    duet_instance_free(f->instance);
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .time_unit = "ms",
                               .decimals = 1,
                               .types = 2,
                               .platform = platform,
                               .kinds = 2,
                               .counts = counts,
                               .times = times,
                               .edges = 2,
                               .edge = edges};
    assert_int_equal(duet_instance_create(&desc, &f->instance, NULL), DUET_OK);
    assert_int_equal(duet_check_solution(f->instance, f->solution, NULL, NULL, NULL), DUET_OK);
}

// Links begin where a task ends, and end where the next one starts.
static void test_paje_edges(void **state)
{
    (void)state;
    fixture f;
    prepare_graph(&f, "a.paje");
    write_trace(&f);
    assert_int_equal(count_lines(f.path, "%EventDef"), 9);
    assert_int_equal(count_lines(f.path, "6 L M P P"), 1);
    assert_int_equal(count_lines(f.path, "7 10 L m t0p0 \"edge\" \"e0\""), 1);
    assert_int_equal(count_lines(f.path, "8 10 L m t0p0 \"edge\" \"e0\""), 1);
    assert_int_equal(count_lines(f.path, "7 8 L m t1p0 \"edge\" \"e1\""), 1);
    assert_int_equal(count_lines(f.path, "8 13.5 L m t0p1 \"edge\" \"e1\""), 1);
    assert_int_equal(unlink(f.path), 0);
    finish(&f);
}

// Each edge is an arrow between the starts of its two intervals.
static void test_chrome_edges(void **state)
{
    (void)state;
    fixture f;
    prepare_graph(&f, "a.json");
    json_t *root = load(&f);
    const json_t *events = json_object_get(root, "traceEvents");
    size_t index;
    const json_t *event;
    int arrows = 0;
    json_array_foreach(events, index, event)
    {
        const char *phase = text_of(event, "ph");
        if (phase[0] != 's' && phase[0] != 'f') {
            continue;
        }
        bool begins = phase[0] == 's';
        int64_t id = whole(event, "id");
        int64_t task = id == 0 ? !begins : begins ? 3 : 5;
        const duet_placement *placed = &f.solution->placement[task];
        assert_int_equal(whole(event, "pid"), placed->type);
        assert_int_equal(whole(event, "tid"), placed->processor);
        assert_int_equal(whole(event, "ts"), placed->start * 100);
        arrows++;
    }
    assert_int_equal(arrows, 4);
    json_decref(root);
    finish(&f);
}

static void test_paje_times_rise(void **state)
{
    (void)state;
    fixture f;
    prepare(&f, "ms", "a.paje");
    write_trace(&f);
    FILE *file = fopen(f.path, "r");
    assert_non_null(file);
    char line[512];
    double last = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "5 ", 2) == 0) {
            double time = strtod(line + 2, NULL);
            assert_true(time >= last);
            last = time;
        }
    }
    fclose(file);
    assert_true(last == 33.5);
    assert_int_equal(unlink(f.path), 0);
    finish(&f);
}

static void expect_text(const char *path, const char *expected)
{
    char *text = duet_file_text(path, NULL);
    assert_string_equal(text, expected);
    free(text);
    assert_int_equal(unlink(path), 0);
}

// Without a file of StarPU's behind it: the GPU is worker 0, tasks count from 1.
static void test_starpu(void **state)
{
    (void)state;
    fixture f;
    prepare(&f, "ms", "a.rec");
    f.instance->sched = DUET_SCHED_STRICT;
    write_trace(&f);
    expect_text(f.path, "# static schedule for StarPU\n# instance: tra\"ce\n"
                        "# algorithm: heteroprio\n# makespan: 33.5 ms\n"
                        "# workers 0 to 0: g\"pu\n# workers 1 to 2: cpu\n"
                        "# aborted runs, left out: 1\n"
                        "\nSubmitOrder: 1\nSpecificWorker: 1\nWorkerorder: 1\n"
                        "\nSubmitOrder: 2\nSpecificWorker: 1\nWorkerorder: 2\n"
                        "\nSubmitOrder: 6\nSpecificWorker: 2\nWorkerorder: 1\n"
                        "\nSubmitOrder: 3\nSpecificWorker: 0\nWorkerorder: 1\n"
                        "\nSubmitOrder: 4\nSpecificWorker: 0\nWorkerorder: 2\n"
                        "\nSubmitOrder: 5\nSpecificWorker: 0\nWorkerorder: 3\n");
    finish(&f);
}

// As a file of StarPU's says: CPUs first there, tasks with numbers of their own or none.
static void test_starpu_origin(void **state)
{
    (void)state;
    fixture f;
    static const int64_t orders[TASKS] = {7, 0, 9, 4, 0, 5};
    prepare(&f, "", "A.REC");
    f.instance->sched = DUET_SCHED_STRICT;
    duet_origin *origin = duet_alloc(1, sizeof *origin, NULL);
    assert_non_null(origin);
    f.instance->origin = origin;
    origin->submit_order = duet_alloc_raw(1, sizeof orders, NULL);
    assert_non_null(origin->submit_order);
    memcpy(origin->submit_order, orders, sizeof orders);
    origin->worker_rank[0] = 0;
    origin->worker_rank[1] = 1;
    for (int dependent = 0; dependent < 2; dependent++) {
        char expected[2048];
        origin->dependent = dependent == 1;
        const char *first = dependent ? "" : "Workerorder: 1\n";
        const char *second = dependent ? "" : "Workerorder: 2\n";
        snprintf(expected, sizeof expected,
                 "# static schedule for StarPU\n# instance: tra\"ce\n"
                 "# algorithm: heteroprio\n# makespan: 33.5\n"
                 "# workers 0 to 1: cpu\n# workers 2 to 2: g\"pu\n"
                 "# aborted runs, left out: 1\n# tasks without a SubmitOrder, left out: 2\n"
                 "\nSubmitOrder: 7\nSpecificWorker: 0\n%s"
                 "\nSubmitOrder: 5\nSpecificWorker: 1\n%s"
                 "\nSubmitOrder: 9\nSpecificWorker: 2\n%s"
                 "\nSubmitOrder: 4\nSpecificWorker: 2\n%s",
                 first, first, first, second);
        write_trace(&f);
        expect_text(f.path, expected);
    }
    memset(origin->submit_order, 0, sizeof orders);
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_write_trace(f.path, f.instance, f.solution, &error), DUET_E_USAGE);
    assert_non_null(strstr(error.message, "no task has a SubmitOrder"));
    finish(&f);
}

// Types of three workers or more are listed, priorities fall with the start.
static void test_starpu_types(void **state)
{
    (void)state;
    fixture f;
    prepare(&f, "ms", "a.rec");
    f.instance->processors[0] = 3;
    write_trace(&f);
    expect_text(f.path, "# static schedule for StarPU\n# instance: tra\"ce\n"
                        "# algorithm: heteroprio\n# makespan: 33.5 ms\n"
                        "# workers 0 to 0: g\"pu\n# workers 1 to 3: cpu\n"
                        "# aborted runs, left out: 1\n"
                        "\nSubmitOrder: 1\nPriority: 6\nWorkers: 1 2 3\n"
                        "\nSubmitOrder: 3\nPriority: 5\nSpecificWorker: 0\n"
                        "\nSubmitOrder: 4\nPriority: 4\nSpecificWorker: 0\n"
                        "\nSubmitOrder: 5\nPriority: 3\nSpecificWorker: 0\n"
                        "\nSubmitOrder: 2\nPriority: 2\nWorkers: 1 2 3\n"
                        "\nSubmitOrder: 6\nPriority: 1\nWorkers: 1 2 3\n");
    finish(&f);
}

// A lost worker keeps its number, and none is told to use it: of three that stay all are listed, of
// two each task names its own.
static void test_starpu_lost(void **state)
{
    (void)state;
    for (int64_t count = 4; count >= 3; count--) {
        fixture f;
        prepare(&f, "ms", "a.rec");
        f.instance->processors[0] = count;
        assert_int_equal(duet_pins_create(f.instance->kinds, &f.instance->pins, NULL), DUET_OK);
        f.instance->pins->lost[0] = duet_alloc(1, sizeof *f.instance->pins->lost[0], NULL);
        assert_non_null(f.instance->pins->lost[0]);
        f.instance->pins->lost[0][0] = 2;
        f.instance->pins->lost_count[0] = 1;
        write_trace(&f);
        const char *all = "Workers: 1 2 4";
        char expected[1024];
        snprintf(expected, sizeof expected,
                 "# static schedule for StarPU\n# instance: tra\"ce\n"
                 "# algorithm: heteroprio\n# makespan: 33.5 ms\n"
                 "# workers 0 to 0: g\"pu\n# workers 1 to 2: cpu\n%s"
                 "# aborted runs, left out: 1\n"
                 "\nSubmitOrder: 1\nPriority: 6\n%s\n"
                 "\nSubmitOrder: 3\nPriority: 5\nSpecificWorker: 0\n"
                 "\nSubmitOrder: 4\nPriority: 4\nSpecificWorker: 0\n"
                 "\nSubmitOrder: 5\nPriority: 3\nSpecificWorker: 0\n"
                 "\nSubmitOrder: 2\nPriority: 2\n%s\n"
                 "\nSubmitOrder: 6\nPriority: 1\n%s\n",
                 count == 4 ? "# workers 4 to 4: cpu\n" : "",
                 count == 4 ? all : "SpecificWorker: 1", count == 4 ? all : "SpecificWorker: 1",
                 count == 4 ? all : "SpecificWorker: 2");
        expect_text(f.path, expected);
        finish(&f);
    }
}

static void test_empty(void **state)
{
    (void)state;
    static const char *const names[] = {"a.json", "a.paje", "a.rec"};
    static const duet_type platform[] = {{"cpu", 1}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fixture f;
        prepare(&f, "ms", names[i]);
        duet_instance_desc desc = {.struct_size = sizeof desc, .types = 1, .platform = platform};
        duet_instance *instance = NULL;
        duet_solution *solution = NULL;
        assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
        assert_int_equal(duet_solution_create(0, &solution, NULL), DUET_OK);
        assert_int_equal(duet_write_trace(f.path, instance, solution, NULL), DUET_OK);
        assert_int_equal(unlink(f.path), 0);
        // A solution of another instance.
        assert_int_equal(duet_write_trace(f.path, f.instance, solution, NULL), DUET_E_USAGE);
        duet_instance_free(instance);
        duet_solution_free(solution);
        finish(&f);
    }
}

// Idle processors of a large type are not listed.
static void test_large_platform(void **state)
{
    (void)state;
    static const char *const names[] = {"a.json", "a.paje"};
    for (size_t i = 0; i < 2; i++) {
        fixture f;
        prepare(&f, "ms", names[i]);
        assert_int_equal(
            duet_instance_set_counts(f.instance, 2, (const int64_t[]){2147483647, 1}, NULL),
            DUET_OK);
        f.solution->placement[0].processor = 2147483646;
        write_trace(&f);
        assert_int_equal(count_lines(f.path, "{\"name\":\"thread_name\""), i == 0 ? 4 : 0);
        assert_int_equal(count_lines(f.path, "3 "), i == 0 ? 0 : 7);
        assert_int_equal(unlink(f.path), 0);
        finish(&f);
    }
}

static void test_failures(void **state)
{
    (void)state;
    fixture f;
    prepare(&f, "ms", "a.txt");
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_write_trace(f.path, f.instance, f.solution, &error), DUET_E_USAGE);
    assert_non_null(strstr(error.message, ".json"));
    static const char *const names[] = {"no/such.json", "no/such.paje", "no/such.rec"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        duet_error_clear(&error);
        snprintf(f.path, sizeof f.path, "%s/%s", f.folder, names[i]);
        assert_int_equal(duet_write_trace(f.path, f.instance, f.solution, &error), DUET_E_OUTPUT);
    }
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chrome_events), cmocka_unit_test(test_chrome_units),
        cmocka_unit_test(test_paje_events),   cmocka_unit_test(test_paje_edges),
        cmocka_unit_test(test_chrome_edges),  cmocka_unit_test(test_paje_times_rise),
        cmocka_unit_test(test_empty),         cmocka_unit_test(test_large_platform),
        cmocka_unit_test(test_starpu),        cmocka_unit_test(test_starpu_origin),
        cmocka_unit_test(test_starpu_types),  cmocka_unit_test(test_starpu_lost),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
