// SPDX-License-Identifier: Apache-2.0
// The search of task graphs: reading a part of a list against reading all of it by a plain reader,
// schedules against exhaustive optima, the same answer with any number of threads, and stops.
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
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "heuristics/graph_search/activity_list.h"
#include "heuristics/graph_search/idle_profile.h"
#include "heuristics/graph_search/rounds.h"
#include "heuristics/graph_search/search.h"
#include "heuristics/graph_search/tuning.h"
#include "tests/support/fixtures.h"

static duet_instance *draw(uint64_t seed, int least_tasks, int most_tasks)
{
    duet_random random;
    duet_random_seed(&random, seed);
    size_t types = seed % 4 != 0 ? 2 : 1 + seed / 4 % 4;
    duet_graph_shape shape = {.tasks = {.min_tasks = least_tasks,
                                        .max_tasks = most_tasks,
                                        .min_processors = 1,
                                        .max_processors = seed % 7 == 0 ? 12 : 3,
                                        .types = types},
                              .cost = seed % 3 == 0 ? 20 : 0};
    duet_instance *instance = duet_random_graph(&random, &shape);
    assert_non_null(instance);
    return instance;
}

// --- lists ---------------------------------------------------------------------------------------

enum { MOST_TASKS = 120, MOST_PROCESSORS = 64 };

// What comes of a list: read from its first task to its last, looking at all processors.
typedef struct plain {
    int64_t end[MOST_TASKS];
    int32_t host[MOST_TASKS];
    int64_t makespan;
    int64_t cost;
} plain;

static int64_t data_at(const duet_activity_list *list, const plain *read, int32_t task,
                       int32_t processor)
{
    const duet_graph_search_model *model = list->model;
    size_t type = list->type[task];
    int64_t ready = 0;
    for (int32_t at = model->before_at[task]; at < model->before_at[task + 1]; at++) {
        int32_t from = model->before[at];
        int64_t there = read->end[from];
        if (duet_graph_search_model_has_costs(model) && read->host[from] != processor) {
            there += duet_graph_search_model_cost(model, model->before_table[at], list->type[from],
                                                  type);
        }
        ready = there > ready ? there : ready;
    }
    return ready;
}

static void read_plainly(const duet_activity_list *list, plain *read)
{
    const duet_graph_search_model *model = list->model;
    int64_t free_at[MOST_PROCESSORS] = {0};
    *read = (plain){.makespan = 0};
    assert_true(model->begin[model->types] <= MOST_PROCESSORS);
    for (int32_t i = 0; i < model->tasks; i++) {
        int32_t task = list->task[i];
        size_t type = list->type[task];
        int64_t best = INT64_MAX;
        int32_t host = -1;
        for (int32_t p = model->begin[type]; p < model->begin[type + 1]; p++) {
            int64_t ready = data_at(list, read, task, p);
            int64_t start = free_at[p] > ready ? free_at[p] : ready;
            if (start < best || (start == best && free_at[p] > free_at[host])) {
                best = start;
                host = p;
            }
        }
        read->host[task] = host;
        read->end[task] = best + duet_graph_search_model_time(model, task, type);
        free_at[host] = read->end[task];
        read->makespan = read->end[task] > read->makespan ? read->end[task] : read->makespan;
        int64_t late = read->end[task] + model->tail[task] - list->target;
        read->cost += late > 0 ? late : 0;
    }
}

// Where data take time, ties between processors decide where they are; the plain reader has its
// own. So hosts are not compared, and costs only where there are none.
static void compare(const duet_activity_list *list, uint64_t seed)
{
    plain read;
    read_plainly(list, &read);
    for (int32_t j = 0; j < list->model->tasks; j++) {
        if (list->end[j] != read.end[j]) {
            fail_msg("seed %llu, task %d: ends at %lld, not %lld", (unsigned long long)seed, (int)j,
                     (long long)list->end[j], (long long)read.end[j]);
        }
    }
    assert_int_equal(list->reached.makespan, read.makespan);
    assert_int_equal(list->reached.cost, read.cost);
}

// Moves a random task to a random place that it may have, or to another type. Returns the first
// position that changed; `undo` brings it back.
typedef struct change {
    int32_t task;
    int32_t from;
    int32_t to;
    uint8_t type;
} change;

