// SPDX-License-Identifier: Apache-2.0
// Reading instances: each format's rules, recognition by content, and the published task sets where
// they are at hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include <duet/graph.h>
#include <duet/io.h>
#include <duet/registry.h>

#include "tests/support/read_text.h"
#include "tests/support/scratch_file.h"

static const char *const path = duet_scratch_path;

static duet_code read_text(const char *text, size_t length, duet_instance **out, duet_error *error)
{
    duet_scratch_put(text, length);
    return duet_read_instance(path, NULL, out, error);
}

// Whether kind `kind` has these times, written in the instance's unit; NULL: forbidden.
static void expect_times(const duet_instance *instance, size_t kind, size_t count,
                         const char *const *times)
{
    assert_int_equal(duet_instance_types(instance), count);
    char buffer[32];
    for (size_t t = 0; t < count; t++) {
        int64_t time = duet_instance_time(instance, kind, t);
        if (times[t] == NULL) {
            assert_true(time == DUET_FORBIDDEN);
        } else {
            assert_string_equal(duet_instance_format_time(instance, time, buffer), times[t]);
        }
    }
}

// The two arguments that expect_times() takes for two types.
#define TIMES(cpu, gpu) 2, ((const char *const[]){(cpu), (gpu)})

static void test_json(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text(
        "{\"format\": \"duet-instance\", \"version\": 1, \"name\": \"cholesky-10\", "
        "\"time_unit\": \"ms\", \"comment\": {\"any\": [1, {\"thing\": null}]},\n"
        "\"platform\": [{\"type\": \"cpu\", \"count\": 20}, {\"count\": 4, \"type\": \"gpu\"}],\n"
        "\"tasks\": [{\"id\": \"potrf\", \"count\": 10, \"times\": [33, 15.6]},\n"
        "{\"times\": [170, 5.95], \"id\": \"gemm\", \"note\": \"x\"}, {\"id\": \"c\", \"times\": "
        "[null, 0.000000001e0]}]}");
    assert_string_equal(duet_instance_name(instance), "cholesky-10");
    assert_string_equal(duet_instance_time_unit(instance), "ms");
    assert_int_equal(duet_instance_decimals(instance), 9);
    assert_int_equal(duet_instance_tasks(instance), 12);
    assert_int_equal(duet_instance_type_count(instance, 0), 20);
    assert_int_equal(duet_instance_type_count(instance, 1), 4);
    expect_times(instance, 0, TIMES("33", "15.6"));
    expect_times(instance, 1, TIMES("170", "5.95"));
    expect_times(instance, 2, TIMES(NULL, "0.000000001"));
    assert_string_equal(duet_instance_notice(instance),
                        "member \"note\" of tasks is not used (1 value): remarks do not count");
    duet_instance_free(instance);
}

static void test_json_without_platform(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text(
        "\xef\xbb\xbf \n{\"tasks\": [{\"id\": \"a\", \"times\": [1, 2, 3]}], \"version\": 1, "
        "\"format\": \"duet-instance\"}");
    assert_false(duet_instance_has_platform(instance));
    assert_int_equal(duet_instance_types(instance), 3);
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    assert_string_equal(duet_instance_type_name(instance, 1), "gpu");
    assert_string_equal(duet_instance_type_name(instance, 2), "gpu2");
    assert_string_equal(duet_instance_name(instance), strrchr(path, '/') + 1);
    duet_instance_free(instance);
    // Tasks before the platform.
    instance = duet_read_text("{\"tasks\": [{\"id\": \"a\", \"times\": [1]}], \"version\": 1, "
                              "\"format\": \"duet-instance\", \"platform\": [{\"type\": \"core\", "
                              "\"count\": 7}]}");
    assert_int_equal(duet_instance_type_count(instance, 0), 7);
    assert_string_equal(duet_instance_type_name(instance, 0), "core");
    duet_instance_free(instance);
    instance = duet_read_text("{\"tasks\": [], \"version\": 1, \"format\": \"duet-instance\"}");
    assert_int_equal(duet_instance_tasks(instance), 0);
    assert_int_equal(duet_instance_types(instance), 2);
    duet_instance_free(instance);
}

static void test_csv(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text("id,count,cpu,\"g\"\"pu\"\r\n"
                                             "\"a,b\",2,1.5, 2 \r\n"
                                             "\r\n"
                                             "\" c\nd \",1,,0.25");
    assert_int_equal(duet_instance_kinds(instance), 2);
    assert_int_equal(duet_instance_tasks(instance), 3);
    assert_string_equal(duet_instance_type_name(instance, 1), "g\"pu");
    assert_string_equal(duet_instance_kind_id(instance, 0), "a,b");
    assert_string_equal(duet_instance_kind_id(instance, 1), " c\nd ");
    expect_times(instance, 0, TIMES("1.5", "2"));
    expect_times(instance, 1, TIMES(NULL, "0.25"));
    assert_false(duet_instance_has_platform(instance));
    duet_instance_free(instance);
    instance = duet_read_text("id,cpu\n");
    assert_int_equal(duet_instance_tasks(instance), 0);
    assert_int_equal(duet_instance_types(instance), 1);
    duet_instance_free(instance);
    // Quotes around the first name, and a type called count after the counts.
    instance = duet_read_text("\"id\",count,count\na,3,4\n");
    assert_string_equal(duet_instance_type_name(instance, 0), "count");
    assert_int_equal(duet_instance_tasks(instance), 3);
    duet_instance_free(instance);
}

