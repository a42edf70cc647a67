// SPDX-License-Identifier: Apache-2.0
// Prices of classes: of the area bound, copied; the residual problem, and the slack that prices
// leave.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/solution/prices.h"

// Within 10 ticks on two CPUs and one GPU: 3 tasks of (4, 2), 2 of (6, too long), 1 of (none, 8).
typedef struct setting {
    duet_instance *instance;
    duet_classes classes;
} setting;

static setting set_up(void)
{
    static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    static const int64_t counts[] = {3, 2, 1};
    static const int64_t times[] = {4, 2, 6, 20, DUET_FORBIDDEN, 8};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = "prices",
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = 3,
                                     .counts = counts,
                                     .times = times};
    setting s;
    assert_int_equal(duet_instance_create(&desc, &s.instance, NULL), DUET_OK);
    assert_int_equal(duet_classes_create(s.instance, 10, &s.classes, NULL), DUET_OK);
    assert_int_equal(s.classes.count, 3);
    return s;
}

static void tear_down(setting *s)
{
    duet_classes_free(&s->classes);
    duet_instance_free(s->instance);
}

static void expect_row(const int64_t *row, int64_t a, int64_t b, int64_t c)
{
    assert_int_equal(row[0], a);
    assert_int_equal(row[1], b);
    assert_int_equal(row[2], c);
}

static void by_area(void **state)
{
    (void)state;
    static const int64_t weight[] = {3, 5};
    setting s = set_up();
    duet_prices prices;
    assert_int_equal(duet_prices_create(&s.classes, &prices, NULL), DUET_OK);
    assert_int_equal(prices.id, -1);
    prices.id = 7;
    duet_prices_by_area(&s.classes, weight, &prices);
    expect_row(prices.price[0], 12, 18, 0); // 0 where it cannot run
    expect_row(prices.price[1], 10, 0, 40);
    for (size_t t = 0; t < 2; t++) {
        assert_int_equal(prices.limit[t], weight[t] * s.classes.capacity[t]);
        assert_int_equal(prices.weight[t], weight[t]);
        assert_true(prices.divisible[t]);
    }
    assert_int_equal(prices.id, -1);
    duet_prices_free(&prices);
    tear_down(&s);
}

static void copies(void **state)
{
    (void)state;
    static const int64_t weight[] = {1, 2};
    setting s = set_up();
    duet_prices from;
    duet_prices to;
    assert_int_equal(duet_prices_create(&s.classes, &from, NULL), DUET_OK);
    assert_int_equal(duet_prices_create(&s.classes, &to, NULL), DUET_OK);
    duet_prices_by_area(&s.classes, weight, &from);
    from.weight[0] = from.weight[1] = -1; // no longer those of the area bound
    from.divisible[1] = false;
    from.price[1][2] = 11;
    from.limit[1] = 13;
    from.id = 4;
    duet_prices_by_area(&s.classes, weight, &to);
    to.id = 9;
    const int64_t *own = to.price[0];
    duet_prices_copy(&s.classes, &from, &to);
    assert_ptr_equal(to.price[0], own);
    expect_row(to.price[0], 4, 6, 0);
    expect_row(to.price[1], 4, 0, 11);
    assert_int_equal(to.limit[0], from.limit[0]);
    assert_int_equal(to.limit[1], 13);
    assert_true(to.divisible[0]);
    assert_false(to.divisible[1]);
    assert_int_equal(to.weight[0], -1);
    assert_int_equal(to.weight[1], -1);
    assert_int_equal(to.id, -1);
    assert_int_equal(from.id, 4);
    to.price[1][2] = 1; // arrays of its own
    assert_int_equal(from.price[1][2], 11);
    from.weight[0] = 3; // prices of the area bound stay so
    from.weight[1] = 5;
    duet_prices_copy(&s.classes, &from, &to);
    assert_int_equal(to.weight[0], 3);
    assert_int_equal(to.weight[1], 5);
    duet_prices_free(&from);
    duet_prices_free(&to);
    tear_down(&s);
}

static void slacks(void **state)
{
    (void)state;
    static const int64_t weight[] = {1, 1};
    setting s = set_up();
    duet_prices prices;
    duet_residual left;
    assert_int_equal(duet_prices_create(&s.classes, &prices, NULL), DUET_OK);
    assert_int_equal(duet_residual_create(&s.classes, &left, NULL), DUET_OK);
    expect_row(left.left, 3, 2, 1);
    expect_row(left.low[0], 0, 2, 0); // the second class has no GPU, the third no CPU
    expect_row(left.high[0], 3, 2, 0);
    duet_prices_by_area(&s.classes, weight, &prices);
    int64_t cap = 2 * s.classes.capacity[0] + s.classes.capacity[1];
    assert_true(duet_residual_price(&left, &prices, 0) == 6); // all on the GPU
    assert_true(duet_residual_slack(&s.classes, &left, &prices) == cap - 6 - 12 - 8);
    duet_residual_limit(&left, 0, 0, 2, 3); // two of them at least on CPUs
    assert_true(duet_residual_price(&left, &prices, 0) == 10);
    assert_int_equal(duet_residual_most(&left, 0, 1), 1);
    assert_int_equal(duet_residual_least(&left, 0, 0), 2);
    left.processors[0] = 0;
    assert_true(duet_residual_slack(&s.classes, &left, &prices) ==
                s.classes.capacity[1] - 10 - 12 - 8);
    duet_residual_free(&left);
    duet_prices_free(&prices);
    tear_down(&s);
}

