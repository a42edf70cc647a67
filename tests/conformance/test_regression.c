// SPDX-License-Identifier: Apache-2.0
// Instances on which something went wrong once, kept as files in tests/regression: what each shows
// must stay so. Of those named accel-published-*: the published algorithm for accelerated tasks
// exceeds its claimed 3/2, the repaired one does not.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "solvers/features.h"
#include "tests/support/fixtures.h"

typedef struct refutation {
    const char *file;
    int64_t optimum;
    int64_t answer; // of accel-published
} refutation;

static void accel_published(void **state)
{
    (void)state;
    static const refutation rows[] = {{"accel-published-100.json", 3, 300},
                                      {"accel-published-6.json", 7, 42}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/tests/regression/%s", DUET_SOURCE_DIR, rows[i].file);
        duet_error error = DUET_ERROR_INIT;
        duet_instance *instance;
        if (duet_read_instance(path, NULL, &instance, &error) != DUET_OK) {
            fail_msg("%s: %s", path, error.message);
        }
        for (size_t kind = 0; kind < duet_instance_kinds(instance); kind++) {
            assert_true(duet_instance_time(instance, kind, 1) <=
                        duet_instance_time(instance, kind, 0)); // accelerated
        }
        assert_int_equal(duet_exhaustive_optimum(instance), rows[i].optimum);
        assert_int_equal(duet_test_makespan(instance, "accel-published"), rows[i].answer);
        assert_true(2 * rows[i].answer > 3 * rows[i].optimum);
        assert_true(2 * duet_test_makespan(instance, "shelf-3-2") <= 3 * rows[i].optimum);
        duet_instance_free(instance);
    }
}

static void check_file(const char *path)
{
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance;
    if (duet_read_instance(path, NULL, &instance, &error) != DUET_OK) {
        fail_msg("%s: %s", path, error.message);
    }
    int64_t optimum = duet_exhaustive_optimum(instance);
    const int64_t counts[] = {duet_instance_type_count(instance, 0),
                              duet_instance_type_count(instance, 1)};
    for (size_t a = 0; a < duet_algorithm_count(); a++) {
        const duet_entry *entry = duet_algorithm_entry(a);
        if ((entry->needs & DUET_NEEDS_GLPK) != 0 ||
            !duet_handles(entry, duet_demand_of(instance))) {
            continue; // GLPK is not in every build; the truth test runs what needs it
        }
        int64_t makespan = duet_test_makespan(instance, entry->name);
        if (duet_guarantee_holds(entry->name, 2, counts, NULL, makespan, optimum) == 0) {
            fail_msg("%s: %s exceeds its ratio", path, entry->name);
        }
    }
    duet_instance_free(instance);
}

// Every algorithm on every file: a valid schedule, a certificate that holds, its ratio.
static void every_file(void **state)
{
    (void)state;
    static const char folder[] = DUET_SOURCE_DIR "/tests/regression";
    DIR *files = opendir(folder);
    assert_non_null(files);
    int count = 0;
    for (const struct dirent *file = readdir(files); file != NULL; file = readdir(files)) {
        char path[512];
        if (strstr(file->d_name, ".json") != NULL) {
            snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
            check_file(path);
            count++;
        }
    }
    closedir(files);
    assert_true(count >= 3);
}

// Reading ends at its limits.
static void reading_stops(void **state)
{
    (void)state;
    static const char path[] = DUET_SOURCE_DIR "/tests/regression/accel-published-6.json";
    const duet_read_params none = DUET_READ_PARAMS_INIT;
    duet_read_params params = none;
    duet_instance *instance;
    params.time_limit = 1e-9; // which does not matter to a small file
    assert_int_equal(duet_read_instance(path, &params, &instance, NULL), DUET_OK);
    duet_instance_free(instance);
    char large[] = "/tmp/duet-regression-XXXXXX";
    int descriptor = mkstemp(large);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    fputs("id,cpu,gpu\n", file);
    for (int j = 0; j < 20000; j++) {
        fprintf(file, "t%d,3,4\n", j);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(duet_read_instance(large, &params, &instance, NULL), DUET_E_LIMIT);
    assert_null(instance);
    remove(large);
    duet_cancel *cancel = duet_cancel_create();
    assert_non_null(cancel);
    params.time_limit = 0;
    params.cancel = cancel;
    assert_int_equal(duet_read_instance(path, &params, &instance, NULL), DUET_OK);
    duet_instance_free(instance);
    duet_cancel_request(cancel);
    assert_int_equal(duet_read_instance(path, &params, &instance, NULL), DUET_E_CANCELLED);
    assert_null(instance);
    duet_cancel_free(cancel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accel_published),
                                       cmocka_unit_test(reading_stops),
                                       cmocka_unit_test(every_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
