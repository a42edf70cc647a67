// SPDX-License-Identifier: Apache-2.0
// Lists, allocations and choices of processors of the caller's own (duet_work_list(),
// duet_work_start()): on random instances the schedules are valid, no shorter than the optimum,
// keep to what they were given, and those of the library where it has the same rule.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "core/number/minmax.h"
#include "core/number/random.h"

enum { ROUNDS = 60, MOST = 64 };

typedef enum way { BY_LEVEL, BY_INDEX, GIVEN_TYPES, BOTH, BY_PROCESSOR, BAD_ORDER, BAD_TYPE } way;

// What a run is to do, and what it decided.
typedef struct plan {
    way way;
    duet_random random;
    int64_t order[MOST];
    size_t type[MOST];
} plan;

static size_t allowed_type(const duet_instance *instance, int64_t task, duet_random *random)
{
    size_t kind = duet_instance_kind_of(instance, task);
    for (;;) {
        size_t type =
            (size_t)duet_random_between(random, 0, (int64_t)duet_instance_types(instance) - 1);
        if (duet_instance_time(instance, kind, type) != DUET_FORBIDDEN) {
            return type;
        }
    }
}

static void decide(plan *p, const duet_instance *instance)
{
    int64_t tasks = duet_instance_tasks(instance);
    for (int64_t i = 0; i < tasks; i++) {
        p->order[i] = i;
        p->type[i] = allowed_type(instance, i, &p->random);
    }
    for (int64_t i = tasks - 1; i > 0 && p->way != BY_INDEX; i--) {
        int64_t other = duet_random_between(&p->random, 0, i);
        int64_t kept = p->order[i];
        p->order[i] = p->order[other];
        p->order[other] = kept;
    }
    p->order[0] = p->way == BAD_ORDER ? p->order[tasks - 1] : p->order[0];
    p->type[0] = p->way == BAD_TYPE ? 9 : p->type[0];
}

// Each task on the processor where it ends first, which is at the end of all that is there.
static duet_code place_by_processor(const duet_instance *instance, duet_work *work,
                                    duet_error *error)
{
    for (int64_t task = 0; task < duet_instance_tasks(instance); task++) {
        size_t kind = duet_instance_kind_of(instance, task);
        int64_t best[3] = {0, 0, 0};
        int64_t end = INT64_MAX;
        for (size_t t = 0; t < duet_instance_types(instance); t++) {
            int64_t time = duet_instance_time(instance, kind, t);
            for (int64_t p = 0; time != DUET_FORBIDDEN && p < duet_instance_type_count(instance, t);
                 p++) {
                int64_t start;
                assert_int_equal(duet_work_start(work, task, t, p, &start, error), DUET_OK);
                if (start + time < end) {
                    end = start + time;
                    best[0] = (int64_t)t;
                    best[1] = p;
                    best[2] = start;
                }
            }
        }
        assert_int_equal(duet_work_place(work, task, (size_t)best[0], best[1], best[2], error),
                         DUET_OK);
    }
    return DUET_OK;
}

static duet_code run(void *user, const duet_instance *instance, duet_work *work, duet_error *error)
{
    plan *p = user;
    decide(p, instance);
    if (p->way == BY_PROCESSOR) {
        return place_by_processor(instance, work, error);
    }
    bool order = p->way == BY_INDEX || p->way == BOTH || p->way == BAD_ORDER;
    bool types = p->way == GIVEN_TYPES || p->way == BOTH || p->way == BAD_TYPE;
    return duet_work_list(work, order ? p->order : NULL, types ? p->type : NULL, error);
}

static duet_code solve(const duet_instance *instance, plan *p, duet_solution **out,
                       duet_error *error)
{
    duet_registry *registry;
    assert_int_equal(duet_registry_create(&registry, error), DUET_OK);
    const duet_custom own = {.struct_size = sizeof own,
                             .name = "own",
                             .run = run,
                             .user = p,
                             .handles = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION};
    assert_int_equal(duet_registry_add(registry, &own, error), DUET_OK);
    assert_int_equal(duet_registry_count(registry), 1);
    assert_string_equal(duet_registry_entry(registry, 0)->name, "own");
    assert_null(duet_registry_entry(registry, 1));
    duet_params params = DUET_PARAMS_INIT;
    params.registry = registry;
    *out = NULL;
    duet_code code = duet_solve(instance, "own", &params, out, error);
    duet_registry_free(registry);
    return code;
}

