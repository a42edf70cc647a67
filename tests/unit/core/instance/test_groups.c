// SPDX-License-Identifier: Apache-2.0
// Which tasks belong together: what the input says, else what ids begin with.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/instance/groups.h"

enum { MOST = 400 };

static duet_instance *instance_of(const char *const *ids, size_t kinds)
{
    static const duet_type platform[] = {{"cpu", 2}};
    static int64_t times[MOST];
    for (size_t i = 0; i < MOST; i++) {
        times[i] = 1;
    }
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 1,
                                     .platform = platform,
                                     .kinds = kinds,
                                     .ids = ids,
                                     .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

// The names of the groups with commas between them.
static void names_of(const duet_instance *instance, char *text, size_t size)
{
    duet_task_groups groups = {.count = 0};
    assert_int_equal(duet_task_groups_create(instance, &groups, NULL), DUET_OK);
    size_t used = 0;
    text[0] = '\0';
    for (size_t g = 0; g < groups.count && used < size; g++) {
        duet_group_name name = duet_task_groups_name(&groups, instance, g);
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", g == 0 ? "" : ",",
                                 (int)name.length, name.text);
        assert_true(groups.of_kind[groups.sample[g]] == g);
    }
    duet_task_groups_free(&groups);
}

// `repeats` tasks of each id, told apart by what stands behind it.
static void expect(const char *const *ids, size_t count, size_t repeats, const char *behind,
                   const char *expected)
{
    static char text[MOST][40];
    static const char *given[MOST];
    char names[4000];
    assert_true(count * repeats <= MOST);
    for (size_t i = 0; i < count * repeats; i++) {
        snprintf(text[i], sizeof text[i], behind, ids[i % count], i / count);
        given[i] = text[i];
    }
    duet_instance *instance = instance_of(given, count * repeats);
    names_of(instance, names, sizeof names);
    assert_string_equal(names, expected);
    duet_instance_free(instance);
}

static void test_ids(void **state)
{
    (void)state;
    static const char *const few[] = {"a_1", "a_2", "b_1"};
    expect(few, 3, 1, "%s", "a_1,a_2,b_1");
    static const char *const stages[] = {"ingest", "train", "report"};
    expect(stages, 3, 20, "%s_%zu", "ingest,train,report");
    expect(stages, 3, 20, "%s%zu", "ingest,train,report");
    expect(stages, 3, 20, "%s/part-%zu.txt", "ingest/part,train/part,report/part");
    expect(stages, 3, 20, "job:%s#%zu", "job:ingest,job:train,job:report");
}

static void test_room(void **state)
{
    (void)state;
    // Where there is room, the longer words stay apart.
    static const char *const kernels[] = {"trsm-ll", "trsm-ru", "gemm"};
    expect(kernels, 3, 10, "%s_%zu", "trsm-ll,trsm-ru,gemm");
    static const char *const many[] = {"trsm-a", "trsm-b", "trsm-c", "trsm-d", "trsm-e",
                                       "trsm-f", "trsm-g", "gemm-a", "gemm-b", "gemm-c",
                                       "gemm-d", "gemm-e", "gemm-f"};
    expect(many, 13, 2, "%s_%zu", "trsm,gemm");
    expect(many, 12, 2, "%s_%zu",
           "trsm-a,trsm-b,trsm-c,trsm-d,trsm-e,trsm-f,trsm-g,gemm-a,gemm-b,gemm-c,gemm-d,gemm-e");
    static const char *const numbers[] = {"2023-01_load", "2023-02_store"};
    expect(numbers, 2, 10, "%s_%zu", "2023-01_load,2023-02_store");
}

static void test_numbers(void **state)
{
    (void)state;
    static const char *const none[] = {"t"};
    static char text[20][8];
    static const char *given[20];
    duet_task_groups groups = {.count = 0};
    for (size_t i = 0; i < 20; i++) {
        snprintf(text[i], sizeof text[i], "%zu", i);
        given[i] = text[i];
    }
    duet_instance *instance = instance_of(given, 20);
    assert_int_equal(duet_task_groups_create(instance, &groups, NULL), DUET_OK);
    assert_true(groups.apart && groups.alike && groups.count == 20);
    duet_task_groups_free(&groups);
    duet_instance_free(instance);
    instance = instance_of(none, 1);
    assert_null(duet_instance_group(instance, 0));
    assert_true(duet_group_has(instance, 0, "t", 1));
    assert_false(duet_group_has(instance, 0, "t1", 2));
    duet_instance_free(instance);
}

static duet_instance *read(const char *path, const char *text)
{
    duet_instance *instance;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(duet_read_instance(path, NULL, &instance, NULL), DUET_OK);
    return instance;
}

// Also where one task says nothing, and is what its id begins with.
static void test_said(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "id,cpu,Type of task\na_1,1,x\nb_2,2,y\nc_3,3,x\nd_4,4,\n",
        ("[{\"id\": \"a_1\", \"cpu\": 1, \"group\": \"x\"},\n{\"id\": \"b_2\", \"cpu\": 2, "
         "\"kind\": \"y\"},\n"
         "{\"id\": \"c_3\", \"cpu\": 3, \"group\": \"x\"},\n{\"id\": \"d_4\", \"cpu\": 4, "
         "\"group\": null}]"),
        ("digraph {\na_1 [cpu=1, group=x];\nb_2 [cpu=2, group=\"y\"];\nc_3 [cpu=3, group=x];\n"
         "d_4 [cpu=4]\n}")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        static const char *const formats[] = {"json", "csv", "dot"};
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            char names[100];
            duet_instance *first = read("groups.txt", texts[i]);
            assert_null(duet_instance_notice(first));
            assert_int_equal(duet_write_instance("groups.out", formats[f], first, NULL), DUET_OK);
            duet_instance *instance;
            assert_int_equal(duet_read_instance("groups.out", NULL, &instance, NULL), DUET_OK);
            names_of(instance, names, sizeof names);
            assert_string_equal(names, "x,y,d");
            assert_string_equal(duet_instance_group(instance, 2), "x");
            assert_null(duet_instance_group(instance, 3));
            assert_true(duet_group_has(instance, 2, "x", 1));
            assert_false(duet_group_has(instance, 2, "c", 1));
            assert_true(duet_group_has(instance, 3, "d", 1));
            duet_instance_free(first);
            duet_instance_free(instance);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
