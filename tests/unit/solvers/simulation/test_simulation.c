// SPDX-License-Identifier: Apache-2.0
// Simulation where real times differ from planned ones: against a plain one, with noise, slow and
// lost processors; without any, as planned. Every schedule is one of the instance with the real
// times, by the checker's word.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "core/instance/instance.h"
#include "core/instance/noise.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "core/system/try.h"
#include "tests/support/fixtures.h"
#include "tests/support/plain_simulation.h"

enum { GRAPHS = 300 };

static const char *const way_names[] = {"eft", "qa", "eft idle", "order", "allocation"};

// --- against a plain simulation ------------------------------------------------------------------

static duet_instance *draw(uint64_t seed, int64_t cost, duet_random *random)
{
    duet_random_seed(random, seed);
    duet_graph_shape shape = {.tasks = {.min_tasks = 5,
                                        .max_tasks = PLAIN_TASKS,
                                        .min_processors = 1,
                                        .max_processors = PLAIN_PROCESSORS,
                                        .types = 1 + seed % PLAIN_TYPES},
                              .cost = cost};
    duet_instance *instance = duet_random_graph(random, &shape);
    assert_non_null(instance);
    return instance;
}

// A processor, as users write it.
typedef struct choice {
    size_t type;
    int64_t processor;
    int64_t at;
    char text[64];
} choice;

static choice draw_processor(const duet_instance *instance, duet_random *random, int64_t makespan)
{
    choice c;
    char instant[32];
    c.type = (size_t)duet_random_between(random, 0, (int64_t)duet_instance_types(instance) - 1);
    c.processor = duet_random_between(random, 0, duet_instance_type_count(instance, c.type) - 1);
    c.at = duet_random_between(random, 0, makespan);
    snprintf(c.text, sizeof c.text, "%.20s:%d@%.20s", duet_instance_type_name(instance, c.type),
             (int)c.processor, duet_instance_format_time(instance, c.at, instant));
    return c;
}

// A processor that some task needs, being the only one, must stay.
static bool can_go(const duet_instance *instance, const choice *c)
{
    bool can = true;
    for (size_t i = 0; i < instance->kinds && instance->processors[c->type] == 1; i++) {
        bool elsewhere = false;
        for (size_t t = 0; t < instance->types; t++) {
            elsewhere = elsewhere || (t != c->type && duet_allowed(instance, i, t));
        }
        can = can && elsewhere;
    }
    return can;
}

// A simulation of one run, and all that belongs to it.
typedef struct trial {
    const duet_instance *instance;
    duet_simulation_desc desc;
    duet_params params;
    const char *noise;
    char slow[80];
    const char *slows;
    choice fail;
    const char *fails;
    duet_simulator *simulator;
    duet_simulated run;
    uint64_t seed;
} trial;

enum { RUN = 3 };

static void perform(trial *t)
{
    duet_error error = DUET_ERROR_INIT;
    t->desc.struct_size = sizeof t->desc;
    t->desc.noise = &t->noise;
    t->desc.noises = 1;
    t->slows = t->slow;
    t->desc.slow = &t->slows;
    t->fails = t->fail.text;
    t->desc.fail = &t->fails;
    t->desc.seed = t->seed;
    t->desc.params = &t->params;
    if (duet_simulator_create(t->instance, &t->desc, &t->simulator, &error) != DUET_OK ||
        duet_simulator_run(t->simulator, RUN, &t->run, &error) != DUET_OK) {
        duet_fail_instance(t->instance, "simulation", t->seed, error.message);
    }
}

// What is true of every run. One that is given up on a slow processor may last longer than its task
// takes on another one of the type, which the checker would not have.
static void check_run(const trial *t)
{
    duet_error error = DUET_ERROR_INIT;
    bool may_last = t->desc.slows > 0 && t->run.lost > 0;
    if (!may_last &&
        duet_check_solution(t->run.instance, t->run.schedule, NULL, NULL, &error) != DUET_OK) {
        duet_fail_instance(t->instance, "simulation", t->seed, error.message);
    }
    assert_true(t->run.makespan >= t->run.lower_bound);
    assert_int_equal(t->run.makespan, duet_solution_makespan(t->run.schedule));
}