static void test_text(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text("# a comment\n\n  a 1.50 -1\nb\t2 0.25 a # after\r\n"
                                             "c -1.000000 3 a,b\n");
    assert_int_equal(duet_instance_kinds(instance), 3);
    assert_string_equal(duet_instance_time_unit(instance), "ms");
    assert_int_equal(duet_instance_decimals(instance), 2);
    expect_times(instance, 0, TIMES("1.5", NULL));
    expect_times(instance, 1, TIMES("2", "0.25"));
    expect_times(instance, 2, TIMES(NULL, "3"));
    assert_null(duet_instance_notice(instance));
    assert_int_equal(duet_instance_edges(instance), 3);
    assert_int_equal(duet_instance_edge(instance, 0).from, 0);
    assert_int_equal(duet_instance_edge(instance, 0).to, 1);
    assert_int_equal(duet_instance_edge(instance, 2).from, 1);
    assert_int_equal(duet_instance_edge(instance, 2).to, 2);
    duet_instance_free(instance);
    instance = duet_read_text("a 1 2 3\nb 4 5 6");
    assert_int_equal(duet_instance_types(instance), 3);
    assert_null(duet_instance_notice(instance));
    duet_instance_free(instance);
    // A predecessor may come later.
    instance = duet_read_text("b 4 5 id,c\nid 1 2\nc 3 4");
    assert_int_equal(duet_instance_edges(instance), 2);
    assert_int_equal(duet_instance_edge(instance, 1).from, 2);
    assert_int_equal(duet_instance_edge(instance, 1).to, 0);
    duet_instance_free(instance);
}

// A text cut anywhere is an error or a smaller instance, never a crash.
static void test_cut_anywhere(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "id,count,cpu,gpu\n\"a\"\"x\",2,1.5,2\r\n\xc3\xa9,1,,0.25\n",
        "a 1.50 -1\nb 2 0.25 a # x\n\xc3\xa9 -1 3 a,b\n",
        ("{\"format\": \"duet-instance\", \"version\": 1, \"platform\": [{\"type\": \"cpu\", "
         "\"count\": 1}], \"tasks\": [{\"id\": \"\\u00e9\", \"times\": [1.5]}]}"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t length = 0; length < strlen(texts[i]); length++) {
            duet_instance *instance = NULL;
            duet_error error = DUET_ERROR_INIT;
            duet_code code = read_text(texts[i], length, &instance, &error);
            assert_true((code == DUET_OK) == (instance != NULL));
            assert_true((code == DUET_OK) == (error.code == DUET_OK));
            duet_instance_free(instance);
        }
    }
}

static void test_formats_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < duet_format_count(); i++) {
        assert_non_null(duet_format_entry(i)->name);
        assert_non_null(duet_format_entry(i)->summary);
    }
    assert_null(duet_format_entry(duet_format_count()));
}

static size_t read_folder(const char *folder, size_t types)
{
    DIR *files = opendir(folder);
    size_t count = 0;
    if (files == NULL) {
        return 0;
    }
    for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".txt") != 0) {
            continue;
        }
        char file[1024];
        snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        if (duet_read_instance(file, NULL, &instance, &error) != DUET_OK) {
            fail_msg("%s: %s", file, error.message);
        }
        assert_int_equal(duet_instance_types(instance), types);
        assert_in_range(duet_instance_decimals(instance), 5, 6);
        assert_null(duet_instance_notice(instance));
        assert_true(duet_instance_edges(instance) > 0);
        assert_memory_equal(duet_instance_name(instance), entry->d_name, length - 4);
        duet_instance_free(instance);
        count++;
    }
    closedir(files);
    return count;
}

static void test_published_task_sets(void **state)
{
    (void)state;
    if (read_folder(DUET_SOURCE_DIR "/../shared/data/amaris", 2) == 0) {
        skip();
    }
    assert_true(read_folder(DUET_SOURCE_DIR "/../shared/data/amaris/three-types", 3) > 0);
    duet_instance *instance = NULL;
    assert_int_equal(duet_read_instance(DUET_SOURCE_DIR
                                        "/../shared/data/amaris/sgetrf_nopiv-64-5.txt",
                                        NULL, &instance, NULL),
                     DUET_OK);
    assert_int_equal(duet_instance_tasks(instance), 55);
    assert_string_equal(duet_instance_kind_id(instance, 0), "205");
    expect_times(instance, 0, TIMES("0.053004", NULL));
    duet_instance_free(instance);
    assert_int_equal(duet_read_instance(DUET_SOURCE_DIR "/../shared/data/amaris/spotrf-960-10.txt",
                                        NULL, &instance, NULL),
                     DUET_OK);
    assert_int_equal(duet_instance_tasks(instance), 220);
    assert_int_equal(duet_instance_edges(instance), 495);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_without_platform),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_formats_table),
        cmocka_unit_test(test_published_task_sets),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
