// SPDX-License-Identifier: Apache-2.0
// A machine with a bus, against one that has a bit for every tick of every link and looks at every
// copy in turn; memory that is full, by hand; and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "tests/support/fixtures.h"

enum { TASKS = 9, NODES = 3, LINKS = 2, DATA = 5, TICKS = 4000, ROOM = 40 };

typedef struct machine {
    uint64_t copies[DATA];
    duet_bus_desc desc;
    int32_t node_of[16];
    duet_bus_link link[LINKS];
    uint64_t routes[NODES * NODES];
    duet_bus_datum datum[DATA];
    duet_bus_access access[ROOM];
} machine;

static void draw_accesses(machine *m, duet_random *random, int64_t tasks)
{
    size_t count = 0;
    for (int64_t task = 0; task < tasks; task++) {
        for (int32_t datum = 0; datum < DATA && count < ROOM; datum++) {
            unsigned mode = (unsigned)duet_random_between(random, 0, 6);
            if (mode >= 1 && mode <= 3) {
                m->access[count++] = (duet_bus_access){task, datum, mode};
            }
        }
    }
    m->desc.accesses = count;
}

static void draw_machine(machine *m, duet_random *random, const duet_instance *instance)
{
    size_t processors = 0;
    for (size_t type = 0; type < duet_instance_types(instance); type++) {
        for (int64_t i = 0; i < duet_instance_type_count(instance, type); i++) {
            m->node_of[processors++] = (int32_t)duet_random_between(random, 0, NODES - 1);
        }
    }
    for (size_t i = 0; i < LINKS; i++) {
        m->link[i] =
            (duet_bus_link){duet_random_between(random, 0, 2), duet_random_between(random, 1, 4),
                            duet_random_between(random, 1, 3)};
    }
    for (size_t i = 0; i < NODES * NODES; i++) {
        m->routes[i] = (uint64_t)duet_random_between(random, 1, 3);
    }
    for (size_t i = 0; i < DATA; i++) {
        m->datum[i] = (duet_bus_datum){duet_random_between(random, 0, 9),
                                       (int32_t)duet_random_between(random, -1, NODES - 1)};
        m->copies[i] = (uint64_t)duet_random_between(random, 0, (1 << NODES) - 1);
    }
    m->desc = (duet_bus_desc){.struct_size = sizeof m->desc,
                              .nodes = NODES,
                              .node_of = m->node_of,
                              .links = LINKS,
                              .link = m->link,
                              .routes = m->routes,
                              .data = DATA,
                              .datum = m->datum,
                              .access = m->access,
                              .copies = m->copies};
    draw_accesses(m, random, duet_instance_tasks(instance));
}

// --- a plain one ---------------------------------------------------------------------------------

typedef struct plain {
    const machine *m;
    const duet_instance *instance;
    bool busy[LINKS][TICKS];
    int64_t there[DATA][NODES]; // -1: nowhere
    int64_t end[TASKS];
    int64_t free_at[16];
} plain;

static int64_t plain_ticks(const plain *p, int32_t datum, size_t from, size_t to)
{
    int64_t latency = 0;
    int64_t slowest = 0;
    for (size_t i = 0; i < LINKS; i++) {
        if ((p->m->routes[from * NODES + to] >> i & 1) != 0) {
            const duet_bus_link *l = &p->m->link[i];
            int64_t product = p->m->datum[datum].size * l->ticks;
            latency += l->latency;
            slowest = duet_max(slowest, product / l->bytes + (product % l->bytes != 0));
        }
    }
    return latency + slowest;
}

static bool is_free(const plain *p, uint64_t route, int64_t start, int64_t ticks)
{
    for (size_t i = 0; i < LINKS; i++) {
        for (int64_t t = start; (route >> i & 1) != 0 && t < start + ticks; t++) {
            assert_true(t < TICKS);
            if (p->busy[i][t]) {
                return false;
            }
        }
    }
    return true;
}

