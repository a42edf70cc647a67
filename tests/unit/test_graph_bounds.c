// SPDX-License-Identifier: Apache-2.0
// The bounds of task graphs: none above the optimum, every certificate accepted, and what a change
// of one number makes of it refused where it claims too much.
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
#include "bench/run/random_graph.h"
#include "core/instance.h"
#include "core/random.h"
#include "tests/support/fixtures.h"

enum { GRAPHS = 20000 };

static duet_instance *draw(uint64_t seed, duet_random *random, int least, int most)
{
    duet_random_seed(random, seed);
    duet_graph_shape shape = {.tasks = {.min_tasks = least,
                                        .max_tasks = most,
                                        .min_processors = 1,
                                        .max_processors = 3,
                                        .types = seed % 5 == 0 ? 1 + seed % 3 : 2},
                              .cost = seed % 2 == 0 ? 0 : 20};
    duet_instance *instance = duet_random_graph(random, &shape);
    assert_non_null(instance);
    return instance;
}

static duet_bound bound_of(const duet_instance *instance, const char *name, uint64_t seed)
{
    duet_bound bound;
    duet_error error = DUET_ERROR_INIT;
    if (duet_compute_bound(instance, name, NULL, &bound, &error) != DUET_OK) {
        duet_fail_instance(instance, "graph-bound", seed, error.message);
    }
    return bound;
}

// Whether the certificate proves lambda.
static bool proves(const duet_instance *instance, const duet_certificate *certificate,
                   int64_t lambda)
{
    duet_certificate claimed = *certificate;
    claimed.lambda = lambda;
    return duet_certificate_check(&claimed, instance, NULL) == DUET_OK;
}

static void test_truth(void **state)
{
    (void)state;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    int64_t better = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random, 4, 8);
        int64_t optimum = duet_exhaustive_optimum(instance);
        static const char *const names[] = {"path", "graph", "area-lp"};
        int64_t value[3];
        for (size_t b = 0; b < 3; b++) {
            duet_bound bound = bound_of(instance, names[b], seed);
            value[b] = bound.value;
            if (bound.value > optimum) {
                duet_fail_instance(instance, "graph-bound", seed, "a bound above the optimum");
            }
            if (!proves(instance, &bound.certificate, bound.value) ||
                proves(instance, &bound.certificate, optimum + 1)) {
                duet_fail_instance(instance, "graph-bound", seed,
                                   "a certificate that proves too little or too much");
            }
            duet_bound_release(&bound);
        }
        if (value[1] < value[0]) {
            duet_fail_instance(instance, "graph-bound", seed, "graph is below path");
        }
        better += value[1] > value[0] && value[1] > value[2];
        duet_instance_free(instance);
    }
    assert_true(better > graphs / 50); // else the flow is of no use
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
