// SPDX-License-Identifier: Apache-2.0
// The configuration relaxation over a pattern pool, against one linear program that has a column
// for every pattern from the start: it refutes the same states, leaves no pattern that gains, and
// its integer prices lose next to nothing. A column that is missed, a weaker price or a pattern
// that is kept too long fails here. What a branching row counts is counted task by task.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "lp/configuration/configuration.h"
#include "lp/lp.h"
#include "solvers/exact/pool/pool_state.h"
#include "tests/support/fixtures.h"
#include "tests/support/stretched.h"

enum { POOLS = 400, MOST_PATTERNS = 5000 };

// All patterns of CPUs within a guess; GPUs are divisible.
typedef struct setting {
    duet_instance *instance;
    duet_classes classes;
    duet_context context;
    duet_residual state;
    duet_prices prices;
    double *share;
    int64_t programs;
    duet_pool *pool;
} setting;

static void tear_down(setting *s)
{
    duet_pool_free(s->pool);
    duet_prices_free(&s->prices);
    duet_residual_free(&s->state);
    duet_classes_free(&s->classes);
    duet_instance_free(s->instance);
    free(s->share);
}

static void enumerate(setting *s)
{
    duet_prices load[2];
    duet_patterns patterns;
    assert_int_equal(duet_prices_create_by_time(&s->classes, load, NULL), DUET_OK);
    const duet_patterns_request request = {
        .slack = load[0].limit[0], .most = MOST_PATTERNS, .most_bytes = 1 << 28, .plain = true};
    assert_int_equal(duet_patterns_enumerate(&s->classes, &s->state, &load[0], &request,
                                             &s->context, &patterns, NULL),
                     DUET_OK);
    if (patterns.status == DUET_PATTERNS_COMPLETE && patterns.count > 0) {
        assert_int_equal(
            duet_pool_create(&s->classes, &s->context, &s->programs, &patterns, &s->pool, NULL),
            DUET_OK);
    } else {
        duet_patterns_free(&patterns);
    }
    duet_prices_free(&load[0]);
    duet_prices_free(&load[1]);
}

// Whether there is a pool: a few classes, a guess of some part of the work, types partly decided.
static bool set_up(setting *s, duet_random *random, uint64_t seed)
{
    *s = (setting){.programs = 0};
    s->instance = duet_random_of_seed(random, seed, 6, 14, 3, 2);
    assert_non_null(s->instance);
    duet_context_init(&s->context, NULL, NULL);
    int64_t guess = duet_total_work(s->instance) / duet_random_between(random, 2, 8);
    assert_int_equal(duet_classes_create(s->instance, guess, &s->classes, NULL), DUET_OK);
    assert_int_equal(duet_residual_create(&s->classes, &s->state, NULL), DUET_OK);
    assert_int_equal(duet_prices_create(&s->classes, &s->prices, NULL), DUET_OK);
    s->share = calloc(s->classes.count + 1, sizeof *s->share);
    if (s->classes.nowhere == SIZE_MAX && s->classes.count > 0 && s->classes.processors[0] > 0) {
        enumerate(s);
    }
    if (s->pool == NULL) {
        tear_down(s);
        return false;
    }
    bool decided = seed % 4 == 0;
    for (size_t c = 0; c < s->classes.count; c++) {
        int64_t low = s->state.low[0][c];
        int64_t high = s->state.high[0][c];
        int64_t on_cpu = duet_random_between(random, low, high);
        duet_residual_limit(&s->state, c, 0, decided ? on_cpu : low,
                            decided                                  ? on_cpu
                            : duet_random_between(random, 0, 3) == 0 ? on_cpu
                                                                     : high);
    }
    return true;
}

// How often a pattern counts in a branching row, task by task.
static int64_t coefficient(const setting *s, const duet_branching_count *count, uint32_t pattern)
{
    const duet_patterns *all = &s->pool->patterns;
    int64_t tasks = 0;
    for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
        size_t c = all->part[p].class;
        bool has = count->pair[0] != SIZE_MAX ? c == count->pair[0] || c == count->pair[1]
                                              : s->classes.time[0][c] >= count->time;
        assert_int_equal(has, duet_pool_has(&s->classes, 0, count, c));
        tasks += has ? all->part[p].tasks : 0;
    }
    return count->tasks == 0 ? tasks : tasks >= count->tasks;
}

