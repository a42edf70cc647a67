// SPDX-License-Identifier: Apache-2.0
// StarPU's records: the recutils syntax, what becomes of timings, workers, estimates and tasks, and
// what is said of malformed files. Real files are read by tests/shell/starpu.sh.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <duet/graph.h>
#include <duet/io.h>

#include "core/instance/instance.h"
#include "instances/formats/starpu/recutils.h"
#include "tests/support/read_text.h"
#include "tests/support/scratch_file.h"

static const char *const path = duet_scratch_path;

static duet_code read_text(const char *text, duet_instance **out, duet_error *error)
{
    duet_scratch_put(text, strlen(text));
    return duet_read_instance(path, NULL, out, error);
}

static void expect_type(const duet_instance *instance, size_t type, const char *name, int64_t count)
{
    assert_true(type < duet_instance_types(instance));
    assert_string_equal(duet_instance_type_name(instance, type), name);
    assert_int_equal(duet_instance_type_count(instance, type), count);
}

// `times` in microseconds with blanks between, "-" where forbidden.
static void expect_kind(const duet_instance *instance, size_t kind, const char *id, int64_t count,
                        const char *times)
{
    char found[256] = "";
    char buffer[32];
    assert_true(kind < duet_instance_kinds(instance));
    assert_string_equal(duet_instance_kind_id(instance, kind), id);
    assert_int_equal(duet_instance_kind_count(instance, kind), count);
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        int64_t time = duet_instance_time(instance, kind, t);
        size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%s%s", t > 0 ? " " : "",
                 time == DUET_FORBIDDEN ? "-" : duet_instance_format_time(instance, time, buffer));
    }
    assert_string_equal(found, times);
}

#define TIMING(model, arch, footprint, mean, samples)                                              \
    "Model: " model "\nArchitecture: " arch "\nFootprint: " footprint "\nSize: 512\n"              \
    "Flops: 0.000000e+00   \nMean: " mean "   \nStddev: 2.251208e+01   \nSamples: " samples "\n\n"
#define WORKERS(arch, count) "Architecture: " arch "\nNbWorkers: " count "\n\n"
#define TASK(model, job, footprint, rest)                                                          \
    "Name: " model "\nModel: " model "\nJobId: " job "\nSubmitOrder: " job                         \
    "\nFootprint: " footprint "\n" rest "\n"

#define ESTIMATED(model, job) TASK(model, job, "1", "EstimatedTime: 1 2\n")
#define RANKED(order, rank)                                                                        \
    "JobId: 1\nSubmitOrder: " order "\nMPIRank: " rank "\nName: a\nEstimatedTime: 1\n\n"

// --- the syntax --------------------------------------------------------------------------------

static void test_syntax(void **state)
{
    (void)state;
    static char text[] = "# a comment\n\n%rec: timing\n%key: Name\n\n\n"
                         "Name: a b  \r\nLong: one\n+ two\n+\n+three\n# in between\n"
                         "Joined: x\\\ny\nEmpty:\nColon: a: b\n  \t\nLast: 1";
    FILE *stream = fmemopen(text, sizeof text - 1, "r");
    duet_rec_reader reader = {NULL, NULL, 0, NULL, 0};
    duet_error error = DUET_ERROR_INIT;
    assert_non_null(stream);
    assert_int_equal(duet_input_wrap(&reader.input, stream, "text", &error), DUET_OK);
    assert_int_equal(duet_rec_next(&reader, &error), DUET_OK);
    assert_int_equal(reader.count, 2);
    assert_string_equal(duet_rec_value(&reader, duet_rec_find(&reader, "%key")), "Name");
    assert_int_equal(reader.fields[1].line, 4);
    assert_int_equal(duet_rec_next(&reader, &error), DUET_OK);
    assert_int_equal(reader.count, 5);
    static const char *const fields[][2] = {{"Name", "a b"},
                                            {"Long", "one\ntwo\n\nthree"},
                                            {"Joined", "xy"},
                                            {"Empty", ""},
                                            {"Colon", "a: b"}};
    for (size_t i = 0; i < 5; i++) {
        const duet_rec_field *field = duet_rec_find(&reader, fields[i][0]);
        assert_non_null(field);
        assert_string_equal(duet_rec_value(&reader, field), fields[i][1]);
    }
    assert_null(duet_rec_find(&reader, "Nam"));
    assert_int_equal(duet_rec_next(&reader, &error), DUET_OK);
    assert_int_equal(reader.count, 1);
    assert_string_equal(duet_rec_value(&reader, &reader.fields[0]), "1");
    assert_int_equal(duet_rec_next(&reader, &error), DUET_OK);
    assert_int_equal(reader.count, 0);
    duet_rec_free(&reader);
    duet_input_close(reader.input);
    fclose(stream);
}

