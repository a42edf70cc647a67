// SPDX-License-Identifier: Apache-2.0
// The rule `balanced` against its description, computed plainly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

// The sweep of the balanced algorithms, one task at a time, everything summed up anew.
typedef struct sweep {
    const duet_instance *instance;
    size_t from, to;
    size_t list[MAX_TASKS];
    size_t count;
    int64_t there[MAX_TASKS]; // tasks of a kind that have moved
    duet_fraction least;
    int64_t shortest;
} sweep;

// Tasks of a kind on a type.
static int64_t tasks_on(const sweep *s, size_t kind, size_t type)
{
    const duet_instance *instance = s->instance;
    int64_t p = duet_time(instance, kind, 0);
    int64_t q = duet_time(instance, kind, 1);
    bool on_cpu = duet_allowed(instance, kind, 0) && (!duet_allowed(instance, kind, 1) || p < q);
    int64_t own = on_cpu == (type == 0) ? duet_count(instance, kind) : 0;
    return type == s->to ? own + s->there[kind] : own - s->there[kind];
}

static int64_t work_on(const sweep *s, size_t type)
{
    int64_t work = 0;
    for (size_t i = 0; i < s->instance->kinds; i++) {
        int64_t tasks = tasks_on(s, i, type);
        work += tasks > 0 ? tasks * duet_time(s->instance, i, type) : 0;
    }
    return work;
}

// Whether the type that tasks move to is the later one, with `more` tasks of a kind on it.
static bool too_far(sweep *s, size_t kind, int64_t more)
{
    s->there[kind] += more;
    const int64_t *processors = s->instance->processors;
    bool later = (duet_int128)work_on(s, s->to) * processors[s->from] >
                 (duet_int128)work_on(s, s->from) * processors[s->to];
    s->there[kind] -= more;
    return later;
}

static duet_fraction estimate_of(const sweep *s)
{
    duet_fraction most = {0, 1};
    for (size_t t = 0; t < 2; t++) {
        duet_fraction mean = {(uint64_t)work_on(s, t), (uint64_t)s->instance->processors[t]};
        if (mean.den > 0 && duet_fraction_compare(mean, most) > 0) {
            most = mean;
        }
        for (size_t i = 0; i < s->instance->kinds; i++) {
            duet_fraction one = {(uint64_t)duet_time(s->instance, i, t), 1};
            if (tasks_on(s, i, t) > 0 && duet_fraction_compare(one, most) > 0) {
                most = one;
            }
        }
    }
    return most;
}

static int falling(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;
    return (a < b) - (a > b);
}

static int64_t longest_first(const sweep *s)
{
    int64_t makespan = 0;
    for (size_t t = 0; t < 2; t++) {
        int64_t time[MAX_TASKS];
        size_t number = 0;
        for (size_t i = 0; i < s->instance->kinds; i++) {
            for (int64_t j = 0; j < tasks_on(s, i, t); j++) {
                time[number++] = duet_time(s->instance, i, t);
            }
        }
        qsort(time, number, sizeof *time, falling);
        int64_t load[MAX_PROCESSORS] = {0};
        for (size_t j = 0; j < number; j++) {
            size_t least = 0;
            for (size_t r = 1; r < (size_t)s->instance->processors[t]; r++) {
                least = load[r] < load[least] ? r : least;
            }
            load[least] += time[j];
            makespan = load[least] > makespan ? load[least] : makespan;
        }
    }
    return makespan;
}

static void look(sweep *s, bool builds)
{
    duet_fraction estimate = estimate_of(s);
    if (s->least.den == 0 || duet_fraction_compare(estimate, s->least) < 0) {
        s->least = estimate;
    }
    int64_t makespan = longest_first(s);
    if (builds && makespan < s->shortest) {
        s->shortest = makespan;
    }
}