static bool fits(const setting *s, uint32_t pattern)
{
    const duet_patterns *all = &s->pool->patterns;
    bool fit = all->begin[pattern] < all->begin[pattern + 1];
    for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
        fit = fit && (int64_t)all->part[p].tasks <= s->state.high[0][all->part[p].class];
    }
    return fit;
}

static double work_of(const setting *s, size_t class)
{
    return duet_class_fits(&s->classes, class, 1)
               ? (double)s->classes.time[1][class] / (double)s->classes.capacity[1]
               : 0;
}

// A column for every pattern that fits.
static void add_patterns(const setting *s, duet_lp *lp, size_t bounds)
{
    const duet_patterns *all = &s->pool->patterns;
    size_t classes = s->classes.count;
    for (uint32_t i = 0; i < all->count; i++) {
        if (!fits(s, i)) {
            continue;
        }
        size_t column = duet_lp_add_column(lp, 0, INFINITY, s->pool->fitting ? 1 : 0);
        for (size_t p = all->begin[i]; p < all->begin[i + 1]; p++) {
            duet_lp_add_entry(lp, all->part[p].class, column, all->part[p].tasks);
        }
        if (!s->pool->fitting) {
            duet_lp_add_entry(lp, classes, column, 1);
        }
        for (size_t b = 0; b < bounds; b++) {
            const duet_pool_bound *open = &s->pool->open[b];
            double times = (double)coefficient(s, &s->pool->row[open->row].count, i);
            if (times > 0) {
                duet_lp_add_entry(lp, classes + 1 + b, column, times);
            }
        }
    }
}

// By how many processors the state has room, by one program with all patterns: of GPUs, or of CPUs
// where the GPUs have room for all that they get. -INFINITY: there is no solution.
static double room_of(const setting *s)
{
    duet_lp *lp;
    size_t classes = s->classes.count;
    assert_int_equal(duet_lp_create(&lp, NULL), DUET_OK);
    for (size_t c = 0; c < classes; c++) {
        duet_lp_add_row(lp, (double)s->state.left[c], INFINITY);
    }
    duet_lp_add_row(lp, -INFINITY, (double)s->state.processors[0]);
    for (size_t b = 0; b < s->pool->opened; b++) {
        const duet_pool_bound *open = &s->pool->open[b];
        duet_lp_add_row(lp, open->at_least ? (double)open->bound : -INFINITY,
                        open->at_least ? INFINITY : (double)open->bound);
    }
    for (size_t c = 0; c < classes; c++) {
        size_t column =
            duet_lp_add_column(lp, (double)s->state.low[1][c], (double)s->state.high[1][c],
                               s->pool->fitting ? 0 : work_of(s, c));
        duet_lp_add_entry(lp, c, column, 1);
    }
    add_patterns(s, lp, s->pool->opened);
    assert_int_equal(duet_lp_solve(lp, false, &s->context, NULL), DUET_OK);
    bool solved = duet_lp_get_status(lp) == DUET_LP_OPTIMAL;
    double least = duet_lp_objective(lp);
    duet_lp_free(lp);
    return !solved ? -INFINITY : (double)s->state.processors[s->pool->fitting ? 0 : 1] - least;
}

static duet_branching_count draw_count(const setting *s, duet_random *random)
{
    duet_branching_count count = {.pair = {SIZE_MAX, SIZE_MAX}};
    size_t c = (size_t)duet_random_between(random, 0, (int64_t)s->classes.count - 1);
    if (duet_random_between(random, 0, 2) == 0) {
        count.pair[0] = c;
        count.pair[1] = (size_t)duet_random_between(random, 0, (int64_t)s->classes.count - 1);
        count.tasks = 2;
        return count;
    }
    count.time = duet_class_fits(&s->classes, c, 0) ? s->classes.time[0][c] : 1;
    count.tasks = duet_random_between(random, 0, 2);
    return count;
}

// Some bounds, each of another row: those of one row must not exclude each other.
static void open_some(setting *s, duet_random *random)
{
    for (int64_t i = duet_random_between(random, 0, 3); i > 0; i--) {
        const duet_branching_count count = draw_count(s, random);
        bool known = false;
        for (size_t r = 0; r < s->pool->rows; r++) {
            known = known || duet_branching_count_same(&s->pool->row[r].count, &count);
        }
        if (!known) {
            assert_int_equal(duet_pool_open(s->pool, count, duet_random_between(random, 0, 1) == 0,
                                            duet_random_between(random, 0, 3), NULL),
                             DUET_OK);
        }
    }
}