// --- timings alone -----------------------------------------------------------------------------

// As starpu_perfmodel_recdump 1.3.10 prints it: the workers last.
static void test_models(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text(
        "%rec: timing\n\n" TIMING("gemm", "cpu0", "d1f14eba", "6.632806e+02",
                                  "37") TIMING("gemm", "cuda0", "d1f14eba", "1.234567e-03", "5")
            TIMING("potrf", "cpu0", "000000ab", "1.000000e+00",
                   "1") TIMING("potrf", "cuda0", "ab", "0.000000e+00",
                               "0") TIMING("new", "cpu0", "1", "0.000000e+00",
                                           "0") "\n\n%rec: worker_count\n\n" WORKERS("cuda0", "2")
                WORKERS(
                    "cpu0",
                    "6") "%rec: memory_workers\n\n"
                         "MemoryNode: 0\nName: NUMA 0\nSize: 7342338048\nWorkers: 2 3 4 5 6 7\n\n");
    assert_string_equal(duet_instance_time_unit(instance), "us");
    assert_int_equal(duet_instance_decimals(instance), 9);
    assert_int_equal(duet_instance_types(instance), 2);
    expect_type(instance, 0, "cpu", 6);
    expect_type(instance, 1, "cuda", 2);
    assert_int_equal(duet_instance_kinds(instance), 2);
    expect_kind(instance, 0, "gemm:d1f14eba", 1, "663.2806 0.001234567");
    expect_kind(instance, 1, "potrf:000000ab", 1, "1 -");
    assert_string_equal(duet_instance_notice(instance), "1 model without a measured time left out");
    duet_instance_free(instance);
}

// Devices of one sort with equal times are one type, others are not; a model without workers here
// has a type of 0, and the word for a model that older versions have.
static void test_devices(void **state)
{
    (void)state;
#define TIMES(cuda0, cuda1)                                                                        \
    TIMING("a", "cpu0", "1", "4.0e+00", "3")                                                       \
    TIMING("a", "cuda0", "1", cuda0, "3")                                                          \
    TIMING("a", "cuda1", "1", cuda1, "3")
#define THREE WORKERS("cuda0", "1") WORKERS("cuda1", "1") WORKERS("cpu0", "2")
    duet_instance *instance = duet_read_text(TIMES("2.0e+00", "2.000e+00") THREE);
    assert_int_equal(duet_instance_types(instance), 2);
    expect_type(instance, 1, "cuda", 2);
    duet_instance_free(instance);
    instance = duet_read_text(TIMES("2.0e+00", "2.5e+00") THREE);
    assert_int_equal(duet_instance_types(instance), 3);
    expect_type(instance, 0, "cpu", 2);
    expect_type(instance, 1, "cuda0", 1);
    expect_type(instance, 2, "cuda1", 1);
    expect_kind(instance, 0, "a:00000001", 1, "4 2 2.5");
    assert_non_null(strstr(duet_instance_notice(instance), "2 types are of one sort of device"));
    duet_instance_free(instance);
    // Without workers here the first stands for all; a model of another alone has no time.
    instance = duet_read_text(TIMES("2.0e+00", "2.1e+00") TIMING("b", "cuda1", "2", "1.0e+00", "3")
                                  WORKERS("cpu0", "2"));
    assert_int_equal(duet_instance_types(instance), 2);
    expect_type(instance, 1, "cuda", 0);
    assert_int_equal(duet_instance_kinds(instance), 1);
    expect_kind(instance, 0, "a:00000001", 1, "4 2");
    assert_string_equal(duet_instance_notice(instance), "1 model without a measured time left out");
    duet_instance_free(instance);
    instance = duet_read_text("%rec: timing\n\nName: a\nArchitecture: cpu0\nMean: 3\n\n"
                              "Name: a\nArchitecture: opencl0\nMean: 3\n\n" WORKERS("cpu0", "2"));
    expect_type(instance, 0, "cpu", 2);
    expect_type(instance, 1, "opencl", 0);
    expect_kind(instance, 0, "a", 1, "3 3");
    duet_instance_free(instance);
    instance = duet_read_text(TIMES("2.0e+00", "2.0e+00"));
    assert_false(duet_instance_has_platform(instance));
    assert_int_equal(duet_instance_types(instance), 2);
    duet_instance_free(instance);
}

