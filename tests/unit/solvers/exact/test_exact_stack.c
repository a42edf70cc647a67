// SPDX-License-Identifier: Apache-2.0
// Algorithm `exact` in a thread with a small stack, on instances whose searches are thousands of
// levels deep: what goes down with the instance is on the heap.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "tests/support/exact_run.h"
#include "tests/support/proof_file.h"

enum { STACK = 256 * 1024, MOST_GROUPS = 3 };

// Kinds whose times grow by a step from one to the next.
typedef struct group {
    size_t kinds;
    int64_t copies;
    int64_t time[2];
    int64_t step[2];
} group;

typedef struct deep {
    const char *why;
    int64_t processors[2];
    group groups[MOST_GROUPS];
} deep;

static const deep all[] = {
    {"a branch for each of thousands of settled classes",
     {20, 1250},
     {{3750, 1, {70000, 30000}, {5, 2}}, {60, 1, {33000, 70000}, {40, 11}}}},
    {"thousands of settled classes, each patterned",
     {1250, 20},
     {{3750, 1, {30000, 70000}, {2, 5}}, {60, 1, {70000, 33000}, {11, 40}}}},
    {"a branch for each of thousands of equal tasks",
     {3, 2},
     {{1, 2800, {70001, 70003}, {0, 0}},
      {1, 1, {35000, 36000}, {0, 0}},
      {1, 3, {12345, 54321}, {0, 0}}}},
    {"the same, of two kinds",
     {3, 2},
     {{2, 1400, {70001, 70003}, {12, 2}},
      {1, 1, {35000, 36000}, {0, 0}},
      {1, 3, {12345, 54321}, {0, 0}}}},
    {"a node for each of thousands of processors",
     {2900, 2900},
     {{1, 5000, {5001, 4700}, {0, 0}},
      {1, 2900, {5003, 4503}, {0, 0}},
      {1, 300, {4000, 4100}, {0, 0}}}},
    {"hundreds of classes on one processor",
     {2, 1},
     {{900, 1, {2, 5}, {2, 6}}, {1, 1, {701, 900}, {0, 0}}}},
};

static duet_instance *build(const deep *what)
{
    size_t kinds = 0;
    for (size_t g = 0; g < MOST_GROUPS; g++) {
        kinds += what->groups[g].kinds;
    }
    int64_t *counts = calloc(kinds, sizeof *counts);
    int64_t *times = calloc(2 * kinds, sizeof *times);
    if (counts == NULL || times == NULL) {
        abort();
    }
    size_t at = 0;
    for (size_t g = 0; g < MOST_GROUPS; g++) {
        const group *own = &what->groups[g];
        for (size_t i = 0; i < own->kinds; i++, at++) {
            counts[at] = own->copies;
            times[2 * at] = own->time[0] + (int64_t)i * own->step[0];
            times[2 * at + 1] = own->time[1] + (int64_t)i * own->step[1];
        }
    }
    const duet_type platform[2] = {{"cpu", what->processors[0]}, {"gpu", what->processors[1]}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "deep",
                               .types = 2,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = times};
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    free(counts);
    free(times);
    return instance;
}

typedef struct job {
    const duet_instance *instance;
    duet_exact_run run;
    duet_code checked;
    duet_error error;
} job;

// Solves, and checks the solution and its proof. No assertions: cmocka's would jump between stacks.
static void *work(void *info)
{
    job *j = info;
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.time_limit = 0.8;
    j->run = duet_exact_run_with_proof(j->instance, &params);
    if (j->run.code != DUET_OK) {
        return NULL;
    }
    j->checked = duet_check_solution(j->instance, j->run.solution, NULL, NULL, &j->error);
    if (j->checked == DUET_OK && j->run.proof != NULL) {
        j->checked = duet_verify_text(j->instance, j->run.proof, j->run.length,
                                      duet_solution_lower_bound(j->run.solution), NULL, &j->error);
    }
    return NULL;
}

static void small_stack(void **state)
{
    (void)state;
    pthread_attr_t attributes;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        duet_instance *instance = build(&all[i]);
        job j = {.instance = instance, .checked = DUET_OK, .error = DUET_ERROR_INIT};
        pthread_t thread;
        printf("%s\n", all[i].why);
        assert_int_equal(pthread_create(&thread, &attributes, work, &j), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        if (j.run.code != DUET_OK || j.checked != DUET_OK) {
            fail_msg("%s: %s%s", all[i].why, j.run.error.message, j.error.message);
        }
        printf("    %.2f s, proof of %zu bytes\n", duet_solution_seconds(j.run.solution),
               j.run.length);
        duet_exact_run_free(&j.run);
        duet_instance_free(instance);
    }
    pthread_attr_destroy(&attributes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_stack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
