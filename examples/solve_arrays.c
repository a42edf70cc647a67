// SPDX-License-Identifier: Apache-2.0
// The shortest way from arrays to a proven schedule: the kernels of a tiled Cholesky factorisation
// on two CPUs and a GPU.
//
//     cc -std=c17 solve_arrays.c -lduet
#include <stdio.h>

#include <duet/duet.h>

static int fail(const duet_error *error)
{
    char text[800];
    fprintf(stderr, "solve_arrays: %s\n", duet_error_format(error, text, sizeof text));
    return 1;
}

// One line per task: where and when.
static void print_schedule(const duet_instance *instance, const duet_solution *solution)
{
    const duet_placement *placed = duet_solution_placements(solution);
    for (int64_t task = 0; placed != NULL && task < duet_solution_tasks(solution); task++) {
        char id[64];
        char start[32];
        size_t type = (size_t)placed[task].type;
        duet_instance_task_id(instance, task, id, sizeof id);
        printf("  %-8s %s %d from %s\n", id, duet_instance_type_name(instance, type),
               (int)placed[task].processor,
               duet_instance_format_time(instance, placed[task].start, start));
    }
}

int main(void)
{
    const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    const char *const ids[] = {"potrf", "trsm", "syrk", "gemm"};
    const int64_t counts[] = {3, 3, 3, 1};
    // Rows of (cpu, gpu) in hundredths of a millisecond: decimals = 2 below.
    const int64_t times[] = {3300, 1560, 8800, 811, 9500, 365, 17000, 595};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = "cholesky-3",
                                     .time_unit = "ms",
                                     .decimals = 2,
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = 4,
                                     .ids = ids,
                                     .counts = counts,
                                     .times = times};
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance;
    if (duet_instance_create(&desc, &instance, &error) != DUET_OK) {
        return fail(&error);
    }
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = 5.0;
    duet_solution *solution;
    if (duet_solve(instance, NULL, &params, &solution, &error) != DUET_OK) {
        duet_instance_free(instance);
        return fail(&error);
    }
    char makespan[32];
    char bound[32];
    printf("%s: makespan %s ms, at least %s ms\n", duet_status_name(duet_solution_status(solution)),
           duet_instance_format_time(instance, duet_solution_makespan(solution), makespan),
           duet_instance_format_time(instance, duet_solution_lower_bound(solution), bound));
    print_schedule(instance, solution);
    // Who does not trust the solver asks the checker, which shares nothing with it.
    int status =
        duet_check_solution(instance, solution, NULL, NULL, &error) == DUET_OK ? 0 : fail(&error);
    duet_solution_free(solution);
    duet_instance_free(instance);
    return status;
}
