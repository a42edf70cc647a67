// SPDX-License-Identifier: Apache-2.0
// Patterns and pools against counting through all sets: on random classes, prices and states, the
// enumeration gives every pattern once and in canonical order, and what a pool or a pool made from
// it gives is what enumeration gives in the narrower state.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "check/proof/tree/pool.h"
#include "core/number/random.h"
#include "tests/support/fixtures.h"

enum { KINDS = 7 };

typedef struct fixture {
    duet_random random;
    duet_instance *instance;
    duet_proof_model model;
    duet_proof_state state;
    duet_proof_vector vector;
    duet_proof_pricing *pricing;
    duet_proof_patterns patterns;
    int type;
} fixture;

static void make_model(fixture *f)
{
    int64_t times[2 * KINDS];
    int64_t counts[KINDS];
    int64_t largest = duet_random_between(&f->random, 2, 60);
    int64_t scale = duet_random_between(&f->random, 0, 3) == 0 ? 100000007 : 1;
    const duet_type platform[] = {{"cpu", 3}, {"gpu", 3}};
    for (size_t i = 0; i < KINDS; i++) {
        counts[i] =
            duet_random_between(&f->random, 0, 2) == 0 ? duet_random_between(&f->random, 1, 40) : 1;
        for (size_t t = 0; t < 2; t++) {
            times[2 * i + t] = duet_random_between(&f->random, 1, largest) * scale +
                               (scale > 1 ? duet_random_between(&f->random, 0, 1) : 0);
        }
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = KINDS,
                               .counts = counts,
                               .times = times};
    assert_int_equal(duet_instance_create(&desc, &f->instance, NULL), DUET_OK);
    int64_t length = largest * scale + duet_random_between(&f->random, 0, largest) * scale;
    assert_int_equal(duet_proof_model_init(&f->model, f->instance, length, duet_test_watch(), NULL),
                     DUET_OK);
}

// The highest price of tasks of the classes from c on that fit in a room.
static int64_t most_of(const fixture *f, const int64_t *prices, int t, size_t c, int64_t room)
{
    if (c == f->model.classes) {
        return 0;
    }
    int64_t best = most_of(f, prices, t, c + 1, room);
    int64_t most = f->model.time[t][c] > 0 ? f->model.count[c] : 0;
    for (int64_t a = 1; a <= most && a * f->model.time[t][c] <= room; a++) {
        int64_t with = a * prices[2 * c + (size_t)t] +
                       most_of(f, prices, t, c + 1, room - a * f->model.time[t][c]);
        best = with > best ? with : best;
    }
    return best;
}

static void make_vector(fixture *f)
{
    if (duet_random_between(&f->random, 0, 1) == 0) {
        const int64_t weights[] = {duet_random_between(&f->random, 0, 5),
                                   duet_random_between(&f->random, 1, 5)};
        assert_int_equal(duet_proof_vector_area(&f->vector, &f->model, weights, NULL), DUET_OK);
        return;
    }
    int64_t prices[2 * KINDS] = {0};
    int64_t limits[2];
    const duet_price_mode modes[] = {DUET_PRICE_SET, DUET_PRICE_SET};
    int64_t factor = duet_random_between(&f->random, 1, 3);
    for (size_t i = 0; i < 2 * f->model.classes; i++) {
        bool usable = f->model.time[i % 2][i / 2] > 0;
        prices[i] = usable ? factor * duet_random_between(&f->random, 0, 25) : 0;
    }
    for (int t = 0; t < 2; t++) {
        limits[t] = most_of(f, prices, t, 0, f->model.capacity[t]);
    }
    duet_proof_prices given = {modes, NULL, limits, prices, NULL};
    assert_int_equal(
        duet_proof_vector_prices(&f->vector, &f->model, &given, duet_test_watch(), NULL), DUET_OK);
    for (int t = 0; t < 2; t++) {
        int64_t lower[] = {limits[0], limits[1]};
        duet_proof_vector refused;
        lower[t]--;
        given.limits = lower;
        assert_int_equal(
            duet_proof_vector_prices(&refused, &f->model, &given, duet_test_watch(), NULL),
            DUET_E_INPUT);
        duet_proof_vector_free(&refused);
    }
}

