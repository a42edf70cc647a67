// SPDX-License-Identifier: Apache-2.0
// Planning around what is given, against brute force over the decisions that are left: plans of
// independent tasks, graphs and moldable tasks that are half executed, with late ends, parts that
// stay and processors that are lost.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "core/instance/pins.h"
#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "tests/support/fixtures.h"
#include "tests/support/random_moldable.h"

enum { MOST = 8, SETS = 256 };

// --- brute force ---------------------------------------------------------------------------------

// A set of processors of one type, and what a task takes on it.
typedef struct way {
    duet_processor_range range[MOST];
    size_t ranges;
    uint64_t mask[2]; // of processors, by type
    int64_t time;
} way;

typedef struct brute {
    const duet_instance *instance;
    int64_t tasks;
    way *ways; // of each task SETS
    size_t count[MOST];
    const way *on[MOST]; // of a task that is placed; NULL: it is not
    int64_t start[MOST];
    duet_solution *solution;
    int64_t best;
} brute;

static void add_way(brute *b, int64_t task, size_t kind, size_t type, uint64_t mask)
{
    way *w = &b->ways[task * SETS + (int64_t)b->count[task]];
    *w = (way){.ranges = 0};
    w->mask[type] = mask;
    for (int32_t p = 0; p < MOST; p++) {
        if ((mask >> p & 1) == 0) {
            continue;
        }
        if (duet_is_lost(b->instance, type, p) && !duet_is_run(duet_pin_of(b->instance, kind))) {
            return;
        }
        if (w->ranges > 0 && w->range[w->ranges - 1].last + 1 == p) {
            w->range[w->ranges - 1].last = p;
        } else {
            w->range[w->ranges++] = (duet_processor_range){(int32_t)type, p, p};
        }
    }
    const duet_processor_set set = {w->range, w->ranges};
    const duet_pin *pin = duet_pin_of(b->instance, kind);
    if (pin != NULL && pin->set_count > 0 && !duet_set_equal(duet_pin_set(b->instance, pin), set)) {
        return;
    }
    w->time = b->instance->moldable == NULL ? duet_time(b->instance, kind, type)
                                            : duet_moldable_duration(b->instance, kind, set);
    b->count[task] += w->time != DUET_FORBIDDEN;
}

static void list_ways(brute *b)
{
    const duet_instance *instance = b->instance;
    for (int64_t j = 0; j < b->tasks; j++) {
        size_t kind = duet_instance_kind_of(instance, j);
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_time(instance, kind, t) == DUET_FORBIDDEN) {
                continue;
            }
            for (uint64_t mask = 1; mask < UINT64_C(1) << instance->processors[t]; mask++) {
                if (instance->moldable != NULL || __builtin_popcountll(mask) == 1) {
                    assert_true(b->count[j] < SETS);
                    add_way(b, j, kind, t, mask);
                }
            }
        }
    }
}

static bool overlaps(const brute *b, int64_t task, const way *w, int64_t start, int64_t *after)
{
    bool found = false;
    for (int64_t i = 0; i < b->tasks; i++) {
        bool shared =
            i != task && b->on[i] != NULL &&
            ((b->on[i]->mask[0] & w->mask[0]) != 0 || (b->on[i]->mask[1] & w->mask[1]) != 0);
        int64_t end = shared ? b->start[i] + b->on[i]->time : 0;
        if (shared && start < end && b->start[i] < start + w->time) {
            *after = found ? duet_min(*after, end) : end;
            found = true;
        } else if (shared && b->on[i]->time == 0 && start < end && end < start + w->time) {
            *after = found ? duet_min(*after, end) : end;
            found = true;
        }
    }
    return found;
}