// --- tasks -------------------------------------------------------------------------------------

static void test_tasks_with_timings(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text(
        TASK("gemm", "1", "ab", "Tag: ffffffffffffffff\nDependsOn: \n")
            TASK("potrf", "2", "c",
                 "DependsOn: 1\n") "Control: WontUse\nJobId: 3\nSubmitOrder: 3\n\n"
                                   "Name: plain\nJobId: 4\nSubmitOrder: 4\n\n" TASK("gemm", "5",
                                                                                    "ab", "")
                                       TIMING("gemm", "cpu0", "000000ab", "2.5e+00", "3")
                                           TIMING("potrf", "cpu0", "0000000c", "4.0e+00", "3")
                                               TIMING("idle", "cpu0", "0000000c", "9.0e+00", "3")
                                                   WORKERS("cpu0", "3"));
    assert_int_equal(duet_instance_kinds(instance), 2);
    expect_kind(instance, 0, "gemm:000000ab", 2, "2.5");
    expect_kind(instance, 1, "potrf:0000000c", 1, "4");
    assert_string_equal(duet_instance_notice(instance),
                        "1 task without a performance model left out: what depends on them "
                        "depends on their predecessors");
    assert_int_equal(duet_instance_edges(instance), 1);
    assert_int_equal(duet_instance_edge(instance, 0).from, 0);
    assert_int_equal(duet_instance_edge(instance, 0).to, 2);
    assert_non_null(instance->origin);
    assert_false(instance->origin->dependent);
    static const int64_t expected[] = {1, 5, 2};
    assert_memory_equal(instance->origin->submit_order, expected, sizeof expected);
    duet_instance_free(instance);
}

#define JOB(job, depends) "Name: a\nJobId: " job "\nDependsOn: " depends "\nEstimatedTime: 1 2\n\n"
#define LEFT_OUT(job, depends) "Name: b\nJobId: " job "\nDependsOn: " depends "\n\n"

static void expect_edges(duet_instance *instance, const int64_t (*pairs)[2], int64_t count)
{
    assert_int_equal(duet_instance_edges(instance), count);
    for (int64_t e = 0; e < count; e++) {
        duet_edge edge = duet_instance_edge(instance, e);
        assert_int_equal(edge.from, pairs[e][0]);
        assert_int_equal(edge.to, pairs[e][1]);
    }
    duet_instance_free(instance);
}

static void test_dependencies(void **state)
{
    (void)state;
    // One named twice counts once; an end may come later.
    static const int64_t plain[][2] = {{2, 0}, {1, 0}, {0, 3}};
    expect_edges(duet_read_text(JOB("1", "7 8 7") JOB("7", "") JOB("8", "") JOB("0_9", "1")), plain,
                 3);
    // Through two that are no tasks, and one that only frees data.
    static const int64_t through[][2] = {{1, 2}, {0, 2}};
    expect_edges(duet_read_text(JOB("1", "") JOB("2", "") LEFT_OUT("3", "1 2") LEFT_OUT(
                     "4", "3 1") "Control: WontUse\nJobId: 5\nDependsOn: 4\n\n" JOB("6", "5 4")),
                 through, 2);
    // What stands in no record is left out, and StarPU's own order then stays open.
    duet_instance *instance = duet_read_text(JOB("1", "5") JOB("2", "1 4"));
    assert_string_equal(duet_instance_notice(instance),
                        "2 jobs that others depend on and that the file does not have left out");
    assert_true(instance->origin->dependent);
    static const int64_t known[][2] = {{0, 1}};
    expect_edges(instance, known, 1);
    // Each rank has JobIds of its own.
#define OF(rank, job, depends) "MPIRank: " rank "\n" JOB(job, depends)
    static const int64_t ranks[][2] = {{0, 2}, {1, 3}};
    expect_edges(
        duet_read_text(OF("0", "1", "") OF("1", "1", "") OF("0", "2", "1") OF("1", "2", "1")),
        ranks, 2);
}