static int32_t make_change(duet_activity_list *list, duet_random *random, change *c)
{
    const duet_graph_search_model *model = list->model;
    c->from = (int32_t)duet_random_between(random, 0, model->tasks - 1);
    c->task = list->task[c->from];
    c->type = list->type[c->task];
    c->to = (int32_t)duet_random_between(random, duet_activity_list_earliest(list, c->from),
                                         duet_activity_list_latest(list, c->from));
    size_t type = (size_t)duet_random_between(random, 0, (int64_t)model->types - 1);
    if (duet_graph_search_model_allows(model, c->task, type)) {
        list->type[c->task] = (uint8_t)type;
    }
    duet_activity_list_shift(list, c->from, c->to);
    return c->from < c->to ? c->from : c->to;
}

static void undo(duet_activity_list *list, const change *c)
{
    duet_activity_list_shift(list, c->to, c->from);
    list->type[c->task] = c->type;
}

static void start_list(duet_activity_list *list, const duet_instance *instance, duet_random *random)
{
    const duet_graph_search_model *model = list->model;
    uint8_t type[MOST_TASKS];
    int32_t *order = duet_graph_order(instance->graph, NULL);
    assert_non_null(order);
    for (int32_t j = 0; j < model->tasks; j++) {
        size_t drawn;
        do {
            drawn = (size_t)duet_random_between(random, 0, (int64_t)model->types - 1);
        } while (!duet_graph_search_model_allows(model, j, drawn));
        type[j] = (uint8_t)drawn;
    }
    duet_activity_list_set(list, order, type);
    duet_free(order);
}

static void change_list(const duet_instance *instance, bool mirrored, uint64_t seed)
{
    enum { CHANGES = 60 };
    duet_random random;
    duet_random_seed(&random, seed);
    duet_graph_search_model model;
    duet_activity_list list;
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    assert_int_equal(duet_graph_search_model_create(instance, &context, &model, NULL), DUET_OK);
    assert_int_equal(duet_activity_list_create(&model, &list, NULL), DUET_OK);
    start_list(&list, instance, &random);
    duet_graph_search_model mirror = duet_graph_search_model_mirror(&model);
    if (mirrored) {
        for (int32_t i = 0; i < model.tasks / 2; i++) {
            int32_t kept = list.task[i];
            list.task[i] = list.task[model.tasks - 1 - i];
            list.task[model.tasks - 1 - i] = kept;
        }
        list.model = &mirror;
        for (int32_t i = 0; i < model.tasks; i++) {
            list.place[list.task[i]] = i;
        }
    }
    duet_activity_list_read(&list, 0);
    duet_activity_list_read(&list, list.reached.makespan / 2);
    compare(&list, seed);
    for (int i = 0; i < CHANGES; i++) {
        change c;
        duet_activity_reached before = list.reached;
        int32_t first = make_change(&list, &random, &c);
        int32_t last = c.from < c.to ? c.to : c.from;
        duet_activity_limits limits = {.cost = before.cost + before.cost / 8,
                                       .last = i % 4 == 3 ? INT32_MAX : last,
                                       .area_from = i % 2 == 0 ? INT32_MAX : first + 4,
                                       .area = 1e3};
        bool within = duet_activity_list_try(&list, first, &limits);
        if (within && i % 3 != 0) {
            assert_true(list.reached.cost <= limits.cost);
            duet_activity_list_keep(&list);
        } else {
            duet_activity_list_restore(&list);
            undo(&list, &c);
            list.reached = before;
        }
        compare(&list, seed);
    }
    duet_activity_list_free(&list);
    duet_graph_search_model_free(&model);
}

static void parts_as_the_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(400); seed++) {
        duet_instance *instance = draw(seed, 20, MOST_TASKS);
        change_list(instance, seed % 2 == 0, seed);
        duet_instance_free(instance);
    }
}

// --- schedules -----------------------------------------------------------------------------------