// The earliest start of a task between all that is placed.
static int64_t earliest(const brute *b, int64_t task, const way *w)
{
    const duet_instance *instance = b->instance;
    const duet_graph *graph = instance->graph;
    int64_t start = duet_release(instance, duet_instance_kind_of(instance, task));
    for (size_t t = 0; t < instance->types; t++) {
        for (int64_t p = 0; p < instance->processors[t]; p++) {
            int64_t busy = (w->mask[t] >> p & 1) != 0 ? duet_busy_until(instance, t, p) : 0;
            start = duet_max(busy, start);
        }
    }
    for (int64_t at = graph == NULL ? 0 : graph->enter_at[task];
         graph != NULL && at < graph->enter_at[task + 1]; at++) {
        int32_t edge = graph->entering[at];
        int64_t i = graph->tail[edge];
        const duet_processor_set from = {b->on[i]->range, b->on[i]->ranges};
        const duet_processor_set to = {w->range, w->ranges};
        int64_t cost = instance->moldable != NULL ? duet_moldable_transfer(instance, edge, from, to)
                       : duet_set_equal(from, to)
                           ? 0
                           : duet_graph_cost(graph, edge, (size_t)from.range[0].type,
                                             (size_t)to.range[0].type);
        int64_t there = b->start[i] + b->on[i]->time + cost;
        start = duet_max(there, start);
    }
    int64_t after = 0;
    while (overlaps(b, task, w, start, &after)) {
        start = duet_max(after, start + 1);
    }
    return start;
}

// The checker judges what came of it.
static void judge(brute *b)
{
    int64_t makespan = 0;
    for (int64_t j = 0; j < b->tasks; j++) {
        const duet_processor_set set = {b->on[j]->range, b->on[j]->ranges};
        int64_t end = b->start[j] + b->on[j]->time;
        makespan = duet_max(end, makespan);
        if (b->instance->moldable != NULL) {
            assert_int_equal(duet_solution_place_set(b->solution, j, b->start[j], set, NULL),
                             DUET_OK);
        } else {
            b->solution->placement[j] =
                (duet_placement){b->start[j], set.range[0].first, set.range[0].type};
        }
    }
    if (makespan >= b->best) {
        return;
    }
    duet_solution_finish(b->solution, b->instance);
    if (duet_check_solution(b->instance, b->solution, NULL, NULL, NULL) == DUET_OK) {
        b->best = makespan;
    }
}

// Tasks whose start is given come first, in any place; then all orders of the others.
static void extend(brute *b)
{
    const duet_graph *graph = b->instance->graph;
    int64_t pinned = -1;
    bool all = true;
    for (int64_t j = 0; j < b->tasks; j++) {
        const duet_pin *pin = duet_pin_of(b->instance, duet_instance_kind_of(b->instance, j));
        all = all && b->on[j] != NULL;
        pinned = pinned < 0 && b->on[j] == NULL && pin != NULL && pin->start != DUET_FORBIDDEN
                     ? j
                     : pinned;
    }
    if (all) {
        judge(b);
        return;
    }
    for (int64_t j = 0; j < b->tasks; j++) {
        bool ready = b->on[j] == NULL && (pinned < 0 || j == pinned);
        for (int64_t at = graph == NULL ? 0 : graph->enter_at[j];
             graph != NULL && pinned < 0 && at < graph->enter_at[j + 1]; at++) {
            ready = ready && b->on[graph->tail[graph->entering[at]]] != NULL;
        }
        for (size_t i = 0; ready && i < b->count[j]; i++) {
            const way *w = &b->ways[j * SETS + (int64_t)i];
            size_t kind = duet_instance_kind_of(b->instance, j);
            b->start[j] = pinned >= 0 ? duet_pin_of(b->instance, kind)->start : earliest(b, j, w);
            b->on[j] = w;
            if (b->start[j] + w->time < b->best) {
                extend(b);
            }
            b->on[j] = NULL;
        }
    }
}