// Chains of jobs that are no tasks lead to what their ends wait for, also where a chain joins
// another one on its way, and nowhere where it is a circle.
static void test_chains(void **state)
{
    (void)state;
    static const int64_t joined[][2] = {{0, 1}, {0, 2}, {0, 3}};
    expect_edges(duet_read_text(JOB("1", "") LEFT_OUT("2", "1") LEFT_OUT("3", "2") LEFT_OUT(
                     "4", "3") LEFT_OUT("5", "3") JOB("6", "4") JOB("7", "5") JOB("8", "3 4 5 2")),
                 joined, 3);
    static const int64_t circle[][2] = {{0, 1}};
    expect_edges(duet_read_text(JOB("1", "") LEFT_OUT("2", "3") LEFT_OUT("3", "4") LEFT_OUT(
                     "4", "3") JOB("5", "2 1") LEFT_OUT("6", "6") JOB("7", "6 4 2")),
                 circle, 1);
}

static void test_estimates(void **state)
{
    (void)state;
    // Nobody says what the workers are: StarPU numbers CPUs last.
    duet_instance *instance =
        duet_read_text("# made by hand\n\n" TASK(
            "a", "1", "1", "EstimatedTime: 1e+00 1.0 inf 5.0 5.0 5.000000e+00\n")
                           TASK("b", "2", "2", "EstimatedTime: nan -nan 2 3 3 3\n"));
    assert_int_equal(duet_instance_types(instance), 3);
    expect_type(instance, 0, "cpu", 3);
    expect_type(instance, 1, "gpu0", 2);
    expect_type(instance, 2, "gpu1", 1);
    expect_kind(instance, 0, "a:00000001", 1, "5 1 -");
    expect_kind(instance, 1, "b:00000002", 1, "3 - 2");
    assert_int_equal(instance->origin->worker_rank[0], 2);
    assert_int_equal(instance->origin->worker_rank[1], 0);
    assert_int_equal(instance->origin->worker_rank[2], 1);
    assert_false(instance->origin->dependent);
    duet_instance_free(instance);
    // The workers are known; a model without estimates has timings.
    instance = duet_read_text(
        WORKERS("cuda0", "1") WORKERS("cpu0", "2") TASK("a", "1", "1", "EstimatedTime: 1 2 2\n")
            TASK("a", "2", "1", "") TASK("b", "3", "1", "") TIMING("b", "cpu0", "1", "7", "3")
                TIMING("a", "cpu0", "1", "99", "3"));
    assert_int_equal(duet_instance_types(instance), 2);
    expect_type(instance, 0, "cpu", 2);
    expect_type(instance, 1, "cuda", 1);
    expect_kind(instance, 0, "a:00000001", 2, "2 1");
    expect_kind(instance, 1, "b:00000001", 1, "7 -");
    duet_instance_free(instance);
    // All alike; a task that has but a name.
    instance = duet_read_text("JobId: 9\nName: x\nEstimatedTime: 3 3\n");
    assert_int_equal(duet_instance_types(instance), 1);
    expect_type(instance, 0, "cpu", 2);
    expect_kind(instance, 0, "x", 1, "3");
    assert_int_equal(instance->origin->submit_order[0], 0);
    duet_instance_free(instance);
}

