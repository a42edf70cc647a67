// SPDX-License-Identifier: Apache-2.0
// The base lines against plain forms of themselves that look at every task and every processor, on
// thousands of random instances, and against schedules worked out by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "core/instance/instance.h"
#include "tests/support/fixtures.h"

enum { MAX_TASKS = 24, MAX_PROCESSORS = 5, MAX_STATES = 1000, INSTANCES = 4000 };

static duet_instance *draw(uint64_t seed, size_t types)
{
    duet_random random;
    duet_instance *instance =
        duet_random_of_seed(&random, seed, 1, MAX_TASKS, MAX_PROCESSORS, types);
    assert_non_null(instance);
    return instance;
}

// A schedule in the making, task by task and processor by processor.
typedef struct plain {
    const duet_instance *instance;
    int64_t tasks;
    size_t kind[MAX_TASKS];
    bool placed[MAX_TASKS];
    duet_placement at[MAX_TASKS];
    int64_t load[DUET_MAX_TYPES][MAX_PROCESSORS];
    bool later_first;
} plain;

static void plain_start(plain *s, const duet_instance *instance, bool later_first)
{
    *s = (plain){.instance = instance, .tasks = duet_tasks(instance), .later_first = later_first};
    for (size_t i = 0; i < instance->kinds; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            s->kind[j] = i;
        }
    }
}

// Where a task would be complete first, and by how much it would be later on any other processor.
static int64_t best_end(const plain *s, int64_t task, int32_t *type, int32_t *processor,
                        int64_t *suffers)
{
    int64_t best = INT64_MAX;
    int64_t second = INT64_MAX;
    for (size_t t = 0; t < s->instance->types; t++) {
        for (int32_t r = 0; r < s->instance->processors[t]; r++) {
            if (!duet_allowed(s->instance, s->kind[task], t)) {
                continue;
            }
            int64_t end = s->load[t][r] + duet_time(s->instance, s->kind[task], t);
            bool later_type = (int32_t)t != *type && s->later_first;
            if (end < best || (end == best && later_type)) {
                second = best;
                best = end;
                *type = (int32_t)t;
                *processor = r;
            } else if (end < second) {
                second = end;
            }
        }
    }
    *suffers = second == INT64_MAX ? INT64_MAX : second - best;
    return best;
}

static void plain_place(plain *s, int64_t task, int32_t type, int32_t processor)
{
    int64_t *load = &s->load[type][processor];
    s->at[task] = (duet_placement){*load, processor, type};
    *load += duet_time(s->instance, s->kind[task], (size_t)type);
    s->placed[task] = true;
}

// min-min, or max-min.
static void plain_extreme(plain *s, bool latest)
{
    for (int64_t round = 0; round < s->tasks; round++) {
        int64_t chosen = -1;
        int64_t chosen_end = 0;
        int32_t chosen_type = 0;
        int32_t chosen_processor = 0;
        for (int64_t j = 0; j < s->tasks; j++) {
            int32_t type = 0;
            int32_t processor = 0;
            int64_t suffers;
            int64_t end = s->placed[j] ? 0 : best_end(s, j, &type, &processor, &suffers);
            if (!s->placed[j] && (chosen < 0 || (latest ? end > chosen_end : end < chosen_end))) {
                chosen = j;
                chosen_end = end;
                chosen_type = type;
                chosen_processor = processor;
            }
        }
        plain_place(s, chosen, chosen_type, chosen_processor);
    }
}