static void open_fixture(fixture *f, uint64_t seed)
{
    *f = (fixture){.type = (int)(seed % 2)};
    duet_random_seed(&f->random, seed);
    make_model(f);
    make_vector(f);
    assert_int_equal(duet_proof_state_init(&f->state, &f->model, NULL), DUET_OK);
    assert_int_equal(duet_proof_pricing_create(&f->pricing, &f->model, &f->vector, f->type,
                                               seed % 3 == 0 ? 4096 : SIZE_MAX, duet_test_watch(),
                                               NULL),
                     DUET_OK);
    assert_int_equal(duet_proof_patterns_init(&f->patterns, &f->model, NULL), DUET_OK);
}

static void close_fixture(fixture *f)
{
    duet_proof_patterns_free(&f->patterns);
    duet_proof_pricing_free(f->pricing);
    duet_proof_vector_free(&f->vector);
    duet_proof_state_free(&f->state);
    duet_proof_model_free(&f->model);
    duet_instance_free(f->instance);
}

static void enumerate(fixture *f, size_t class, int64_t slack)
{
    duet_proof_wanted wanted = {.type = f->type,
                                .class = class,
                                .slack = slack,
                                .most_steps = UINT64_MAX,
                                .most_patterns = SIZE_MAX,
                                .most_items = SIZE_MAX};
    for (size_t c = 0; c < f->model.classes; c++) {
        f->patterns.available[c] = duet_proof_available(&f->state, f->type, c);
    }
    assert_int_equal(
        duet_proof_enumerate(&f->patterns, &f->model, f->pricing, &wanted, duet_test_watch(), NULL),
        DUET_OK);
    assert_false(f->patterns.cut);
}

// How many patterns there are, by counting through all.
static int64_t count_all(const fixture *f, size_t class, int64_t slack, size_t c, int64_t room,
                         duet_int128 price, bool has)
{
    int t = f->type;
    if (c == f->model.classes) {
        duet_int128 limit = (duet_int128)f->vector.factor[t] * f->vector.limit[t];
        return has && limit - price <= slack * f->pricing->unit ? 1 : 0;
    }
    int64_t total = 0;
    int64_t most = duet_proof_available(&f->state, t, c);
    for (int64_t a = 0; a <= most && a * f->model.time[t][c] <= room; a++) {
        total += count_all(f, class, slack, c + 1, room - a * f->model.time[t][c],
                           price + a * duet_proof_price_of(&f->vector, t, c),
                           has || (a > 0 && (class == SIZE_MAX || class == c)));
    }
    return total;
}

static int64_t amount(const duet_proof_item *item, size_t length, size_t class)
{
    for (size_t i = 0; i < length; i++) {
        if (item[i].class == class) {
            return item[i].count;
        }
    }
    return 0;
}

// Sound, in order, and as many as there are: then these are all.
static void check_list(const fixture *f, size_t class, int64_t slack, uint64_t seed)
{
    const duet_proof_patterns *list = &f->patterns;
    for (size_t i = 0; i < list->count; i++) {
        const duet_proof_pattern *now = &list->pattern[i];
        duet_int128 price = 0;
        int64_t time = 0;
        for (size_t j = 0; j < now->length; j++) {
            size_t c = now->item[j].class;
            int64_t a = now->item[j].count;
            assert_true(a >= 1 && a <= duet_proof_available(&f->state, f->type, c));
            assert_true(j == 0 || now->item[j - 1].class < c);
            time += a * f->model.time[f->type][c];
            price += f->vector.factor[f->type] * ((duet_int128)f->vector.price[f->type][c] * a);
        }
        assert_true(time <= f->model.capacity[f->type]);
        assert_true(now->reduced_cost <= slack);
        assert_true((duet_int128)f->vector.factor[f->type] * f->vector.limit[f->type] - price ==
                    now->reduced_cost * f->pricing->unit);
        assert_true(class == SIZE_MAX || amount(now->item, now->length, class) > 0);
        if (i > 0) {
            const duet_proof_pattern *before = &list->pattern[i - 1];
            bool after = now->reduced_cost > before->reduced_cost;
            for (size_t c = 0; now->reduced_cost == before->reduced_cost && c < KINDS && !after;
                 c++) {
                int64_t less = amount(now->item, now->length, c);
                int64_t more = amount(before->item, before->length, c);
                assert_true(more >= less);
                after = more > less;
            }
            assert_true(after);
        }
    }
    int64_t all = count_all(f, class, slack, 0, f->model.capacity[f->type], 0, false);
    if (all != (int64_t)list->count) {
        fail_msg("seed %" PRIu64 ": %zu patterns, expected %" PRId64, seed, list->count, all);
    }
}