// DUET_FORBIDDEN: there is no schedule.
static int64_t optimum(const duet_instance *instance)
{
    brute b = {.instance = instance, .tasks = duet_tasks(instance), .best = DUET_FORBIDDEN};
    b.ways = test_calloc((size_t)b.tasks * SETS, sizeof *b.ways);
    assert_int_equal(duet_solution_create(b.tasks, &b.solution, NULL), DUET_OK);
    assert_int_equal(
        instance->moldable != NULL ? duet_solution_hold_sets(b.solution, NULL) : DUET_OK, DUET_OK);
    list_ways(&b);
    extend(&b);
    duet_solution_free(b.solution);
    test_free(b.ways);
    return b.best;
}

// --- what is drawn -------------------------------------------------------------------------------

static int64_t draw(duet_random *random, int64_t low, int64_t high)
{
    return duet_random_between(random, low, high);
}

static duet_instance *draw_instance(duet_random *random, uint64_t seed)
{
    int64_t times[2 * 5];
    if (seed % 3 == 0) {
        int64_t kinds = draw(random, 2, 5);
        for (int64_t i = 0; i < 2 * kinds; i++) {
            times[i] = draw(random, 0, 9) == 0 ? draw(random, 0, 1) : draw(random, 1, 9);
        }
        return duet_test_pair(draw(random, 1, 2), draw(random, 1, 2), (size_t)kinds, NULL, times);
    }
    if (seed % 3 == 1) {
        return duet_test_graph(random, seed / 3, 2, 5, 2);
    }
    bool second = draw(random, 0, 1) == 0;
    bool data = draw(random, 0, 1) == 0;
    bool edges = draw(random, 0, 2) > 0;
    const duet_moldable_shape shape = {.tables = (duet_table_shape)draw(random, 0, 3),
                                       .most_tasks = second ? 4 : 5,
                                       .most_processors = second ? 2 : 3,
                                       .most_gpus = second ? 2 : 0,
                                       .second_cluster = second,
                                       .longest = 9,
                                       .edges = edges,
                                       .data = edges && data,
                                       .costs = edges && !data && draw(random, 0, 1) == 0,
                                       .gaps = draw(random, 0, 2) == 0};
    return duet_random_moldable(random, &shape);
}

// What is given, and room for the processors that it names.
typedef struct given {
    duet_replan_desc desc;
    duet_fix plan[MOST], fix[MOST];
    duet_processor_range range[MOST][MOST], fixed[MOST][MOST], without[2];
} given;

static void take_plan(given *g, const duet_instance *instance, const duet_solution *plan,
                      duet_random *random)
{
    int64_t makespan = duet_solution_makespan(plan);
    g->desc.now = draw(random, 0, 3) == 0 ? DUET_FORBIDDEN : draw(random, 0, makespan);
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        duet_processor_range one;
        duet_processor_set set = duet_solution_set(plan, j, &one);
        size_t at = 0;
        memcpy(g->range[j], set.range, set.count * sizeof *set.range);
        duet_fix *fix = &g->plan[j];
        *fix = (duet_fix){
            j, -1, g->range[j], set.count, duet_solution_place(plan, j, &at).start, DUET_FORBIDDEN};
        int64_t end = duet_solution_end(plan, instance, j);
        bool runs = g->desc.now != DUET_FORBIDDEN && fix->start < g->desc.now && end > g->desc.now;
        if (runs && draw(random, 0, 1) == 0) {
            fix->end = draw(random, g->desc.now, end + 4);
        }
    }
    g->desc.plan = g->plan;
    g->desc.plans = (size_t)duet_tasks(instance) - (draw(random, 0, 4) == 0 ? 1 : 0);
}

