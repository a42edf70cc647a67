// SPDX-License-Identifier: Apache-2.0
// The bound by chains: never above the optimum of small random graphs, its proof accepted, and
// whatever a change of its digits makes of it refused where it claims more than the optimum. On a
// node whose GPU dominates it is the best bound.
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
#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/system/context.h"
#include "lp/graph/chains/chains.h"
#include "tests/support/fixtures.h"

enum { GRAPHS = 2000, CHANGES = 12, ROOM = 1 << 16 };

static const duet_context calm = {.deadline_ns = INT64_MAX, .threads = 1};

// The bound from a start far below it, so that it has something to prove.
static duet_bound raise(const duet_instance *instance, int64_t start, uint64_t seed)
{
    duet_bound bound = {.name = "", .value = start};
    duet_error error = DUET_ERROR_INIT;
    if (duet_chains_raise(instance, &calm, true, "chains", &bound, &error) != DUET_OK) {
        duet_fail_instance(instance, "chains", seed, error.message);
    }
    return bound;
}

static bool proves(const duet_instance *instance, const char *text, size_t length, int64_t lambda)
{
    duet_certificate_desc desc = {.struct_size = sizeof desc,
                                  .proof = DUET_PROOF_LINES,
                                  .lambda = lambda,
                                  .lines = text,
                                  .length = length};
    duet_certificate *certificate = NULL;
    if (duet_certificate_create(&desc, &certificate, NULL) != DUET_OK) {
        return false;
    }
    duet_code code = duet_certificate_check(certificate, instance, NULL, NULL);
    duet_certificate_free(certificate);
    return code == DUET_OK;
}

// The text with another bound; its length.
static size_t claim(const duet_bound *bound, int64_t value, char *text)
{
    const duet_proof_lines *lines = bound->certificate.lines;
    const char *rest = strstr(lines->text, "graph ");
    assert_true(lines->length + 64 < ROOM);
    return (size_t)snprintf(text, ROOM, "duet-proof 1\nbound %lld\n%s", (long long)value, rest);
}

static void change_digit(char *text, size_t length, duet_random *random)
{
    for (;;) {
        size_t at = (size_t)duet_random_between(random, 20, (int64_t)length - 1);
        if (text[at] >= '0' && text[at] <= '9') {
            text[at] = (char)('0' + duet_random_between(random, 0, 9));
            return;
        }
    }
}

static void test_truth(void **state)
{
    (void)state;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    char *text = malloc(ROOM);
    int64_t raised = 0;
    int64_t tight = 0;
    assert_non_null(text);
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_random random;
        duet_instance *instance =
            duet_test_graph(&random, seed, 4, 8, seed % 5 == 0 ? 1 + seed % 3 : 2);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_bound bound = raise(instance, duet_max(optimum / 3, INT64_C(1)), seed);
        if (bound.value > optimum && optimum >= 3) {
            duet_fail_instance(instance, "chains", seed, "a bound above the optimum");
        }
        if (bound.certificate.proof == DUET_PROOF_LINES) {
            size_t length = claim(&bound, bound.value, text);
            raised++;
            tight += bound.value == optimum;
            if (!proves(instance, text, length, bound.value)) {
                duet_fail_instance(instance, "chains", seed, "a proof that is refused");
            }
            for (int i = 0; i < CHANGES; i++) {
                length = claim(&bound, optimum + 1, text);
                for (int d = 0; d < i; d++) {
                    change_digit(text, length, &random);
                }
                if (proves(instance, text, length, optimum + 1)) {
                    duet_fail_instance(instance, "chains", seed, text);
                }
            }
        }
        duet_bound_release(&bound);
        duet_instance_free(instance);
    }
    free(text);
    print_message("%lld of %lld raised, %lld to the optimum\n", (long long)raised,
                  (long long)graphs, (long long)tight);
    assert_true(raised * 4 > graphs);
    assert_true(tight * 20 > graphs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_truth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