// A few rounds, from a rule's schedule: never below the optimum, never above the rule, and nearly
// always at the optimum.
static void truth(void **state)
{
    (void)state;
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 150);
    uint64_t optimal = 0;
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        duet_instance *instance = draw(seed, 4, seed % 4 == 0 ? 5 : 7);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_solution *rule = duet_test_solve(instance, "heft", NULL, NULL);
        duet_solution *solution = duet_test_solve(instance, "graph-search", "rounds=3", NULL);
        int64_t makespan = duet_solution_makespan(solution);
        if (makespan < optimum || duet_solution_lower_bound(solution) > optimum ||
            makespan > duet_solution_makespan(rule)) {
            duet_fail_instance(instance, "graph-search", seed, "above heft or below the optimum");
        }
        optimal += makespan == optimum;
        duet_solution_free(rule);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    printf("%llu of %llu at the optimum\n", (unsigned long long)optimal,
           (unsigned long long)graphs);
    assert_true(optimal >= graphs - graphs / 10);
}

static int64_t counter_of(const duet_solution *solution, const char *name)
{
    size_t count;
    const duet_counter *counter = duet_solution_counters(solution, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(counter[i].name, name) == 0) {
            return counter[i].value;
        }
    }
    return 0;
}

static void any_number_of_threads(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1; seed++) {
        duet_instance *instance =
            draw(seed, 40, duet_test_share(4) < 4 ? MOST_TASKS / 3 : MOST_TASKS);
        duet_params params = DUET_PARAMS_INIT;
        params.seed = seed;
        params.threads = 1;
        duet_solution *one = duet_test_solve(instance, "graph-search", "rounds=1", &params);
        size_t size = (size_t)duet_instance_tasks(instance) * sizeof(duet_placement);
        int64_t span = counter_of(one, "span");
        assert_true(counter_of(one, "work") >= 12 * span);
        static const int threads[] = {2, 3, 16};
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            params.threads = threads[i];
            duet_solution *more = duet_test_solve(instance, "graph-search", "rounds=1", &params);
            assert_memory_equal(duet_solution_placements(one), duet_solution_placements(more),
                                size);
            assert_int_equal(counter_of(more, "span"), span);
            duet_solution_free(more);
        }
        duet_solution_free(one);
        duet_instance_free(instance);
    }
}

// Option improve shortens what any algorithm made, and leaves it where it cannot.
static void improves(void **state)
{
    (void)state;
    int64_t before = 0;
    int64_t after = 0;
    static const char *const rules[] = {"quickest", "cpop", "eft"};
    for (uint64_t seed = 1; seed <= duet_test_share(30); seed++) {
        duet_instance *instance = draw(seed, 4, 30);
        const char *rule = rules[seed % 3];
        duet_solution *made = duet_test_solve(instance, rule, NULL, NULL);
        duet_solution *improved = duet_test_solve(instance, rule, "improve=true", NULL);
        assert_true(duet_solution_makespan(improved) <= duet_solution_makespan(made));
        before += duet_solution_makespan(made);
        after += duet_solution_makespan(improved);
        duet_solution_free(made);
        duet_solution_free(improved);
        duet_instance_free(instance);
    }
    assert_true(after < before);
}

// Stopped at once it still has a schedule; it says that it was interrupted unless that is optimal.
static void stops(void **state)
{
    (void)state;
    duet_cancel *cancel = duet_cancel_create();
    assert_non_null(cancel);
    duet_cancel_request(cancel);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        duet_instance *instance = draw(seed, 20, MOST_TASKS);
        duet_params params = DUET_PARAMS_INIT;
        params.cancel = cancel;
        duet_solution *solution = duet_test_solve(instance, "graph-search", NULL, &params);
        assert_true(duet_solution_interrupted(solution) ||
                    duet_solution_status(solution) == DUET_OPTIMAL);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    duet_cancel_free(cancel);
}

