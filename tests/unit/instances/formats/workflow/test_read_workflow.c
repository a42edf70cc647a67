// SPDX-License-Identifier: Apache-2.0
// WfFormat: what a file says, what is refused and where, cut anywhere; recorded workflows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include <duet/duet.h>

#include "tests/support/read_text.h"
#include "tests/support/scratch_file.h"

#define WORKFLOW                                                                                   \
    "{\"name\": \"w\", \"schemaVersion\": \"1.5\", \"workflow\": {\"execution\": {\"tasks\": [\n"  \
    "{\"id\": \"a\", \"runtimeInSeconds\": 1.5}, {\"runtimeInSeconds\": 2, \"id\": \"b\"},\n"      \
    "{\"id\": \"c\", \"runtimeInSeconds\": 9}, {\"id\": \"c\", \"runtimeInSeconds\": 3}]},\n"      \
    "\"specification\": {\"files\": [{\"id\": \"x\", \"sizeInBytes\": 8}, {\"id\": \"y\", "        \
    "\"sizeInBytes\": 4}],\n\"tasks\": [{\"id\": \"a\", \"name\": \"first\", \"parents\": [], "    \
    "\"children\": [\"b\", \"c\"], \"outputFiles\": [\"x\", \"y\", \"x\"]},\n"                     \
    "{\"id\": \"b\", \"name\": \"next\", \"parents\": [\"a\"], \"children\": null, "               \
    "\"inputFiles\": "                                                                             \
    "[\"x\", \"y\", \"z\"]},\n{\"id\": \"c\", \"name\": \"next\", \"parents\": [\"first\", "       \
    "\"b\"], "                                                                                     \
    "\"inputFiles\": [\"y\"]}]}}}"

static void test_workflow(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text(WORKFLOW);
    assert_string_equal(duet_instance_name(instance), "w");
    assert_string_equal(duet_instance_time_unit(instance), "s");
    assert_int_equal(duet_instance_types(instance), 1);
    assert_int_equal(duet_instance_tasks(instance), 3);
    duet_expect_time(instance, 0, 0, "1.5");
    duet_expect_time(instance, 2, 0, "3");
    assert_int_equal(duet_instance_edges(instance), 3);
    duet_expect_edge(instance, 0, 0, 1);
    duet_expect_edge(instance, 1, 0, 2);
    duet_expect_edge(instance, 2, 1, 2);
    assert_int_equal(duet_instance_features(instance),
                     DUET_FEATURE_PRECEDENCE | DUET_FEATURE_ANY_TYPES);
    assert_string_equal(duet_instance_notice(instance),
                        "member \"sizeInBytes\" of edges is not used (2 values): data take no time "
                        "without -O per-unit= or latency=");
    duet_instance_free(instance);
    // Data are what the parent writes and the task reads; the time is the CPU's.
    instance = duet_read_text_with(WORKFLOW, "latency=1 per-unit=0.5 gpu=2");
    assert_int_equal(duet_instance_decimals(instance), 2);
    duet_expect_time(instance, 0, 1, "0.75");
    assert_int_equal(duet_instance_transfer(instance, 0, 0, 1), 700);
    assert_int_equal(duet_instance_transfer(instance, 1, 1, 0), 300);
    assert_int_equal(duet_instance_transfer(instance, 2, 0, 1), 0); // no file, no transfer
    duet_instance_free(instance);
    duet_cut_anywhere(WORKFLOW);
}

// A link among the files of all tasks is about none of them; files that a parent writes for each of
// its children are told apart.
static void test_workflow_files(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text_with(
        "{\"workflow\": {\"specification\": {\"files\": [{\"id\": \"x\", \"sizeInBytes\": 8, "
        "\"link\": \"output\"}, {\"id\": \"y\", \"sizeInBytes\": 4}, {\"id\": \"z\", "
        "\"sizeInBytes\": 2}], \"tasks\": [{\"id\": \"a\", \"children\": [\"b\", \"c\", \"d\"], "
        "\"outputFiles\": [\"z\", \"y\", \"z\"]}, {\"id\": \"b\", \"inputFiles\": [\"x\", \"y\"]}, "
        "{\"id\": \"c\", \"inputFiles\": [\"z\", \"x\", \"y\", \"z\"]}, {\"id\": \"d\", "
        "\"inputFiles\": [\"x\"]}]}, \"execution\": {\"tasks\": [{\"id\": \"a\", "
        "\"runtimeInSeconds\": 1}, {\"id\": \"b\", \"runtimeInSeconds\": 1}, {\"id\": \"c\", "
        "\"runtimeInSeconds\": 1}, {\"id\": \"d\", \"runtimeInSeconds\": 1}]}}}",
        "per-unit=1 gpu=1");
    assert_int_equal(duet_instance_edges(instance), 3);
    assert_int_equal(duet_instance_transfer(instance, 0, 0, 1), 4);
    assert_int_equal(duet_instance_transfer(instance, 1, 0, 1), 6);
    assert_int_equal(duet_instance_transfer(instance, 2, 0, 1), 0);
    duet_instance_free(instance);
}