static void compare(const plain_simulation *s, const trial *t)
{
    char why[200];
    for (int64_t j = 0; j < s->tasks; j++) {
        const duet_placement *at = &t->run.schedule->placement[j];
        const duet_placement *should = &s->at[j];
        if (at->start != should->start || at->type != should->type ||
            at->processor != should->processor) {
            snprintf(why, sizeof why,
                     "%s: task %d on type %d, processor %d at %lld, expected %d, %d at %lld",
                     way_names[s->way], (int)j, at->type, at->processor, (long long)at->start,
                     should->type, should->processor, (long long)should->start);
            duet_fail_instance(s->instance, "simulation", t->seed, why);
        }
    }
    assert_int_equal(t->run.lost, s->lost);
}

static const char *const noises[] = {"none", "lognormal:0.4", "gamma:0.5", "uniform:0.7"};

static void draw_disturbances(trial *t, duet_random *random, int64_t makespan, plain_simulation *s)
{
    t->noise = noises[duet_random_between(random, 0, 3)];
    choice slow = draw_processor(t->instance, random, makespan);
    t->fail = draw_processor(t->instance, random, makespan);
    s->slow_type = slow.type;
    s->slow_processor = slow.processor;
    s->slow_at = slow.at;
    s->slow_factor = duet_random_between(random, 2, 5);
    s->slow = duet_random_between(random, 0, 2) > 0;
    s->fail_type = t->fail.type;
    s->fail_processor = t->fail.processor;
    s->fail_at = t->fail.at;
    s->fail = duet_random_between(random, 0, 2) > 0 && can_go(t->instance, &t->fail);
    snprintf(t->slow, sizeof t->slow, "%s=%d", slow.text, (int)s->slow_factor);
    t->desc.slows = s->slow;
    t->desc.fails = s->fail;
}

static void one_way(const duet_instance *instance, plain_way way, uint64_t seed,
                    duet_random *random)
{
    static plain_simulation s;
    trial t = {.instance = instance, .seed = seed, .params = DUET_PARAMS_INIT};
    duet_options *options;
    duet_noises drawn = {.count = 0};
    duet_solution *plan = duet_test_solve(instance, "heft", NULL, NULL);
    plain_simulation_begin(&s, instance, way);
    draw_disturbances(&t, random, duet_solution_makespan(plan), &s);
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    if (way == PLAIN_EFT_IDLE) {
        assert_int_equal(duet_options_add(options, "bind=idle", NULL), DUET_OK);
    }
    t.params.options = options;
    if (way == PLAIN_ORDER || way == PLAIN_ALLOCATION) {
        t.desc.plan = plan;
        t.desc.keep = way == PLAIN_ORDER ? DUET_KEEP_ORDER : DUET_KEEP_ALLOCATION;
        plain_simulation_plan(&s, plan);
    } else {
        t.desc.algorithm = way == PLAIN_QA ? "qa" : "eft";
    }
    perform(&t);
    check_run(&t);
    assert_int_equal(duet_noises_add(&drawn, instance, t.noise, NULL), DUET_OK);
    assert_int_equal(duet_noises_apply(&drawn, instance, seed, RUN, DUET_MAX_WORK, s.real,
                                       duet_test_watch(), NULL),
                     DUET_OK);
    plain_simulation_run(&s);
    compare(&s, &t);
    duet_noises_free(&drawn);
    duet_simulator_free(t.simulator);
    duet_options_free(options);
    duet_solution_free(plan);
}

static void against_plain(void **state)
{
    (void)state;
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", GRAPHS);
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, seed % 2 == 0 ? 0 : 30, &random);
        bool costs = (duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) != 0;
        for (int way = 0; way < PLAIN_WAYS; way++) {
            if (way != PLAIN_EFT_IDLE || !costs) {
                one_way(instance, (plain_way)way, seed, &random);
            }
        }
        duet_instance_free(instance);
    }
}

