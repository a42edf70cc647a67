// SPDX-License-Identifier: Apache-2.0
// A program of somebody else's that embeds the installed library: two CPUs, a GPU, three kinds.
#include <stdio.h>
#include <string.h>

#include <duet/duet.h>

int main(void)
{
    const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    const char *const ids[] = {"potrf", "trsm", "gemm"};
    const int64_t counts[] = {4, 6, 4};
    const int64_t times[] = {33, 16, 88, 8, 170, 6}; // rows of (cpu, gpu)
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = "embedded",
                                     .time_unit = "ms",
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = 3,
                                     .ids = ids,
                                     .counts = counts,
                                     .times = times};
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = 1.0;
    if (duet_instance_create(&desc, &instance, &error) != DUET_OK ||
        duet_solve(instance, NULL, &params, &solution, &error) != DUET_OK ||
        duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fprintf(stderr, "%s\n", error.message);
        duet_instance_free(instance);
        return 1;
    }
    duet_code drawn = duet_write_gantt("picture.svg", instance, solution, NULL, &error);
    if (drawn == DUET_OK && strstr(duet_features(), "cairo") != NULL) {
        drawn = duet_write_gantt("picture.png", instance, solution, NULL, &error);
    }
    if (drawn != DUET_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    printf("duet %s: makespan %lld ms, at least %lld ms\n", duet_version(),
           (long long)duet_solution_makespan(solution),
           (long long)duet_solution_lower_bound(solution));
    duet_solution_free(solution);
    duet_instance_free(instance);
    return drawn != DUET_OK;
}
