// SPDX-License-Identifier: Apache-2.0
// Certificates and bounds as handles: what goes in comes out, and lives as long as it should.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "core/solution/certificate.h"
#include "tests/support/fixtures.h"

static const int64_t numbers[] = {3, 1, 4};
static const int64_t others[] = {1, 5, 9};
static const int64_t highs[] = {2, 6, 5};
static const duet_price_mode modes[] = {DUET_PRICE_SET, DUET_PRICE_AREA, DUET_PRICE_SET};
static const int64_t prices[] = {1, 2, 3, 4, 5, 6};
static const duet_flow_term flow[] = {{4, 1}, {2, 7}, {9, 3}};
static const duet_flow_term flow_task[] = {{1, 8}};
static const duet_flow_term charge[] = {{2, -1}, {0, 2}};

static duet_certificate_desc describe(duet_proof proof)
{
    return (duet_certificate_desc){.struct_size = sizeof(duet_certificate_desc),
                                   .proof = proof,
                                   .lambda = 42,
                                   .task = 6,
                                   .types = 3,
                                   .weight = numbers,
                                   .count_weight = others,
                                   .count_weight_high = highs,
                                   .parts = 3,
                                   .rounded = 1,
                                   .grid = 7,
                                   .head = 8,
                                   .tail = 9,
                                   .mode = modes,
                                   .limit = numbers,
                                   .price = prices,
                                   .classes = 2,
                                   .flow = {{flow, 3}, {flow_task, 1}, {charge, 2}},
                                   .lines = "a b\nc",
                                   .length = 5};
}

static void expect_numbers(const duet_certificate_desc *desc)
{
    assert_int_equal(desc->lambda, 42);
    assert_int_equal(desc->task, 6);
    assert_memory_equal(desc->weight, numbers, sizeof numbers);
    assert_memory_equal(desc->count_weight, others, sizeof others);
    assert_memory_equal(desc->count_weight_high, highs, sizeof highs);
    assert_int_equal(desc->parts, 3);
    assert_int_equal(desc->rounded, 1);
    assert_int_equal(desc->grid, 7);
    assert_int_equal(desc->head, 8);
    assert_int_equal(desc->tail, 9);
}

// The kinds that have a list, a flow or a text keep it, sorted; the others have none.
static void expect_lists(const duet_certificate_desc *desc)
{
    bool lined = desc->proof == DUET_PROOF_LINES || desc->proof == DUET_PROOF_MOLDABLE_STEPS;
    assert_int_equal(desc->mode != NULL, desc->proof == DUET_PROOF_PRICES);
    assert_int_equal(desc->flow.edges.term != NULL, desc->proof == DUET_PROOF_FLOW);
    assert_int_equal(desc->lines != NULL, lined);
    if (desc->mode != NULL) {
        assert_int_equal(desc->types, 3);
        assert_int_equal(desc->classes, 2);
        assert_memory_equal(desc->mode, modes, sizeof modes);
        assert_memory_equal(desc->limit, numbers, sizeof numbers);
        assert_memory_equal(desc->price, prices, sizeof prices);
    }
    if (desc->flow.edges.term != NULL) {
        assert_int_equal(desc->flow.edges.count, 3);
        assert_int_equal(desc->flow.edges.term[0].at, 2);
        assert_int_equal(desc->flow.edges.term[0].value, 7);
        assert_int_equal(desc->flow.edges.term[2].at, 9);
        assert_int_equal(desc->flow.tasks.count, 1);
        assert_int_equal(desc->flow.tasks.term[0].value, 8);
        assert_int_equal(desc->flow.charges.count, 2);
        assert_int_equal(desc->flow.charges.term[1].value, -1);
    }
    if (lined) {
        assert_int_equal(desc->length, 5);
        assert_string_equal(desc->lines, "a b\nc");
    }
}

static void test_kinds(void **state)
{
    (void)state;
    for (duet_proof proof = DUET_PROOF_NONE; proof <= DUET_PROOF_MOLDABLE_STEPS; proof++) {
        const duet_certificate_desc given = describe(proof);
        duet_certificate_desc seen = {.struct_size = sizeof seen};
        duet_certificate *certificate;
        assert_int_equal(duet_certificate_create(&given, &certificate, NULL), DUET_OK);
        assert_int_equal(duet_certificate_proof(certificate), proof);
        assert_int_equal(duet_certificate_lambda(certificate), 42);
        duet_certificate_describe(certificate, &seen);
        assert_int_equal(seen.proof, proof);
        expect_numbers(&seen);
        expect_lists(&seen);
        duet_certificate *copy;
        assert_int_equal(duet_certificate_create(&seen, &copy, NULL), DUET_OK);
        duet_certificate_free(certificate);
        seen = (duet_certificate_desc){.struct_size = sizeof seen};
        duet_certificate_describe(copy, &seen);
        expect_numbers(&seen);
        expect_lists(&seen);
        duet_certificate_free(copy);
    }
    duet_certificate_free(NULL);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(duet_proof_name(DUET_PROOF_NONE), "none");
    assert_string_equal(duet_proof_name(DUET_PROOF_HEAD_TAIL), "head-tail");
    assert_string_equal(duet_proof_name(DUET_PROOF_MOLDABLE_STEPS), "moldable-steps");
    assert_string_equal(duet_proof_name((duet_proof)(DUET_PROOF_MOLDABLE_STEPS + 1)), "none");
    assert_string_equal(duet_proof_name((duet_proof)-1), "none");
}

