// SPDX-License-Identifier: Apache-2.0
// The linear program of a task graph at a guess: it never refutes the optimum, its line is what a
// plain sum says, and it proves what the prototype of the method did.
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
#include "bench/run/random_graph.h"
#include "core/instance.h"
#include "core/random.h"
#include "lp/graph/head_tail.h"
#include "lp/graph/interval.h"
#include "lp/lp.h"
#include "tests/support/fixtures.h"

enum { GRAPHS = 1500, MOST_TASKS = 2000 };

// A graph with what is known of it at first.
typedef struct setting {
    duet_instance *instance;
    duet_network network;
    int64_t head[MOST_TASKS], tail[MOST_TASKS];
    uint64_t modes[MOST_TASKS];
    duet_context context;
    duet_interval_program *program;
} setting;

static setting *set_up(duet_instance *instance)
{
    setting *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->instance = instance;
    assert_int_equal(duet_network_create(instance, &s->network, NULL), DUET_OK);
    assert_true(s->network.tasks <= MOST_TASKS);
    duet_network_heads(&s->network, s->head);
    duet_network_tails(&s->network, s->tail);
    for (int64_t j = 0; j < s->network.tasks; j++) {
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_allowed(instance, (size_t)s->network.kind[j], t)) {
                s->modes[j] |= UINT64_C(1) << t;
            }
        }
    }
    assert_int_equal(duet_context_init(&s->context, NULL, NULL), DUET_OK);
    assert_int_equal(duet_interval_create(&s->network, &s->context, &s->program, NULL), DUET_OK);
    return s;
}

static void tear_down(setting *s)
{
    duet_interval_free(s->program);
    duet_network_free(&s->network);
    duet_instance_free(s->instance);
    free(s);
}

static duet_interval_guess guess_of(const setting *s, int64_t guess)
{
    return (duet_interval_guess){
        .guess = guess, .head = s->head, .tail = s->tail, .modes = s->modes};
}

static bool refutes(setting *s, int64_t guess, duet_interval_effort effort)
{
    bool refuted;
    duet_interval_guess at = guess_of(s, guess);
    duet_error error = DUET_ERROR_INIT;
    if (duet_interval_refute(s->program, &at, effort, &s->context, &refuted, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return refuted;
}

static bool fits_on(const setting *s, const duet_interval_guess *guess, int64_t task, size_t type)
{
    return (guess->modes[task] >> type & 1U) != 0 &&
           guess->head[task] + duet_time(s->instance, (size_t)s->network.kind[task], type) +
                   guess->tail[task] <=
               guess->guess;
}

// The line's value by the words of its definition, in the order of these; small numbers only.
static duet_int128 plain_excess(const setting *s, const duet_interval_guess *guess,
                                const duet_interval_line *line)
{
    const duet_graph *graph = s->network.graph;
    duet_int128 left = 0;
    duet_int128 right = 0;
    for (int64_t j = 0; j < s->network.tasks; j++) {
        duet_int128 in = line->alpha[j];
        duet_int128 out = line->beta[j];
        for (int64_t e = 0; e < graph->edges; e++) {
            assert_true(line->flow[e] >= 0);
            in += graph->head[e] == j ? line->flow[e] : 0;
            out += graph->tail[e] == j ? line->flow[e] : 0;
        }
        assert_true(in == out && line->alpha[j] >= 0 && line->beta[j] >= 0);
        duet_int128 least = -1;
        bool some_fit = false;
        for (size_t t = 0; t < s->instance->types; t++) {
            some_fit = some_fit || fits_on(s, guess, j, t);
        }
        for (size_t t = 0; t < s->instance->types; t++) {
            int64_t time = duet_time(s->instance, (size_t)s->network.kind[j], t);
            if ((guess->modes[j] >> t & 1U) == 0 || (some_fit && !fits_on(s, guess, j, t))) {
                continue;
            }
            duet_int128 cost = in * time;
            for (size_t i = 0; i < line->intervals; i++) {
                const duet_lp_interval *interval = &line->interval[i];
                // The task begins as early as it may, or as late: one of both is within least.
                int64_t from = interval->after;
                int64_t to = guess->guess - interval->before;
                int64_t early = guess->head[j];
                int64_t late = guess->guess - guess->tail[j] - time;
                int64_t first =
                    (early + time < to ? early + time : to) - (early > from ? early : from);
                int64_t last = (late + time < to ? late + time : to) - (late > from ? late : from);
                int64_t within = first < last ? first : last;
                cost += (duet_int128)interval->price[t] * (within > 0 ? within : 0);
            }
            least = least < 0 || cost < least ? cost : least;
        }
        left += (duet_int128)line->alpha[j] * guess->head[j] +
                (duet_int128)line->beta[j] * guess->tail[j] + least;
        right += (duet_int128)line->beta[j] * guess->guess;
    }
    for (size_t i = 0; i < line->intervals; i++) {
        const duet_lp_interval *interval = &line->interval[i];
        for (size_t t = 0; t < s->instance->types; t++) {
            assert_true(interval->price[t] >= 0);
            duet_int128 supply = (duet_int128)interval->price[t] * s->instance->processors[t];
            left += supply * (interval->after + interval->before);
            right += supply * guess->guess;
        }
    }
    return left - right;
}

static void check_line(setting *s, int64_t guess, uint64_t seed)
{
    duet_interval_guess at = guess_of(s, guess);
    const duet_interval_line *line = duet_interval_line_of(s->program);
    bool fits;
    duet_int128 excess = duet_interval_excess(&s->network, &at, line, &fits);
    if (!fits || excess <= 0 || excess != plain_excess(s, &at, line)) {
        duet_fail_instance(s->instance, "interval", seed, "the line is not what it is taken for");
    }
}

static duet_instance *draw(uint64_t seed, int least, int most)
{
    duet_random random;
    duet_random_seed(&random, seed);
    duet_graph_shape shape = {.tasks = {.min_tasks = least,
                                        .max_tasks = most,
                                        .min_processors = 1,
                                        .max_processors = 3,
                                        .types = seed % 4 == 0 ? 1 + seed % 3 : 2},
                              .cost = seed % 2 == 0 ? 0 : 20};
    duet_instance *instance = duet_random_graph(&random, &shape);
    assert_non_null(instance);
    return instance;
}

// Guesses from far below the optimum up to it, and down again: rows and bases of one guess must do
// no harm at the next.
static void test_truth(void **state)
{
    (void)state;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    int64_t refuted = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        setting *s = set_up(draw(seed, 4, 8));
        int64_t optimum = duet_exhaustive_optimum(s->instance);
        if (seed % 8 == 0) {
            duet_interval_do_without_solver(s->program);
        }
        for (int64_t part = 4; part >= -2; part--) {
            int64_t guess = optimum - optimum * (part < 0 ? -part : part) / 16 - (part == 1);
            if (!refutes(s, guess, part % 2 == 0 ? DUET_INTERVAL_FINE : DUET_INTERVAL_COARSE)) {
                continue;
            }
            if (guess >= optimum) {
                duet_fail_instance(s->instance, "interval", seed, "the optimum is refuted");
            }
            check_line(s, guess, seed);
            refuted++;
        }
        tear_down(s);
    }
    print_message("%lld guesses refuted\n", (long long)refuted);
    assert_true(refuted > graphs);
}

// A line that has been changed is worth what its definition says, and refutes no optimum; one that
// does not conserve flow is worth nothing.
static void test_changed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(300); seed++) {
        setting *s = set_up(draw(seed, 4, 8));
        int64_t optimum = duet_exhaustive_optimum(s->instance);
        duet_random random;
        duet_random_seed(&random, seed);
        refutes(s, optimum - 1 - optimum / 8, DUET_INTERVAL_FINE);
        duet_interval_guess at = guess_of(s, optimum);
        const duet_interval_line *line = duet_interval_line_of(s->program);
        for (int change = 0; change < 10; change++) {
            bool fits;
            int64_t j = duet_random_between(&random, 0, s->network.tasks - 1);
            int64_t more = duet_random_between(&random, 1, INT64_C(1) << 28);
            line->alpha[j] += more;
            duet_interval_excess(&s->network, &at, line, &fits);
            assert_false(fits);
            line->beta[j] += more;
            duet_int128 excess = duet_interval_excess(&s->network, &at, line, &fits);
            assert_true(fits && excess <= 0 && excess == plain_excess(s, &at, line));
        }
        tear_down(s);
    }
}

