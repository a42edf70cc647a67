// SPDX-License-Identifier: Apache-2.0
// Certificates by knapsack and by prices: what holds, what does not, never above the optimum; and
// whose references the price lists are.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "check/proof/tree/model.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "tests/support/fixtures.h"

// One CPU and one GPU, three tasks of 6: the optimum is 12.
static duet_instance *three_sixes(size_t types)
{
    static const duet_type platform[] = {{"cpu", 1}, {"gpu", 1}, {"npu", 1}};
    static const int64_t counts[] = {3};
    static const int64_t times[] = {6, 6, 6};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = types,
                               .platform = platform,
                               .kinds = 1,
                               .counts = counts,
                               .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

enum { TYPES = 5, KINDS = 16 }; // at most, of random instances

static const duet_price_list *make_list(size_t types, size_t classes, const duet_price_mode *modes,
                                        const int64_t *limits, const int64_t *prices)
{
    const duet_price_list *list;
    duet_code code =
        types == 2 ? duet_price_list_create(2, classes, modes, limits, prices, &list, NULL)
                   : duet_price_list_create(types, classes, modes, limits, prices, &list, NULL);
    assert_int_equal(code, DUET_OK);
    assert_int_equal(list->types, types);
    return list;
}

static void knapsacks(void **state)
{
    (void)state;
    static const struct {
        int64_t lambda, weight[2];
        const char *fault;
    } rows[] = {
        {12, {1, 1}, NULL},
        {12, {0, 1}, NULL},
        {12, {2147483647, 1}, NULL},
        {7, {1, 1}, NULL},
        {1, {1, 1}, NULL},
        {0, {0, 0}, NULL}, // nothing to prove
        {13, {1, 1}, "certificate: the work can be divided"},
        {DUET_MAX_WORK, {1, 1}, "certificate: the work can be divided"},
        {12, {0, 0}, "expected one above 0"},
        {12, {-1, 1}, "CPU weight -1"},
        {12, {1, INT64_C(1) << 31}, "GPU weight 2147483648"},
        {-1, {1, 1}, "expected a bound"},
    };
    duet_instance *instance = three_sixes(2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        duet_certificate certificate = {.proof = DUET_PROOF_KNAPSACK,
                                        .lambda = rows[i].lambda,
                                        .weight = {rows[i].weight[0], rows[i].weight[1]}};
        duet_error error = DUET_ERROR_INIT;
        duet_code code = duet_certificate_check(&certificate, instance, NULL, &error);
        if (rows[i].fault == NULL
                ? code != DUET_OK
                : code != DUET_E_INPUT || strstr(error.message, rows[i].fault) == NULL) {
            fail_msg("row %zu: %s", i, error.message);
        }
    }
    duet_instance_free(instance);
    instance = three_sixes(3);
    duet_certificate certificate = {.proof = DUET_PROOF_KNAPSACK, .lambda = 12, .weight = {1, 1}};
    assert_int_equal(duet_certificate_check(&certificate, instance, NULL, NULL), DUET_E_INPUT);
    duet_instance_free(instance);
}

static void prices(void **state)
{
    (void)state;
    static const struct {
        int64_t lambda;
        size_t classes;
        int modes[2];
        int64_t limits[2], prices[4];
        const char *fault;
    } rows[] = {
        {12, 1, {0, 0}, {1, 1}, {1, 1}, NULL},
        {12, 1, {1, 1}, {1, 1}, {1, 1}, NULL},
        {12, 1, {0, 1}, {7, 7}, {7, 7}, NULL},
        {12, 1, {0, 0}, {1, 2}, {1, 1}, "the demand of the tasks is not above the supply"},
        {13, 1, {0, 0}, {1, 1}, {1, 1}, "CPU limit 1: tasks of 12 ticks are priced above it"},
        {12, 1, {0, 0}, {1, 0}, {1, 1}, "GPU limit 0: tasks of 6 ticks are priced above it"},
        {12, 1, {1, 0}, {0, 1}, {1, 1}, "CPU price 1 of class 0"},
        {12, 2, {0, 0}, {1, 1}, {1, 1, 1, 1}, "prices of 2 classes: expected 1"},
        {12, 0, {0, 0}, {1, 1}, {0}, "prices of 0 classes: expected 1"},
        {12, 1, {0, 0}, {1, 1}, {-1, 1}, "CPU price -1"},
        {12, 1, {0, 0}, {-1, 1}, {1, 1}, "CPU limit -1"},
        {12, 1, {0, 0}, {INT64_C(1) << 26, (INT64_C(1) << 26) + 1}, {1, 1}, "at most 2^26"},
        {6, 1, {0, 0}, {0, 0}, {0, 0}, "the demand of the tasks is not above the supply"},
        {6, 1, {0, 0}, {0, 0}, {1, 0}, "since it cannot run there"},
    };
    duet_instance *instance = three_sixes(2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const duet_price_mode modes[] = {(duet_price_mode)rows[i].modes[0],
                                         (duet_price_mode)rows[i].modes[1]};
        duet_certificate certificate = {
            .proof = DUET_PROOF_PRICES,
            .lambda = rows[i].lambda,
            .prices = make_list(2, rows[i].classes, modes, rows[i].limits, rows[i].prices)};
        duet_error error = DUET_ERROR_INIT;
        duet_code code = duet_certificate_check(&certificate, instance, NULL, &error);
        if (rows[i].fault == NULL
                ? code != DUET_OK
                : code != DUET_E_INPUT || strstr(error.message, rows[i].fault) == NULL) {
            fail_msg("row %zu: %s", i, error.message);
        }
        duet_certificate_release(&certificate);
    }
    duet_certificate none = {.proof = DUET_PROOF_PRICES, .lambda = 12};
    assert_int_equal(duet_certificate_check(&none, instance, NULL, NULL), DUET_E_INPUT);
    duet_instance_free(instance);
}

// The highest price of tasks of the classes from c on that fit in a room on a type.
static int64_t most_of(const duet_proof_model *model, const int64_t *drawn, size_t t, size_t c,
                       int64_t room)
{
    if (c == model->classes) {
        return 0;
    }
    int64_t best = most_of(model, drawn, t, c + 1, room);
    int64_t time = model->time[t][c];
    for (int64_t a = 1; time > 0 && a <= model->count[c] && a * time <= room; a++) {
        int64_t with = a * drawn[(size_t)model->types * c + t] +
                       most_of(model, drawn, t, c + 1, room - a * time);
        best = with > best ? with : best;
    }
    return best;
}

// Prices with limits that are exact, or a little off: mostly the checker has something to weigh.
static duet_certificate draw_prices(duet_random *random, const duet_proof_model *model,
                                    int64_t lambda)
{
    duet_price_mode modes[TYPES];
    int64_t limits[TYPES];
    int64_t drawn[TYPES * KINDS] = {0};
    size_t types = (size_t)model->types;
    int64_t largest = duet_random_between(random, 1, 8);
    for (size_t c = 0; c < model->classes; c++) {
        int64_t same = duet_random_between(random, 0, largest);
        for (size_t t = 0; t < types; t++) {
            bool other = duet_random_between(random, 0, 3) == 0;
            int64_t price = other ? duet_random_between(random, 0, largest) : same;
            drawn[types * c + t] = model->time[t][c] > 0 ? price : 0;
        }
    }
    for (size_t t = 0; t < types; t++) {
        modes[t] = duet_random_between(random, 0, 2) == 0 ? DUET_PRICE_AREA : DUET_PRICE_SET;
        limits[t] = most_of(model, drawn, t, 0, model->capacity[t]);
        limits[t] +=
            duet_random_between(random, 0, 3) == 0 ? duet_random_between(random, -1, 1) : 0;
    }
    return (duet_certificate){.proof = DUET_PROOF_PRICES,
                              .lambda = lambda,
                              .prices = make_list(types, model->classes, modes, limits, drawn)};
}

static duet_certificate draw_certificate(duet_random *random, const duet_instance *instance,
                                         int64_t lambda)
{
    duet_certificate certificate = {.proof = DUET_PROOF_KNAPSACK, .lambda = lambda};
    bool pair = duet_instance_types(instance) == 2;
    if ((pair && duet_random_between(random, 0, 2) == 0) || lambda < 1) {
        certificate.weight[0] = duet_random_between(random, 0, 5);
        certificate.weight[1] = duet_random_between(random, 1, 5);
        return certificate;
    }
    duet_proof_model model;
    assert_int_equal(duet_proof_model_init(&model, instance, lambda - 1, duet_test_watch(), NULL),
                     DUET_OK);
    certificate = draw_prices(random, &model, lambda);
    duet_proof_model_free(&model);
    return certificate;
}

// Whatever the weights and prices: no certificate holds above the optimum, and some hold below. On
// two types if `pair`, else on 1, 3, 4 and 5.
static void check_random(bool pair)
{
    long held[2] = {0, 0};
    long tight = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        duet_random random;
        duet_instance *instance = duet_random_of_seed(&random, seed, 1, 6, 3,
                                                      pair            ? 2
                                                      : seed % 4 == 0 ? 1
                                                                      : 2 + seed % 4);
        assert_non_null(instance);
        int64_t optimum = duet_exhaustive_optimum(instance);
        for (int round = 0; round < 20; round++) {
            int64_t lambda = optimum + duet_random_between(&random, -1, 2);
            duet_certificate certificate = draw_certificate(&random, instance, lambda);
            duet_error error = DUET_ERROR_INIT;
            duet_code code = duet_certificate_check(&certificate, instance, NULL, &error);
            if (code == DUET_OK && certificate.lambda > optimum) {
                fail_msg("seed %" PRIu64 ": %" PRId64 " certified, the optimum is %" PRId64, seed,
                         certificate.lambda, optimum);
            }
            assert_true(code == DUET_OK || code == DUET_E_INPUT);
            if (code == DUET_OK && certificate.lambda > 0) {
                held[certificate.proof == DUET_PROOF_PRICES]++;
                tight += certificate.lambda == optimum;
            }
            duet_certificate_release(&certificate);
        }
        duet_instance_free(instance);
    }
    printf("%ld knapsacks and %ld price lists hold, %ld at the optimum\n", held[0], held[1], tight);
    assert_true((held[0] > 100) == pair && held[1] > 100 && tight > 100);
}