static duet_instance *draw(uint64_t seed, int64_t tasks, const char *cost)
{
    static const char *const families[] = {"unif4", "layered", "fork-join", "bimod"};
    const char *family = families[seed % 4];
    const int64_t counts[] = {1 + (int64_t)(seed % 3), 1 + (int64_t)(seed / 3 % 2)};
    duet_options *options;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    if (seed % 4 == 1 || seed % 4 == 2) {
        assert_int_equal(duet_options_add(options, cost, NULL), DUET_OK);
    }
    const duet_generate_params params = {sizeof params, tasks, 2, counts, seed, options};
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (duet_generate(family, &params, &instance, &error) != DUET_OK) {
        fail_msg("%s, seed %d: %s", family, (int)seed, error.message);
    }
    duet_options_free(options);
    return instance;
}

// Every way makes a valid schedule (duet_solve() has it checked) with the types that were given.
static void test_valid(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        duet_instance *instance = draw(seed, 20, "cost=30");
        for (way how = BY_LEVEL; how <= BY_PROCESSOR; how++) {
            plan p = {.way = how};
            duet_random_seed(&p.random, seed);
            duet_solution *solution;
            duet_error error = DUET_ERROR_INIT;
            if (solve(instance, &p, &solution, &error) != DUET_OK) {
                fail_msg("seed %d, way %d: %s", (int)seed, (int)how, error.message);
            }
            for (int64_t j = 0; (how == GIVEN_TYPES || how == BOTH) && j < 20; j++) {
                assert_int_equal(duet_solution_placements(solution)[j].type, p.type[j]);
            }
            duet_solution_free(solution);
        }
        duet_instance_free(instance);
    }
}

static void test_truth(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        duet_instance *instance = draw(seed, 6, "cost=0");
        int64_t optimum = duet_exhaustive_optimum(instance);
        for (way how = BY_LEVEL; how <= BY_PROCESSOR; how++) {
            plan p = {.way = how};
            duet_random_seed(&p.random, seed);
            duet_solution *solution;
            assert_int_equal(solve(instance, &p, &solution, NULL), DUET_OK);
            if (duet_solution_makespan(solution) < optimum) {
                fail_msg("seed %d, way %d: shorter than the optimum", (int)seed, (int)how);
            }
            duet_solution_free(solution);
        }
        duet_instance_free(instance);
    }
}

// Independent tasks by index, each where it ends first: eft, in both ways.
static void test_as_eft(void **state)
{
    (void)state;
    for (uint64_t seed = 4; seed <= ROUNDS; seed += 4) {
        duet_instance *instance = draw(seed, 30, "cost=0");
        duet_solution *eft;
        assert_int_equal(duet_solve(instance, "eft", NULL, &eft, NULL), DUET_OK);
        plan p = {.way = BY_INDEX};
        duet_random_seed(&p.random, seed);
        duet_solution *own;
        assert_int_equal(solve(instance, &p, &own, NULL), DUET_OK);
        assert_int_equal(duet_solution_makespan(own), duet_solution_makespan(eft));
        duet_solution_free(own);
        duet_solution_free(eft);
        duet_instance_free(instance);
    }
}

static void test_refused(void **state)
{
    (void)state;
    duet_instance *instance = draw(4, 5, "cost=0");
    static const char *const said[] = {"order[", "on type 9: expected one where it may run"};
    for (way how = BAD_ORDER; how <= BAD_TYPE; how++) {
        plan p = {.way = how};
        duet_random_seed(&p.random, 1);
        duet_solution *solution;
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(solve(instance, &p, &solution, &error), DUET_E_USAGE);
        assert_non_null(strstr(error.message, said[how - BAD_ORDER]));
    }
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_valid), cmocka_unit_test(test_truth),
                                       cmocka_unit_test(test_as_eft),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