// Workers are ranked as the file counts them, whatever it calls them first.
static void test_ranks(void **state)
{
    (void)state;
#define BOTH TIMING("a", "cpu0", "1", "4", "3") TIMING("a", "cuda0", "1", "2", "3")
    static const struct {
        const char *text;
        size_t cpu;
    } cases[] = {{BOTH WORKERS("cuda0", "1") WORKERS("cpu0", "2"), 1},
                 {BOTH WORKERS("cpu0", "2") WORKERS("cuda0", "1"), 0},
                 {BOTH WORKERS("cpu0", "2"), 1},
                 {BOTH, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        duet_instance *instance = duet_read_text(cases[i].text);
        assert_int_equal(instance->origin->worker_rank[0], cases[i].cpu);
        assert_int_equal(instance->origin->worker_rank[1], 1 - cases[i].cpu);
        duet_instance_free(instance);
    }
}

// What no one reads may come twice; a task without SubmitOrder has none in common with another.
static void test_repeated(void **state)
{
    (void)state;
    duet_instance *instance =
        duet_read_text("%rec: task\n\nTag: 1\nTag: 2\nName: a\nJobId: 1\nEstimatedTime: 1 2\n\n"
                       "JobId: 2\nSubmitOrder: 0\nName: a\nEstimatedTime: 1 2\n\n"
                       "JobId: 2\nSubmitOrder: 4\nMPIRank: -1\nName: a\nEstimatedTime: 1 2\n\n"
                       "JobId: 3\nSubmitOrder: 5\nMPIRank: 1\nName: a\nEstimatedTime: 1 2\n\n"
                       "MemoryNode: 0\nName: NUMA 0\nName: NUMA 1\n\n");
    expect_kind(instance, 0, "a", 4, "2 1");
    duet_instance_free(instance);
}

// --- malformed ---------------------------------------------------------------------------------

static void test_malformed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *fragment;
    } cases[] = {
        {JOB("1", "") JOB("1", "") JOB("2", "1"), 13, "DependsOn 1, a JobId that two records have"},
        {JOB("1", "2") LEFT_OUT("2", "1"), 3, "task 'a' waits for itself"},
        {JOB("1", "2") JOB("2", "1"), 8, "2 tasks wait for each other"},
        {"Name: a\nbroken line\n", 2, "expected ':' after a field's name, found ' '"},
        {"Name: a\n: b\n", 2, "expected \"Field: value\", '#' or an empty line"},
        {"Name: a\nX: \x01\n", 2, "expected text, found byte 0x01"},
        {"Name: a\nX: \xff\n", 2, "invalid UTF-8"},
        {"%rec: timing\n\n", 0, "no tasks and no timings"},
        {WORKERS("cpu0", "2"), 0, "no tasks and no timings"},
        {"Name: a\nNbWorkers: 2\n", 1, "NbWorkers without Architecture"},
        {"Name: a\nMean: 2\n", 1, "Mean without Architecture"},
        {"Architecture: cpu0\nMean: 2\n", 1, "Mean without Model"},
        {"Name: a\nEstimatedTime: 2\n", 1, "EstimatedTime without JobId"},
        {"Architecture: cpu0\nNbWorkers: two\n", 2, "NbWorkers \"two\": expected a whole number"},
        {"Architecture: cpu0\nNbWorkers: 2147483648\n", 2, "expected a whole number from 0 to"},
        {"Architecture: cpu0\nNbWorkers: \n", 2, "NbWorkers \"\": expected a whole number"},
        {WORKERS("cpu0", "2") WORKERS("cpu0", "2"), 4, "the workers of cpu0 are counted twice"},
        {TIMING("a", "cpu0", "xyz", "1", "3"), 3, "Footprint \"xyz\": expected a hexadecimal"},
        {TIMING("a", "cpu0", "1", "one", "3"), 6, "time \"one\": expected a decimal number"},
        {TIMING("a", "cpu0", "1", "-1.0", "3"), 6, "expected a number of at least 0"},
        {TIMING("a", "cpu0", "1", "1", "-3"), 8, "Samples \"-3\": expected a whole number"},
        {TIMING("a", "cpu0", "1", "1", "3") TIMING("a", "cpu0", "1", "2", "3"), 10,
         "second timing of a:00000001 on cpu0, after line 1"},
        {TASK("a", "1", "1", ""), 1, "no time of a:00000001; expected EstimatedTime"},
        {TASK("a", "1", "1", "") TIMING("b", "cpu0", "1", "1", "3"), 1, "no time of a:00000001"},
        {TASK("a", "1", "1", "EstimatedTime: 1 2\n") TASK("b", "2", "1", "EstimatedTime: 1\n"), 13,
         "EstimatedTime has 1 values; expected 2, one per worker"},
        {TASK("a", "1", "1", "EstimatedTime: 1 2\n") TASK("a", "2", "1", "EstimatedTime: 1 3\n"),
         13, "EstimatedTime differs from that of line 6; expected the same for all tasks of a"},
        {TASK("a", "1", "1", "EstimatedTime: 1 x\n"), 6, "time \"x\": expected a decimal number"},
        {WORKERS("cpu0", "3") TASK("a", "1", "1", "EstimatedTime: 1 2\n"), 0,
         "EstimatedTime has 2 values for the 3 workers that are counted"},
        {TASK("a", "1", "1", "EstimatedTime: \n"), 1, "no time of a:00000001"},
        {"Name: a\nJobId: 1\nEstimatedTime: 1\nName: b\nJobId: 2\n", 4,
         "a second Name in one record, after line 1; expected an empty line between records"},
        {"Name: a\nJobId: 1\nEstimatedTime: 1\nJobId: 2\n", 4, "a second JobId"},
        {TASK("a", "1", "1", "EstimatedTime: 1 2\nEstimatedTime: 2 1\n"), 7,
         "a second EstimatedTime in one record, after line 6"},
        {TASK("a", "1", "1", "DependsOn: \nDependsOn: 1\n"), 7, "a second DependsOn"},
        {TASK("a", "1", "1", "Footprint: 2\n"), 6, "a second Footprint in one record"},
        {TASK("a", "1", "1", "SubmitOrder: 2\n"), 6, "a second SubmitOrder in one record"},
        {TASK("a", "1", "1", "MPIRank: 0\nMPIRank: 1\n"), 7, "a second MPIRank in one record"},
        {"Architecture: cpu0\nNbWorkers: 2\nNbWorkers: 3\n", 3, "a second NbWorkers"},
        {"Architecture: cpu0\nArchitecture: cpu1\nNbWorkers: 3\n", 2, "a second Architecture"},
        {"Model: a\nArchitecture: cpu0\nMean: 1\nMean: 2\n", 4, "a second Mean in one record"},
        {"Model: a\nModel: b\nArchitecture: cpu0\nMean: 1\n", 2, "a second Model in one record"},
        {"Model: a\nArchitecture: cpu0\nSamples: 0\nSamples: 1\nMean: 1\n", 4,
         "a second Samples in one record"},
        {ESTIMATED("a", "1") ESTIMATED("b", "2") ESTIMATED("b", "2") ESTIMATED("a", "1"), 18,
         "SubmitOrder 2 again, after line 11; expected each once"},
        {RANKED("7", "0") RANKED("7", "1"), 8,
         "SubmitOrder 7 again, on another MPIRank than in line 2; several ranks are not supported"},
        {RANKED("7", "0") RANKED("7", "0"), 8, "SubmitOrder 7 again, after line 2"},
        {RANKED("7", "-2"), 3, "MPIRank \"-2\": expected a whole number"},
        {"Name: a\nJobId: 1\nSubmitOrder: first\nEstimatedTime: 1\n", 3, "SubmitOrder \"first\""},
        {TASK("a", "1", "1", "EstimatedTime: inf 0.000000e+00\n"), 1, "is forbidden on every"},
        {TASK("a", "1", "1", "EstimatedTime: 4e18 4e18\n") TASK("b", "2", "1",
                                                                "EstimatedTime: 4e18 "
                                                                "4e18\n"),
         8, "too much work"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        duet_error error = DUET_ERROR_INIT;
        duet_instance *instance = NULL;
        duet_code code = read_text(cases[i].text, &instance, &error);
        if (code == DUET_OK || error.line != cases[i].line ||
            strstr(error.message, cases[i].fragment) == NULL) {
            fail_msg("%s\ncode %d, line %d, message \"%s\"; expected line %d, \"%s\"",
                     cases[i].text, (int)code, error.line, error.message, cases[i].line,
                     cases[i].fragment);
        }
        assert_null(instance);
        duet_instance_free(instance);
    }
}