static void never_above_the_optimum(void **state)
{
    (void)state;
    check_random(true);
    check_random(false);
}

// Prices for another number of types than the platform has, and for no number at all.
static void other_types(void **state)
{
    (void)state;
    const duet_price_mode modes[] = {DUET_PRICE_SET, DUET_PRICE_SET, DUET_PRICE_SET};
    const int64_t ones[] = {1, 1, 1};
    duet_instance *instance = three_sixes(3);
    for (size_t types = 1; types <= 3; types++) {
        duet_error error = DUET_ERROR_INIT;
        duet_certificate certificate = {.proof = DUET_PROOF_PRICES,
                                        .lambda = 7,
                                        .prices = make_list(types, 1, modes, ones, ones)};
        duet_code code = duet_certificate_check(&certificate, instance, NULL, &error);
        assert_int_equal(code, DUET_E_INPUT);
        assert_non_null(strstr(error.message, types < 3 ? "types: expected 3" : "is not above"));
        duet_certificate_release(&certificate);
    }
    duet_instance_free(instance);
    const duet_price_list *list;
    assert_int_equal(duet_price_list_create(0, 1, modes, ones, ones, &list, NULL), DUET_E_USAGE);
    assert_int_equal(duet_price_list_create(DUET_MAX_TYPES + 1, 1, modes, ones, ones, &list, NULL),
                     DUET_E_USAGE);
    assert_null(list);
}