static void fetch(plain *p, int32_t datum, size_t node)
{
    int64_t best = INT64_MAX;
    int64_t start_of = 0;
    size_t source = 0;
    for (size_t from = 0; from < NODES; from++) {
        if (p->there[datum][from] < 0 || from == node) {
            continue;
        }
        int64_t ticks = plain_ticks(p, datum, from, node);
        int64_t start = p->there[datum][from];
        while (!is_free(p, p->m->routes[from * NODES + node], start, ticks)) {
            start++;
        }
        if (start + ticks < best) {
            best = start + ticks;
            start_of = start;
            source = from;
        }
    }
    if (best == INT64_MAX) {
        p->there[datum][node] = 0;
        return;
    }
    for (size_t i = 0; i < LINKS; i++) {
        for (int64_t t = start_of; t < best; t++) {
            p->busy[i][t] |= (p->m->routes[source * NODES + node] >> i & 1) != 0;
        }
    }
    p->there[datum][node] = best;
}

static int64_t plain_release(const plain *p, int64_t task)
{
    int64_t release = 0;
    for (int64_t i = 0; i < duet_instance_edges(p->instance); i++) {
        duet_edge edge = duet_instance_edge(p->instance, i);
        release = edge.to == task ? duet_max(release, p->end[edge.from]) : release;
    }
    return release;
}

static void plain_task(plain *p, int64_t task, const duet_placement *placed)
{
    size_t worker = (size_t)placed->processor;
    for (int32_t type = 0; type < placed->type; type++) {
        worker += (size_t)duet_instance_type_count(p->instance, (size_t)type);
    }
    size_t node = (size_t)p->m->node_of[worker];
    int64_t start = duet_max(plain_release(p, task), p->free_at[worker]);
    for (size_t i = 0; i < p->m->desc.accesses; i++) {
        const duet_bus_access *a = &p->m->access[i];
        if (a->task == task && p->there[a->datum][node] < 0) {
            if ((a->mode & DUET_BUS_READS) != 0) {
                fetch(p, a->datum, node);
            } else {
                p->there[a->datum][node] = 0;
            }
        }
        start = a->task == task ? duet_max(start, p->there[a->datum][node]) : start;
    }
    p->end[task] = p->free_at[worker] =
        start + duet_instance_time(p->instance, duet_instance_kind_of(p->instance, task),
                                   (size_t)placed->type);
    for (size_t i = 0; i < p->m->desc.accesses; i++) {
        const duet_bus_access *a = &p->m->access[i];
        for (size_t n = 0; a->task == task && (a->mode & DUET_BUS_WRITES) != 0 && n < NODES; n++) {
            p->there[a->datum][n] = n == node ? p->end[task] : -1;
        }
    }
}

// In the order of `order`, which has a start for each task that says when its turn is.
static int64_t plain_makespan(const machine *m, const duet_instance *instance,
                              const duet_solution *order)
{
    static plain p;
    memset(&p, 0, sizeof p);
    p.m = m;
    p.instance = instance;
    bool done[TASKS] = {false};
    int64_t tasks = duet_instance_tasks(instance);
    int64_t makespan = 0;
    for (size_t i = 0; i < DATA; i++) {
        for (size_t node = 0; node < NODES; node++) {
            bool copied = (m->copies[i] >> node & 1) != 0;
            p.there[i][node] = copied || m->datum[i].home == (int32_t)node ? 0 : -1;
        }
    }
    const duet_placement *placed = duet_solution_placements(order);
    for (int64_t k = 0; k < tasks; k++) {
        int64_t next = -1;
        for (int64_t i = 0; i < tasks; i++) {
            if (!done[i] && (next < 0 || placed[i].start < placed[next].start)) {
                next = i;
            }
        }
        done[next] = true;
        plain_task(&p, next, &placed[next]);
        makespan = duet_max(makespan, p.end[next]);
    }
    return makespan;
}