// Without parents and children who reads a file waits for those who write it.
static void test_workflow_by_files(void **state)
{
    (void)state;
#define T(name, link) "{\"name\": \"" name "\", \"runtime\": 1, \"files\": [" link "]}"
#define F(link, name) "{\"link\": \"" link "\", \"name\": \"" name "\", \"size\": 6}"
#define TASKS                                                                                      \
    T("a", F("output", "f") "," F("output", "f"))                                                  \
    "," T("b", F("output", "f") "," F("input", "b")) "," T(                                        \
        "c", F("input", "f") "," F("output", "g") "," F("input", "g"))
    duet_instance *instance =
        duet_read_text_with("{\"workflow\": {\"jobs\": [" TASKS "]}}", "per-unit=1");
    assert_int_equal(duet_instance_edges(instance), 2);
    duet_expect_edge(instance, 0, 0, 2);
    duet_expect_edge(instance, 1, 1, 2);
    assert_int_equal(duet_instance_transfer(instance, 0, 0, 0), 6);
    assert_string_equal(duet_instance_notice(instance),
                        "no task lists its parents: each waits for those that write the files it "
                        "reads");
    duet_instance_free(instance);
    instance = duet_read_text("{\"workflow\": {\"jobs\": [" TASKS
                              ", {\"name\": \"d\", \"runtime\": 1, \"parents\": []}]}}");
    assert_int_equal(duet_instance_edges(instance), 2); // an empty list says nothing
    duet_instance_free(instance);
#undef TASKS
#undef F
#undef T
}

// Version 1.4, and what came before.
static void test_old_workflow(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text_with(
        "{\"schemaVersion\": \"1.4\", \"workflow\": {\"machines\": [{}], \"tasks\": [{\"name\": "
        "\"a\", "
        "\"runtimeInSeconds\": 2, \"files\": [{\"link\": \"output\", \"name\": \"f\", "
        "\"sizeInBytes\": 6}]}, {\"name\": \"b\", \"id\": \"00002\", \"runtimeInSeconds\": 4, "
        "\"parents\": [\"a\"], \"files\": [{\"sizeInBytes\": 6, \"name\": \"f\", \"link\": "
        "\"input\"}]}, {\"id\": 3, \"name\": \"c\", \"runtime\": 1, \"parents\": [\"b\"]}]}}",
        "per-unit=1");
    assert_string_equal(duet_instance_kind_id(instance, 0), "a");
    assert_string_equal(duet_instance_kind_id(instance, 1), "00002");
    assert_string_equal(duet_instance_kind_id(instance, 2), "3");
    assert_int_equal(duet_instance_edges(instance), 2);
    duet_expect_edge(instance, 1, 1, 2);
    assert_int_equal(duet_instance_transfer(instance, 0, 0, 0), 6);
    assert_int_equal(duet_instance_transfer(instance, 1, 0, 0), 0);
    duet_instance_free(instance);
    instance = duet_read_text("{\"workflow\": {\"jobs\": [{\"name\": \"a\", \"runtime\": 2.5}]}}");
    duet_expect_time(instance, 0, 0, "2.5");
    duet_instance_free(instance);
    // An instance may have a member of that name that is no workflow.
    instance =
        duet_read_text("{\"workflow\": \"w\", \"tasks\": [{\"id\": \"a\", \"times\": [1]}]}");
    duet_instance_free(instance);
}

