// SPDX-License-Identifier: Apache-2.0
// Edge finding against all schedules of small instances: no head or tail that it raises and no type
// that it drops excludes one that ends within the guess, and many are raised and dropped.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/system/context.h"
#include "solvers/graph/propagate/one_machine.h"
#include "tests/support/fixtures.h"

enum {
    INSTANCES = 4000,
    TASKS = 6,
    LONGEST = 9,
    LATEST = 18,
    LONGEST_ON_CPU = 27,
    CPU = 0,
    GPU = 1
};

// Tasks on one GPU or, some of them, as many CPUs as there are tasks.
typedef struct machine_case {
    int tasks;
    int64_t cpu[TASKS], gpu[TASKS]; // DUET_FORBIDDEN: must run on the GPU
    int64_t head[TASKS], tail[TASKS];
} machine_case;

// What all schedules within a guess have in common.
typedef struct machine_truth {
    int64_t guess;
    bool any;
    int64_t start[TASKS], tail[TASKS]; // the earliest start of each task, its shortest tail
    uint64_t types[TASKS];
} machine_truth;

static machine_case draw(duet_random *random)
{
    machine_case drawn = {.tasks = (int)duet_random_between(random, 2, TASKS)};
    bool flexible = duet_random_between(random, 0, 2) > 0;
    for (int j = 0; j < drawn.tasks; j++) {
        bool free = flexible && duet_random_between(random, 0, 2) == 0;
        drawn.cpu[j] = free ? duet_random_between(random, 1, LONGEST_ON_CPU) : DUET_FORBIDDEN;
        drawn.gpu[j] = duet_random_between(random, 1, LONGEST);
        drawn.head[j] = duet_random_between(random, 0, LATEST);
        drawn.tail[j] = duet_random_between(random, 0, LATEST);
    }
    return drawn;
}

static void note(machine_truth *truth, int task, size_t type, int64_t start, int64_t tail)
{
    truth->types[task] |= UINT64_C(1) << type;
    truth->start[task] = start < truth->start[task] ? start : truth->start[task];
    truth->tail[task] = tail < truth->tail[task] ? tail : truth->tail[task];
}

// An order of the tasks in use on the GPU, all tasks as early as it lets them, and as late.
static void judge_order(const machine_case *drawn, machine_truth *truth, const int *order,
                        uint64_t used, int64_t *makespan)
{
    int64_t start[TASKS];
    int64_t tail[TASKS];
    int64_t end = 0;
    int64_t rest = 0;
    int64_t most = 0;
    int on = __builtin_popcountll(used);
    for (int j = 0; j < drawn->tasks; j++) { // as on CPUs
        start[j] = drawn->head[j];
        tail[j] = drawn->tail[j];
        bool here = (used >> j & 1U) != 0; // where CPUs may be forbidden
        int64_t alone = here ? 0 : start[j] + drawn->cpu[j] + tail[j];
        most = alone > most ? alone : most;
    }
    for (int i = 0; i < on; i++) {
        int j = order[i];
        start[j] = end > start[j] ? end : start[j];
        end = start[j] + drawn->gpu[j];
        most = end + drawn->tail[j] > most ? end + drawn->tail[j] : most;
    }
    for (int i = on; i-- > 0;) {
        int j = order[i];
        tail[j] = rest > tail[j] ? rest : tail[j];
        rest = tail[j] + drawn->gpu[j];
    }
    *makespan = most < *makespan ? most : *makespan;
    truth->any = truth->any || most <= truth->guess;
    for (int j = 0; j < drawn->tasks && most <= truth->guess; j++) {
        note(truth, j, (used >> j & 1U) != 0 ? GPU : CPU, start[j], tail[j]);
    }
}

// All orders of all tasks that may be on the GPU; with the first `on` there so far.
static void judge_all(const machine_case *drawn, machine_truth *truth, int *order, int on,
                      uint64_t used, int64_t *makespan)
{
    bool complete = true;
    for (int j = 0; j < drawn->tasks; j++) {
        bool here = (used >> j & 1U) != 0;
        complete = complete && (here || drawn->cpu[j] != DUET_FORBIDDEN);
        if (!here) {
            order[on] = j;
            judge_all(drawn, truth, order, on + 1, used | UINT64_C(1) << j, makespan);
        }
    }
    if (complete) {
        judge_order(drawn, truth, order, used, makespan);
    }
}

static machine_truth find_truth(const machine_case *drawn, int64_t guess, int64_t *makespan)
{
    machine_truth truth = {.guess = guess};
    int order[TASKS];
    for (int j = 0; j < drawn->tasks; j++) {
        truth.start[j] = truth.tail[j] = INT64_MAX;
    }
    *makespan = INT64_MAX;
    judge_all(drawn, &truth, order, 0, 0, makespan);
    return truth;
}

