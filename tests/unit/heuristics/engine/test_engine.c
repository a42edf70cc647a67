// SPDX-License-Identifier: Apache-2.0
// The engine of list scheduling: its fast path for independent tasks against its simulation by
// events, that against a plain simulation on random task graphs, heteroprio against a plain one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "core/instance/acceleration.h"
#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/insertion.h"
#include "heuristics/engine/list.h"
#include "heuristics/engine/online.h"
#include "heuristics/rules/rules.h"
#include "tests/support/fixtures.h"

enum { INSTANCES = 3000, MAX_TASKS = 24, MAX_PROCESSORS = 5 };

static const duet_rule *const rules[] = {
    &duet_rule_eft,          &duet_rule_heft,  &duet_rule_qa,
    &duet_rule_quickest,     &duet_rule_er_ls, &duet_rule_ratio,
    &duet_rule_imreh_greedy, &duet_rule_imreh, &duet_rule_mixeft,
};
enum { RULES = sizeof rules / sizeof *rules };

static duet_instance *draw(uint64_t seed, duet_random *random)
{
    duet_instance *instance = duet_random_of_seed(random, seed, 1, MAX_TASKS, MAX_PROCESSORS,
                                                  seed % 3 == 0 ? 1 + seed % 5 : 2);
    assert_non_null(instance);
    return instance;
}

static duet_solution *blank(const duet_instance *instance)
{
    duet_solution *solution;
    assert_int_equal(duet_solution_create(duet_tasks(instance), &solution, NULL), DUET_OK);
    return solution;
}

static bool same(const duet_instance *instance, const duet_solution *a, const duet_solution *b)
{
    size_t tasks = (size_t)duet_tasks(instance);
    bool counters = a->counters == b->counters;
    for (size_t i = 0; i < a->counters && counters; i++) {
        counters = a->counter[i].value == b->counter[i].value;
    }
    return counters && memcmp(a->placement, b->placement, tasks * sizeof *a->placement) == 0;
}

static size_t kind_of(const duet_instance *instance, int64_t task)
{
    size_t kind = 0;
    while (instance->first[kind + 1] <= task) {
        kind++;
    }
    return kind;
}

// A random task graph: before[a][b] says that a comes before b.
typedef struct graph {
    const duet_instance *instance;
    bool before[MAX_TASKS][MAX_TASKS];
    int waits[MAX_TASKS]; // predecessors that have not ended
} graph;

static void draw_graph(graph *g, const duet_instance *instance, int64_t density,
                       duet_random *random)
{
    *g = (graph){.instance = instance};
    size_t tasks = (size_t)duet_tasks(instance);
    for (size_t a = 0; a < tasks; a++) {
        for (size_t b = 0; b < tasks; b++) {
            // Edges follow an order other than that of the indices, so there is no cycle.
            bool down = (a * 7 + 3) % 31 < (b * 7 + 3) % 31;
            g->before[a][b] = down && duet_random_between(random, 0, 99) < density;
            g->waits[b] += g->before[a][b];
        }
    }
}

static duet_code reveal(void *user, const int32_t *completed, size_t count, int64_t now,
                        duet_ready *ready, duet_error *error)
{
    graph *g = user;
    (void)now;
    for (int64_t j = 0; j < duet_tasks(g->instance); j++) {
        bool freed = count == 0 && g->waits[j] == 0;
        for (size_t i = 0; i < count; i++) {
            if (g->before[completed[i]][j]) {
                freed = --g->waits[j] == 0;
            }
        }
        if (freed) {
            DUET_TRY(duet_ready_add(ready, j, kind_of(g->instance, j), error));
        }
    }
    return DUET_OK;
}

static void run_online(const duet_rule *rule, const duet_instance *instance, duet_bind bind,
                       graph *g, duet_solution *solution)
{
    duet_context context;
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    duet_task_source source = {.reveal = reveal, .user = g};
    duet_online how = {.bind = bind, .source = g == NULL ? NULL : &source};
    assert_int_equal(duet_online_run(rule, instance, &context, &how, solution, NULL), DUET_OK);
}