static void plain_sufferage(plain *s)
{
    for (int64_t left = s->tasks; left > 0;) {
        int64_t holder[DUET_MAX_TYPES][MAX_PROCESSORS];
        int64_t most[DUET_MAX_TYPES][MAX_PROCESSORS] = {{0}};
        memset(holder, -1, sizeof holder);
        for (int64_t j = 0; j < s->tasks; j++) {
            int32_t type = 0;
            int32_t processor = 0;
            int64_t suffers;
            if (s->placed[j]) {
                continue;
            }
            best_end(s, j, &type, &processor, &suffers);
            if (holder[type][processor] < 0 || suffers > most[type][processor]) {
                holder[type][processor] = j;
                most[type][processor] = suffers;
            }
        }
        for (int32_t t = 0; t < (int32_t)s->instance->types; t++) {
            for (int32_t r = 0; r < MAX_PROCESSORS; r++) {
                if (holder[t][r] >= 0) {
                    plain_place(s, holder[t][r], t, r);
                    left--;
                }
            }
        }
    }
}

static void compare(const plain *s, const char *name, const char *option, uint64_t seed)
{
    duet_solution *solution = duet_test_solve(s->instance, name, option, NULL);
    const duet_placement *placement = duet_solution_placements(solution);
    for (int64_t j = 0; j < s->tasks; j++) {
        if (placement[j].type != s->at[j].type || placement[j].processor != s->at[j].processor ||
            placement[j].start != s->at[j].start) {
            fail_msg("seed %llu, %s %s: task %lld on type %d processor %d at %lld, expected %d %d "
                     "%lld",
                     (unsigned long long)seed, name, option, (long long)j, placement[j].type,
                     placement[j].processor, (long long)placement[j].start, s->at[j].type,
                     s->at[j].processor, (long long)s->at[j].start);
        }
    }
    duet_solution_free(solution);
}

static void list_rules(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(INSTANCES); seed++) {
        size_t types = seed % 4 == 0 ? 1 + seed % 3 : 2;
        duet_instance *instance = draw(seed, types);
        for (int later_first = 0; later_first < 2; later_first++) {
            const char *option = later_first ? "ties=gpu" : "ties=cpu";
            plain s;
            plain_start(&s, instance, later_first);
            plain_extreme(&s, false);
            compare(&s, "min-min", option, seed);
            plain_start(&s, instance, later_first);
            plain_extreme(&s, true);
            compare(&s, "max-min", option, seed);
            plain_start(&s, instance, later_first);
            plain_sufferage(&s);
            compare(&s, "sufferage", option, seed);
        }
        duet_instance_free(instance);
    }
}

// The same tasks on a platform with a third type that has no processors.
static duet_instance *with_idle_type(const duet_instance *instance)
{
    int64_t counts[MAX_TASKS];
    int64_t times[3 * MAX_TASKS];
    for (size_t i = 0; i < instance->kinds; i++) {
        counts[i] = duet_count(instance, i);
        times[3 * i] = duet_time(instance, i, 0);
        times[3 * i + 1] = duet_time(instance, i, 1);
        times[3 * i + 2] = 1;
    }
    const duet_type platform[] = {
        {"cpu", instance->processors[0]}, {"gpu", instance->processors[1]}, {"gone", 0}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 3,
                               .platform = platform,
                               .kinds = instance->kinds,
                               .counts = counts,
                               .times = times};
    duet_instance *copy;
    assert_int_equal(duet_instance_create(&desc, &copy, NULL), DUET_OK);
    return copy;
}

static void check_lst(const duet_instance *instance, const duet_solution *solution, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    int64_t bound = duet_solution_lower_bound(solution);
    const duet_certificate *certificate = duet_solution_certificate(solution);
    if (duet_solution_guarantee(solution) == NULL || duet_solution_makespan(solution) > 2 * bound) {
        fail_msg("seed %llu: makespan %lld at bound %lld", (unsigned long long)seed,
                 (long long)duet_solution_makespan(solution), (long long)bound);
    }
    if (bound > 0 && duet_certificate_check(certificate, instance, NULL, &error) != DUET_OK) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    }
}