static void draw_fixes(given *g, const duet_instance *instance, duet_random *random)
{
    int64_t now = g->desc.now == DUET_FORBIDDEN ? 0 : g->desc.now;
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        const duet_fix *plan = &g->plan[j];
        if (plan->start < now || draw(random, 0, 3) > 0) {
            continue;
        }
        int64_t what = draw(random, 1, 7);
        duet_fix *fix = &g->fix[g->desc.fixes++];
        *fix = (duet_fix){j, -1, NULL, 0, DUET_FORBIDDEN, DUET_FORBIDDEN};
        fix->type = (what & 1) != 0 ? plan->range[0].type : -1;
        if ((what & 2) != 0) {
            memcpy(g->fixed[j], plan->range, plan->ranges * sizeof *plan->range);
            fix->range = g->fixed[j];
            fix->ranges = plan->ranges;
        }
        fix->start = (what & 4) != 0 ? plan->start + draw(random, 0, 4) : fix->start;
    }
    g->desc.fix = g->fix;
    for (size_t t = 0; t < instance->types; t++) {
        if (draw(random, 0, 3) == 0 && instance->processors[t] > 0) {
            int32_t p = (int32_t)draw(random, 0, instance->processors[t] - 1);
            g->without[g->desc.withouts++] = (duet_processor_range){(int32_t)t, p, p};
        }
    }
    g->desc.without = g->without;
}

static void draw_busy(duet_instance *instance, duet_random *random)
{
    for (size_t t = 0; t < instance->types; t++) {
        int64_t until[MOST];
        for (int64_t p = 0; p < instance->processors[t]; p++) {
            until[p] = draw(random, 0, 4);
        }
        if (draw(random, 0, 3) == 0) {
            assert_int_equal(
                duet_instance_set_busy(instance, t, (size_t)instance->processors[t], until, NULL),
                DUET_OK);
        }
    }
}

// --- tests ---------------------------------------------------------------------------------------

static void fail_at(uint64_t seed, const char *row, const char *why)
{
    fail_msg("seed %llu, %s: %s", (unsigned long long)seed, row, why);
}

static void check_row(const duet_instance *instance, const char *row, int64_t best,
                      const duet_solution *continued, uint64_t seed)
{
    duet_params params = DUET_PARAMS_INIT;
    duet_solution *solution = NULL;
    duet_error error = DUET_ERROR_INIT;
    params.threads = 1;
    params.start_from = continued;
    bool exact = strcmp(row, "exact") == 0;
    duet_code code = duet_solve(instance, row, &params, &solution, &error);
    if (code == DUET_E_UNSUPPORTED) {
        return;
    }
    if (best == DUET_FORBIDDEN && (code == DUET_E_INFEASIBLE || (!exact && code == DUET_E_LIMIT))) {
        return;
    }
    if (!exact && code == DUET_E_LIMIT) {
        return; // it found none, and is not asked to
    }
    if (code != DUET_OK) {
        fail_at(seed, row, error.message);
    }
    code = duet_check_solution(instance, solution, NULL, NULL, &error);
    if (code != DUET_OK) {
        fail_at(seed, row, error.message);
    }
    int64_t makespan = duet_solution_makespan(solution);
    bool wrong = makespan < best || duet_solution_lower_bound(solution) > best ||
                 (exact && makespan != best) ||
                 (exact && duet_solution_lower_bound(solution) != best) ||
                 (continued != NULL && makespan > duet_solution_makespan(continued));
    if (wrong) {
        char why[120];
        snprintf(why, sizeof why, "makespan %lld, bound %lld, optimum %lld, plan %lld",
                 (long long)makespan, (long long)duet_solution_lower_bound(solution),
                 (long long)best,
                 continued == NULL ? -1LL : (long long)duet_solution_makespan(continued));
        fail_at(seed, row, why);
    }
    duet_solution_free(solution);
}