// Tasks without edges, times of 0, works near the limit, a type without processors.
static void at_the_limits(void **state)
{
    (void)state;
    const int64_t huge = DUET_MAX_WORK / 4;
    const int64_t times[] = {huge, huge, huge, huge, 0, 0};
    const int64_t counts[] = {1, 1};
    duet_instance *instance = duet_test_instance(2, counts, 3, NULL, times);
    duet_solution *solution = duet_test_solve(instance, "graph-search", "rounds=2", NULL);
    assert_int_equal(duet_solution_makespan(solution), huge);
    duet_solution_free(solution);
    duet_instance_free(instance);

    const int64_t none[] = {2, 0};
    const int64_t few[] = {5, 1, 4, 1, 3, DUET_FORBIDDEN};
    instance = duet_test_instance(2, none, 3, NULL, few);
    solution = duet_test_solve(instance, "graph-search", "rounds=2", NULL);
    assert_int_equal(duet_solution_makespan(solution), 7);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// One processor is busy from 0 to 100, the other as given: what the schedule loses. A tick is so
// long.
static duet_graph_search_idle_profile lost_of(int64_t start, int64_t end, int64_t tick)
{
    duet_error error = DUET_ERROR_INIT;
    duet_context context;
    duet_graph_search_model model;
    duet_graph_search_idle_profile profile = {.half = {{.part = 0}}};
    const int64_t processors[] = {2};
    const int64_t times[] = {100 * tick, (end - start) * tick, 1};
    duet_instance *instance = duet_test_instance(1, processors, tick > 1 ? 3 : 2, NULL, times);
    const duet_placement placement[] = {{0, 0, 0}, {start * tick, 1, 0}, {end * tick, 1, 0}};
    duet_context_init(&context, NULL, NULL);
    assert_int_equal(duet_graph_search_model_create(instance, &context, &model, &error), DUET_OK);
    duet_graph_search_idle_profile_find(&profile, &model, placement, 100 * tick);
    duet_graph_search_model_free(&model);
    duet_instance_free(instance);
    return profile;
}

static duet_graph_search_idle_profile lost_beside(int64_t start, int64_t end)
{
    return lost_of(start, end, 1);
}

// Most of what a half loses is in so large a part of the time, and twice that is annealed.
static void ends_are_where_time_is_lost(void **state)
{
    (void)state;
    static const double bit = 0.03;
    duet_graph_search_idle_profile profile = lost_beside(0, 90);
    assert_float_equal(profile.half[0].part, 0.17, bit);
    assert_false(duet_graph_search_idle_profile_is_mirrored(&profile, 1));
    profile = lost_beside(20, 100);
    assert_float_equal(profile.half[1].part, 0.34, bit);
    assert_true(duet_graph_search_idle_profile_is_mirrored(&profile, 1));
    profile = lost_beside(50, 50);
    assert_float_equal(profile.half[0].part, 0.85, bit);
    profile = lost_of(0, 90, INT64_C(1) << 54); // a task is too short to be seen
    assert_float_equal(profile.half[0].part, 0.17, bit);

    // As much at either end: they take turns.
    profile = lost_beside(10, 90);
    for (int round = 0; round < 4; round++) {
        bool mirrored = duet_graph_search_idle_profile_is_mirrored(&profile, 1);
        assert_int_equal(mirrored, round % 2);
        duet_graph_search_idle_profile_note(&profile, mirrored, 1000);
    }
}

// No processor is idle, but the last task on the CPU is a fifth as long on the GPU.
static void dear_tasks_are_lost_time(void **state)
{
    (void)state;
    duet_error error = DUET_ERROR_INIT;
    duet_context context;
    duet_graph_search_model model;
    duet_graph_search_idle_profile profile = {.half = {{.part = 0}}};
    const int64_t counts[] = {3, 1};
    const int64_t times[] = {50, 50, 50, 10};
    duet_instance *instance = duet_test_pair(1, 1, 2, counts, times);
    const duet_placement placement[] = {{0, 0, 0}, {0, 0, 1}, {50, 0, 1}, {50, 0, 0}};
    duet_context_init(&context, NULL, NULL);
    assert_int_equal(duet_graph_search_model_create(instance, &context, &model, &error), DUET_OK);
    duet_graph_search_idle_profile_find(&profile, &model, placement, 100);
    assert_true(profile.half[0].lost > 4 * profile.half[1].lost);
    assert_float_equal(profile.half[0].part, 0.85, 0.03);
    duet_graph_search_model_free(&model);
    duet_instance_free(instance);
}

// So many tasks that rounds look at what is lost: the same again, and not above the rule.
static void large(void **state)
{
    (void)state;
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance;
    assert_int_equal(duet_test_generate("layered", 1100, 6, 2, 5, NULL, &instance, &error),
                     DUET_OK);
    duet_solution *rule = duet_test_schedule(instance, "heft", NULL);
    duet_solution *one = duet_test_schedule(instance, "graph-search", "rounds=1");
    assert_true(duet_solution_makespan(one) <= duet_solution_makespan(rule));
    if (duet_test_share(10) == 10) { // not where the build is slow
        duet_solution *again = duet_test_schedule(instance, "graph-search", "rounds=1");
        size_t size = (size_t)duet_instance_tasks(instance) * sizeof(duet_placement);
        assert_memory_equal(duet_solution_placements(one), duet_solution_placements(again), size);
        duet_solution_free(again);
    }
    duet_solution_free(rule);
    duet_solution_free(one);
    duet_instance_free(instance);
}

// A search that has the schedule of a rule, one round of it in slices: with and without an offer
// after each slice.
static int64_t search_in_slices(const duet_instance *instance, const duet_solution *rule,
                                bool offers, int64_t *work)
{
    duet_error error = DUET_ERROR_INIT;
    duet_context context;
    duet_graph_search *search;
    const duet_graph_search_plan plan = {.rounds = 1, .slice = 20000, .searches = 1};
    duet_context_init(&context, NULL, NULL);
    context.threads = 1;
    assert_int_equal(duet_graph_search_create(instance, &context, &search, &error), DUET_OK);
    assert_int_equal(duet_graph_search_offer(search, rule, &error), DUET_OK);
    for (int i = 0; i < 40; i++) {
        assert_int_equal(duet_graph_search_run(search, &context, &plan, &error), DUET_OK);
        if (offers) {
            assert_int_equal(duet_graph_search_offer(search, rule, &error), DUET_OK);
        }
    }
    int64_t best = duet_graph_search_best(search);
    *work = duet_graph_search_work(search);
    duet_graph_search_free(search);
    return best;
}

// Offers do not begin the round under way again: what it has done is kept.
static void goes_on_after_offers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        duet_instance *instance = draw(seed, 40, 60);
        duet_solution *rule = duet_test_schedule(instance, "heft", NULL);
        int64_t work;
        int64_t other;
        int64_t best = search_in_slices(instance, rule, false, &work);
        assert_int_equal(search_in_slices(instance, rule, true, &other), best);
        assert_int_equal(other, work);
        duet_solution_free(rule);
        duet_instance_free(instance);
    }
}

