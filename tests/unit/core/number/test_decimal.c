// SPDX-License-Identifier: Apache-2.0
// Exact decimals: what is read is what is meant, or it is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/number/decimal.h"
#include "core/number/random.h"

static duet_decimal_fault parse(const char *text, duet_decimal *value)
{
    return duet_decimal_parse(text, strlen(text), value);
}

static void accepts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t mantissa;
        int places;
    } rows[] = {
        {"0", 0, 0},
        {"-0", 0, 0},
        {"0.000", 0, 0},
        {"15.6", 156, 1},
        {"15.60", 156, 1},
        {"170", 170, 0},
        {"1700.0", 1700, 0},
        {"0.05", 5, 2},
        {"100.001", 100001, 3},
        {"1e3", 1000, 0},
        {"1.5E+2", 150, 0},
        {"25e-3", 25, 3},
        {"0.000000001", 1, 9},
        {"0.0000000010", 1, 9},
        {"1000000000000000000e-9", 1000000000, 0},
        {"0.0000000000000000001e12", 1, 7},
        {"4611686018427387904", INT64_C(4611686018427387904), 0},
        {"9007199254740993.5", INT64_C(90071992547409935), 1},
        {"0e999999999", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        duet_decimal value;
        if (parse(rows[i].text, &value) != DUET_DECIMAL_OK || value.mantissa != rows[i].mantissa ||
            value.places != rows[i].places) {
            fail_msg("%s: got %lld, %d places", rows[i].text, (long long)value.mantissa,
                     value.places);
        }
    }
}

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        duet_decimal_fault fault;
    } rows[] = {
        {"", DUET_DECIMAL_SYNTAX},
        {"-", DUET_DECIMAL_SYNTAX},
        {".", DUET_DECIMAL_SYNTAX},
        {"nan", DUET_DECIMAL_SYNTAX},
        {"inf", DUET_DECIMAL_SYNTAX},
        {"1x", DUET_DECIMAL_SYNTAX},
        {"1e", DUET_DECIMAL_SYNTAX},
        {"1e+", DUET_DECIMAL_SYNTAX},
        {"1.2.3", DUET_DECIMAL_SYNTAX},
        {"0x10", DUET_DECIMAL_SYNTAX},
        {"-1", DUET_DECIMAL_NEGATIVE},
        {"-0.1", DUET_DECIMAL_NEGATIVE},
        {"0.1234567890123456789", DUET_DECIMAL_PLACES},
        {"1e-19", DUET_DECIMAL_PLACES},
        {"1.00000000000000000001", DUET_DECIMAL_PLACES},
        {"1e-999999999999", DUET_DECIMAL_PLACES},
        {"4611686018427387905", DUET_DECIMAL_RANGE},
        {"1e19", DUET_DECIMAL_RANGE},
        {"1e400", DUET_DECIMAL_RANGE},
        {"99999999999999999999999999999999999999999999999999", DUET_DECIMAL_RANGE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        duet_decimal value;
        duet_decimal_fault fault = parse(rows[i].text, &value);
        if (fault != rows[i].fault) {
            fail_msg("%s: fault %d, expected %d", rows[i].text, fault, rows[i].fault);
        }
    }
}

static void round_trip(void **state)
{
    (void)state;
    duet_random random;
    duet_random_seed(&random, 3);
    for (int i = 0; i < 100000; i++) {
        int decimals = (int)duet_random_between(&random, 0, 9);
        int64_t ticks =
            duet_random_between(&random, 0, INT64_C(1) << duet_random_between(&random, 0, 62));
        char text[32];
        duet_decimal value;
        int64_t back;
        assert_int_equal(parse(duet_decimal_format(ticks, decimals, text), &value),
                         DUET_DECIMAL_OK);
        assert_true(duet_decimal_scale(value, decimals, &back));
        assert_int_equal(back, ticks);
    }
    char text[32];
    assert_string_equal(duet_decimal_format(-1050, 2, text), "-10.5");
    int64_t ticks;
    assert_false(duet_decimal_scale((duet_decimal){15, 1}, 0, &ticks));
    assert_false(duet_decimal_scale((duet_decimal){INT64_C(1) << 60, 0}, 9, &ticks));
}

static duet_long_decimal exact(int64_t mantissa, int places)
{
    return (duet_long_decimal){{mantissa, places}, DUET_DECIMAL_NO_TAIL};
}