// A graph whose times are short enough for a bit for each tick.
static duet_instance *draw_graph(duet_random *random, uint64_t seed)
{
    duet_random_seed(random, seed);
    int64_t times[2 * TASKS];
    duet_edge edges[TASKS * TASKS];
    const duet_type platform[] = {{"cpu", duet_random_between(random, 1, 3)},
                                  {"gpu", duet_random_between(random, 1, 3)}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = (size_t)duet_random_between(random, 2, TASKS),
                               .times = times,
                               .edge = edges};
    for (size_t i = 0; i < desc.kinds; i++) {
        times[2 * i] = duet_random_between(random, 1, 40);
        times[2 * i + 1] = duet_random_between(random, 1, 20);
        for (size_t k = 0; k < i; k++) {
            if (duet_random_between(random, 0, 3) == 0) {
                edges[desc.edges++] = (duet_edge){(int64_t)k, (int64_t)i, 0};
            }
        }
    }
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_instance_create(&desc, &instance, &error), DUET_OK);
    return instance;
}

// Starts of which no two are equal, in an order in which the plan can be carried out.
static bool make_distinct(const duet_instance *instance, duet_solution *plan)
{
    for (int64_t i = 0; i < duet_instance_tasks(instance); i++) {
        for (int64_t k = 0; k < i; k++) {
            if (plan->placement[i].start == plan->placement[k].start) {
                return false;
            }
        }
    }
    return true;
}

static void test_against_a_plain_one(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t seed = duet_test_seed(); compared < 200; seed++) {
        duet_random random;
        duet_instance *instance = draw_graph(&random, seed);
        duet_solution *plan = duet_test_schedule(instance, "heft", NULL);
        machine m;
        duet_error error = DUET_ERROR_INIT;
        duet_bus *bus = NULL;
        draw_machine(&m, &random, instance);
        assert_int_equal(duet_bus_create(instance, &m.desc, &bus, &error), DUET_OK);
        if (m.desc.accesses > 0 && make_distinct(instance, plan)) {
            duet_bus_run run[2];
            duet_solution *carried[2];
            duet_solution *settled = NULL;
            for (int keep = 0; keep < 2; keep++) {
                assert_int_equal(duet_bus_carry_out(bus, instance, plan, (duet_bus_keep)keep,
                                                    &carried[keep], &run[keep], &error),
                                 DUET_OK);
            }
            int64_t wanted = plain_makespan(&m, instance, plan);
            if (run[0].makespan != wanted) {
                print_error("seed %llu: %lld, not %lld\n", (unsigned long long)seed,
                            (long long)run[0].makespan, (long long)wanted);
                fail();
            }
            // Relocated, each keeps its type and its turn: the same run of other places.
            for (int64_t i = 0; i < duet_instance_tasks(instance); i++) {
                assert_int_equal(carried[1]->placement[i].type, plan->placement[i].type);
                carried[1]->placement[i].start = plan->placement[i].start;
            }
            assert_int_equal(run[1].makespan, plain_makespan(&m, instance, carried[1]));
            assert_int_equal(duet_bus_settle(instance, carried[0], &settled, &error), DUET_OK);
            assert_int_equal(duet_check_solution(instance, settled, NULL, NULL, &error), DUET_OK);
            duet_solution_free(settled);
            duet_solution_free(carried[0]);
            duet_solution_free(carried[1]);
            compared++;
        }
        duet_bus_free(bus);
        duet_solution_free(plan);
        duet_instance_free(instance);
    }
}

// --- queues --------------------------------------------------------------------------------------

typedef struct runtime {
    const duet_instance *instance;
    const duet_placement *plan;
    bool pushed[TASKS], begun[TASKS];
    int64_t end[TASKS];
    size_t queue[TASKS]; // the processor, among those of its type
    int64_t until[2][4]; // that a processor runs something
    int64_t load[2][4];  // that stands in its queue
} runtime;