// Bounds and solutions share lists; the last to let go frees them (AddressSanitizer sees the rest).
static void references(void **state)
{
    (void)state;
    const duet_price_mode modes[] = {DUET_PRICE_SET, DUET_PRICE_SET};
    const int64_t ones[] = {1, 1};
    const duet_price_list *first = make_list(2, 1, modes, ones, ones);
    const duet_price_list *second = make_list(2, 1, modes, ones, ones);
    duet_solution *a;
    duet_solution *b;
    assert_int_equal(duet_solution_create(3, &a, NULL), DUET_OK);
    assert_int_equal(duet_solution_create(3, &b, NULL), DUET_OK);
    duet_bound bound = {.name = "x",
                        .value = 5,
                        .certificate = {.proof = DUET_PROOF_PRICES, .lambda = 5, .prices = first}};
    duet_solution_offer_bound(a, &bound);
    duet_solution_offer_bound(a, &bound); // no better: not taken
    bound.value = 6;
    duet_solution_offer_bound(a, &bound); // the same list again
    duet_solution_offer_bound(b, &bound);
    duet_bound_release(&bound);
    duet_bound_release(&bound);
    assert_ptr_equal(duet_solution_certificate(a)->prices, first);
    duet_bound other = bound;
    other.value = 7;
    other.certificate.prices = second;
    duet_certificate_retain(&other.certificate);
    duet_solution_offer_bound(a, &other); // replaces the first
    duet_bound plain = {.name = "y", .value = 8, .certificate = {.proof = DUET_PROOF_NONE}};
    assert_ptr_equal(duet_solution_certificate(a)->prices, second);
    duet_solution_offer_bound(a, &plain); // and the second, by one without
    assert_null(duet_solution_certificate(a)->prices);
    assert_int_equal(a->lower_bound, 8);
    assert_int_equal(a->certified.value, 7); // which stays beside it
    assert_ptr_equal(a->certified.certificate.prices, second);
    duet_bound_release(&plain);
    other.value = 9;
    duet_solution_offer_bound(a, &other);
    assert_ptr_equal(duet_solution_certificate(a)->prices, second);
    assert_int_equal(a->certified.certificate.proof, DUET_PROOF_NONE);
    duet_bound_release(NULL);
    duet_solution_free(a);
    duet_solution_free(b);
    assert_int_equal(second->classes, 1);
    duet_certificate_release(&other.certificate);
    duet_bound_release(&other);
}