// Where data take time, pins are tried before the last round, however short the time is for the
// search. Here the pace so far lets it place no more than some 100,000 tasks in 100 seconds.
static void pins_before_the_last_round(void **state)
{
    (void)state;
    const int64_t second = INT64_C(1000000000);
    const int64_t placed = 1000000;
    const int64_t may_place = placed / 10;
    duet_context context;
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    duet_graph_search_rounds rounds = {.tasks = 200,
                                       .form = DUET_GRAPH_ROUNDS_OF_PINS,
                                       .sharing = 1,
                                       .first_ns = duet_clock_ns() - 1000 * second};
    context.deadline_ns = duet_clock_ns() + 100 * second;
    assert_true(duet_graph_search_rounds_usual_work(&rounds) > may_place);
    for (int i = 0; i < DUET_GRAPH_ROUND_TRIALS; i++) {
        duet_graph_search_rounds_begin(&rounds, &context, true, placed);
        assert_int_equal(rounds.end_ns, 0);
        assert_true(rounds.work <= may_place / (DUET_GRAPH_ROUND_PIN_PARTS - i) + 1);
        assert_int_equal(duet_graph_search_rounds_are_pinned(&rounds),
                         i >= DUET_GRAPH_ROUND_TRIALS / 2);
        rounds.round++;
    }
    duet_graph_search_rounds_begin(&rounds, &context, true, placed);
    assert_true(rounds.end_ns > 0);
    assert_false(duet_graph_search_rounds_are_pinned(&rounds));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_as_the_whole),
                                       cmocka_unit_test(truth),
                                       cmocka_unit_test(any_number_of_threads),
                                       cmocka_unit_test(improves),
                                       cmocka_unit_test(goes_on_after_offers),
                                       cmocka_unit_test(ends_are_where_time_is_lost),
                                       cmocka_unit_test(dear_tasks_are_lost_time),
                                       cmocka_unit_test(large),
                                       cmocka_unit_test(stops),
                                       cmocka_unit_test(pins_before_the_last_round),
                                       cmocka_unit_test(at_the_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