// All tasks at time 0, by themselves and from a source, bound at once or to idle processors: the
// schedule of the fast path.
static void fast_path(void **state)
{
    (void)state;
    static graph g;
    for (uint64_t seed = 1; seed <= duet_test_share(INSTANCES); seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random);
        duet_context context;
        assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
        for (size_t r = 0; r < RULES; r++) {
            duet_solution *fast = blank(instance);
            assert_int_equal(duet_list_run(rules[r], instance, &context, fast, NULL), DUET_OK);
            for (int way = 0; way < 4; way++) {
                draw_graph(&g, instance, 0, &random);
                duet_solution *online = blank(instance);
                run_online(rules[r], instance, way < 2 ? DUET_BIND_QUEUE : DUET_BIND_IDLE,
                           way % 2 == 0 ? &g : NULL, online);
                if (!same(instance, fast, online)) {
                    fail_msg("seed %llu: %s: the fast path and the simulation differ",
                             (unsigned long long)seed, rules[r]->name);
                }
                duet_solution_free(online);
            }
            duet_solution_free(fast);
        }
        duet_instance_free(instance);
    }
}

// The same simulation, looking at every task and every processor at every instant.
typedef struct plain {
    const duet_instance *instance;
    const graph *graph;
    const duet_rule *rule;
    int64_t now;
    int64_t free_from[DUET_MAX_TYPES][MAX_PROCESSORS];
    int64_t end[MAX_TASKS]; // -1: not placed
    duet_placement at[MAX_TASKS];
} plain;

static bool is_ready(const plain *s, int64_t task)
{
    bool ready = s->end[task] < 0;
    for (int64_t j = 0; j < duet_tasks(s->instance) && ready; j++) {
        ready = !s->graph->before[j][task] || (s->end[j] >= 0 && s->end[j] <= s->now);
    }
    return ready;
}

// Whether task a is looked at before task b.
static bool precedes(const plain *s, int64_t a, int64_t b)
{
    int order = 0;
    if (s->rule->priority != NULL) {
        order = duet_fraction_compare(s->rule->priority(s->instance, kind_of(s->instance, a)),
                                      s->rule->priority(s->instance, kind_of(s->instance, b)));
    }
    return order != 0 ? order > 0 : a < b;
}

static void place(plain *s, int64_t task)
{
    const duet_instance *instance = s->instance;
    size_t kind = kind_of(instance, task);
    int64_t best = INT64_MAX;
    for (size_t t = instance->types; t-- > 0;) { // the later type wins ties, as ties=gpu says
        bool may = duet_allowed(instance, kind, t);
        if (s->rule->allocate != NULL) {
            may = t == s->rule->allocate(instance, kind);
        }
        for (int64_t p = 0; may && p < instance->processors[t]; p++) {
            int64_t start = s->free_from[t][p] > s->now ? s->free_from[t][p] : s->now;
            if (start + duet_time(instance, kind, t) < best) {
                best = start + duet_time(instance, kind, t);
                s->at[task] = (duet_placement){start, (int32_t)p, (int32_t)t};
            }
        }
    }
    s->end[task] = best;
    s->free_from[s->at[task].type][s->at[task].processor] = best;
}

// Places the tasks that are ready now, in order; returns whether there were any.
static bool place_ready(plain *s)
{
    bool ready[MAX_TASKS];
    int64_t tasks = duet_tasks(s->instance);
    for (int64_t j = 0; j < tasks; j++) {
        ready[j] = is_ready(s, j);
    }
    for (bool any = false;; any = true) {
        int64_t next = -1;
        for (int64_t j = 0; j < tasks; j++) {
            next = ready[j] && (next < 0 || precedes(s, j, next)) ? j : next;
        }
        if (next < 0) {
            return any;
        }
        ready[next] = false;
        place(s, next);
    }
}

static void simulate(plain *s)
{
    for (int64_t j = 0; j < duet_tasks(s->instance); j++) {
        s->end[j] = -1;
    }
    for (;;) {
        while (place_ready(s)) {
        }
        int64_t next = INT64_MAX;
        for (int64_t j = 0; j < duet_tasks(s->instance); j++) {
            next = s->end[j] > s->now && s->end[j] < next ? s->end[j] : next;
        }
        if (next == INT64_MAX) {
            return;
        }
        s->now = next;
    }
}

