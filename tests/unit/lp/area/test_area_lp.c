// SPDX-License-Identifier: Apache-2.0
// The area bound through a linear program: exact against an independent slow reference for two
// types, against the solver's own optimum and the certificate checker for three.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include <duet/duet.h>

#include "core/number/fraction.h"
#include "core/number/random.h"
#include "lp/area/area.h"
#include "lp/area/lp.h"
#include "lp/area/weights.h"
#include "lp/lp.h"

enum { MAX_KINDS = 40, MAX_TYPES = 4 };

typedef struct problem {
    size_t types, kinds;
    int64_t processors[MAX_TYPES];
    int64_t counts[MAX_KINDS];
    int64_t times[MAX_KINDS * MAX_TYPES];
} problem;

static duet_instance *make(const problem *p)
{
    static const char *const names[MAX_TYPES] = {"cpu", "gpu", "npu", "fpga"};
    duet_type platform[MAX_TYPES];
    for (size_t t = 0; t < p->types; t++) {
        platform[t] = (duet_type){names[t], p->processors[t]};
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = p->types,
                               .platform = platform,
                               .kinds = p->kinds,
                               .counts = p->counts,
                               .times = p->times};
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (duet_instance_create(&desc, &instance, &error) != DUET_OK) {
        fail_msg("instance: %s", error.message);
    }
    return instance;
}

// Times of several characters: small with many ties, wide, huge, and nearly proportional ones.
static void draw(duet_random *random, size_t types, problem *p)
{
    *p = (problem){.types = types};
    int64_t style = duet_random_between(random, 0, 4);
    p->kinds = (size_t)duet_random_between(random, 0, style == 0 ? 6 : 30);
    bool any = false;
    while (!any) {
        for (size_t t = 0; t < types; t++) {
            p->processors[t] = duet_random_between(random, 0, style == 1 ? 1000000 : 4);
            any = any || p->processors[t] > 0;
        }
    }
    static const int64_t top[] = {5, 1000, 1000000000, INT64_C(1) << 56, 1000010};
    for (size_t i = 0; i < p->kinds; i++) {
        p->counts[i] = style == 3 ? 1 : duet_random_between(random, 1, 20);
        bool allowed = false;
        while (!allowed) {
            for (size_t t = 0; t < types; t++) {
                int64_t low = style == 4 ? 1000000 : (style == 0 ? 0 : 1);
                int64_t time = duet_random_between(random, low, top[style]);
                bool forbidden = duet_random_between(random, 0, 7) == 0;
                p->times[i * types + t] = forbidden ? DUET_FORBIDDEN : time;
                allowed = allowed || (!forbidden && p->processors[t] > 0);
            }
        }
    }
}

// L(w) over the weights (q_f, p_f) of every kind f, and (1, 0), (0, 1): its maximum is at one of
// them. Own arithmetic, apart from the comparison of fractions.
static duet_fraction value_at(const problem *p, int64_t x, int64_t y)
{
    duet_uint128 work = 0;
    for (size_t i = 0; i < p->kinds; i++) {
        int64_t a = p->processors[0] > 0 ? p->times[2 * i] : DUET_FORBIDDEN;
        int64_t b = p->processors[1] > 0 ? p->times[2 * i + 1] : DUET_FORBIDDEN;
        duet_uint128 wa = (duet_uint128)x * (duet_uint128)a;
        duet_uint128 wb = (duet_uint128)y * (duet_uint128)b;
        duet_uint128 least = wa < wb ? wa : wb;
        least = a == DUET_FORBIDDEN ? wb : least;
        least = b == DUET_FORBIDDEN ? wa : least;
        duet_uint128 count = (duet_uint128)p->counts[i];
        work += least * count;
    }
    duet_uint128 capacity = (duet_uint128)x * (duet_uint128)p->processors[0] +
                            (duet_uint128)y * (duet_uint128)p->processors[1];
    return capacity == 0 ? (duet_fraction){0, 1} : (duet_fraction){work, capacity};
}