// Only what the checker confirms by itself stays beside a higher bound.
static void deep_certificates(void **state)
{
    (void)state;
    static const duet_proof deep[] = {DUET_PROOF_TABLE, DUET_PROOF_MOLDABLE_KNAPSACK};
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        duet_solution *solution;
        assert_int_equal(duet_solution_create(3, &solution, NULL), DUET_OK);
        duet_bound bound = {
            .name = "long", .value = 4, .certificate = {.proof = DUET_PROOF_LONGEST}};
        duet_solution_offer_bound(solution, &bound);
        bound = (duet_bound){.name = "deep", .value = 5, .certificate = {.proof = deep[i]}};
        duet_solution_offer_bound(solution, &bound);
        assert_int_equal(solution->certified.value, 4);
        bound = (duet_bound){.name = "plain", .value = 6};
        duet_solution_offer_bound(solution, &bound);
        assert_int_equal(solution->certified.value, 4);
        assert_int_equal(solution->certified.certificate.proof, DUET_PROOF_LONGEST);
        duet_solution_free(solution);
    }
}

static void absurd_sizes(void **state)
{
    (void)state;
    const duet_price_mode modes[] = {DUET_PRICE_SET, DUET_PRICE_SET};
    const int64_t ones[] = {1, 1};
    const duet_price_list *list;
    assert_int_equal(duet_price_list_create(2, SIZE_MAX / 8, modes, ones, ones, &list, NULL),
                     DUET_E_LIMIT);
    assert_null(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(knapsacks),
                                       cmocka_unit_test(prices),
                                       cmocka_unit_test(never_above_the_optimum),
                                       cmocka_unit_test(other_types),
                                       cmocka_unit_test(references),
                                       cmocka_unit_test(deep_certificates),
                                       cmocka_unit_test(absurd_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