static void graphs(void **state)
{
    (void)state;
    static const duet_rule *const plain_rules[] = {&duet_rule_eft, &duet_rule_heft, &duet_rule_qa,
                                                   &duet_rule_quickest};
    static graph g;
    static graph kept;
    for (uint64_t seed = 1; seed <= duet_test_share(INSTANCES); seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random);
        draw_graph(&kept, instance, duet_random_between(&random, 0, 60), &random);
        for (size_t r = 0; r < sizeof plain_rules / sizeof *plain_rules; r++) {
            g = kept;
            duet_solution *solution = blank(instance);
            run_online(plain_rules[r], instance, DUET_BIND_QUEUE, &g, solution);
            plain s = {.instance = instance, .graph = &kept, .rule = plain_rules[r]};
            simulate(&s);
            for (int64_t j = 0; j < duet_tasks(instance); j++) {
                const duet_placement *at = &solution->placement[j];
                if (at->start != s.at[j].start || at->type != s.at[j].type ||
                    at->processor != s.at[j].processor) {
                    fail_msg("seed %llu: %s: task %lld on type %d, processor %d at %lld, expected "
                             "%d, %d at %lld",
                             (unsigned long long)seed, plain_rules[r]->name, (long long)j, at->type,
                             at->processor, (long long)at->start, s.at[j].type, s.at[j].processor,
                             (long long)s.at[j].start);
                }
            }
            duet_solution_free(solution);
        }
        duet_instance_free(instance);
    }
}

// Heteroprio, looking at every task and every processor: what its heaps drop must not matter.
typedef struct crowd {
    const duet_instance *instance;
    int64_t queue[MAX_TASKS]; // by falling acceleration
    size_t front, back;
    size_t gpus, workers;             // GPUs first
    int64_t task[2 * MAX_PROCESSORS]; // that a worker runs; -1: none
    int64_t end[2 * MAX_PROCESSORS];
    duet_placement at[MAX_TASKS];
    int64_t now;
    int64_t spoliations;
} crowd;

static void crowd_start(crowd *c, size_t worker, int64_t task)
{
    size_t type = worker < c->gpus ? DUET_GPU : DUET_CPU;
    size_t index = worker < c->gpus ? worker : worker - c->gpus;
    c->task[worker] = task;
    c->end[worker] = c->now + duet_time(c->instance, kind_of(c->instance, task), type);
    c->at[task] = (duet_placement){c->now, (int32_t)index, (int32_t)type};
}

static bool crowd_take(crowd *c, size_t worker)
{
    bool gpu = worker < c->gpus;
    int64_t task = c->queue[gpu ? c->front : c->back - 1];
    if (!duet_allowed(c->instance, kind_of(c->instance, task), gpu ? DUET_GPU : DUET_CPU)) {
        return false;
    }
    c->front += gpu;
    c->back -= !gpu;
    crowd_start(c, worker, task);
    return true;
}

// The worker of the other type that loses its task to this one, or SIZE_MAX.
static size_t crowd_rob(crowd *c, size_t worker)
{
    bool gpu = worker < c->gpus;
    size_t victim = SIZE_MAX;
    for (size_t w = 0; w < c->workers; w++) {
        if ((w < c->gpus) == gpu || c->task[w] < 0 || c->end[w] <= c->now) {
            continue;
        }
        size_t kind = kind_of(c->instance, c->task[w]);
        size_t type = gpu ? DUET_GPU : DUET_CPU;
        bool helps = duet_allowed(c->instance, kind, type) &&
                     c->now + duet_time(c->instance, kind, type) < c->end[w];
        if (helps && (victim == SIZE_MAX || c->end[w] > c->end[victim] ||
                      (c->end[w] == c->end[victim] && c->task[w] < c->task[victim]))) {
            victim = w;
        }
    }
    if (victim != SIZE_MAX) {
        int64_t task = c->task[victim];
        c->task[victim] = -1;
        c->spoliations++;
        crowd_start(c, worker, task);
    }
    return victim;
}

static void crowd_serve(crowd *c, size_t worker)
{
    while (worker != SIZE_MAX) {
        if (c->front < c->back) {
            crowd_take(c, worker);
            return;
        }
        worker = crowd_rob(c, worker);
    }
}