static duet_fraction reference(const problem *p)
{
    duet_fraction best = value_at(p, 1, 0);
    duet_fraction other = value_at(p, 0, 1);
    best = duet_fraction_compare(other, best) > 0 ? other : best;
    for (size_t f = 0; f < p->kinds; f++) {
        if (p->times[2 * f] != DUET_FORBIDDEN && p->times[2 * f + 1] != DUET_FORBIDDEN) {
            other = value_at(p, p->times[2 * f + 1], p->times[2 * f]);
            best = duet_fraction_compare(other, best) > 0 ? other : best;
        }
    }
    return best;
}

static void bound_of(const duet_instance *instance, duet_bound *bound)
{
    duet_error error = DUET_ERROR_INIT;
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    if (duet_area_lp_bound(instance, &context, bound, &error) != DUET_OK) {
        fail_msg("area-lp: %s", error.message);
    }
    if (duet_certificate_check(&bound->certificate, instance, NULL, &error) != DUET_OK) {
        fail_msg("area-lp: %s", error.message);
    }
    assert_int_equal(bound->certificate.lambda, bound->value);
}

static void check_pair(const problem *p, uint64_t seed)
{
    duet_instance *instance = make(p);
    duet_bound bound;
    bound_of(instance, &bound);
    duet_fraction expected = reference(p);
    char text[96];
    duet_fraction_format(expected, text);
    if (strcmp(text, bound.exact) != 0 || bound.value != (int64_t)duet_fraction_ceil(expected)) {
        fail_msg("seed %llu: area-lp %s, expected %s", (unsigned long long)seed, bound.exact, text);
    }
    duet_bound closed;
    assert_int_equal(duet_area_bound(instance, NULL, &closed, NULL), DUET_OK);
    if (strcmp(closed.exact, bound.exact) != 0) {
        fail_msg("seed %llu: area %s, area-lp %s", (unsigned long long)seed, closed.exact,
                 bound.exact);
    }
    duet_instance_free(instance);
}

static void two_types(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        problem p;
        draw(&random, 2, &p);
        check_pair(&p, seed);
    }
}

static void near_equal_factors(void **state)
{
    (void)state;
    problem p = {.types = 2, .kinds = 20, .processors = {3, 2}};
    for (size_t i = 0; i < p.kinds; i++) {
        p.counts[i] = 1 + (int64_t)i;
        p.times[2 * i] = 1000003 + (int64_t)i;
        p.times[2 * i + 1] = 1000002 + (int64_t)i;
    }
    check_pair(&p, 0);
    for (size_t i = 0; i < p.kinds; i++) {
        p.times[2 * i] = (INT64_C(1) << 53) + (int64_t)i;
        p.times[2 * i + 1] = (INT64_C(1) << 53) - (int64_t)i;
    }
    check_pair(&p, 0);
}

// The linear program again, straight from its definition, in floating point.
static double float_optimum(const problem *p)
{
    duet_lp *lp = NULL;
    assert_int_equal(duet_lp_create(&lp, NULL), DUET_OK);
    duet_lp_add_column(lp, 0, INFINITY, 1);
    double scale = 1.0;
    for (size_t i = 0; i < p->kinds * p->types; i++) {
        scale = p->times[i] != DUET_FORBIDDEN ? fmax(scale, (double)p->times[i]) : scale;
    }
    double crowd = 1.0;
    for (size_t t = 0; t < p->types; t++) {
        crowd = fmax(crowd, (double)p->processors[t]);
    }
    for (size_t t = 0; t < p->types; t++) {
        double processors = (double)p->processors[t] / crowd;
        duet_lp_add_row(lp, -INFINITY, 0);
        duet_lp_add_entry(lp, t, 0, -processors);
    }
    for (size_t i = 0; i < p->kinds; i++) {
        double count = (double)p->counts[i];
        duet_lp_add_row(lp, count, count);
        for (size_t t = 0; t < p->types; t++) {
            int64_t time = p->times[i * p->types + t];
            if (time == DUET_FORBIDDEN || p->processors[t] == 0) {
                continue;
            }
            size_t column = duet_lp_columns(lp);
            duet_lp_add_column(lp, 0, INFINITY, 0);
            duet_lp_add_entry(lp, p->types + i, column, 1);
            duet_lp_add_entry(lp, t, column, (double)time / scale);
        }
    }
    assert_int_equal(duet_lp_solve(lp, false, NULL, NULL), DUET_OK);
    assert_int_equal(duet_lp_get_status(lp), DUET_LP_OPTIMAL);
    double value = duet_lp_objective(lp) * scale / crowd;
    duet_lp_free(lp);
    return value;
}