// The vertex in closed form and the one that the solver proposes prove the same bound; on four
// types there is only the solver.
static void lst(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(INSTANCES / 4); seed++) {
        duet_instance *instance = draw(seed, 2);
        duet_solution *closed = duet_test_solve(instance, "lst", NULL, NULL);
        check_lst(instance, closed, seed);
        if (strstr(duet_features(), "glpk") != NULL) {
            duet_instance *wider = with_idle_type(instance);
            duet_solution *solution = duet_test_solve(wider, "lst", NULL, NULL);
            check_lst(wider, solution, seed);
            if (duet_solution_lower_bound(closed) != duet_solution_lower_bound(solution)) {
                fail_msg("seed %llu: bounds %lld and %lld", (unsigned long long)seed,
                         (long long)duet_solution_lower_bound(closed),
                         (long long)duet_solution_lower_bound(solution));
            }
            duet_solution_free(solution);
            duet_instance_free(wider);
            duet_instance *other = draw(seed, 4);
            solution = duet_test_solve(other, "lst", seed % 2 == 0 ? NULL : "rounding=share", NULL);
            check_lst(other, solution, seed);
            duet_solution_free(solution);
            duet_instance_free(other);
        }
        duet_solution_free(closed);
        duet_instance_free(instance);
    }
}

// So many tasks that the solver finds no vertex of least work: a matching does.
static void lst_without_vertex(void **state)
{
    (void)state;
    static const int64_t processors[] = {1, 1392, 2176};
    static const int64_t counts[] = {72020281, 97266175};
    static const int64_t times[] = {301720, 4, 980375, 269247, 64566, 24};
    if (strstr(duet_features(), "glpk") == NULL) {
        skip();
    }
    duet_instance *instance = duet_test_instance(3, processors, 2, counts, times);
    duet_solution *solution = duet_test_solve(instance, "lst", "rounding=share", NULL);
    check_lst(instance, solution, 0);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

typedef struct row {
    int64_t p, q;
} row;

static void by_hand(int64_t m, int64_t k, size_t tasks, const row *rows, const char *name,
                    const char *option, int64_t makespan)
{
    const duet_type platform[] = {{"cpu", m}, {"gpu", k}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = tasks,
                               .times = &rows[0].p};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_solution *solution = duet_test_solve(instance, name, option, NULL);
    if (duet_solution_makespan(solution) != makespan) {
        fail_msg("%s %s: makespan %lld, expected %lld", name, option == NULL ? "" : option,
                 (long long)duet_solution_makespan(solution), (long long)makespan);
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void worked_out(void **state)
{
    (void)state;
    // One CPU, one GPU. Short ones first: GPU 2, 5; CPU 6: the last ends on the GPU at 15.
    static const row mixed[] = {{20, 10}, {4, 2}, {6, 3}, {6, 12}};
    by_hand(1, 1, 4, mixed, "min-min", NULL, 15);
    // Long ones first: 10 to the GPU, then 6 and 6 to the CPU; the 2 ends on the GPU at 12.
    by_hand(1, 1, 4, mixed, "max-min", NULL, 12);
    // First the GPU for the one that would lose 10, the CPU for the one that would lose 6. Then 4
    // on the CPU loses more on the GPU (2) than 6 does (1); that one ends on the GPU at 13.
    by_hand(1, 1, 4, mixed, "sufferage", NULL, 13);
    // Two CPUs, one GPU, 8 of 12 and 4: the GPU ends within 12 for three of them; 12 / 2 > 4 / 1,
    // so that by the second rule the others follow. Greedy would use the CPUs.
    static const row alike[] = {{12, 4}, {12, 4}, {12, 4}, {12, 4},
                                {12, 4}, {12, 4}, {12, 4}, {12, 4}};
    by_hand(2, 1, 8, alike, "imreh", NULL, 32);
    by_hand(2, 1, 8, alike, "imreh", "rule=greedy", 24);
    // All on the GPUs are 32; 3 of them on the CPUs and 5 on the GPU are even at 20 and 18.
    by_hand(2, 1, 8, alike, "balanced-makespan", NULL, 24);
    by_hand(2, 1, 8, alike, "lst", NULL, 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_rules),
        cmocka_unit_test(lst),
        cmocka_unit_test(lst_without_vertex),
        cmocka_unit_test(worked_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