static bool ended(const runtime *r, int64_t task, int64_t now)
{
    return r->begun[task] && r->end[task] <= now;
}

static bool is_ready(const runtime *r, int64_t task, int64_t now)
{
    bool ready = !r->pushed[task];
    for (int64_t i = 0; i < duet_instance_edges(r->instance); i++) {
        duet_edge edge = duet_instance_edge(r->instance, i);
        ready = ready && (edge.to != task || ended(r, edge.from, now));
    }
    return ready;
}

// The task that is planned first of those that `yes` picks; -1: none.
static int64_t first_planned(const runtime *r, const bool *yes)
{
    int64_t first = -1;
    for (int64_t i = 0; i < duet_instance_tasks(r->instance); i++) {
        if (yes[i] && (first < 0 || r->plan[i].start < r->plan[first].start)) {
            first = i;
        }
    }
    return first;
}

static void plain_push(runtime *r, int64_t task, int64_t now)
{
    int32_t type = r->plan[task].type;
    size_t best = 0;
    for (size_t i = 1; i < (size_t)duet_instance_type_count(r->instance, (size_t)type); i++) {
        int64_t here = duet_max(r->until[type][i], now) + r->load[type][i];
        best = here < duet_max(r->until[type][best], now) + r->load[type][best] ? i : best;
    }
    r->pushed[task] = true;
    r->queue[task] = best;
    r->load[type][best] +=
        duet_instance_time(r->instance, duet_instance_kind_of(r->instance, task), (size_t)type);
}

static void plain_serve(runtime *r, int32_t type, size_t processor, int64_t now)
{
    bool mine[TASKS];
    for (int64_t i = 0; i < duet_instance_tasks(r->instance); i++) {
        mine[i] =
            r->pushed[i] && !r->begun[i] && r->plan[i].type == type && r->queue[i] == processor;
    }
    int64_t task = r->until[type][processor] > now ? -1 : first_planned(r, mine);
    if (task >= 0) {
        int64_t time =
            duet_instance_time(r->instance, duet_instance_kind_of(r->instance, task), (size_t)type);
        r->begun[task] = true;
        r->load[type][processor] -= time;
        r->until[type][processor] = r->end[task] = now + time;
    }
}

// Tick by tick, where data are everywhere.
static int64_t plain_queues(const duet_instance *instance, const duet_solution *plan)
{
    runtime r = {.instance = instance, .plan = duet_solution_placements(plan)};
    int64_t makespan = 0;
    for (int64_t now = 0; now < TICKS; now++) {
        bool ready[TASKS];
        for (int64_t i = 0; i < duet_instance_tasks(instance); i++) {
            ready[i] = is_ready(&r, i, now);
        }
        for (int64_t next = first_planned(&r, ready); next >= 0; next = first_planned(&r, ready)) {
            ready[next] = false;
            plain_push(&r, next, now);
        }
        for (int32_t type = 0; type < 2; type++) {
            for (size_t i = 0; i < (size_t)duet_instance_type_count(instance, (size_t)type); i++) {
                plain_serve(&r, type, i, now);
            }
        }
    }
    for (int64_t i = 0; i < duet_instance_tasks(instance); i++) {
        makespan = duet_max(makespan, r.end[i]);
    }
    return makespan;
}