// What a pattern costs by the prices of the classes and of the open bounds.
static int64_t price_of(const setting *s, uint32_t pattern)
{
    const duet_patterns *all = &s->pool->patterns;
    int64_t price = 0;
    for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
        price += s->prices.price[0][all->part[p].class] * (int64_t)all->part[p].tasks;
    }
    for (size_t b = 0; b < s->prices.rows; b++) {
        const duet_pool_bound *open = &s->pool->open[b];
        int64_t part = s->prices.row[b] * coefficient(s, &s->pool->row[open->row].count, pattern);
        price += open->at_least ? part : -part;
    }
    return price;
}

// No pattern gains by the last duals, and the limit of the CPUs is the highest price.
static void check_prices(const setting *s)
{
    const duet_patterns *all = &s->pool->patterns;
    int64_t limit = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        limit = fits(s, i) ? duet_max(limit, price_of(s, i)) : limit;
    }
    assert_int_equal(s->prices.limit[0], limit);
}

static void check_no_gain(const setting *s)
{
    const duet_patterns *all = &s->pool->patterns;
    double processor =
        fmax(0, -duet_lp_dual(s->pool->lp, s->pool->processor_row)) + (s->pool->fitting ? 1 : 0);
    for (uint32_t i = 0; i < all->count; i++) {
        double dual = 0;
        for (size_t p = all->begin[i]; p < all->begin[i + 1]; p++) {
            dual += s->pool->dual[all->part[p].class] * all->part[p].tasks;
        }
        for (size_t r = 0; r < s->pool->rows; r++) {
            dual += s->pool->row[r].dual * (double)coefficient(s, &s->pool->row[r].count, i);
        }
        assert_true(!fits(s, i) || dual <= processor + 1e-6);
    }
}

static duet_pool_status relax(setting *s)
{
    duet_pool_status status;
    assert_int_equal(duet_pool_relax(s->pool, &s->state, &s->prices, s->share, &status, NULL),
                     DUET_OK);
    assert_int_not_equal(status, DUET_POOL_STOPPED);
    return status;
}

// The slack of the prices, in processors as room_of().
static double slack_of(const setting *s)
{
    duet_int128 slack = duet_residual_slack(&s->classes, &s->state, &s->prices) +
                        duet_pool_row_term(s->pool, &s->prices);
    return (double)slack / (double)s->prices.limit[1];
}

static void relaxations_are_as_strong_as_all_columns(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    long refuted = 0;
    long solved = 0;
    long fitting = 0;
    for (uint64_t seed = 1; refuted + solved < POOLS; seed++) {
        duet_random random;
        setting s;
        if (!set_up(&s, &random, seed)) {
            continue;
        }
        open_some(&s, &random);
        s.pool->most_columns = seed % 5 == 0 ? 2 : s.pool->most_columns;
        bool refutes = relax(&s) == DUET_POOL_REFUTED;
        double room = room_of(&s);
        fitting += s.pool->fitting;
        refuted += refutes;
        solved += !refutes;
        assert_true(fabs(room) < 1e-5 || refutes == (room < 0));
        check_prices(&s);
        if (!refutes) {
            check_no_gain(&s);
            double saved = -duet_lp_objective(s.pool->lp);
            double required = duet_pool_required_saving(s.pool, &s.state);
            assert_true(fabs(saved - required - room) < 1e-5);
            assert_true(s.pool->fitting || fabs(slack_of(&s) - room) < 1e-4);
        }
        tear_down(&s);
    }
    printf("%ld refuted, %ld solved, %ld of them with all types decided\n", refuted, solved,
           fitting);
    assert_true(refuted > POOLS / 5 && solved > POOLS / 5 && fitting > POOLS / 20);
}

// A node below has exactly the patterns that fit and whose reduced cost is within the slack.
static void narrowing_keeps_what_may_be_taken(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    long kept = 0;
    long dropped = 0;
    for (uint64_t seed = 1; kept < 20 * POOLS; seed++) {
        duet_random random;
        setting s;
        if (!set_up(&s, &random, seed)) {
            continue;
        }
        open_some(&s, &random);
        if (relax(&s) == DUET_POOL_SOLVED) {
            duet_int128 slack = duet_residual_slack(&s.classes, &s.state, &s.prices) +
                                duet_pool_row_term(s.pool, &s.prices);
            size_t mark;
            size_t before = duet_pool_count(s.pool);
            assert_int_equal(duet_pool_narrow(s.pool, &s.state, &s.prices, slack, &mark, NULL),
                             DUET_OK);
            size_t at = duet_pool_begin(s.pool);
            for (uint32_t i = 0; i < s.pool->patterns.count; i++) {
                if (fits(&s, i) && s.prices.limit[0] - price_of(&s, i) <= slack) {
                    assert_true(at < s.pool->picks && s.pool->pick[at] == i);
                    at++;
                }
            }
            assert_int_equal(at, s.pool->picks);
            kept += (long)duet_pool_count(s.pool);
            dropped += (long)(before - duet_pool_count(s.pool));
            duet_pool_back(s.pool, mark);
            assert_int_equal(duet_pool_count(s.pool), before);
        }
        tear_down(&s);
    }
    assert_true(dropped > POOLS);
}

