// SPDX-License-Identifier: Apache-2.0
// A small StarPU application, from which tests/shell/starpu.sh has its real files.
//
//   codelets measure    runs tasks of two kernels, which StarPU times, tells it made-up times of a
//   third
//                       on CPUs and two GPUs, and prints what a trace would: tasks.rec
//   codelets replay N   submits N tasks with the workers and orders of sched.rec on standard input,
//   and
//                       prints which worker ran each, as which of its tasks: "SUBMITORDER WORKER
//                       PLACE"
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <starpu.h>

enum { BLOCKS = 4, REPEATS = 12, MOST = 1000, WORKERS = 256 };

static double block[BLOCKS][64];

static void kernel(void *buffers[], void *argument)
{
    (void)buffers;
    (void)argument;
    volatile double sum = 0;
    for (int i = 0; i < 20000; i++) {
        sum = sum + i;
    }
}

static struct starpu_perfmodel models[] = {{.type = STARPU_HISTORY_BASED, .symbol = "duet_gemm"},
                                           {.type = STARPU_HISTORY_BASED, .symbol = "duet_potrf"},
                                           {.type = STARPU_HISTORY_BASED, .symbol = "duet_told"}};
static struct starpu_codelet codelets[] = {
    {.cpu_funcs = {kernel}, .nbuffers = 1, .modes = {STARPU_RW}, .model = &models[0]},
    {.cpu_funcs = {kernel}, .nbuffers = 1, .modes = {STARPU_RW}, .model = &models[1]},
    {.cpu_funcs = {kernel}, .nbuffers = 1, .modes = {STARPU_RW}, .model = &models[2]}};

static void check(int result, const char *what)
{
    if (result != 0) {
        fprintf(stderr, "%s failed: %d\n", what, result);
        exit(1);
    }
}

static struct starpu_task *make_task(int which, starpu_data_handle_t data)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = &codelets[which];
    task->handles[0] = data;
    return task;
}

// The fields of tasks.rec that matter here, as StarPU's own trace has them.
static void print_task(struct starpu_task *task, unsigned order, unsigned after)
{
    struct starpu_perfmodel *model = task->cl->model;
    printf("Model: %s\nJobId: %u\nSubmitOrder: %u\n", model->symbol, order, order);
    if (after > 0) {
        printf("DependsOn: %u\n", after);
    }
    printf("Tag: ffffffffffffffff\nFootprint: %" PRIx32 "\nMPIRank: -1\n\n",
           starpu_task_footprint(model, task, NULL, 0));
}

// 1234.5 us on CPUs, 12.25 us on either of two GPUs that this machine need not have.
static void tell_times(starpu_data_handle_t data, unsigned order)
{
    struct starpu_task *task = make_task(2, data);
    struct starpu_perfmodel_device cuda[2] = {{STARPU_CUDA_WORKER, 0, 1},
                                              {STARPU_CUDA_WORKER, 1, 1}};
    struct starpu_perfmodel_arch *cpu = starpu_worker_get_perf_archtype(0, STARPU_NMAX_SCHED_CTXS);
    starpu_perfmodel_init(&models[2]);
    for (int i = 0; i < 2; i++) {
        starpu_perfmodel_arch_comb_add(1, &cuda[i]);
    }
    for (int sample = 0; sample < 4; sample++) { // StarPU leaves the first out
        starpu_perfmodel_update_history(&models[2], task, cpu, 0, 0, 1234.5);
        for (int i = 0; i < 2; i++) {
            struct starpu_perfmodel_arch arch = {1, &cuda[i]};
            starpu_perfmodel_update_history(&models[2], task, &arch, 0, 0, 12.25);
        }
    }
    print_task(task, order, 0);
    task->destroy = 0;
    starpu_task_destroy(task);
}

static void measure(void)
{
    starpu_data_handle_t data[BLOCKS];
    unsigned last[BLOCKS] = {0};
    unsigned order = 0;
    for (int i = 0; i < BLOCKS; i++) {
        starpu_vector_data_register(&data[i], STARPU_MAIN_RAM, (uintptr_t)block[i],
                                    i % 2 == 0 ? 64 : 32, sizeof block[i][0]);
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        for (int i = 0; i < BLOCKS; i++) {
            struct starpu_task *task = make_task(i / 2, data[i]);
            print_task(task, ++order, last[i]);
            last[i] = order;
            check(starpu_task_submit(task), "starpu_task_submit");
        }
    }
    check(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
    tell_times(data[0], ++order);
    for (int i = 0; i < BLOCKS; i++) {
        starpu_data_unregister(data[i]);
    }
}

// --- replay ------------------------------------------------------------------------------------

static int ran_on[MOST + 1];
static unsigned place[MOST + 1];
static unsigned count_of[WORKERS]; // each entry is written by its own worker

static void note(void *buffers[], void *argument)
{
    (void)buffers;
    size_t order = *(const size_t *)argument;
    int worker = starpu_worker_get_id();
    ran_on[order] = worker;
    place[order] = ++count_of[worker];
}

static struct starpu_codelet noting = {.cpu_funcs = {note}, .nbuffers = 0};

static int read_field(const char *line, const char *name, unsigned *value)
{
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0) {
        return 0;
    }
    *value = (unsigned)strtoul(line + length, NULL, 10);
    return 1;
}

static void replay(size_t count)
{
    char line[256];
    size_t order = 0;
    static struct starpu_task *tasks[MOST + 1];
    static size_t numbers[MOST + 1];
    for (size_t i = 0; i <= count; i++) { // task 0 takes what is of none of them, and is not run
        numbers[i] = i;
        tasks[i] = starpu_task_create();
        tasks[i]->cl = &noting;
        tasks[i]->cl_arg = &numbers[i];
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        unsigned value;
        if (read_field(line, "SubmitOrder: ", &value)) {
            order = value <= count ? value : 0;
        } else if (read_field(line, "SpecificWorker: ", &value)) {
            tasks[order]->workerid = value;
            tasks[order]->execute_on_a_specific_worker = 1;
        } else if (read_field(line, "Workerorder: ", &value)) {
            tasks[order]->workerorder = value;
        }
    }
    for (size_t i = 1; i <= count; i++) {
        check(starpu_task_submit(tasks[i]), "starpu_task_submit");
    }
    check(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
    tasks[0]->destroy = 0;
    starpu_task_destroy(tasks[0]);
    for (size_t i = 1; i <= count; i++) {
        printf("%zu %d %u\n", i, ran_on[i], place[i]);
    }
}

int main(int argc, char **argv)
{
    unsigned long count = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    bool replays = argc == 3 && strcmp(argv[1], "replay") == 0 && count >= 1 && count <= MOST;
    if (!replays && !(argc == 2 && strcmp(argv[1], "measure") == 0)) {
        fprintf(stderr, "usage: codelets measure | codelets replay N\n");
        return 2;
    }
    int started = starpu_init(NULL);
    if (started == -ENODEV) {
        return 77; // no worker to be had here: skipped
    }
    check(started, "starpu_init");
    if (replays) {
        replay(count);
    } else {
        measure();
    }
    starpu_shutdown();
    return 0;
}