// Takes away some of what is left.
static void shrink(fixture *f)
{
    for (size_t c = 0; c < f->model.classes; c++) {
        duet_proof_range range = duet_proof_left(&f->state.residual, c)->on[DUET_PROOF_CPU];
        duet_code code = DUET_OK;
        if (duet_random_between(&f->random, 0, 2) == 0) {
            range.high -= duet_random_between(&f->random, 0, range.high - range.low);
            code = duet_proof_state_limit(&f->state, c, DUET_PROOF_CPU, range, NULL);
        } else if (duet_random_between(&f->random, 0, 2) == 0) {
            range.low += duet_random_between(&f->random, 0, range.high - range.low);
            code = duet_proof_state_limit(&f->state, c, DUET_PROOF_CPU, range, NULL);
        } else if (duet_random_between(&f->random, 0, 1) == 0) {
            int64_t most = duet_proof_available(&f->state, f->type, c);
            code = duet_proof_state_take(&f->state, c, f->type,
                                         duet_random_between(&f->random, 0, most < 3 ? most : 3),
                                         NULL);
        }
        assert_int_equal(code, DUET_OK);
    }
}

// What a pool gives for every class is what enumeration gives.
static void compare_picks(fixture *f, const duet_proof_pool *pool, int64_t slack, uint64_t seed)
{
    duet_proof_scope scope = {f->state.bitmap[f->type].bits, slack};
    uint32_t *found = malloc((pool->count + 1) * sizeof *found);
    assert_non_null(found);
    assert_true(duet_proof_pool_covers(pool, &scope));
    for (size_t c = 0; c < f->model.classes; c++) {
        uint64_t steps = 0;
        size_t count = duet_proof_pool_pick(pool, c, &scope, found, &steps);
        enumerate(f, c, slack);
        if (count != f->patterns.count) {
            fail_msg("seed %" PRIu64 ": picked %zu, expected %zu", seed, count, f->patterns.count);
        }
        for (size_t i = 0; i < count; i++) {
            const duet_proof_pattern *pattern = &f->patterns.pattern[i];
            assert_int_equal(pool->reduced_cost[found[i]], pattern->reduced_cost);
            assert_int_equal(pool->length[found[i]], pattern->length);
            for (size_t j = 0; j < pattern->length; j++) {
                assert_int_equal(pool->item[found[i]][j].class, pattern->item[j].class);
                assert_int_equal(pool->item[found[i]][j].count, pattern->item[j].count);
            }
        }
    }
    free(found);
}

static void check_marks(const fixture *f)
{
    for (int t = 0; t < 2; t++) {
        const duet_proof_bitmap *bitmap = &f->state.bitmap[t];
        for (size_t c = 0; c < f->model.classes && bitmap->words > 0; c++) {
            int64_t available = duet_proof_available(&f->state, t, c);
            int64_t most = bitmap->count[c];
            assert_int_equal(duet_proof_marked(bitmap, bitmap->bits, c),
                             available < most ? available : most);
        }
    }
}