// Items are the longest first; those of at least a time, and what a state bars.
static void items_are_tasks_in_order(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    long barred = 0;
    long pools = 0;
    for (uint64_t seed = 1; pools < POOLS; seed++) {
        duet_random random;
        setting s;
        if (!set_up(&s, &random, seed)) {
            continue;
        }
        pools++;
        const duet_pool *pool = s.pool;
        int64_t time =
            s.classes.time[0][duet_random_between(&random, 0, (int64_t)s.classes.count - 1)];
        uint32_t longer = 0;
        for (size_t i = 0; i < pool->items; i++) {
            int64_t own = s.classes.time[0][pool->item_class[i]];
            assert_true(i == 0 || own <= s.classes.time[0][pool->item_class[i - 1]]);
            longer += own >= time;
        }
        assert_int_equal(duet_pool_items(pool, time), longer);
        duet_pool_bar_items(s.pool, &s.state);
        for (uint32_t i = 0; i < pool->patterns.count; i++) {
            bool empty = pool->patterns.begin[i] == pool->patterns.begin[i + 1];
            bool allowed = duet_pool_allows(pool, i, &s.state);
            assert_int_equal(allowed, empty || fits(&s, i));
            assert_int_equal(allowed, duet_pool_fits(pool, i, &s.state));
            barred += !allowed;
            for (int k = 0; k < 4; k++) {
                const duet_branching_count count = draw_count(&s, &random);
                const duet_pool_row row = {.count = count,
                                           .items = duet_pool_items(pool, count.time)};
                assert_int_equal(duet_pool_coefficient(pool, &row, i), coefficient(&s, &count, i));
            }
        }
        tear_down(&s);
    }
    assert_true(barred > POOLS);
}

// A pass finds the pattern that gains most of all that have no column, and reviews them by other
// duals.
static void candidates_are_the_best(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    long pools = 0;
    for (uint64_t seed = 1; pools < POOLS; seed++) {
        duet_random random;
        setting s;
        if (!set_up(&s, &random, seed)) {
            continue;
        }
        pools++;
        relax(&s); // marks what is live
        duet_pool *pool = s.pool;
        for (size_t c = 0; c < s.classes.count; c++) {
            pool->dual[c] = (double)duet_random_between(&random, 0, 1000) / 1000;
        }
        pool->rows = 0;
        assert_int_equal(duet_pool_set_item_duals(pool, NULL), DUET_OK);
        double most = 0;
        size_t gaining = 0;
        for (size_t i = 0; i < pool->lives; i++) {
            double gain = duet_pool_pattern_dual(pool, pool->live[i]) - 0.5;
            bool takes = !pool->has_column[pool->live[i]] && gain > DUET_POOL_LEAST_GAIN;
            most = takes ? fmax(most, gain) : most;
            gaining += takes;
        }
        assert_true(fabs(duet_pool_find_candidates(pool, 0.5) - most) < 1e-12);
        assert_int_equal(pool->candidates, duet_min(gaining, DUET_POOL_CANDIDATES));
        for (size_t i = 1; i < pool->candidates; i++) {
            assert_true(pool->best[i].gain <= pool->best[i - 1].gain);
        }
        bool any = duet_pool_review_candidates(pool, 0.7);
        assert_int_equal(any, pool->candidates > 0 && most > 0.2 + DUET_POOL_LEAST_GAIN);
        size_t columns = pool->columns;
        assert_int_equal(duet_pool_add_candidates(pool, NULL), DUET_OK);
        assert_true(any == (pool->columns > columns));
        assert_true(!any || pool->has_column[pool->best[0].pattern]);
        tear_down(&s);
    }
}