static void test_queues(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t seed = duet_test_seed(); compared < 100; seed++) {
        duet_random random;
        duet_instance *instance = draw_graph(&random, seed);
        duet_solution *plan = duet_test_schedule(instance, "heft", NULL);
        machine m;
        duet_error error = DUET_ERROR_INIT;
        duet_bus *bus = NULL;
        draw_machine(&m, &random, instance);
        memset(m.node_of, 0, sizeof m.node_of); // one memory, where nothing is written
        for (size_t i = 0; i < m.desc.accesses; i++) {
            m.access[i].mode = DUET_BUS_READS;
        }
        for (size_t i = 0; i < DATA; i++) {
            m.copies[i] = 1;
        }
        assert_int_equal(duet_bus_create(instance, &m.desc, &bus, &error), DUET_OK);
        if (m.desc.accesses > 0 && make_distinct(instance, plan)) {
            duet_bus_run run[2];
            for (int i = 0; i < 2; i++) {
                assert_int_equal(duet_bus_carry_out(bus, instance, plan,
                                                    i == 0 ? DUET_BUS_PRIORITIES : DUET_BUS_NODES,
                                                    NULL, &run[i], &error),
                                 DUET_OK);
                assert_int_equal(run[i].makespan, plain_queues(instance, plan));
                assert_int_equal(run[i].waiting, 0);
            }
            compared++;
        }
        duet_bus_free(bus);
        duet_solution_free(plan);
        duet_instance_free(instance);
    }
}

// On any machine: types are kept, with NODES the memory, too, and what comes of it settles into a
// schedule.
static void test_queues_keep(void **state)
{
    (void)state;
    for (uint64_t seed = duet_test_seed(); seed < duet_test_seed() + 100; seed++) {
        duet_random random;
        duet_instance *instance = draw_graph(&random, seed);
        duet_solution *plan = duet_test_schedule(instance, "heft", NULL);
        machine m;
        duet_error error = DUET_ERROR_INIT;
        duet_bus *bus = NULL;
        draw_machine(&m, &random, instance);
        m.desc.data = m.desc.accesses > 0 ? DATA : 0;
        assert_int_equal(duet_bus_create(instance, &m.desc, &bus, &error), DUET_OK);
        for (int keep = DUET_BUS_PRIORITIES; keep <= DUET_BUS_NODES; keep++) {
            duet_bus_run run;
            duet_solution *carried = NULL;
            duet_solution *settled = NULL;
            assert_int_equal(duet_bus_carry_out(bus, instance, plan, (duet_bus_keep)keep, &carried,
                                                &run, &error),
                             DUET_OK);
            for (int64_t i = 0; i < duet_instance_tasks(instance); i++) {
                const duet_placement *was = &plan->placement[i];
                const duet_placement *is = &carried->placement[i];
                int64_t before = was->type == 0 ? 0 : duet_instance_type_count(instance, 0);
                assert_int_equal(is->type, was->type);
                assert_true(keep == DUET_BUS_PRIORITIES || m.node_of[before + is->processor] ==
                                                               m.node_of[before + was->processor]);
            }
            assert_int_equal(duet_check_solution(instance, carried, NULL, NULL, &error), DUET_OK);
            assert_int_equal(duet_bus_settle(instance, carried, &settled, &error), DUET_OK);
            assert_int_equal(duet_check_solution(instance, settled, NULL, NULL, &error), DUET_OK);
            duet_solution_free(settled);
            duet_solution_free(carried);
        }
        duet_bus_free(bus);
        duet_solution_free(plan);
        duet_instance_free(instance);
    }
}

// --- by hand -------------------------------------------------------------------------------------