static void check_bounds(const duet_instance *instance, int64_t best, uint64_t seed)
{
    for (size_t i = 0; i < duet_bound_count(); i++) {
        duet_bound *bound = NULL;
        const char *name = duet_bound_entry(i)->name;
        if (duet_compute_bound(instance, name, NULL, &bound, NULL) == DUET_OK) {
            if (duet_bound_value(bound) > best) {
                fail_at(seed, name, "a bound above the optimum");
            }
            const duet_certificate *proof = duet_bound_certificate(bound);
            duet_error why = DUET_ERROR_INIT;
            duet_code code = duet_certificate_check(proof, instance, NULL, &why);
            bool applies = strcmp(name, "longest") == 0 || strcmp(name, "area") == 0;
            if (applies && code != DUET_OK && code != DUET_E_UNSUPPORTED &&
                duet_certificate_proof(proof) != DUET_PROOF_NONE) {
                fail_at(seed, name, why.message);
            }
        }
        duet_bound_free(bound);
    }
}

static const char *const rows[] = {"auto", "heft",   "eft",  "heft-min", "list",
                                   "peft", "m-heft", "hcpa", "lpt",      "dual-4-3"};

static bool try_seed(uint64_t seed)
{
    duet_random random;
    duet_random_seed(&random, seed);
    duet_instance *instance = draw_instance(&random, seed);
    draw_busy(instance, &random);
    const char *planner = instance->moldable != NULL ? "m-heft" : "heft";
    duet_solution *plan = NULL;
    duet_error error = DUET_ERROR_INIT;
    bool tried = false;
    if (duet_solve(instance, planner, NULL, &plan, &error) == DUET_OK) {
        given g = {.desc = {.struct_size = sizeof g.desc}};
        duet_instance *fixed = NULL;
        duet_solution *continued = NULL;
        take_plan(&g, instance, plan, &random);
        draw_fixes(&g, instance, &random);
        duet_code code = duet_replan(instance, &g.desc, &fixed, &continued, &error);
        if (code != DUET_OK && code != DUET_E_INPUT) {
            fail_at(seed, "replan", error.message);
        }
        if (code == DUET_OK) {
            int64_t best = optimum(fixed);
            if (continued != NULL &&
                duet_check_solution(fixed, continued, NULL, NULL, &error) != DUET_OK) {
                fail_at(seed, "continued", error.message);
            }
            check_row(fixed, "exact", best, seed % 2 == 0 ? continued : NULL, seed);
            check_row(fixed, rows[seed % 10], best, continued, seed);
            check_row(fixed, rows[seed / 10 % 10], best, NULL, seed);
            check_bounds(fixed, best, seed);
            tried = best != DUET_FORBIDDEN;
        }
        duet_solution_free(continued);
        duet_instance_free(fixed);
    }
    duet_solution_free(plan);
    duet_instance_free(instance);
    return tried;
}

static void test_brute_force(void **state)
{
    (void)state;
    int64_t count = duet_test_number("DUET_TEST_INSTANCES", 700);
    int64_t tried = 0;
    for (int64_t i = 0; i < count; i++) {
        tried += try_seed(duet_test_seed() + (uint64_t)i);
    }
    assert_true(2 * tried > count); // most of what is drawn can be planned
}