static void crowd_run(crowd *c)
{
    for (size_t w = 0; w < c->workers; w++) {
        c->task[w] = -1;
    }
    for (size_t w = 0; w < c->workers; w++) {
        crowd_serve(c, w);
    }
    for (;;) {
        size_t next = SIZE_MAX;
        for (size_t w = 0; w < c->workers; w++) {
            if (c->task[w] >= 0 && (next == SIZE_MAX || c->end[w] < c->end[next])) {
                next = w;
            }
        }
        if (next == SIZE_MAX) {
            return;
        }
        c->now = c->end[next];
        c->task[next] = -1;
        crowd_serve(c, next);
    }
}

static void heteroprio(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(INSTANCES); seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random);
        if (instance->types != 2) {
            duet_instance_free(instance);
            continue;
        }
        crowd c = {.instance = instance,
                   .gpus = (size_t)instance->processors[DUET_GPU],
                   .workers =
                       (size_t)(instance->processors[DUET_GPU] + instance->processors[DUET_CPU])};
        duet_acceleration_order order;
        assert_int_equal(duet_acceleration_order_create(instance, &order, NULL), DUET_OK);
        for (size_t i = 0; i < order.count; i++) {
            size_t kind = order.items[i].kind;
            for (int64_t j = instance->first[kind]; j < instance->first[kind + 1]; j++) {
                c.queue[c.back++] = j;
            }
        }
        duet_acceleration_order_free(&order);
        crowd_run(&c);
        duet_solution *solution = duet_test_solve(instance, "heteroprio", NULL, NULL);
        assert_int_equal(solution->aborted_count, c.spoliations);
        for (int64_t j = 0; j < duet_tasks(instance); j++) {
            const duet_placement *at = &solution->placement[j];
            if (at->start != c.at[j].start || at->type != c.at[j].type ||
                at->processor != c.at[j].processor) {
                fail_msg("seed %llu: task %lld on type %d, processor %d at %lld, expected %d, %d "
                         "at %lld",
                         (unsigned long long)seed, (long long)j, at->type, at->processor,
                         (long long)at->start, c.at[j].type, c.at[j].processor,
                         (long long)c.at[j].start);
            }
        }
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

// A list without edges leaves no gaps: inserted or appended, each task starts at the same time.
static void insertion(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(INSTANCES); seed++) {
        duet_random random;
        duet_instance *instance = draw(seed, &random);
        duet_context context;
        assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
        duet_solution *fast = blank(instance);
        assert_int_equal(duet_list_run(&duet_rule_heft, instance, &context, fast, NULL), DUET_OK);
        duet_timeline timeline[DUET_MAX_TYPES][MAX_PROCESSORS] = {0};
        duet_ready ready = {.count = 0};
        assert_int_equal(duet_ready_rank(&ready, instance, duet_rule_heft.priority, NULL), DUET_OK);
        for (int64_t j = 0; j < duet_tasks(instance); j++) {
            assert_int_equal(duet_ready_add(&ready, j, kind_of(instance, j), NULL), DUET_OK);
        }
        while (ready.count > 0) {
            int64_t task = duet_ready_take(&ready);
            size_t kind = kind_of(instance, task);
            const duet_placement *at = &fast->placement[task];
            int64_t time = duet_time(instance, kind, (size_t)at->type);
            duet_timeline *own = &timeline[at->type][at->processor];
            if (duet_timeline_earliest(own, 0, time) != at->start) {
                fail_msg("seed %llu: task %lld would not be inserted where it was appended",
                         (unsigned long long)seed, (long long)task);
            }
            assert_int_equal(duet_timeline_insert(own, at->start, time, NULL), DUET_OK);
        }
        for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
            for (size_t p = 0; p < MAX_PROCESSORS; p++) {
                assert_int_equal(timeline[t][p].gaps, 0);
                duet_timeline_free(&timeline[t][p]);
            }
        }
        duet_ready_free(&ready);
        duet_solution_free(fast);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_path),
        cmocka_unit_test(graphs),
        cmocka_unit_test(heteroprio),
        cmocka_unit_test(insertion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