static void patterns_and_pools(void **state)
{
    (void)state;
    long patterns = 0;
    long narrowed = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        fixture f;
        open_fixture(&f, seed);
        int64_t slack = duet_random_between(&f.random, 0, 1) == 0
                            ? duet_random_between(&f.random, 0, f.pricing->limit / 4)
                            : f.pricing->limit / 3;
        slack = seed % 5 == 0 ? 0 : slack;
        shrink(&f);
        check_marks(&f);
        size_t class = (size_t)duet_random_between(&f.random, 0, (int64_t)f.model.classes - 1);
        enumerate(&f, class, slack);
        check_list(&f, class, slack, seed);
        enumerate(&f, SIZE_MAX, slack);
        check_list(&f, SIZE_MAX, slack, seed);
        patterns += (long)f.patterns.count;
        duet_proof_scope scope = {f.state.bitmap[f.type].bits, slack};
        duet_proof_pool *pool;
        assert_int_equal(duet_proof_pool_create(&pool, &f.patterns, &f.state.bitmap[f.type],
                                                f.model.classes, &scope, duet_test_watch(), NULL),
                         DUET_OK);
        compare_picks(&f, pool, slack, seed);
        size_t changes = f.state.changes;
        duet_proof_pool *top = pool;
        for (int round = 0; round < 4; round++) {
            shrink(&f);
            slack -= duet_random_between(&f.random, 0, slack / 4);
            compare_picks(&f, top, slack, seed);
            scope.slack = slack;
            duet_proof_pool *below = NULL;
            assert_int_equal(duet_proof_pool_narrow(&below, top, f.model.classes, &scope,
                                                    duet_test_watch(), NULL),
                             DUET_OK);
            // Made where a quarter goes at least.
            enumerate(&f, SIZE_MAX, slack);
            assert_int_equal(below != NULL, f.patterns.count <= top->count - top->count / 4);
            if (below != NULL) {
                compare_picks(&f, below, slack, seed);
                top = below;
                narrowed++;
            }
        }
        duet_proof_state_undo(&f.state, changes);
        check_marks(&f);
        while (top != NULL) {
            duet_proof_pool *parent = top->parent;
            duet_proof_pool_free(top);
            top = parent;
        }
        close_fixture(&f);
    }
    printf("%ld patterns, %ld pools narrowed\n", patterns, narrowed);
    assert_true(patterns > 10000 && narrowed > 200);
}

// A pool says what it does not cover.
static void scopes(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, 7);
    enumerate(&f, SIZE_MAX, 1);
    const duet_proof_bitmap *bitmap = &f.state.bitmap[f.type];
    uint64_t bits[DUET_PROOF_MAX_WORDS];
    memcpy(bits, bitmap->bits, bitmap->words * sizeof *bits);
    duet_proof_mark(bitmap, bits, 0, 0);
    duet_proof_scope less = {bits, 1};
    duet_proof_pool *pool;
    assert_int_equal(duet_proof_pool_create(&pool, &f.patterns, bitmap, f.model.classes, &less,
                                            duet_test_watch(), NULL),
                     DUET_OK);
    assert_true(duet_proof_pool_covers(pool, &less));
    assert_true(duet_proof_pool_covers(pool, &(duet_proof_scope){bits, 0}));
    assert_false(duet_proof_pool_covers(pool, &(duet_proof_scope){bits, 2}));
    assert_false(duet_proof_pool_covers(pool, &(duet_proof_scope){bitmap->bits, 1}));
    duet_proof_pool_free(pool);
    close_fixture(&f);
}

// Classes of tasks that run on CPUs only, priced by their time.
static void open_on_cpus(fixture *f, size_t kinds, const int64_t *counts, const int64_t *times,
                         int64_t length)
{
    const int64_t weights[] = {1, 1};
    const duet_type platform[] = {{"cpu", 1}, {"gpu", 1}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = times};
    *f = (fixture){.type = DUET_PROOF_CPU};
    duet_random_seed(&f->random, (uint64_t)length);
    assert_int_equal(duet_instance_create(&desc, &f->instance, NULL), DUET_OK);
    assert_int_equal(duet_proof_model_init(&f->model, f->instance, length, duet_test_watch(), NULL),
                     DUET_OK);
    assert_int_equal(duet_proof_vector_area(&f->vector, &f->model, weights, NULL), DUET_OK);
    assert_int_equal(duet_proof_state_init(&f->state, &f->model, NULL), DUET_OK);
    assert_int_equal(duet_proof_pricing_create(&f->pricing, &f->model, &f->vector, f->type,
                                               SIZE_MAX, duet_test_watch(), NULL),
                     DUET_OK);
    assert_int_equal(duet_proof_patterns_init(&f->patterns, &f->model, NULL), DUET_OK);
}

// One class of tasks that take 10 ticks, of which `fit` fit on a CPU.
static void open_single(fixture *f, int64_t count, int64_t fit)
{
    const int64_t times[] = {10, DUET_FORBIDDEN};
    open_on_cpus(f, 1, &count, times, 10 * fit);
}