static double to_double(const char *exact)
{
    char *end = NULL;
    double value = strtod(exact, &end);
    return *end == '/' ? value / strtod(end + 1, NULL) : value;
}

static void more_types(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        problem p;
        draw(&random, seed % 3 == 0 ? 4 : 3, &p);
        duet_instance *instance = make(&p);
        duet_bound bound;
        bound_of(instance, &bound);
        double expected = float_optimum(&p);
        double estimate = to_double(duet_area_estimate(instance).exact);
        duet_instance_free(instance);
        if (estimate < 0.9999 * expected) {
            fail_msg("seed %llu: the estimate is %.17g, the bound %.17g", (unsigned long long)seed,
                     estimate, expected);
        }
        double value = to_double(bound.exact);
        if (fabs(value - expected) > 1e-9 * expected + 1e-12) {
            fail_msg("seed %llu: area-lp %s = %.17g, the solver says %.17g",
                     (unsigned long long)seed, bound.exact, value, expected);
        }
    }
}

// Prices of so many kinds that a sample stands for them: the bound is about that of the same tasks
// in few kinds. Some tasks are a thousand times as long as most.
static void sampled_kinds(void **state)
{
    (void)state;
    enum { TYPES = 64, KINDS = 1000, COPIES = 12, ALL = KINDS * COPIES };
    duet_random random;
    duet_random_seed(&random, 1);
    duet_type platform[TYPES];
    char name[TYPES][8];
    for (size_t t = 0; t < TYPES; t++) {
        snprintf(name[t], sizeof name[t], "p%zu", t);
        platform[t] = (duet_type){name[t], duet_random_between(&random, 1, 4)};
    }
    int64_t *times = malloc(sizeof *times * TYPES * ALL);
    int64_t *counts = malloc(sizeof *counts * ALL);
    assert_true(times != NULL && counts != NULL);
    for (size_t i = 0; i < KINDS; i++) {
        int64_t length = i % 50 == 0 ? 1000000 : 1000;
        for (size_t t = 0; t < TYPES; t++) {
            times[i * TYPES + t] = length * duet_random_between(&random, 10, 99);
        }
    }
    for (size_t i = 0; i < ALL; i++) {
        memcpy(times + i * TYPES, times + i % KINDS * TYPES, TYPES * sizeof *times);
    }
    double value[2];
    for (size_t many = 0; many < 2; many++) {
        for (size_t i = 0; i < ALL; i++) {
            counts[i] = many ? 1 : COPIES;
        }
        duet_instance_desc desc = {.struct_size = sizeof desc,
                                   .types = TYPES,
                                   .platform = platform,
                                   .kinds = many ? ALL : KINDS,
                                   .counts = counts,
                                   .times = times};
        duet_instance *instance = NULL;
        assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
        value[many] = to_double(duet_area_estimate(instance).exact);
        duet_instance_free(instance);
    }
    free(times);
    free(counts);
    assert_true(value[1] > 0.995 * value[0] && value[1] < 1.001 * value[0]);
}