static void test_workflow_refused(void **state)
{
    (void)state;
#define W(tasks) "{\"workflow\": {\"tasks\": [\n" tasks "]}}"
#define A "{\"id\": \"a\", \"runtime\": 1}"
    static const duet_bad_text bad[] = {
        {W("{\"id\": \"a\"}"), 2, "no time of task \"a\"; expected its runtimeInSeconds"},
        {W("{\"id\": \"a\", \"runtime\": null}"), 2, "no time of task \"a\""},
        {W("{\"runtime\": 1}"), 2, "the task has no \"id\""},
        {W("{\"id\": \"a\", \"runtime\": \"x\"}"), 2, "the runtime in seconds, a number"},
        {W("{\"id\": \"a\", \"runtime\": -1}"), 2, "a number of at least 0"},
        {W("{\"id\": \"a\", \"runtime\": 1, \"parents\": [\"b\"]}"), 2, "unknown task \"b\""},
        {W("{\"id\": \"a\", \"runtime\": 1, \"parents\": \"b\"}"), 2, "an array of ids of tasks"},
        {W("{\"id\": \"a\", \"runtime\": 1, \"parents\": [true]}"), 2, "the id of a task"},
        {W("{\"id\": \"a\", \"runtime\": 1, \"children\": [\"a\"]}"), 2,
         "task 'a' waits for itself"},
        {W(A ",\n" A), 3, "duplicate task id 'a'"},
        {W("{\"id\": \"a\", \"name\": \"n\", \"runtime\": 1}, {\"id\": \"b\", \"name\": \"n\", "
           "\"runtime\": 1},\n{\"id\": \"c\", \"runtime\": 1, \"parents\": [\"n\"]}"),
         3, "several tasks are called \"n\""},
        {W("{\"id\": \"a\", \"runtime\": 1, \"children\": [\"b\"]},\n{\"id\": \"b\", \"runtime\": "
           "1, "
           "\"children\": [\"a\"]}"),
         3, "2 tasks wait for each other"},
        {W("{\"id\": \"a\", \"runtime\": 1, \"files\": [{\"sizeInBytes\": 1}]}"), 2,
         "the file has no \"name\""},
        {W("{\"id\": \"a\", \"runtime\": 1, \"files\": [{\"name\": \"f\", \"link\": \"both\"}]}"),
         2, "\"input\" or \"output\""},
        {W("{\"id\": \"a\", \"runtime\": 1, \"files\": [{\"name\": \"f\", \"size\": 1.5}]}"), 2,
         "the size of the file in bytes"},
        {W("7"), 2, "a task, {\"id\": ..., \"parents\": [...]}"},
        {"{\"workflow\": {\"tasks\": [" A "],\n\"jobs\": []}}", 2, "a second array of tasks"},
        {"{\"workflow\": {\"tasks\": [" A "]},\n\"tasks\": []}", 2, "tasks beside a workflow"},
        {"{\"workflow\": {\"specification\": {\"tasks\": [" A
         "]},\n\"execution\": {\"tasks\": [{\"id\": "
         "\"b\", \"runtimeInSeconds\": 1}]}}}",
         2, "unknown task \"b\""},
        {"{\"workflow\": {}}", 1, "the instance has no \"tasks\""},
    };
    duet_expect_refused(bad, sizeof bad / sizeof *bad);
}

// Recorded workflows and how many edges they have.
static void test_recorded_workflows(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t tasks, edges;
    } files[] = {{"1000genome-chameleon-2ch-100k-001", 52, 76},
                 {"blast-chameleon-small-005", 43, 120},
                 {"epigenomics-chameleon-hep-1seq-100k-001", 41, 48},
                 {"hic-dirt02-001", 38, 47},
                 {"seismology-chameleon-100p-001", 101, 100}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char file[400];
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        snprintf(file, sizeof file, "%s/../shared/data/wf/%s.json", DUET_SOURCE_DIR, files[i].name);
        if (access(file, R_OK) != 0) {
            skip();
        }
        if (duet_read_scratch_file(file, "gpu=15 latency=0.001 per-unit=1e-9", &instance, &error) !=
            DUET_OK) {
            fail_msg("%s:%d: %s", file, error.line, error.message);
        }
        assert_int_equal(duet_instance_tasks(instance), files[i].tasks);
        assert_int_equal(duet_instance_edges(instance), files[i].edges);
        assert_int_equal(duet_instance_features(instance),
                         DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workflow),          cmocka_unit_test(test_workflow_files),
        cmocka_unit_test(test_workflow_by_files), cmocka_unit_test(test_old_workflow),
        cmocka_unit_test(test_workflow_refused),  cmocka_unit_test(test_recorded_workflows),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