static void sweep_start(sweep *s, const duet_instance *instance)
{
    *s = (sweep){.instance = instance, .from = 1, .to = 0, .shortest = INT64_MAX};
    const int64_t *processors = instance->processors;
    if (processors[1] == 0 ||
        (duet_int128)work_on(s, 0) * processors[1] > (duet_int128)work_on(s, 1) * processors[0]) {
        s->from = 0;
        s->to = 1;
    }
    // Insertion by c_to / c_from; equal ones by index on the way to the GPUs, else against it.
    for (size_t step = 0; step < instance->kinds; step++) {
        size_t kind = s->from == 0 ? step : instance->kinds - 1 - step;
        if (tasks_on(s, kind, s->from) == 0 || !duet_allowed(instance, kind, s->to)) {
            continue;
        }
        size_t at = s->count++;
        int64_t here = duet_time(instance, kind, s->from);
        int64_t there = duet_time(instance, kind, s->to);
        for (; at > 0; at--) {
            int64_t his_here = duet_time(instance, s->list[at - 1], s->from);
            int64_t his_there = duet_time(instance, s->list[at - 1], s->to);
            bool zero = here == 0 && there == 0;
            bool his_zero = his_here == 0 && his_there == 0;
            duet_int128 left = (duet_int128)(zero ? 1 : there) * (his_zero ? 1 : his_here);
            duet_int128 right = (duet_int128)(his_zero ? 1 : his_there) * (zero ? 1 : here);
            if (left >= right) {
                break;
            }
            s->list[at] = s->list[at - 1];
        }
        s->list[at] = kind;
    }
}

static void sweep_run(sweep *s)
{
    size_t next = 0;
    size_t last = 0;
    int64_t limit = INT64_MAX; // tasks this long have gone back
    look(s, true);
    for (;;) {
        while (next < s->count &&
               (duet_time(s->instance, s->list[next], s->to) >= limit ||
                s->there[s->list[next]] == duet_count(s->instance, s->list[next]))) {
            next++;
        }
        if (next < s->count && !too_far(s, 0, 0)) {
            last = s->list[next];
            s->there[last]++;
            int64_t left = duet_count(s->instance, last) - s->there[last];
            look(s, left < 2 || too_far(s, last, 0) || too_far(s, last, 1));
            continue;
        }
        int64_t longest = -1;
        for (size_t i = 0; i < s->instance->kinds; i++) {
            int64_t time = duet_time(s->instance, i, s->to);
            longest = s->there[i] > 0 && time > longest ? time : longest;
        }
        if (longest < 0) {
            return;
        }
        for (size_t i = 0; i < s->instance->kinds; i++) {
            s->there[i] = duet_time(s->instance, i, s->to) == longest ? 0 : s->there[i];
        }
        limit = longest;
        look(s, true);
        if (too_far(s, 0, 0) && s->there[last] > 0) {
            s->there[last]--;
            look(s, true);
            s->there[last]++;
        }
    }
}

// The estimate of the allocation that a schedule has.
static duet_fraction estimate_of_schedule(const sweep *swept, const duet_solution *solution)
{
    sweep s = *swept;
    const duet_placement *placement = duet_solution_placements(solution);
    for (size_t i = 0; i < s.instance->kinds; i++) {
        s.there[i] = 0;
        int64_t own = tasks_on(&s, i, s.to);
        for (int64_t j = s.instance->first[i]; j < s.instance->first[i + 1]; j++) {
            s.there[i] += placement[j].type == (int32_t)s.to;
        }
        s.there[i] -= own;
    }
    return estimate_of(&s);
}

static void balanced(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(INSTANCES); seed++) {
        duet_instance *instance = draw(seed, 2);
        sweep s;
        sweep_start(&s, instance);
        sweep_run(&s);
        duet_solution *solution = duet_test_solve(instance, "balanced-estimate", NULL, NULL);
        if (duet_fraction_compare(estimate_of_schedule(&s, solution), s.least) != 0) {
            char found[80];
            char least[80];
            fail_msg("seed %llu: estimate %s, least %s", (unsigned long long)seed,
                     duet_fraction_format(estimate_of_schedule(&s, solution), found),
                     duet_fraction_format(s.least, least));
        }
        duet_solution_free(solution);
        solution = duet_test_solve(instance, "balanced-makespan", NULL, NULL);
        if (duet_solution_makespan(solution) != s.shortest) {
            fail_msg("seed %llu: makespan %lld, expected %lld", (unsigned long long)seed,
                     (long long)duet_solution_makespan(solution), (long long)s.shortest);
        }
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balanced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