// Three types against every combination of two breakpoints as weights.
static void three_types_by_force(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        problem p = {.types = 3, .kinds = (size_t)duet_random_between(&random, 1, 5)};
        for (size_t t = 0; t < 3; t++) {
            p.processors[t] = duet_random_between(&random, 1, 3);
        }
        for (size_t i = 0; i < p.kinds; i++) {
            p.counts[i] = duet_random_between(&random, 1, 3);
            for (size_t t = 0; t < 3; t++) {
                p.times[3 * i + t] = duet_random_between(&random, 1, 50);
            }
        }
        duet_instance *instance = make(&p);
        duet_fraction best = {0, 1};
        // A vertex's weights are tied along a tree of two edges, each given by a kind.
        static const size_t tree[3][2][2] = {{{0, 1}, {0, 2}}, {{0, 1}, {1, 2}}, {{0, 2}, {1, 2}}};
        for (size_t shape = 0; shape < 3; shape++) {
            for (size_t f = 0; f < p.kinds; f++) {
                for (size_t g = 0; g < p.kinds; g++) {
                    duet_weight_tie ties[2];
                    for (size_t e = 0; e < 2; e++) {
                        size_t t = tree[shape][e][0], u = tree[shape][e][1];
                        size_t kind = e == 0 ? f : g;
                        ties[e] =
                            (duet_weight_tie){t, u, p.times[3 * kind + t], p.times[3 * kind + u]};
                    }
                    int64_t weight[DUET_MAX_TYPES];
                    duet_weights_from_ties(3, ties, 2, 0, weight);
                    duet_fraction value = duet_area_value(instance, weight);
                    best = duet_fraction_compare(value, best) > 0 ? value : best;
                }
            }
        }
        duet_bound bound;
        bound_of(instance, &bound);
        char text[96];
        if (strcmp(duet_fraction_format(best, text), bound.exact) != 0) {
            fail_msg("seed %llu: area-lp %s, by force %s", (unsigned long long)seed, bound.exact,
                     text);
        }
        duet_instance_free(instance);
    }
}

static void corner_cases(void **state)
{
    (void)state;
    problem empty = {.types = 3, .processors = {1, 0, 2}};
    problem zero = {.types = 2, .kinds = 1, .processors = {1, 1}, .counts = {3}};
    problem one = {.types = 1, .kinds = 2, .processors = {4}, .counts = {3, 1}, .times = {5, 2}};
    problem forced = {.types = 2,
                      .kinds = 2,
                      .processors = {2, 3},
                      .counts = {3, 7},
                      .times = {5, DUET_FORBIDDEN, DUET_FORBIDDEN, 4}};
    problem huge = {.types = 3,
                    .kinds = 1,
                    .processors = {DUET_MAX_PROCESSORS, DUET_MAX_PROCESSORS, 1},
                    .counts = {1},
                    .times = {DUET_MAX_WORK, DUET_MAX_WORK - 1, DUET_MAX_WORK - 2}};
    const struct {
        const problem *p;
        const char *exact;
    } cases[] = {{&empty, "0"}, {&zero, "0"}, {&one, "17/4"}, {&forced, "28/3"}, {&huge, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        duet_instance *instance = make(cases[i].p);
        duet_bound bound;
        bound_of(instance, &bound);
        if (cases[i].exact != NULL) {
            assert_string_equal(bound.exact, cases[i].exact);
        }
        duet_instance_free(instance);
    }
}

static void stops(void **state)
{
    (void)state;
    problem p = {
        .types = 2, .kinds = 2, .processors = {1, 1}, .counts = {1, 1}, .times = {1, 2, 2, 1}};
    duet_instance *instance = make(&p);
    duet_cancel *cancel = duet_cancel_create();
    duet_cancel_request(cancel);
    duet_params params = DUET_PARAMS_INIT;
    params.cancel = cancel;
    duet_context context;
    duet_context_init(&context, &params, NULL);
    duet_bound bound;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_area_lp_bound(instance, &context, &bound, &error), DUET_E_CANCELLED);
    assert_non_null(strstr(error.message, "area-lp"));
    duet_cancel_free(cancel);
    duet_instance_free(instance);
}

int main(void)
{
    if (!duet_lp_available()) {
        puts("skipped: this build has no linear programming solver");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_types),
        cmocka_unit_test(near_equal_factors),
        cmocka_unit_test(more_types),
        cmocka_unit_test(sampled_kinds),
        cmocka_unit_test(three_types_by_force),
        cmocka_unit_test(corner_cases),
        cmocka_unit_test(stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