// Times near the limit of work: no overflow.
static void huge(void **state)
{
    (void)state;
    static const duet_type platform[] = {{"cpu", 1}, {"gpu", 1}};
    static const int64_t counts[] = {2};
    static const int64_t times[] = {DUET_MAX_WORK / 2, DUET_MAX_WORK / 2};
    static const int64_t weight[] = {1, 1};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = "huge",
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = 1,
                                     .counts = counts,
                                     .times = times};
    duet_instance *instance;
    duet_classes classes;
    duet_prices prices;
    duet_residual left;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    assert_int_equal(duet_classes_create(instance, DUET_MAX_WORK, &classes, NULL), DUET_OK);
    assert_int_equal(duet_prices_create(&classes, &prices, NULL), DUET_OK);
    assert_int_equal(duet_residual_create(&classes, &left, NULL), DUET_OK);
    duet_prices_by_area(&classes, weight, &prices);
    assert_true(duet_residual_slack(&classes, &left, &prices) == DUET_MAX_WORK);
    duet_residual_free(&left);
    duet_prices_free(&prices);
    duet_classes_free(&classes);
    duet_instance_free(instance);
}

static void branching_rows(void **state)
{
    (void)state;
    static const int64_t weight[] = {1, 1};
    // At most one task of 5 and more on the CPUs, and at least three of any.
    static const duet_branching_row branching_row[] = {{0, 5, false, 1, 0}, {0, 4, true, 3, 0}};
    setting s = set_up();
    duet_prices prices;
    duet_prices copy;
    duet_residual left;
    assert_int_equal(duet_prices_create(&s.classes, &prices, NULL), DUET_OK);
    assert_int_equal(duet_prices_create(&s.classes, &copy, NULL), DUET_OK);
    assert_int_equal(duet_residual_create(&s.classes, &left, NULL), DUET_OK);
    duet_prices_by_area(&s.classes, weight, &prices);
    prices.price[1][0] = 4;
    prices.price[1][2] = 5;
    prices.limit[1] = 8;
    assert_int_equal(duet_prices_make_room(&prices, 2, NULL), DUET_OK);
    assert_int_equal(duet_prices_make_room(&copy, 2, NULL), DUET_OK);
    prices.rows = 2;
    prices.row[0] = 3;
    prices.row[1] = 2;
    // The CPUs' type alone, and tasks as long as that, or longer.
    assert_false(duet_branching_row_has(&s.classes, &branching_row[0], 0));
    assert_true(duet_branching_row_has(&s.classes, &branching_row[1], 0));
    assert_false(
        duet_branching_row_has(&s.classes, &branching_row[1], 2)); // which cannot run there
    assert_int_equal(duet_branching_rows_price(&s.classes, &prices, branching_row, 0, 0), -2);
    assert_int_equal(duet_branching_rows_price(&s.classes, &prices, branching_row, 0, 1), 0);
    assert_int_equal(duet_branching_rows_price(&s.classes, &prices, branching_row, 1, 0), 1);
    assert_int_equal(duet_branching_rows_term(&prices, branching_row), 3 * 1 - 2 * 3);
    // 3 tasks at 4 - 2 on CPUs, 2 at 6 + 3 - 2, and one at 5.
    assert_int_equal(duet_branching_rows_slack(&s.classes, &left, &prices, branching_row),
                     2 * 10 + 8 - 3 - (3 * 2 + 2 * 7 + 5));
    duet_prices_copy(&s.classes, &prices, &copy);
    assert_int_equal(copy.rows, 2);
    assert_int_equal(copy.row[1], 2);
    assert_ptr_not_equal(copy.row, prices.row);
    prices.rows = 0;
    assert_int_equal(duet_branching_rows_slack(&s.classes, &left, &prices, branching_row),
                     duet_residual_slack(&s.classes, &left, &prices));
    duet_prices_free(&prices);
    duet_prices_free(&copy);
    duet_residual_free(&left);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_area), cmocka_unit_test(copies),
                                       cmocka_unit_test(slacks), cmocka_unit_test(branching_rows),
                                       cmocka_unit_test(huge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