static duet_instance *instance_of(const machine_case *drawn)
{
    const duet_type platform[] = {{"cpu", drawn->tasks}, {"gpu", 1}};
    int64_t times[2 * TASKS];
    duet_instance *instance = NULL;
    for (int j = 0; j < drawn->tasks; j++) {
        times[2 * j + CPU] = drawn->cpu[j];
        times[2 * j + GPU] = drawn->gpu[j];
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = (size_t)drawn->tasks,
                               .times = times};
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

// Edge finding on the windows of a case under a guess.
typedef struct narrowed {
    duet_instance *instance;
    duet_network network;
    duet_windows windows;
    duet_one_machine machine;
    duet_window before[TASKS];
} narrowed;

// Narrows them until it says no more.
static void narrow(narrowed *made, const machine_case *drawn, int64_t guess)
{
    duet_context context;
    duet_windows *windows = &made->windows;
    made->instance = instance_of(drawn);
    assert_int_equal(duet_context_init(&context, NULL, NULL), DUET_OK);
    assert_int_equal(duet_network_create(made->instance, &made->network, NULL), DUET_OK);
    assert_int_equal(duet_windows_create(windows, &made->network, &context, NULL), DUET_OK);
    assert_int_equal(duet_one_machine_create(&made->machine, windows, NULL), DUET_OK);
    duet_windows_reset(windows, guess);
    for (int j = 0; j < drawn->tasks; j++) {
        duet_windows_raise_start(windows, j, drawn->head[j]);
        duet_windows_raise_tail(windows, j, drawn->tail[j]);
        made->before[j] = windows->window[j];
    }
    while (!windows->refuted && duet_one_machine_narrow(&made->machine)) {
    }
    assert_int_equal(windows->depth, 0);
}

static void narrowed_free(narrowed *made)
{
    duet_one_machine_free(&made->machine);
    duet_windows_free(&made->windows);
    duet_network_free(&made->network);
    duet_instance_free(made->instance);
}

// What edge finding did.
typedef struct machine_count {
    int refuted, raised, dropped;
} machine_count;

static void hold(const machine_case *drawn, const machine_truth *truth, const narrowed *made,
                 machine_count *count)
{
    const duet_windows *windows = &made->windows;
    const duet_window *before = made->before;
    count->refuted += windows->refuted;
    assert_false(windows->refuted && truth->any);
    for (int j = 0; j < drawn->tasks && !windows->refuted; j++) {
        const duet_window *window = &windows->window[j];
        count->raised += window->start > before[j].start;
        count->raised += window->tail > before[j].tail;
        count->dropped += window->types != before[j].types;
        assert_true(!truth->any || window->start <= truth->start[j]);
        assert_true(!truth->any || window->tail <= truth->tail[j]);
        assert_int_equal(truth->types[j] & ~window->types, 0);
    }
}

static void test_truth(void **state)
{
    (void)state;
    machine_count count = {.refuted = 0};
    int instances = (int)duet_test_share(INSTANCES);
    for (int seed = 1; seed <= instances; seed++) {
        duet_random random;
        int64_t makespan;
        duet_random_seed(&random, (uint64_t)seed);
        machine_case drawn = draw(&random);
        find_truth(&drawn, 0, &makespan);
        int64_t guess = makespan + duet_random_between(&random, -2, 4);
        int64_t same;
        machine_truth truth = find_truth(&drawn, guess > 0 ? guess : 0, &same);
        narrowed made;
        narrow(&made, &drawn, truth.guess);
        hold(&drawn, &truth, &made, &count);
        narrowed_free(&made);
    }
    bool few = instances < 1000; // of which hardly any may drop a type
    assert_true(few || count.refuted > instances / 5);
    assert_true(few || count.raised > instances / 2);
    assert_true(few || count.dropped > instances / 50);
}

// Carlier and Pinson's case: two tasks fill the time up to 9, and the third, which may start first,
// comes after both.
static void test_edge(void **state)
{
    (void)state;
    static const machine_case fixed = {.tasks = 3,
                                       .cpu = {DUET_FORBIDDEN, DUET_FORBIDDEN, DUET_FORBIDDEN},
                                       .gpu = {4, 4, 3},
                                       .head = {1, 1, 0},
                                       .tail = {6, 6, 0}};
    narrowed made;
    narrow(&made, &fixed, 16);
    assert_false(made.windows.refuted);
    assert_int_equal(made.windows.window[2].start, 9);
    narrowed_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth),
        cmocka_unit_test(test_edge),
    };
    return cmocka_run_group_tests_name("one_machine", tests, NULL, NULL);
}
