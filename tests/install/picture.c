// SPDX-License-Identifier: Apache-2.0
// What the library without cairo draws: SVG, and no PNG.
#include <stdio.h>

#include <duet/duet.h>

int main(void)
{
    const duet_type platform[] = {{"cpu", 1}, {"gpu", 1}};
    const int64_t times[] = {3, 1, 2, 4};
    const duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 2, .platform = platform, .kinds = 2, .times = times};
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    duet_params params = DUET_PARAMS_INIT;
    if (duet_instance_create(&desc, &instance, NULL) != DUET_OK ||
        duet_solve(instance, "lpt", &params, &solution, NULL) != DUET_OK) {
        return 1;
    }
    duet_code svg = duet_write_gantt("picture.svg", instance, solution, NULL);
    duet_code png = duet_write_gantt("picture.png", instance, solution, NULL);
    printf("svg %s, png %s\n", svg == DUET_OK ? "drawn" : "failed",
           png == DUET_E_UNSUPPORTED ? "refused" : "not refused");
    duet_solution_free(solution);
    duet_instance_free(instance);
    return 0;
}