// Two classes, of which `first` and `second` tasks fit on a CPU.
static void open_pair(fixture *f, int64_t first, int64_t second)
{
    const int64_t times[] = {first + 1, DUET_FORBIDDEN, first, DUET_FORBIDDEN};
    const int64_t counts[] = {first, second};
    int64_t length = first * (first + 1) > second * first ? first * (first + 1) : second * first;
    open_on_cpus(f, 2, counts, times, length);
}

// Bits that fill words, and go over into the next ones: one, two and more of them.
static void many_positions(void **state)
{
    (void)state;
    static const struct {
        int64_t first, second;
        size_t words; // of CPUs; GPUs have nothing to mark, which takes one
    } cases[] = {{31, 32, 1},  {32, 32, 1},   {32, 33, 2},   {64, 64, 2},      {64, 65, 3},
                 {100, 90, 3}, {120, 136, 4}, {120, 137, 5}, {2048, 2048, 64}, {2048, 2049, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        open_pair(&f, cases[i].first, cases[i].second);
        assert_int_equal(f.state.bitmap[DUET_PROOF_CPU].words, cases[i].words);
        assert_int_equal(f.state.bitmap[DUET_PROOF_GPU].words, 1);
        check_marks(&f);
        int64_t slack = 3 * f.pricing->limit / cases[i].first;
        enumerate(&f, SIZE_MAX, slack);
        check_list(&f, SIZE_MAX, slack, i);
        duet_proof_scope scope = {f.state.bitmap[f.type].bits, slack};
        duet_proof_pool *pool = NULL;
        if (cases[i].words > 0) {
            assert_int_equal(duet_proof_pool_create(&pool, &f.patterns, &f.state.bitmap[f.type],
                                                    f.model.classes, &scope, duet_test_watch(),
                                                    NULL),
                             DUET_OK);
        }
        for (int round = 0; round < 4 && pool != NULL; round++) {
            compare_picks(&f, pool, slack, i);
            shrink(&f);
            check_marks(&f);
        }
        duet_proof_pool_free(pool);
        close_fixture(&f);
    }
}

// Where all of a processor's time is needed one number of tasks is right: of eight or more that is
// worked out, of fewer all are tried.
static void ranges(void **state)
{
    (void)state;
    for (int64_t fit = 5; fit < 12; fit++) {
        fixture f;
        open_single(&f, 20, fit);
        enumerate(&f, SIZE_MAX, 0);
        assert_int_equal(f.patterns.count, 1);
        assert_int_equal(f.patterns.item[0].count, fit);
        assert_int_equal(f.patterns.steps, fit < 8 ? fit : 1);
        close_fixture(&f);
    }
}

// Now and then enumeration looks whether it was cancelled, not at every step.
static void cancelled(void **state)
{
    (void)state;
    enum { EVERY = 65536, STEP = 8 }; // units of work
    duet_cancel *cancel = duet_cancel_create();
    assert_non_null(cancel);
    duet_cancel_request(cancel);
    const duet_context context = {.deadline_ns = INT64_MAX, .cancel = cancel};
    for (int64_t fit = EVERY - 1; fit <= EVERY; fit++) {
        fixture f;
        open_single(&f, fit, fit);
        duet_watch watch = {.context = &context, .left = (EVERY - 1) * STEP};
        f.patterns.available[0] = fit;
        duet_proof_wanted wanted = {.type = f.type,
                                    .class = SIZE_MAX,
                                    .unordered = true,
                                    .slack = f.pricing->limit,
                                    .most_steps = UINT64_MAX,
                                    .most_patterns = SIZE_MAX,
                                    .most_items = SIZE_MAX};
        assert_int_equal(
            duet_proof_enumerate(&f.patterns, &f.model, f.pricing, &wanted, &watch, NULL),
            fit < EVERY ? DUET_OK : DUET_E_CANCELLED);
        assert_int_equal(f.patterns.steps, fit);
        close_fixture(&f);
    }
    duet_cancel_free(cancel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns_and_pools),
                                       cmocka_unit_test(scopes), cmocka_unit_test(many_positions),
                                       cmocka_unit_test(ranges), cmocka_unit_test(cancelled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
