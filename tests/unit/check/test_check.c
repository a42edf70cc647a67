// SPDX-License-Identifier: Apache-2.0
// The checker says no to every single fault, and yes to what is right.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "check/verdict.h"
#include "core/solution/solution.h"

// Two CPUs and a GPU; four tasks: t0, t1 on the CPUs, t2 then t3 on the GPU. Makespan 10, optimal.
static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
static const int64_t times[] = {10, 20, 9, 20, 30, 4, DUET_FORBIDDEN, 5};

static duet_instance *make_instance(void)
{
    duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 2, .platform = platform, .kinds = 4, .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

static duet_solution *make_solution(void)
{
    duet_solution *solution;
    assert_int_equal(duet_solution_create(4, &solution, NULL), DUET_OK);
    solution->placement[0] = (duet_placement){0, 0, 0};
    solution->placement[1] = (duet_placement){0, 1, 0};
    solution->placement[2] = (duet_placement){1, 0, 1};
    solution->placement[3] = (duet_placement){5, 0, 1};
    solution->makespan = 10;
    solution->lower_bound = 10;
    solution->status = DUET_OPTIMAL;
    solution->certificate =
        (duet_certificate){.proof = DUET_PROOF_LONGEST, .lambda = 10, .task = 0};
    return solution;
}

static void accepts(void **state)
{
    (void)state;
    duet_instance *instance = make_instance();
    duet_solution *solution = make_solution();
    duet_bound_check bound;
    duet_error error = DUET_ERROR_INIT;
    if (duet_check_solution(instance, solution, NULL, &bound, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(bound, DUET_BOUND_CERTIFIED);
    solution->certificate.proof = DUET_PROOF_NONE;
    assert_int_equal(duet_check_solution(instance, solution, NULL, &bound, NULL), DUET_OK);
    assert_int_equal(bound, DUET_BOUND_UNPROVEN);
    duet_aborted run = {1, 0, 0, 0, 1}; // given up at once
    assert_int_equal(duet_solution_add_aborted(solution, run, NULL), DUET_OK);
    assert_int_equal(duet_check_solution(instance, solution, NULL, &bound, NULL), DUET_OK);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

typedef void spoil(duet_solution *solution);

static void unplaced(duet_solution *s)
{
    s->placement[2].type = -1;
}
static void unknown_type(duet_solution *s)
{
    s->placement[2].type = 2;
}
static void missing_processor(duet_solution *s)
{
    s->placement[1].processor = 2;
}
static void negative_processor(duet_solution *s)
{
    s->placement[1].processor = -1;
}
static void forbidden(duet_solution *s)
{
    s->placement[3] = (duet_placement){10, 0, 0};
    s->makespan = 15;
}
static void negative_start(duet_solution *s)
{
    s->placement[2].start = -1;
}
static void overlap(duet_solution *s)
{
    s->placement[3].start = 4;
}
static void wrong_makespan(duet_solution *s)
{
    s->makespan = 9;
}
static void bound_above(duet_solution *s)
{
    s->lower_bound = 11;
    s->certificate.lambda = 11;
}
static void negative_bound(duet_solution *s)
{
    s->lower_bound = -1;
}
static void not_optimal(duet_solution *s)
{
    s->lower_bound = 9;
}
static void weak_certificate(duet_solution *s)
{
    s->certificate.lambda = 9;
}
static void wrong_certificate(duet_solution *s)
{
    s->certificate.task = 1;
}
static void strange_certificate(duet_solution *s)
{
    s->certificate.task = 4;
}
static void aborted_too_long(duet_solution *s)
{
    duet_solution_add_aborted(s, (duet_aborted){2, 10, 50, 0, 0}, NULL);
}
static void aborted_as_long(duet_solution *s)
{
    s->placement[3].start = 100; // it takes 5 there
    duet_solution_add_aborted(s, (duet_aborted){3, 20, 25, 0, 1}, NULL);
}
static void aborted_backwards(duet_solution *s)
{
    s->placement[3].start = 100;
    duet_solution_add_aborted(s, (duet_aborted){3, 20, 19, 0, 1}, NULL);
}
static void aborted_after_restart(duet_solution *s)
{
    duet_solution_add_aborted(s, (duet_aborted){2, 10, 12, 0, 0}, NULL);
}
static void aborted_overlaps(duet_solution *s)
{
    duet_solution_add_aborted(s, (duet_aborted){2, 0, 1, 0, 0}, NULL);
}
static void aborted_unknown(duet_solution *s)
{
    duet_solution_add_aborted(s, (duet_aborted){9, 0, 1, 0, 0}, NULL);
}
static void aborted_past_the_last(duet_solution *s)
{
    duet_solution_add_aborted(s, (duet_aborted){4, 0, 1, 0, 0}, NULL);
}
static void aborted_negative(duet_solution *s)
{
    duet_solution_add_aborted(s, (duet_aborted){-1, 0, 1, 0, 0}, NULL);
}

static void refuses(void **state)
{
    (void)state;
    static const struct {
        spoil *spoil;
        const char *fragment;
        duet_solution_verdict verdict;
    } rows[] = {
        {unplaced, "'t2': is not scheduled", DUET_REFUSES_SCHEDULE},
        {unknown_type, "'t2': runs on an unknown processor type", DUET_REFUSES_SCHEDULE},
        {missing_processor, "'t1': runs on a processor that does not exist", DUET_REFUSES_SCHEDULE},
        {negative_processor, "'t1': runs on a processor that does not exist",
         DUET_REFUSES_SCHEDULE},
        {forbidden, "'t3': runs on a type where it is forbidden", DUET_REFUSES_SCHEDULE},
        {negative_start, "'t2': starts outside", DUET_REFUSES_SCHEDULE},
        {overlap, "tasks 't2' and 't3' overlap on processor 0 of type gpu", DUET_REFUSES_SCHEDULE},
        {wrong_makespan, "claimed makespan 9: the latest completion is 10", DUET_REFUSES_SCHEDULE},
        {bound_above, "claimed lower bound 11", DUET_REFUSES_NUMBERS},
        {negative_bound, "claimed lower bound -1", DUET_REFUSES_NUMBERS},
        {not_optimal, "claimed optimal", DUET_REFUSES_NUMBERS},
        {weak_certificate, "proves only 9", DUET_REFUSES_CERTIFICATE},
        {wrong_certificate, "'t1' takes 9 ticks on type cpu: expected at least 10",
         DUET_REFUSES_CERTIFICATE},
        {strange_certificate, "expected a task of the instance", DUET_REFUSES_CERTIFICATE},
        {aborted_too_long, "'t2': has an aborted run that lasts", DUET_REFUSES_SCHEDULE},
        {aborted_as_long, "has an aborted run that lasts", DUET_REFUSES_SCHEDULE},
        {aborted_backwards, "has an aborted run that lasts", DUET_REFUSES_SCHEDULE},
        {aborted_after_restart, "'t2': is restarted before", DUET_REFUSES_SCHEDULE},
        {aborted_overlaps, "tasks 't2' and 't0' overlap on processor 0 of type cpu",
         DUET_REFUSES_SCHEDULE},
        {aborted_unknown, "expected a known task", DUET_REFUSES_SCHEDULE},
        {aborted_past_the_last, "expected a known task", DUET_REFUSES_SCHEDULE},
        {aborted_negative, "expected a known task", DUET_REFUSES_SCHEDULE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        duet_instance *instance = make_instance();
        duet_solution *solution = make_solution();
        rows[i].spoil(solution);
        duet_error error = DUET_ERROR_INIT;
        duet_bound_check bound;
        duet_solution_verdict verdict;
        duet_code code = duet_judge_solution(instance, solution, NULL, &bound, &verdict, &error);
        if (code != DUET_E_INPUT || strstr(error.message, rows[i].fragment) == NULL) {
            fail_msg("expected '%s', got '%s'", rows[i].fragment, error.message);
        }
        assert_int_equal(verdict, rows[i].verdict);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

static void wrong_size(void **state)
{
    (void)state;
    duet_instance *instance = make_instance();
    duet_solution *solution;
    assert_int_equal(duet_solution_create(3, &solution, NULL), DUET_OK);
    assert_int_equal(duet_check_solution(instance, solution, NULL, NULL, NULL), DUET_E_INPUT);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static duet_code check_area(const duet_instance *instance, int64_t lambda, int64_t cpu, int64_t gpu)
{
    duet_certificate certificate = {
        .proof = DUET_PROOF_AREA, .lambda = lambda, .types = 2, .weight = {cpu, gpu}};
    return duet_certificate_check(&certificate, instance, NULL, NULL);
}

// One CPU and one GPU, three tasks of (6, 6): the area bound is 9.
static void area_certificates(void **state)
{
    (void)state;
    const duet_type small[] = {{"cpu", 1}, {"gpu", 1}};
    const int64_t six[] = {6, 6, 6, 6, 6, 6};
    duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 2, .platform = small, .kinds = 3, .times = six};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    assert_int_equal(check_area(instance, 9, 6, 6), DUET_OK);
    assert_int_equal(check_area(instance, 9, 1, 1), DUET_OK);
    assert_int_equal(check_area(instance, 10, 1, 1), DUET_E_INPUT);
    assert_int_equal(check_area(instance, 9, 2, 1), DUET_E_INPUT);
    assert_int_equal(check_area(instance, 9, 0, 0), DUET_E_INPUT);
    assert_int_equal(check_area(instance, 9, -1, 1), DUET_E_INPUT);
    assert_int_equal(check_area(instance, 6, 0, 1), DUET_OK); // a task of 6 fits nowhere within 5
    assert_int_equal(check_area(instance, 7, 0, 1), DUET_E_INPUT);
    assert_int_equal(check_area(instance, 0, 0, 1), DUET_OK);
    assert_int_equal(check_area(instance, -1, 1, 1), DUET_E_INPUT);
    assert_int_equal(check_area(instance, DUET_MAX_WORK, INT64_MAX, INT64_MAX), DUET_E_INPUT);
    duet_certificate wrong_types = {
        .proof = DUET_PROOF_AREA, .lambda = 9, .types = 1, .weight = {1}};
    assert_int_equal(duet_certificate_check(&wrong_types, instance, NULL, NULL), DUET_E_INPUT);
    duet_instance_free(instance);
}

// One CPU and one GPU, three tasks of (6, 6): at 11 each is long on either, and two is the most.
static duet_instance *three_sixes(void)
{
    static const duet_type small[] = {{"cpu", 1}, {"gpu", 1}};
    static const int64_t six[] = {6, 6, 6, 6, 6, 6};
    duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 2, .platform = small, .kinds = 3, .times = six};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

static const duet_certificate two_long = {
    .proof = DUET_PROOF_SHELF, .lambda = 12, .types = 2, .count_weight = {1, 1}, .parts = 2};

static void refuse_shelf(const duet_instance *instance, duet_certificate changed)
{
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_certificate_check(&changed, instance, NULL, &error), DUET_E_INPUT);
    assert_true(strncmp(error.message, "certificate: ", 13) == 0);
}

// Every field of a certificate that just holds matters.
static void shelf_certificates(void **state)
{
    (void)state;
    duet_instance *instance = three_sixes();
    assert_int_equal(duet_certificate_check(&two_long, instance, NULL, NULL), DUET_OK);
    duet_certificate changed = two_long;
    changed.lambda = 13;
    refuse_shelf(instance, changed);
    changed = two_long;
    changed.types = 1;
    refuse_shelf(instance, changed);
    const int parts[] = {3, 1, 4, 0, -2};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        changed = two_long;
        changed.parts = parts[i];
        refuse_shelf(instance, changed);
    }
    for (size_t t = 0; t < 2; t++) {
        const int64_t values[] = {-1, 0, 2, INT64_C(1) << 61, INT64_C(1) << 62, INT64_MAX};
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            changed = two_long;
            changed.count_weight[t] = values[i];
            refuse_shelf(instance, changed);
            changed = two_long;
            changed.count_weight_high[t] = values[i] == 0 ? 1 : values[i];
            refuse_shelf(instance, changed);
            changed = two_long;
            changed.weight[t] = values[i] == 0 ? 1 : values[i];
            refuse_shelf(instance, changed);
        }
    }
    changed = two_long; // twice the same is the same
    changed.count_weight[0] = changed.count_weight[1] = 2;
    assert_int_equal(duet_certificate_check(&changed, instance, NULL, NULL), DUET_OK);
    changed = two_long;
    changed.count_weight[0] = changed.count_weight[1] = 0;
    changed.count_weight_high[0] = changed.count_weight_high[1] = (INT64_C(1) << 62) - 1;
    assert_int_equal(duet_certificate_check(&changed, instance, NULL, NULL), DUET_OK);
    changed.count_weight_high[0] = changed.count_weight_high[1] = INT64_C(1) << 62;
    refuse_shelf(instance, changed); // as true, but too large
    changed = two_long;
    changed.count_weight[0] = changed.count_weight[1] = (INT64_C(1) << 62) - 1;
    assert_int_equal(duet_certificate_check(&changed, instance, NULL, NULL), DUET_OK);
    changed.count_weight[0] = changed.count_weight[1] = INT64_C(1) << 62;
    refuse_shelf(instance, changed);
    changed = (duet_certificate){.proof = DUET_PROOF_SHELF,
                                 .lambda = DUET_MAX_WORK,
                                 .types = 2,
                                 .weight = {INT64_MAX, INT64_MAX},
                                 .parts = 2};
    refuse_shelf(instance, changed);
    duet_instance_free(instance);
}

// Thirds: two tasks above a third of the length, or one above two thirds.
static void shelf_certificates_of_thirds(void **state)
{
    (void)state;
    static const duet_type small[] = {{"cpu", 1}, {"gpu", 1}};
    const int64_t five[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
    const int64_t mixed[] = {10, 10, 10, 10, 5, 5};
    const int64_t tens[] = {10, 10, 10, 10, 10, 10}; // two thirds of 15 are not above them
    duet_certificate thirds = {
        .proof = DUET_PROOF_SHELF, .lambda = 15, .types = 2, .count_weight = {1, 1}, .parts = 3};
    duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 2, .platform = small, .kinds = 5, .times = five};
    for (int round = 0; round < 3; round++) {
        duet_instance *instance;
        assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
        thirds.lambda = 15;
        assert_int_equal(duet_certificate_check(&thirds, instance, NULL, NULL), DUET_OK);
        thirds.lambda = 16; // the optimum is 15, or counting proves no more
        refuse_shelf(instance, thirds);
        duet_instance_free(instance);
        desc.kinds = 3;
        desc.times = round == 0 ? mixed : tens;
    }
}

// Sums that do not fit into 128 bits are refused, not wrapped around.
static void shelf_certificates_overflow(void **state)
{
    (void)state;
    static const duet_type most[] = {{"cpu", DUET_MAX_PROCESSORS}, {"gpu", DUET_MAX_PROCESSORS}};
    const int64_t eighth[] = {DUET_MAX_WORK / 8, DUET_MAX_WORK / 8};
    const int64_t counts[] = {8};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = most,
                               .kinds = 1,
                               .counts = counts,
                               .times = eighth};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    const int64_t high = (INT64_C(1) << 62) - 1;
    duet_certificate certificate = {.proof = DUET_PROOF_SHELF,
                                    .lambda = DUET_MAX_WORK / 8 + 1,
                                    .types = 2,
                                    .weight = {INT64_MAX, INT64_MAX},
                                    .count_weight_high = {high, high},
                                    .parts = 2};
    refuse_shelf(instance, certificate);
    certificate.parts = 3;
    refuse_shelf(instance, certificate);
    duet_instance_free(instance);
}

// A bound by table is a state of its own, until the table is computed again.
static void table_certificates(void **state)
{
    (void)state;
    duet_instance *instance = three_sixes();
    duet_certificate table = {.proof = DUET_PROOF_TABLE, .lambda = 12, .rounded = 1, .grid = 0};
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_certificate_check(&table, instance, NULL, &error), DUET_E_UNSUPPORTED);
    duet_solution *solution;
    assert_int_equal(duet_solve(instance, "lpt", NULL, &solution, NULL), DUET_OK);
    solution->lower_bound = 12;
    solution->certificate = table;
    duet_bound_check bound;
    assert_int_equal(duet_check_solution(instance, solution, NULL, &bound, NULL), DUET_OK);
    assert_int_equal(bound, DUET_BOUND_DEEP);
    solution->certificate.lambda = 11;
    assert_int_equal(duet_check_solution(instance, solution, NULL, &bound, NULL), DUET_E_INPUT);
    solution->certificate = table;
    solution->certificate.rounded = 2;
    assert_int_equal(duet_check_solution(instance, solution, NULL, &bound, NULL), DUET_E_INPUT);
    solution->certificate = table;
    solution->certificate.grid = -1;
    assert_int_equal(duet_check_solution(instance, solution, NULL, &bound, NULL), DUET_E_INPUT);
    duet_solution_free(solution);
    assert_int_equal(duet_verify_deep(instance, &table, NULL, NULL), DUET_OK);
    table.rounded = 0;
    assert_int_equal(duet_verify_deep(instance, &table, NULL, NULL), DUET_OK);
    table.lambda = 13;
    error = (duet_error)DUET_ERROR_INIT;
    assert_int_equal(duet_verify_deep(instance, &table, NULL, &error), DUET_E_INPUT);
    assert_non_null(strstr(error.message, "the table says yes to 12"));
    table.rounded = 2;
    assert_int_equal(duet_verify_deep(instance, &table, NULL, NULL), DUET_E_INPUT);
    assert_int_equal(duet_verify_deep(instance, &two_long, NULL, NULL), DUET_OK);
    duet_instance_free(instance);
}

// Weights of nothing prove nothing, not even what is true: no type takes the task within the
// length.
static void area_certificates_need_a_weight(void **state)
{
    (void)state;
    const int64_t six[] = {6, 6};
    duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 2, .platform = platform, .kinds = 1, .times = six};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_certificate area = {.proof = DUET_PROOF_AREA, .lambda = 5, .types = 2, .weight = {0, 1}};
    assert_int_equal(duet_certificate_check(&area, instance, NULL, NULL), DUET_OK);
    area.weight[1] = 0;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_certificate_check(&area, instance, NULL, &error), DUET_E_INPUT);
    assert_non_null(strstr(error.message, "expected a weight above 0"));
    duet_instance_free(instance);
}

