// SPDX-License-Identifier: Apache-2.0
// The simplex method of the bound by chains: the same optima as those of the solver of linear
// programs, also after rows were added, bounds were changed, and from the vertex of another
// program.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/number/random.h"
#include "core/system/context.h"
#include "lp/graph/chains/simplex.h"
#include "lp/lp.h"
#include "tests/support/fixtures.h"

enum { PROGRAMS = 400, MOST = 24, TURNS = 4 };

static const duet_context calm = {.deadline_ns = INT64_MAX, .threads = 1};

// The same program twice.
typedef struct pair {
    duet_chains_simplex own;
    duet_lp *lp;
    size_t columns;
    uint64_t seed;
    duet_random random;
} pair;

static double draw(pair *p, int least, int most)
{
    return (double)duet_random_between(&p->random, least, most);
}

static void begin(pair *p, uint64_t seed)
{
    duet_random_seed(&p->random, seed);
    p->seed = seed;
    p->columns = (size_t)duet_random_between(&p->random, 1, MOST);
    assert_int_equal(duet_chains_simplex_create(&p->own, p->columns, NULL), DUET_OK);
    assert_int_equal(duet_lp_create(&p->lp, NULL), DUET_OK);
    for (size_t j = 0; j < p->columns; j++) {
        double high = draw(p, 0, 2) > 0 ? draw(p, 0, 3) : INFINITY;
        p->own.cost[j] = draw(p, 0, 3);
        duet_chains_simplex_bound(&p->own, j, 0, high);
        duet_lp_add_column(p->lp, 0, high, p->own.cost[j]);
    }
}

static void add_row(pair *p)
{
    size_t own;
    double low = draw(p, -3, 6);
    double high = draw(p, 0, 3) > 0 ? INFINITY : low + draw(p, 0, 4);
    size_t row = duet_lp_add_row(p->lp, low, high);
    assert_int_equal(duet_chains_simplex_add_row(&p->own, low, high, &own, NULL), DUET_OK);
    assert_int_equal(own, p->columns + row);
    for (size_t j = 0; j < p->columns; j++) {
        double value = draw(p, 0, 2) > 0 ? 0 : draw(p, -2, 4);
        if (value != 0) {
            duet_lp_add_entry(p->lp, row, j, value);
            assert_int_equal(duet_chains_simplex_add_entry(&p->own, j, value, NULL), DUET_OK);
        }
    }
}

static void fix_column(pair *p)
{
    size_t column = (size_t)duet_random_between(&p->random, 0, (int64_t)p->columns - 1);
    double value = draw(p, 0, 1);
    duet_chains_simplex_bound(&p->own, column, value, value);
    duet_lp_bound_column(p->lp, column, value, value);
}

// The multipliers prove the objective: it is what they make of the bounds.
static double proven(const pair *p)
{
    double *price = malloc(p->own.constraints * sizeof *price);
    double sum = 0;
    assert_non_null(price);
    duet_chains_simplex_prices(&p->own, price);
    for (size_t i = 0; i < p->own.constraints; i++) {
        const duet_chains_constraint *c = &p->own.constraint[i];
        if (fabs(price[i]) > 1e-6) {
            sum += price[i] * (price[i] > 0 ? c->low : c->high);
        }
    }
    free(price);
    return sum;
}

static void compare(pair *p)
{
    char text[96];
    assert_int_equal(duet_chains_simplex_solve(&p->own, INT64_MAX, INFINITY, &calm, NULL), DUET_OK);
    assert_int_equal(duet_lp_solve(p->lp, false, &calm, NULL), DUET_OK);
    bool solved = duet_lp_get_status(p->lp) == DUET_LP_OPTIMAL;
    double wrong = solved && p->own.status == DUET_CHAINS_OPTIMAL
                       ? fabs(duet_chains_simplex_objective(&p->own) - duet_lp_objective(p->lp)) +
                             fabs(proven(p) - duet_lp_objective(p->lp))
                       : 0;
    if (solved != (p->own.status == DUET_CHAINS_OPTIMAL) || wrong > 1e-4) {
        snprintf(text, sizeof text, "seed %llu: wrong by %g", (unsigned long long)p->seed, wrong);
        fail_msg("%s", text);
    }
}

static void test_optima(void **state)
{
    (void)state;
    uint64_t first = (uint64_t)duet_test_number("DUET_TEST_SEED", 1);
    int64_t programs = duet_test_number("DUET_TEST_INSTANCES", PROGRAMS);
    int64_t feasible = 0;
    if (!duet_lp_available()) {
        skip();
    }
    for (uint64_t seed = first; seed < first + (uint64_t)programs; seed++) {
        pair p;
        uint8_t *side = NULL;
        begin(&p, seed);
        for (int turn = 0; turn < TURNS; turn++) {
            size_t before = p.own.constraints;
            for (int i = (int)draw(&p, 0, 8); i >= 0; i--) {
                add_row(&p);
            }
            if (turn > 0 && draw(&p, 0, 1) > 0) {
                fix_column(&p);
            }
            if (side != NULL && draw(&p, 0, 1) > 0) {
                duet_chains_simplex_take(&p.own, side, before);
            }
            compare(&p);
            side = realloc(side, p.own.constraints);
            assert_non_null(side);
            duet_chains_simplex_note(&p.own, side);
            feasible += p.own.status == DUET_CHAINS_OPTIMAL;
        }
        free(side);
        duet_chains_simplex_free(&p.own);
        duet_lp_free(p.lp);
    }
    assert_true(feasible > programs / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_optima)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
