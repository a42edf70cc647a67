// SPDX-License-Identifier: Apache-2.0
// Instances and solutions with random bytes changed: reading ends in an object or an error with a
// message, never in both, never in a crash or a leak (run under the sanitizers).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <duet/check.h>
#include <duet/io.h>

#include "core/number/random.h"
#include "tests/support/scratch_file.h"

enum { ROUNDS = 4000, ROOM = 4096 };

static const char *const path = duet_scratch_path;

static size_t load(const char *file, char *text)
{
    FILE *stream = fopen(file, "rb");
    assert_non_null(stream);
    size_t length = fread(text, 1, ROOM / 2, stream);
    fclose(stream);
    return length;
}

// Writes `text` with one to five changes: a byte replaced, dropped, doubled, or taken from another
// place in the text.
static void store_mutated(duet_random *random, const char *text, size_t length)
{
    char changed[ROOM];
    memcpy(changed, text, length);
    for (int64_t i = duet_random_between(random, 1, 5); i > 0; i--) {
        size_t at = (size_t)duet_random_between(random, 0, (int64_t)length - 1);
        size_t other = (size_t)duet_random_between(random, 0, (int64_t)length - 1);
        switch (duet_random_between(random, 0, 3)) {
        case 0:
            changed[at] = (char)duet_random_between(random, 0, 255);
            break;
        case 1:
            memmove(changed + at, changed + at + 1, length - at - 1);
            length--;
            break;
        case 2:
            memmove(changed + at + 1, changed + at, length - at);
            length++;
            break;
        default:
            changed[at] = changed[other];
        }
    }
    duet_scratch_put(changed, length);
}

static void expect_consistent(duet_code code, const void *object, const duet_error *error)
{
    assert_true((code == DUET_OK) == (object != NULL));
    assert_int_equal(code, error->code);
    assert_true((code == DUET_OK) == (error->message[0] == '\0'));
    assert_true(code == DUET_OK || code == DUET_E_INPUT || code == DUET_E_INFEASIBLE);
}

static void read_mutated_instances(const char *file, uint64_t seed)
{
    char text[ROOM];
    size_t length = load(file, text);
    duet_random random;
    duet_random_seed(&random, seed);
    int accepted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        store_mutated(&random, text, length);
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        duet_code code = duet_read_instance(path, NULL, &instance, &error);
        expect_consistent(code, instance, &error);
        accepted += code == DUET_OK;
        duet_instance_free(instance);
    }
    assert_in_range(accepted, 1, ROUNDS - 1);
}

static void test_instances(void **state)
{
    (void)state;
    read_mutated_instances(DUET_SOURCE_DIR "/tests/invalid/base.json", 1);
    read_mutated_instances(DUET_SOURCE_DIR "/tests/invalid/base-claim.json", 4);
    read_mutated_instances(DUET_SOURCE_DIR "/tests/invalid/base-no-platform.csv", 2);
    read_mutated_instances(DUET_SOURCE_DIR "/tests/invalid/text-too-many.txt", 3);
    read_mutated_instances(DUET_SOURCE_DIR "/tests/invalid/base.rec", 5);
    read_mutated_instances(DUET_SOURCE_DIR "/tests/invalid/base.stg", 6);
    read_mutated_instances(DUET_SOURCE_DIR "/tests/invalid/base.dot", 7);
    read_mutated_instances(DUET_SOURCE_DIR "/tests/invalid/base-workflow.json", 8);
    read_mutated_instances(DUET_SOURCE_DIR "/tests/invalid/base-workflow-1.4.json", 9);
}

static void test_solutions(void **state)
{
    (void)state;
    char text[ROOM];
    size_t length = load(DUET_SOURCE_DIR "/tests/invalid/base-solution.json", text);
    duet_random random;
    duet_random_seed(&random, 4);
    int accepted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        store_mutated(&random, text, length);
        duet_instance *instance = NULL;
        duet_solution *solution = NULL;
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(
            duet_read_instance(DUET_SOURCE_DIR "/tests/invalid/base.json", NULL, &instance, NULL),
            DUET_OK);
        duet_code code = duet_read_solution(path, NULL, instance, &solution, &error);
        expect_consistent(code, solution, &error);
        if (code == DUET_OK) {
            accepted++;
            (void)duet_check_solution(instance, solution, NULL, NULL, NULL);
        }
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    assert_in_range(accepted, 1, ROUNDS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instances),
        cmocka_unit_test(test_solutions),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