// A seed gives a column to each pattern that the program over all patterns takes.
static void seeds_are_the_columns_of_the_program(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    static const bool divisible[2] = {false, true};
    long seeded = 0;
    for (uint64_t seed = 1; seeded < POOLS; seed++) {
        duet_random random;
        setting s;
        if (!set_up(&s, &random, seed)) {
            continue;
        }
        duet_configuration *program;
        duet_configuration_answer answer;
        assert_int_equal(
            duet_configuration_create(&s.classes, &s.state, divisible, NULL, NULL, &program, NULL),
            DUET_OK);
        assert_int_equal(
            duet_configuration_finish(program, 1000, &s.context, &s.prices, &answer, NULL),
            DUET_OK);
        size_t taken = 0;
        for (size_t i = 0; i < duet_configuration_patterns(program); i++) {
            duet_configuration_pattern pattern = duet_configuration_pattern_at(program, i);
            taken += pattern.type == 0 && pattern.value > 1e-9 && pattern.parts > 0;
        }
        assert_int_equal(duet_pool_seed(s.pool, program, NULL), DUET_OK);
        assert_int_equal(s.pool->columns, taken);
        seeded += (long)taken;
        duet_configuration_free(program);
        tear_down(&s);
    }
}

// What the columns that the last solution takes count in a branching row.
static double activity(const setting *s, const duet_branching_count *count)
{
    double sum = 0;
    for (size_t i = 0; i < s->pool->columns; i++) {
        sum += duet_lp_value(s->pool->lp, s->pool->column[i].lp_column) *
               (double)coefficient(s, count, s->pool->column[i].pattern);
    }
    return sum;
}

static bool is_integral(const setting *s)
{
    bool integral = true;
    for (size_t i = 0; i < s->pool->columns; i++) {
        double value = duet_lp_value(s->pool->lp, s->pool->column[i].lp_column);
        integral = integral && fabs(value - round(value)) < 1e-4;
    }
    return integral;
}

// An integral solution is taken with all tasks; another one is divided by the row that is chosen,
// and the program then refutes or saves less on both sides.
static void solutions_are_taken_or_divided(void **state)
{
    (void)state;
    if (!duet_lp_available()) {
        skip();
    }
    long divided = 0;
    long taken = 0;
    for (uint64_t seed = 1; divided < POOLS / 3 || taken < POOLS / 6; seed++) {
        duet_random random;
        setting s;
        if (!set_up(&s, &random, seed)) {
            continue;
        }
        if (relax(&s) == DUET_POOL_SOLVED) {
            bool integral = is_integral(&s);
            double saved = -duet_lp_objective(s.pool->lp);
            bool whole;
            duet_loads loads = {.loads = 0};
            int64_t *allocation = calloc(s.classes.count, sizeof *allocation);
            for (size_t c = 0; c < s.classes.count; c++) {
                allocation[c] = (int64_t)(fmin(s.share[c], (double)s.state.high[0][c]) + 0.5);
            }
            assert_int_equal(duet_pool_take(s.pool, allocation, &loads, &whole, NULL), DUET_OK);
            assert_int_equal(whole, integral);
            taken += whole;
            duet_pool_division division;
            assert_int_equal(duet_pool_choose_row(s.pool, &s.state, SIZE_MAX, 0, &division, NULL),
                             DUET_OK);
            assert_true(!integral || !division.found);
            for (int side = 0; side < 2 && division.found; side++) {
                size_t mark = duet_pool_open_counts(s.pool);
                assert_int_equal(
                    duet_pool_open(s.pool, division.count, side == 1, division.most + side, NULL),
                    DUET_OK);
                bool refuted = relax(&s) == DUET_POOL_REFUTED;
                double room = room_of(&s);
                assert_true(fabs(room) < 1e-5 || refuted == (room < 0));
                assert_true(refuted || -duet_lp_objective(s.pool->lp) < saved + 1e-6);
                double has = activity(&s, &division.count);
                assert_true(refuted || (side == 0 ? has < (double)division.most + 1e-5
                                                  : has > (double)division.most + 1 - 1e-5));
                duet_pool_close(s.pool, mark);
            }
            divided += division.found;
            duet_loads_free(&loads);
            free(allocation);
        }
        tear_down(&s);
    }
    printf("%ld divided, %ld taken\n", divided, taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relaxations_are_as_strong_as_all_columns),
        cmocka_unit_test(narrowing_keeps_what_may_be_taken),
        cmocka_unit_test(items_are_tasks_in_order),
        cmocka_unit_test(candidates_are_the_best),
        cmocka_unit_test(seeds_are_the_columns_of_the_program),
        cmocka_unit_test(solutions_are_taken_or_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
