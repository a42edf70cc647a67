// SPDX-License-Identifier: Apache-2.0
// The loop of a task runtime: a tiled Cholesky factorisation in which tasks become ready round by
// round. In every round the ready ones are scheduled anew, within a few milliseconds, and run.
// Rounds are kept apart here; a real runtime would overlap them.
#include <stdio.h>

#include <duet/duet.h>

enum { TILES = 12, KERNELS = 4 };

static const char *const kernel[KERNELS] = {"potrf", "trsm", "syrk", "gemm"};
// Milliseconds in hundredths on a CPU core and on a GPU, tiles of 960.
static const int64_t kernel_time[KERNELS][2] = {
    {3300, 1560}, {8800, 811}, {9500, 365}, {17000, 595}};

// What is ready once the panels before `step` are done: first the diagonal tile, then the column
// below it, then the update of what is left.
static void ready_tasks(int step, int round, int64_t count[KERNELS])
{
    int64_t below = TILES - 1 - step;
    count[0] = round == 0;
    count[1] = round == 1 ? below : 0;
    count[2] = round == 2 ? below : 0;
    count[3] = round == 2 ? below * (below - 1) / 2 : 0;
}

// Only kinds that are there: an instance has none of count 0.
static duet_code ready_instance(const int64_t count[KERNELS], duet_instance **out,
                                duet_error *error)
{
    static const duet_type platform[] = {{"cpu", 6}, {"gpu", 2}};
    const char *ids[KERNELS];
    int64_t counts[KERNELS];
    int64_t times[2 * KERNELS];
    size_t kinds = 0;
    for (size_t i = 0; i < KERNELS; i++) {
        if (count[i] > 0) {
            ids[kinds] = kernel[i];
            counts[kinds] = count[i];
            times[2 * kinds] = kernel_time[i][0];
            times[2 * kinds + 1] = kernel_time[i][1];
            kinds++;
        }
    }
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = "ready",
                                     .time_unit = "ms",
                                     .decimals = 2,
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = kinds,
                                     .ids = ids,
                                     .counts = counts,
                                     .times = times};
    return duet_instance_create(&desc, out, error);
}

typedef struct totals {
    int64_t tasks;
    int64_t length; // of all rounds
    int64_t bound;
    int rounds;
    int optimal;
} totals;

static duet_code run_round(const int64_t count[KERNELS], totals *sum, duet_error *error)
{
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = 0.02; // a runtime has no more; the best found by then is taken
    params.threads = 1;       // the other cores compute
    duet_code code = ready_instance(count, &instance, error);
    if (code == DUET_OK) {
        code = duet_solve(instance, NULL, &params, &solution, error);
    }
    if (code == DUET_OK) {
        // Here a runtime would hand duet_solution_placements() to its workers.
        sum->tasks += duet_solution_tasks(solution);
        sum->length += duet_solution_makespan(solution);
        sum->bound += duet_solution_lower_bound(solution);
        sum->rounds++;
        sum->optimal += duet_solution_status(solution) == DUET_OPTIMAL;
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
    return code;
}

int main(void)
{
    duet_error error = DUET_ERROR_INIT;
    totals sum = {.rounds = 0};
    for (int step = 0; step < TILES; step++) {
        for (int round = 0; round < 3; round++) {
            int64_t count[KERNELS];
            ready_tasks(step, round, count);
            if (count[0] + count[1] + count[2] + count[3] == 0) {
                continue;
            }
            if (run_round(count, &sum, &error) != DUET_OK) {
                fprintf(stderr, "scheduler_loop: %s\n", error.message);
                return 1;
            }
        }
    }
    printf("%lld tasks in %d rounds, %d of them proven optimal\n", (long long)sum.tasks, sum.rounds,
           sum.optimal);
    printf("all rounds: %.2f ms, at least %.2f ms\n", (double)sum.length / 100,
           (double)sum.bound / 100);
    return 0;
}