static void test_sizes(void **state)
{
    (void)state;
    duet_certificate *certificate;
    duet_certificate_desc desc = describe(DUET_PROOF_AREA);
    desc.types = DUET_MAX_TYPES + 1;
    assert_int_equal(duet_certificate_create(&desc, &certificate, NULL), DUET_E_USAGE);
    assert_null(certificate);
    desc = describe(DUET_PROOF_PRICES);
    desc.types = 0;
    assert_int_equal(duet_certificate_create(&desc, &certificate, NULL), DUET_E_USAGE);
    desc = (duet_certificate_desc){
        .struct_size = sizeof desc, .proof = DUET_PROOF_AREA, .lambda = 1, .types = 2};
    assert_int_equal(duet_certificate_create(&desc, &certificate, NULL), DUET_OK);
    // A program whose headers end before `task`.
    desc.task = -77;
    desc.struct_size = offsetof(duet_certificate_desc, task);
    duet_certificate_describe(certificate, &desc);
    assert_int_equal(desc.struct_size, offsetof(duet_certificate_desc, task));
    assert_int_equal(desc.lambda, 1);
    assert_int_equal(desc.task, -77);
    desc.struct_size = sizeof desc;
    duet_certificate_describe(certificate, &desc);
    assert_int_equal(desc.task, 0);
    assert_int_equal(desc.weight[0], 0); // NULL is all 0
    duet_certificate_free(certificate);
}

static void test_bounds(void **state)
{
    (void)state;
    const int64_t times[] = {6, 6, 6, 6, 6, 6};
    duet_instance *instance = duet_test_pair(1, 1, 3, NULL, times);
    duet_bound *bound;
    assert_int_equal(duet_compute_bound(instance, "area", NULL, &bound, NULL), DUET_OK);
    assert_string_equal(duet_bound_name(bound), "area");
    assert_int_equal(duet_bound_value(bound), 9);
    assert_string_equal(duet_bound_exact(bound), "9");
    const duet_certificate *proof = duet_bound_certificate(bound);
    assert_int_equal(duet_certificate_proof(proof), DUET_PROOF_AREA);
    assert_int_equal(duet_certificate_check(proof, instance, NULL, NULL), DUET_OK);
    assert_int_equal(duet_verify_deep(instance, proof, NULL, NULL), DUET_OK);
    duet_bound_check check = DUET_BOUND_NONE;
    assert_int_equal(duet_check_bound(instance, bound, NULL, &check, NULL), DUET_OK);
    assert_int_equal(check, DUET_BOUND_CERTIFIED);
    bound->value = 10; // more than the certificate proves
    assert_int_equal(duet_check_bound(instance, bound, NULL, &check, NULL), DUET_OK);
    assert_int_equal(check, DUET_BOUND_UNPROVEN);
    bound->certificate.lambda = 10; // that it claims, and does not prove
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_check_bound(instance, bound, NULL, &check, &error), DUET_E_INPUT);
    assert_int_equal(check, DUET_BOUND_UNPROVEN);
    assert_true(error.message[0] != '\0');
    duet_bound_free(bound);
    assert_int_equal(duet_compute_bound(instance, "nonsense", NULL, &bound, NULL), DUET_E_USAGE);
    assert_null(bound);
    duet_bound_free(NULL);
    duet_instance_free(instance);
}

// Where tasks are given their ends are a bound, and certificates count from when the rest begins.
static void test_bounds_of_rest(void **state)
{
    (void)state;
    const int64_t times[] = {6, 9, 5, 9, 5, 9};
    duet_instance *instance = duet_test_pair(1, 1, 3, NULL, times);
    const duet_processor_range place = {0, 0, 0};
    const duet_fix fix = {
        .task = 0, .type = 0, .range = &place, .ranges = 1, .start = 20, .end = DUET_FORBIDDEN};
    duet_replan_desc desc = {
        .struct_size = sizeof desc, .now = DUET_FORBIDDEN, .fix = &fix, .fixes = 1};
    duet_instance *given = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_replan(instance, &desc, &given, NULL, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(code, DUET_OK);
    duet_bound *bound;
    duet_bound_check check = DUET_BOUND_NONE;
    assert_int_equal(duet_compute_bound(given, "area", NULL, &bound, NULL), DUET_OK);
    assert_true(duet_bound_value(bound) >= 26);
    assert_int_equal(duet_check_bound(given, bound, NULL, &check, NULL), DUET_OK);
    assert_int_equal(check, DUET_BOUND_CERTIFIED);
    bound->value += 1000;
    assert_int_equal(duet_check_bound(given, bound, NULL, &check, NULL), DUET_OK);
    assert_int_equal(check, DUET_BOUND_UNPROVEN);
    duet_bound_free(bound);
    duet_instance_free(given);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),          cmocka_unit_test(test_names),
        cmocka_unit_test(test_sizes),          cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_bounds_of_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
