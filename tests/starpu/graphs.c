// SPDX-License-Identifier: Apache-2.0
// Task graphs of several kinds, which tests/shell/starpu_policy.sh runs under Duet's policy:
//
//   graphs stream    tasks that are submitted in waves, while others run, and by callbacks
//   graphs tags      a random graph of tags, all of it declared before tasks are submitted
//   graphs explicit  a random graph of starpu_task_declare_deps(), without data
//   graphs commute   sums in any order, by commuting accesses
//   graphs redux     a sum by reduction
//   graphs mixed     tasks without a model, for one worker alone, and synchronous ones
//   graphs contexts  two contexts, both with the policy that STARPU_SCHED names
//
// Each says "right" where every task ran once and after all that it depends on. 77: no worker.
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <starpu.h>
#include <starpu_scheduler.h>

enum { TASKS = 300, CELLS = 12, MOST_BEFORE = 3 };

static uint64_t state = 1;
static unsigned draw(unsigned below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407U;
    return (unsigned)(state >> 33) % below;
}

static void check(int result, const char *what)
{
    if (result != 0) {
        fprintf(stderr, "%s failed: %d\n", what, result);
        exit(1);
    }
}

static double time_of(struct starpu_task *task, unsigned implementation)
{
    (void)implementation;
    return 5 + (double)((uintptr_t)task->cl_arg % 7) * 3;
}

static struct starpu_perfmodel model = {.type = STARPU_COMMON, .cost_function = time_of};

static void spin(void)
{
    volatile int sum = 0;
    for (int i = 0; i < 2000; i++) {
        sum = sum + i;
    }
}

// --- tasks on data: a cell depends on all that was done to it, in order
// ---------------------------

static uint64_t cell[CELLS];
static uint64_t expected[CELLS];
static starpu_data_handle_t handle[CELLS];

static uint64_t mix(uint64_t a, uint64_t b, uint64_t number)
{
    return a * 31 + b * 17 + number;
}

static void combine(void *buffers[], void *argument)
{
    const uint64_t *from = (const uint64_t *)STARPU_VARIABLE_GET_PTR(buffers[0]);
    uint64_t *to = (uint64_t *)STARPU_VARIABLE_GET_PTR(buffers[1]);
    spin();
    *to = mix(*to, *from, (uint64_t)(uintptr_t)argument);
}

static struct starpu_codelet combining = {
    .cpu_funcs = {combine}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}, .model = &model};
static struct starpu_codelet unknown = {
    .cpu_funcs = {combine}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}};

static void register_cells(void)
{
    for (int i = 0; i < CELLS; i++) {
        cell[i] = expected[i] = (uint64_t)i + 1;
        starpu_variable_data_register(&handle[i], STARPU_MAIN_RAM, (uintptr_t)&cell[i],
                                      sizeof cell[i]);
    }
}

static bool cells_are_right(void)
{
    bool right = true;
    for (int i = 0; i < CELLS; i++) {
        starpu_data_unregister(handle[i]);
        right = right && cell[i] == expected[i];
    }
    return right;
}

static struct starpu_task *make(struct starpu_codelet *codelet, unsigned number)
{
    struct starpu_task *task = starpu_task_create();
    unsigned from = draw(CELLS);
    unsigned to = (from + 1 + draw(CELLS - 1)) % CELLS;
    task->cl = codelet;
    task->cl_arg = (void *)(uintptr_t)number;
    task->handles[0] = handle[from];
    task->handles[1] = handle[to];
    expected[to] = mix(expected[to], expected[from], number);
    return task;
}