// A product and a sum are cut where no more digits fit, and the tail says what the digits that both
// lost are worth together.
static void product_sums(void **state)
{
    (void)state;
    enum { ROUNDS = 20000, MOST = 18 };
    duet_random random;
    duet_random_seed(&random, 3);
    int halves = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t limit[3];
        for (int i = 0; i < 3; i++) {
            limit[i] = 9;
            for (int64_t d = duet_random_between(&random, 0, MOST - 1); d > 0; d--) {
                limit[i] = 10 * limit[i] + 9;
            }
        }
        int places = (int)duet_random_between(&random, 10, 36);
        int less = (int)duet_random_between(&random, 0, 10);
        int first = (int)duet_random_between(&random, 0, places);
        duet_long_decimal a = exact(duet_random_between(&random, 1, limit[0]), first);
        duet_long_decimal b = exact(duet_random_between(&random, 1, limit[1]), places - first);
        duet_long_decimal c = exact(duet_random_between(&random, 1, limit[2]), places - less);
        duet_long_decimal sum;
        duet_uint128 truth = (duet_uint128)c.value.mantissa;
        for (int i = 0; i < less; i++) {
            truth *= 10;
        }
        truth += (duet_uint128)a.value.mantissa * (duet_uint128)b.value.mantissa;
        if (!duet_decimal_product_sum(a, b, c, &sum)) {
            continue; // too large a whole part
        }
        duet_uint128 unit = 1;
        for (int i = sum.value.places; i < places; i++) {
            unit *= 10;
        }
        duet_uint128 rest = truth % unit;
        duet_decimal_tail tail = rest == 0          ? DUET_DECIMAL_NO_TAIL
                                 : 2 * rest >= unit ? DUET_DECIMAL_HALF_OR_MORE
                                                    : DUET_DECIMAL_BELOW_HALF;
        if (truth / unit != (duet_uint128)sum.value.mantissa || sum.tail != tail) {
            fail_msg(
                "round %d: %lld (%d) * %lld (%d) + %lld (%d) = %lld (%d), tail %d, expected %d",
                round, (long long)a.value.mantissa, a.value.places, (long long)b.value.mantissa,
                b.value.places, (long long)c.value.mantissa, c.value.places,
                (long long)sum.value.mantissa, sum.value.places, (int)sum.tail, (int)tail);
        }
        halves += tail == DUET_DECIMAL_HALF_OR_MORE;
    }
    assert_true(halves > 100);
    // Two tails of half a unit each make a unit.
    duet_long_decimal c = exact(DUET_MAX_WORK / 20, 1);
    c.tail = DUET_DECIMAL_HALF_OR_MORE;
    duet_long_decimal sum;
    assert_true(duet_decimal_product_sum(exact(1, 0), exact(5, 2), c, &sum));
    assert_int_equal(sum.value.mantissa, DUET_MAX_WORK / 20 + 1);
    assert_int_equal(sum.value.places, 1);
    assert_int_equal(sum.tail, DUET_DECIMAL_BELOW_HALF);
}

// A quotient is exact, or cut where no more digits fit; its tail says which half is missing.
static void quotients(void **state)
{
    (void)state;
    duet_random random;
    duet_random_seed(&random, 2);
    int whole = 0;
    for (int round = 0; round < 20000; round++) {
        int64_t size = INT64_C(1) << duet_random_between(&random, 1, 31);
        duet_long_decimal a =
            exact(duet_random_between(&random, 0, size), (int)duet_random_between(&random, 0, 9));
        duet_long_decimal b =
            exact(duet_random_between(&random, 1, 50), (int)duet_random_between(&random, 0, 3));
        duet_long_decimal q;
        assert_true(duet_decimal_quotient(a, b, &q));
        // a / b = A / B, and the quotient is its whole part at so many places.
        duet_uint128 left = (duet_uint128)a.value.mantissa;
        duet_uint128 right = (duet_uint128)b.value.mantissa;
        for (int i = 0; i < q.value.places + b.value.places; i++) {
            left *= 10;
            if (i < a.value.places) {
                left /= 10;
            }
        }
        for (int i = q.value.places + b.value.places; i < a.value.places; i++) {
            right *= 10;
        }
        duet_uint128 rest = left - (duet_uint128)q.value.mantissa * right;
        assert_true(rest < right);
        assert_int_equal(q.tail, rest == 0           ? DUET_DECIMAL_NO_TAIL
                                 : 2 * rest >= right ? DUET_DECIMAL_HALF_OR_MORE
                                                     : DUET_DECIMAL_BELOW_HALF);
        assert_true(rest == 0 || q.value.mantissa > INT64_C(100000000000000000));
        whole += rest == 0;
    }
    assert_in_range(whole, 1000, 19000);
    duet_long_decimal q;
    assert_false(duet_decimal_quotient(exact(INT64_C(1) << 61, 0), exact(1, 1), &q));
    assert_true(duet_decimal_quotient(exact(1, 0), exact(8, 0), &q));
    assert_int_equal(q.value.mantissa, 125);
    assert_int_equal(q.value.places, 3);
    // What was cut before stays cut.
    duet_long_decimal cut = {{25, 1}, DUET_DECIMAL_HALF_OR_MORE};
    assert_true(duet_decimal_quotient(cut, exact(5, 0), &q));
    assert_int_not_equal(q.tail, DUET_DECIMAL_NO_TAIL);
}