// 70 GPUs, each with times of its own.
static void test_many_types(void **state)
{
    (void)state;
    static char text[20000];
    size_t length = 0;
    for (int i = 0; i < 70; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "Model: a\nArchitecture: cuda%d\nMean: %d\n\n", i,
                                   i % 2 == 0 ? 1 : i + 1);
    }
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = NULL;
    assert_int_equal(read_text(text, &instance, &error), DUET_E_INPUT);
    assert_non_null(strstr(error.message, "more than 64 sorts of workers"));
    assert_null(instance);
}

// What is no record stays what it was.
static void test_recognition(void **state)
{
    (void)state;
    duet_instance *instance =
        duet_read_text("# typed-task text\n# with a comment\nName 3 1\nb 2 4\n");
    assert_string_equal(duet_instance_time_unit(instance), "ms");
    expect_kind(instance, 0, "Name", 1, "3 1");
    duet_instance_free(instance);
    instance = duet_read_text("a: 3 1\nb: 2 4\n");
    expect_kind(instance, 0, "a:", 1, "3 1");
    duet_instance_free(instance);
    instance = duet_read_text("\n# StarPU\n#\n\nJobId: 1\nName: x\nEstimatedTime: 3 4\n");
    assert_string_equal(duet_instance_time_unit(instance), "us");
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_tasks_with_timings),
        cmocka_unit_test(test_dependencies),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_many_types),
        cmocka_unit_test(test_recognition),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