// --- rules ---------------------------------------------------------------------------------------

static const char *const rules[] = {"eft",   "qa",   "er-ls",      "mixeft", "quickest",
                                    "ratio", "list", "heteroprio", "dualhp"};
enum { RULES = sizeof rules / sizeof *rules };

static bool handles(const char *rule, const duet_instance *instance)
{
    bool two_types = strcmp(rule, "heteroprio") == 0 || strcmp(rule, "dualhp") == 0;
    bool costs = (duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) != 0;
    return (!two_types || duet_instance_types(instance) == 2) &&
           (!costs || (!two_types && strcmp(rule, "list") != 0));
}

static void same_placements(const trial *t, const duet_solution *solved)
{
    size_t at = 0;
    for (int64_t j = 0; j < duet_instance_tasks(t->instance); j++) {
        duet_placement expected = duet_solution_place(solved, j, &at);
        const duet_placement *found = &t->run.schedule->placement[j];
        if (found->start != expected.start || found->type != expected.type ||
            found->processor != expected.processor) {
            duet_fail_instance(t->instance, "simulation", t->seed, "differs without noise");
        }
    }
}

// Without noise a rule does what it does in duet_solve(), and a plan kept by order is carried out
// as it is: these algorithms start no task later than they must.
static void as_planned(void **state)
{
    static const char *const planned[] = {"heft", "hoft", "peft", "cpop", "hlp"};
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(GRAPHS); seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, seed % 2 == 0 ? 0 : 30, &random);
        for (size_t r = 0; r < RULES && instance->graph != NULL; r++) {
            if (handles(rules[r], instance)) {
                trial t = {.instance = instance, .seed = seed, .noise = "none"};
                t.params = (duet_params)DUET_PARAMS_INIT;
                t.desc.algorithm = rules[r];
                duet_solution *solved = duet_test_solve(instance, rules[r], "bound=none", NULL);
                perform(&t);
                same_placements(&t, solved);
                assert_int_equal(t.run.makespan,
                                 duet_solution_makespan(duet_simulator_plan(t.simulator)));
                duet_simulator_free(t.simulator);
                duet_solution_free(solved);
            }
        }
        for (size_t p = 0; p < sizeof planned / sizeof *planned; p++) {
            bool costs = (duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) != 0;
            if (strcmp(planned[p], "heft") != 0 && (costs || instance->types != 2)) {
                continue;
            }
            trial t = {.instance = instance, .seed = seed, .noise = "uniform:0"};
            t.params = (duet_params)DUET_PARAMS_INIT;
            t.desc.algorithm = planned[p];
            perform(&t);
            same_placements(&t, duet_simulator_plan(t.simulator));
            duet_simulator_free(t.simulator);
        }
        duet_instance_free(instance);
    }
}

// Every rule with noise and a processor that goes, also the last one of its type.
static void every_rule(void **state)
{
    (void)state;
    int64_t lost = 0;
    for (uint64_t seed = 1; seed <= duet_test_share(GRAPHS); seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, 0, &random);
        for (size_t r = 0; r < RULES; r++) {
            trial t = {.instance = instance, .seed = seed, .noise = noises[seed % 4]};
            t.params = (duet_params)DUET_PARAMS_INIT;
            t.desc.algorithm = rules[r];
            if (handles(rules[r], instance)) {
                int64_t makespan = duet_test_makespan(instance, "eft");
                t.fail = draw_processor(instance, &random, makespan);
                t.desc.fails = can_go(instance, &t.fail);
                perform(&t);
                check_run(&t);
                lost += t.run.lost;
                duet_simulator_free(t.simulator);
            }
        }
        duet_instance_free(instance);
    }
    assert_true(lost > (long)duet_test_share(GRAPHS));
}