// What the checker refuses: each clause broken once.
static void test_checker(void **state)
{
    static const int64_t times[] = {4, 2, 6, 3, 5, 1};
    duet_instance *instance = duet_test_pair(2, 1, 3, NULL, times);
    const duet_processor_range cpu = {0, 1, 1};
    const duet_fix fix[] = {{0, -1, NULL, 0, 3, DUET_FORBIDDEN},
                            {1, -1, &cpu, 1, DUET_FORBIDDEN, DUET_FORBIDDEN}};
    const duet_processor_range lost = {1, 0, 0};
    const duet_replan_desc desc = {.struct_size = sizeof desc,
                                   .now = DUET_FORBIDDEN,
                                   .fix = fix,
                                   .fixes = 2,
                                   .without = &lost,
                                   .withouts = 1};
    duet_instance *fixed = NULL;
    duet_solution *solution = NULL;
    (void)state;
    assert_int_equal(duet_replan(instance, &desc, &fixed, NULL, NULL), DUET_OK);
    assert_int_equal(duet_solution_create(3, &solution, NULL), DUET_OK);
    static const duet_placement good[] = {{3, 0, 0}, {0, 1, 0}, {7, 0, 0}};
    static const struct {
        size_t task;
        duet_placement place;
        const char *why; // NULL: it is a schedule
    } cases[] = {{0, {3, 0, 0}, NULL},
                 {0, {2, 0, 0}, "its start is fixed"},
                 {1, {7, 0, 0}, "other processors"},
                 {2, {0, 0, 1}, "not there any more"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        duet_error error = DUET_ERROR_INIT;
        memcpy(solution->placement, good, sizeof good);
        solution->placement[cases[i].task] = cases[i].place;
        if (i == 2) {
            solution->placement[2] = (duet_placement){13, 0, 0};
        }
        duet_solution_finish(solution, fixed);
        duet_code code = duet_check_solution(fixed, solution, NULL, NULL, &error);
        assert_int_equal(code, cases[i].why == NULL ? DUET_OK : DUET_E_INPUT);
        if (cases[i].why != NULL && strstr(error.message, cases[i].why) == NULL) {
            fail_msg("%s", error.message);
        }
    }
    duet_solution_free(solution);
    duet_instance_free(fixed);
    duet_instance_free(instance);
}

// Calls that make no sense, and instances that are bound to their platform from then on.
static void test_wrong_calls(void **state)
{
    static const int64_t times[] = {4, 2, 6, 3};
    duet_instance *instance = duet_test_pair(2, 1, 2, NULL, times);
    const int64_t more[] = {3, 1};
    const int64_t until = 4;
    const duet_processor_range gpu = {1, 0, 0};
    const duet_fix twice[] = {{0, 0, NULL, 0, 3, DUET_FORBIDDEN},
                              {0, 0, NULL, 0, 3, DUET_FORBIDDEN}};
    const duet_fix early = {1, 1, &gpu, 1, 2, DUET_FORBIDDEN};
    duet_replan_desc desc = {.struct_size = sizeof desc, .now = DUET_FORBIDDEN, .finer = 10};
    duet_instance *fixed = NULL;
    duet_sizing *sizing = NULL;
    (void)state;
    assert_int_equal(duet_replan(instance, &desc, &fixed, NULL, NULL), DUET_E_USAGE);
    desc.finer = 0;
    desc.struct_size = 3;
    assert_int_equal(duet_replan(instance, &desc, &fixed, NULL, NULL), DUET_E_USAGE);
    desc.struct_size = sizeof desc;
    desc.fix = twice;
    desc.fixes = 2;
    assert_int_equal(duet_replan(instance, &desc, &fixed, NULL, NULL), DUET_E_INPUT);
    assert_int_equal(duet_instance_set_busy(instance, 1, 1, &until, NULL), DUET_OK);
    desc.fix = &early;
    desc.fixes = 1;
    assert_int_equal(duet_replan(instance, &desc, &fixed, NULL, NULL), DUET_E_INPUT);
    desc.fixes = 0;
    desc.without = &gpu;
    desc.withouts = 1;
    assert_int_equal(duet_replan(instance, &desc, &fixed, NULL, NULL), DUET_OK);
    assert_int_equal(duet_instance_features(fixed) & DUET_FEATURE_FIXED, DUET_FEATURE_FIXED);
    assert_int_equal(duet_instance_set_counts(fixed, 2, more, NULL), DUET_E_USAGE);
    assert_int_equal(duet_instance_set_busy(fixed, 0, 1, &until, NULL), DUET_E_USAGE);
    const duet_size_desc size = {
        .struct_size = sizeof size, .deadline = 9, .least = more, .most = more};
    assert_int_equal(duet_size(fixed, &size, &sizing, NULL), DUET_E_UNSUPPORTED);
    duet_instance_free(fixed);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_brute_force),
                                       cmocka_unit_test(test_checker),
                                       cmocka_unit_test(test_wrong_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