// Times at nine more places than ticks have, against numbers of 128 bits.
static void finer_times(void **state)
{
    (void)state;
    duet_random random;
    duet_random_seed(&random, 7);
    for (int run = 0; run < 100000; run++) {
        uint64_t bits = duet_random_next(&random);
        int places = (int)duet_random_between(&random, 0, 18);
        int decimals = (int)duet_random_between(&random, 0, 3);
        int64_t digits = (int64_t)(bits >> 3) >> duet_random_between(&random, 0, 59);
        digits -= run % 3 == 0 ? digits % 1000 - 500 : 0; // halves, and what is near them
        bool negative = run % 5 == 0;
        char text[64];
        int64_t unit = 1;
        for (int i = 0; i < places; i++) {
            unit *= 10;
        }
        if (run % 2 == 0) {
            snprintf(text, sizeof text, "%s%llde-%d", negative ? "-" : "", (long long)digits,
                     places);
        } else {
            snprintf(text, sizeof text, "%s%lld.%0*llde0", negative ? "-" : "",
                     (long long)(digits / unit), places, (long long)(digits % unit));
        }
        duet_int128 fine;
        duet_decimal_fault fault = duet_decimal_read_finer(text, strlen(text), decimals, &fine);
        duet_int128 number = negative ? -(duet_int128)digits : digits; // * 10^-places
        int more = decimals + DUET_FINER_PLACES - places;
        duet_int128 expected = number;
        for (int i = 0; i < more; i++) {
            expected *= 10;
        }
        if (more < 0) {
            duet_int128 down = 1;
            for (int i = 0; i < -more; i++) {
                down *= 10;
            }
            duet_int128 twice = 2 * number + down; // floor(twice / (2 * down))
            duet_int128 rest = twice % (2 * down);
            expected = (twice - (rest < 0 ? rest + 2 * down : rest)) / (2 * down);
        }
        duet_int128 most = (duet_int128)DUET_MAX_WORK * 1000000000;
        bool fits = expected <= most && expected >= -most;
        if (fault != (fits ? DUET_DECIMAL_OK : DUET_DECIMAL_RANGE) || (fits && fine != expected)) {
            fail_msg("run %d: %s at %d places", run, text, decimals);
        }
    }
    duet_int128 fine;
    assert_int_equal(duet_decimal_read_finer("1e-1000000000", 13, 0, &fine), DUET_DECIMAL_OK);
    assert_true(fine == 0);
    assert_int_equal(duet_decimal_read_finer("0e1000000000", 12, 0, &fine), DUET_DECIMAL_OK);
    assert_int_equal(duet_decimal_read_finer("1e1000000000", 12, 0, &fine), DUET_DECIMAL_RANGE);
    static const char *const none[] = {"", ".", "-", "+.", "1.2.3", "1e", "1e+", "e5", "1 ", "--1"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_int_equal(duet_decimal_read_finer(none[i], strlen(none[i]), 0, &fine),
                         DUET_DECIMAL_SYNTAX);
    }
    assert_int_equal(duet_decimal_read_finer("9999999991.999999998", 20, 0, &fine),
                     DUET_DECIMAL_OK);
    assert_true(fine == (duet_int128)INT64_C(999999999199999999) * 10 + 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accepts),    cmocka_unit_test(refuses),
                                       cmocka_unit_test(round_trip), cmocka_unit_test(product_sums),
                                       cmocka_unit_test(quotients),  cmocka_unit_test(finer_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