// Without any processor that a task may run on there is no schedule; with the wrong words no
// simulation.
static void refusals(void **state)
{
    static const int64_t processors[] = {1, 1};
    static const int64_t times[] = {5, 3, DUET_FORBIDDEN, 3};
    static const struct {
        const char *noise, *slow, *fail;
        duet_code code;
        const char *words;
    } cases[] = {
        {"normal:1", NULL, NULL, DUET_E_USAGE, "expected none, lognormal:S"},
        {"gamma:4", NULL, NULL, DUET_E_USAGE, "0.001 to 3"},
        {"uniform:1.5", NULL, NULL, DUET_E_USAGE, "0 to 1"},
        {"kind:a=0", NULL, NULL, DUET_E_USAGE, "above 0"},
        {"kind:nobody=2", NULL, NULL, DUET_E_USAGE, "no kind 'nobody'; 'duet show"},
        {"none", "gpu:0=2", NULL, DUET_E_USAGE, "gpu:0@10=2"},
        {"none", "gpu:1@0=2", NULL, DUET_E_USAGE, "cpu:0"},
        {"none", "gpu:0@-1=2", NULL, DUET_E_USAGE, "an instant from 0"},
        {"none", "gpu:0@1=0", NULL, DUET_E_USAGE, "0.001 to 1000"},
        {"none", NULL, "npu:0@1", DUET_E_USAGE, "cpu:0"},
        {"none", NULL, "gpu:0@1", DUET_E_INFEASIBLE, "no processor that is left"},
        {"none", NULL, "cpu:0@1", DUET_OK, ""},
    };
    (void)state;
    duet_instance *instance = duet_test_instance(2, processors, 2, NULL, times);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int keep = 0; keep < 3; keep++) {
            duet_error error = DUET_ERROR_INIT;
            duet_simulator *simulator = NULL;
            duet_simulated run;
            duet_simulation_desc desc = {.struct_size = sizeof desc,
                                         .algorithm = keep < 2 ? "heft" : "eft",
                                         .keep = (duet_keep)(keep % 2),
                                         .noise = &cases[i].noise,
                                         .noises = 1,
                                         .slow = &cases[i].slow,
                                         .slows = cases[i].slow != NULL,
                                         .fail = &cases[i].fail,
                                         .fails = cases[i].fail != NULL};
            duet_code code = duet_simulator_create(instance, &desc, &simulator, &error);
            DUET_THEN(code, duet_simulator_run(simulator, 0, &run, &error));
            assert_int_equal(code, cases[i].code);
            if (strstr(error.message, cases[i].words) == NULL) {
                fail_msg("'%s' is not in '%s'", cases[i].words, error.message);
            }
            duet_simulator_free(simulator);
        }
    }
    duet_instance_free(instance);
}

// --- noise ---------------------------------------------------------------------------------------

// Mean and deviation of the factors of many tasks.
static void moments(const duet_instance *instance, const char *noise, double mean, double deviation)
{
    enum { RUNS = 20000 };
    duet_noises drawn = {.count = 0};
    double sum = 0;
    double squares = 0;
    assert_int_equal(duet_noises_add(&drawn, instance, noise, NULL), DUET_OK);
    for (uint64_t run = 0; run < RUNS; run++) {
        int64_t real[4];
        assert_int_equal(duet_noises_apply(&drawn, instance, 7, run, DUET_MAX_WORK, real,
                                           duet_test_watch(), NULL),
                         DUET_OK);
        double factor = (double)real[0] / 1e9;
        assert_int_equal(real[2], DUET_FORBIDDEN);
        sum += factor / RUNS;
        squares += factor * factor / RUNS;
    }
    duet_noises_free(&drawn);
    double found = sqrt(squares - sum * sum);
    if (fabs(sum - mean) > 0.03 * (1 + deviation) || fabs(found - deviation) > 0.05 * deviation) {
        fail_msg("%s: mean %.4f, deviation %.4f", noise, sum, found);
    }
}