static bool stream(void)
{
    register_cells();
    for (unsigned i = 0; i < TASKS; i++) {
        check(starpu_task_submit(make(&combining, i)), "starpu_task_submit");
        if (i % 60 == 59) {
            starpu_do_schedule();
        }
        if (i % 100 == 99) { // looks at what was done so far, while others run
            check(starpu_data_acquire(handle[i % CELLS], STARPU_R), "starpu_data_acquire");
            starpu_data_release(handle[i % CELLS]);
        }
    }
    check(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
    return cells_are_right();
}

static bool mixed(void)
{
    register_cells();
    for (unsigned i = 0; i < TASKS; i++) {
        struct starpu_task *task = make(i % 3 == 0 ? &unknown : &combining, i);
        if (i % 5 == 0) {
            task->execute_on_a_specific_worker = 1;
            task->workerid = i % starpu_worker_get_count();
        }
        task->synchronous = i % 50 == 49;
        check(starpu_task_submit(task), "starpu_task_submit");
    }
    check(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
    return cells_are_right();
}

// --- tasks without data: each looks whether all before it have run
// --------------------------------

static atomic_int ran[TASKS];
static unsigned before[TASKS][MOST_BEFORE];
static unsigned befores[TASKS];
static atomic_int faults;

static void look(void *buffers[], void *argument)
{
    size_t me = (size_t)(uintptr_t)argument;
    (void)buffers;
    spin();
    for (unsigned i = 0; i < befores[me]; i++) {
        faults += ran[before[me][i]] != 1;
    }
    ran[me]++;
}

static struct starpu_codelet looking = {.cpu_funcs = {look}, .nbuffers = 0, .model = &model};

static void draw_graph(void)
{
    for (unsigned i = 1; i < TASKS; i++) {
        befores[i] = draw(MOST_BEFORE + 1);
        for (unsigned k = 0; k < befores[i]; k++) {
            before[i][k] = i - 1 - draw(i < 20 ? i : 20);
        }
    }
}

static bool all_ran(void)
{
    bool right = faults == 0;
    for (unsigned i = 0; i < TASKS; i++) {
        right = right && ran[i] == 1;
    }
    return right;
}

static struct starpu_task *make_look(unsigned number)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = &looking;
    task->cl_arg = (void *)(uintptr_t)number;
    return task;
}

static bool tags(void)
{
    draw_graph();
    for (unsigned i = 0; i < TASKS; i++) {
        starpu_tag_t tag[MOST_BEFORE];
        for (unsigned k = 0; k < befores[i]; k++) {
            tag[k] = before[i][k] + 1;
        }
        if (befores[i] == 1) {
            starpu_tag_declare_deps(i + 1, 1, tag[0]);
        } else if (befores[i] > 0) {
            starpu_tag_declare_deps_array(i + 1, befores[i], tag);
        }
    }
    for (unsigned i = TASKS; i-- > 0;) { // the last first, so that all wait
        struct starpu_task *task = make_look(i);
        task->use_tag = 1;
        task->tag_id = i + 1;
        check(starpu_task_submit(task), "starpu_task_submit");
    }
    check(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
    return all_ran();
}

static bool explicitly(void)
{
    struct starpu_task *task[TASKS];
    draw_graph();
    for (unsigned i = 0; i < TASKS; i++) {
        struct starpu_task *first[MOST_BEFORE];
        task[i] = make_look(i);
        for (unsigned k = 0; k < befores[i]; k++) {
            first[k] = task[before[i][k]];
        }
        starpu_task_declare_deps_array(task[i], befores[i], first);
    }
    for (unsigned i = TASKS; i-- > 0;) {
        check(starpu_task_submit(task[i]), "starpu_task_submit");
    }
    check(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
    return all_ran();
}

// --- sums
// -----------------------------------------------------------------------------------------

static void add(void *buffers[], void *argument)
{
    uint64_t *sum = (uint64_t *)STARPU_VARIABLE_GET_PTR(buffers[0]);
    spin();
    *sum += (uint64_t)(uintptr_t)argument;
}

static void join(void *buffers[], void *argument)
{
    uint64_t *sum = (uint64_t *)STARPU_VARIABLE_GET_PTR(buffers[0]);
    const uint64_t *more = (const uint64_t *)STARPU_VARIABLE_GET_PTR(buffers[1]);
    (void)argument;
    *sum += *more;
}

static void clear(void *buffers[], void *argument)
{
    uint64_t *sum = (uint64_t *)STARPU_VARIABLE_GET_PTR(buffers[0]);
    (void)argument;
    *sum = 0;
}

static struct starpu_codelet joining = {
    .cpu_funcs = {join}, .nbuffers = 2, .modes = {STARPU_RW, STARPU_R}};
static struct starpu_codelet clearing = {.cpu_funcs = {clear}, .nbuffers = 1, .modes = {STARPU_W}};
static struct starpu_codelet commuting = {
    .cpu_funcs = {add}, .nbuffers = 1, .modes = {STARPU_RW | STARPU_COMMUTE}, .model = &model};
static struct starpu_codelet reducing = {
    .cpu_funcs = {add}, .nbuffers = 1, .modes = {STARPU_REDUX}, .model = &model};

static bool sum_up(struct starpu_codelet *codelet)
{
    uint64_t wanted = 0;
    register_cells();
    for (int i = 0; i < CELLS; i++) {
        starpu_data_set_reduction_methods(handle[i], &joining, &clearing);
    }
    for (unsigned i = 0; i < TASKS; i++) {
        struct starpu_task *task = starpu_task_create();
        task->cl = codelet;
        task->cl_arg = (void *)(uintptr_t)i;
        task->handles[0] = handle[i % 3];
        expected[i % 3] += i;
        check(starpu_task_submit(task), "starpu_task_submit");
        wanted += i;
    }
    check(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
    return cells_are_right() && wanted > 0;
}

static bool commute(void)
{
    return sum_up(&commuting);
}

static bool redux(void)
{
    return sum_up(&reducing);
}

static bool contexts(void)
{
    int workers[STARPU_NMAXWORKERS];
    unsigned count = starpu_worker_get_count();
    for (unsigned i = 0; i < count; i++) {
        workers[i] = (int)i;
    }
    unsigned half = starpu_sched_ctx_create(workers, (int)(count > 1 ? count / 2 : 1), "half",
                                            STARPU_SCHED_CTX_POLICY_NAME, "eager", 0);
    register_cells();
    for (unsigned i = 0; i < TASKS; i++) {
        struct starpu_task *task = make(&combining, i);
        check(i % 2 == 0 ? starpu_task_submit(task) : starpu_task_submit_to_ctx(task, half),
              "starpu_task_submit");
    }
    check(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
    bool right = cells_are_right();
    starpu_sched_ctx_delete(half);
    return right;
}

static const struct {
    const char *name;
    bool (*run)(void);
} graphs[] = {{"stream", stream}, {"tags", tags},   {"explicit", explicitly}, {"commute", commute},
              {"redux", redux},   {"mixed", mixed}, {"contexts", contexts}};

int main(int argc, char **argv)
{
    state = argc == 3 ? strtoull(argv[2], NULL, 10) : 1;
    for (size_t i = 0; argc >= 2 && i < sizeof graphs / sizeof *graphs; i++) {
        if (strcmp(argv[1], graphs[i].name) == 0) {
            int started = starpu_init(NULL);
            if (started == -ENODEV) {
                return 77;
            }
            check(started, "starpu_init");
            bool right = graphs[i].run();
            starpu_shutdown();
            printf("%s\n", right ? "right" : "wrong");
            return right ? 0 : 1;
        }
    }
    fprintf(stderr, "usage: graphs KIND [SEED]\n");
    return 2;
}