// As many types as there can be: nothing is read beyond the last.
static void certificates_of_most_types(void **state)
{
    (void)state;
    static const char *const names =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";
    char name[DUET_MAX_TYPES][2] = {{0}};
    duet_type types[DUET_MAX_TYPES];
    int64_t row[DUET_MAX_TYPES];
    duet_certificate area = {.proof = DUET_PROOF_AREA, .lambda = 4, .types = DUET_MAX_TYPES};
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        name[t][0] = names[t];
        types[t] = (duet_type){name[t], 1};
        row[t] = 4;
        area.weight[t] = 1;
    }
    const int64_t counts[] = {DUET_MAX_TYPES};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = DUET_MAX_TYPES,
                               .platform = types,
                               .kinds = 1,
                               .counts = counts,
                               .times = row};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    assert_int_equal(duet_certificate_check(&area, instance, NULL, NULL), DUET_OK);
    area.lambda = 5; // they all end at 4
    assert_int_equal(duet_certificate_check(&area, instance, NULL, NULL), DUET_E_INPUT);
    area = (duet_certificate){.proof = DUET_PROOF_LONGEST, .lambda = 4};
    assert_int_equal(duet_certificate_check(&area, instance, NULL, NULL), DUET_OK);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(area_certificates_need_a_weight),
                                       cmocka_unit_test(certificates_of_most_types),
                                       cmocka_unit_test(accepts),
                                       cmocka_unit_test(refuses),
                                       cmocka_unit_test(wrong_size),
                                       cmocka_unit_test(area_certificates),
                                       cmocka_unit_test(shelf_certificates),
                                       cmocka_unit_test(shelf_certificates_of_thirds),
                                       cmocka_unit_test(shelf_certificates_overflow),
                                       cmocka_unit_test(table_certificates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