static void factors(void **state)
{
    static const int64_t processors[] = {1, 1};
    static const int64_t times[] = {1000000000, 5, DUET_FORBIDDEN, 1};
    (void)state;
    duet_instance *instance = duet_test_instance(2, processors, 2, NULL, times);
    moments(instance, "lognormal:0.2", 1, sqrt(exp(0.04) - 1));
    moments(instance, "lognormal:1", 1, sqrt(exp(1) - 1));
    moments(instance, "gamma:0.001", 1, 0.001);
    moments(instance, "gamma:0.5", 1, 0.5);
    moments(instance, "gamma:2", 1, 2);
    moments(instance, "uniform:0.6", 1, 0.6 / sqrt(3));
    // Exact, halves up, at least 1; several multiply.
    duet_noises drawn = {.count = 0};
    int64_t real[4];
    char text[64];
    snprintf(text, sizeof text, "kind:%s=1.3,%s=0.1", duet_instance_kind_id(instance, 0),
             duet_instance_kind_id(instance, 1));
    assert_int_equal(duet_noises_add(&drawn, instance, text, NULL), DUET_OK);
    assert_int_equal(
        duet_noises_apply(&drawn, instance, 1, 1, DUET_MAX_WORK, real, duet_test_watch(), NULL),
        DUET_OK);
    assert_int_equal(real[0], 1300000000);
    assert_int_equal(real[1], 7); // 6.5
    assert_int_equal(real[3], 1); // 0.1
    snprintf(text, sizeof text, "kind:%s=2", duet_instance_kind_id(instance, 0));
    assert_int_equal(duet_noises_add(&drawn, instance, text, NULL), DUET_OK);
    assert_int_equal(
        duet_noises_apply(&drawn, instance, 1, 1, DUET_MAX_WORK, real, duet_test_watch(), NULL),
        DUET_OK);
    assert_int_equal(real[1], 13);
    assert_int_equal(duet_noises_apply(&drawn, instance, 1, 1, 1000, real, duet_test_watch(), NULL),
                     DUET_E_LIMIT);
    duet_noises_free(&drawn);
    duet_instance_free(instance);
}

// A factor depends on seed, run and task alone: not on other tasks, nor on other noises.
static void independence(void **state)
{
    static const int64_t processors[] = {1, 1};
    static const int64_t times[] = {1000000, 2000000, 1000000, 2000000};
    (void)state;
    duet_instance *two = duet_test_instance(2, processors, 2, NULL, times);
    duet_instance *one = duet_test_instance(2, processors, 1, NULL, times);
    duet_noises drawn = {.count = 0};
    int64_t a[4];
    int64_t b[4];
    assert_int_equal(duet_noises_add(&drawn, one, "gamma:0.5", NULL), DUET_OK);
    assert_int_equal(
        duet_noises_apply(&drawn, two, 5, 9, DUET_MAX_WORK, a, duet_test_watch(), NULL), DUET_OK);
    assert_int_equal(
        duet_noises_apply(&drawn, one, 5, 9, DUET_MAX_WORK, b, duet_test_watch(), NULL), DUET_OK);
    assert_int_equal(a[0], b[0]);
    assert_int_not_equal(a[0], a[2]);
    assert_true(a[1] >= 2 * a[0] - 1 && a[1] <= 2 * a[0] + 1);
    assert_int_equal(duet_noises_add(&drawn, one, "uniform:0", NULL), DUET_OK);
    assert_int_equal(
        duet_noises_apply(&drawn, two, 5, 9, DUET_MAX_WORK, b, duet_test_watch(), NULL), DUET_OK);
    assert_memory_equal(a, b, sizeof a);
    assert_int_equal(
        duet_noises_apply(&drawn, two, 5, 10, DUET_MAX_WORK, b, duet_test_watch(), NULL), DUET_OK);
    assert_int_not_equal(a[0], b[0]);
    assert_int_equal(
        duet_noises_apply(&drawn, two, 6, 9, DUET_MAX_WORK, b, duet_test_watch(), NULL), DUET_OK);
    assert_int_not_equal(a[0], b[0]);
    duet_noises_free(&drawn);
    duet_instance_free(one);
    duet_instance_free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_plain), cmocka_unit_test(as_planned),
        cmocka_unit_test(every_rule),    cmocka_unit_test(refusals),
        cmocka_unit_test(factors),       cmocka_unit_test(independence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