// About the largest guess that is refuted, plus one; `least` and `most` enclose it.
static int64_t bisect(setting *s, int64_t least, int64_t most)
{
    while (most - least > most / 5000) {
        int64_t guess = least + (most - least) / 2;
        if (refutes(s, guess, DUET_INTERVAL_FINE)) {
            least = guess + 1;
        } else {
            most = guess;
        }
    }
    return least;
}

// The published times on 20 + 4, in hundredths of a millisecond: within 0.1 % of what the prototype
// of the method proved, whose heads came from more than paths.
static void test_cholesky(void **state)
{
    (void)state;
    static const struct {
        int tiles;
        int64_t least, schedule;
        bool without_solver;
    } rows[] = {{8, 22380, 22450, false}, {8, 22100, 22450, true},   {10, 32080, 33760, false},
                {10, 31500, 33760, true}, {12, 47220, 50350, false}, {15, 81580, 85960, false}};
    const size_t few = 2;
    size_t count = duet_test_share(100) < 100 ? few : sizeof rows / sizeof *rows;
    for (size_t i = 0; i < count; i++) {
        if (!duet_lp_available() && !rows[i].without_solver) {
            continue;
        }
        duet_options *options = NULL;
        duet_instance *instance = NULL;
        assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
        assert_int_equal(duet_options_add(options, "edges=true", NULL), DUET_OK);
        assert_int_equal(duet_options_add(options, "row=canon2018-960", NULL), DUET_OK);
        assert_int_equal(duet_generate("chol", rows[i].tiles, 20, 4, 0, options, &instance, NULL),
                         DUET_OK);
        duet_options_free(options);
        setting *s = set_up(instance);
        if (rows[i].without_solver) {
            duet_interval_do_without_solver(s->program);
        }
        int64_t bound = bisect(s, rows[i].least / 2, rows[i].schedule);
        if (bound < rows[i].least || bound >= rows[i].schedule) {
            fail_msg("%d tiles: %lld", rows[i].tiles, (long long)bound);
        }
        tear_down(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_cholesky),
        cmocka_unit_test(test_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