// Three tasks on one GPU with room for two pieces of data: the first makes room for the third, and
// goes back to main memory before, since it was written.
static void test_memory_that_is_full(void **state)
{
    (void)state;
    const int64_t times[] = {10, 10, 10, 10, 10, 10};
    const int32_t node_of[] = {0, 1};
    const int64_t capacity[] = {0, 20};
    const int64_t too_small[] = {0, 5};
    const duet_bus_link link = {1, 1, 1};
    const duet_bus_datum data[] = {{10, 0}, {10, 0}, {10, 0}};
    const duet_bus_access access[] = {{0, 0, 3}, {1, 1, 1}, {2, 2, 1}};
    duet_bus_desc desc = {.struct_size = sizeof desc,
                          .nodes = 2,
                          .capacity = capacity,
                          .node_of = node_of,
                          .links = 1,
                          .link = &link,
                          .data = 3,
                          .datum = data,
                          .accesses = 3,
                          .access = access};
    duet_instance *instance = duet_test_pair(1, 1, 3, NULL, times);
    duet_solution *plan = NULL;
    duet_solution *carried = NULL;
    duet_bus *bus = NULL;
    duet_bus_run run;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_solution_create_blank(3, &plan, &error), DUET_OK);
    assert_int_equal(duet_solution_hold_placements(plan, &error), DUET_OK);
    for (int i = 0; i < 3; i++) {
        plan->placement[i] = (duet_placement){10 * (int64_t)i, 0, 1};
    }
    duet_solution_finish(plan, instance);
    assert_int_equal(duet_bus_create(instance, &desc, &bus, &error), DUET_OK);
    assert_int_equal(
        duet_bus_carry_out(bus, instance, plan, DUET_BUS_PLACES, &carried, &run, &error), DUET_OK);
    // 0 to 11 and 11 to 22 bring the first two; the first runs until 21, goes back from 22 to 33,
    // and the third comes from 33 to 44.
    assert_int_equal(carried->placement[0].start, 11);
    assert_int_equal(carried->placement[1].start, 22);
    assert_int_equal(carried->placement[2].start, 44);
    assert_int_equal(run.makespan, 54);
    assert_int_equal(run.evictions, 1);
    assert_int_equal(run.transfers, 4);
    assert_int_equal(run.moved, 40);
    assert_int_equal(run.waiting, 11 + 1 + 12);
    duet_solution_free(carried);
    duet_bus_free(bus);
    desc.capacity = too_small;
    assert_int_equal(duet_bus_create(instance, &desc, &bus, &error), DUET_OK);
    assert_int_equal(
        duet_bus_carry_out(bus, instance, plan, DUET_BUS_PLACES, &carried, &run, &error),
        DUET_E_INFEASIBLE);
    assert_non_null(strstr(error.message, "more than fits into the 5 bytes of node 1"));
    duet_solution_free(plan);
    duet_bus_free(bus);
    duet_instance_free(instance);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    const int64_t times[] = {10, 10};
    const int32_t node_of[] = {0, 1};
    const int32_t no_node[] = {0, 2};
    const uint64_t no_route[] = {0, 0, 1, 0};
    const duet_bus_link link = {0, 1, 1};
    const duet_bus_link no_link = {0, 0, 0};
    const duet_bus_datum datum = {10, 0};
    const uint64_t no_copy = 4;
    const duet_bus_access access = {1, 0, 1};
    const duet_bus_desc good = {
        .struct_size = sizeof good, .nodes = 2, .node_of = node_of, .links = 1, .link = &link};
    duet_instance *instance = duet_test_pair(1, 1, 1, NULL, times);
    duet_bus_desc bad[6] = {good, good, good, good, good, good};
    duet_error error = DUET_ERROR_INIT;
    duet_bus *bus = NULL;
    bad[0].node_of = no_node;
    bad[1].routes = no_route;
    bad[2].link = &no_link;
    bad[2].data = 1;
    bad[2].datum = &datum;
    bad[3].data = 1;
    bad[3].datum = &datum;
    bad[3].accesses = 1;
    bad[3].access = &access; // of a task that is not there
    bad[4].nodes = 0;
    bad[5].data = 1;
    bad[5].datum = &datum;
    bad[5].copies = &no_copy;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(duet_bus_create(instance, &bad[i], &bus, &error), DUET_E_INPUT);
        assert_null(bus);
    }
    assert_int_equal(duet_bus_create(instance, &good, &bus, &error), DUET_OK);
    duet_bus_free(bus);
    duet_bus_free(NULL);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_a_plain_one), cmocka_unit_test(test_queues),
        cmocka_unit_test(test_queues_keep), cmocka_unit_test(test_memory_that_is_full),
        cmocka_unit_test(test_what_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
