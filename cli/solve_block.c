// SPDX-License-Identifier: Apache-2.0
// What duet solve says to people.
#include "cli/solve_block.h"

#include <stdio.h>
#include <string.h>

#include "cli/common.h"

typedef struct shown_bound {
    int64_t value;
    const char *name; // "": none
    bool certified;
    bool own; // the solution claims it itself
} shown_bound;

// A heuristic proves nothing, but the cheap bounds still tell how good its schedule is.
static shown_bound cheap_bound(const duet_instance *instance)
{
    static const char *const names[] = {"longest", "area", "area-lp"};
    // The linear program stands in where the closed form ends: beyond two types.
    size_t count = duet_instance_types(instance) > 2 ? 3 : 2;
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = 1.0;
    shown_bound best = {0, "", false, false};
    for (size_t i = 0; i < count; i++) {
        duet_bound bound = {0};
        if (duet_compute_bound(instance, names[i], &params, &bound, NULL) == DUET_OK &&
            bound.value > best.value) {
            bool certified = bound.certificate.proof != DUET_PROOF_NONE &&
                             bound.certificate.lambda >= bound.value &&
                             duet_certificate_check(&bound.certificate, instance, NULL) == DUET_OK;
            best = (shown_bound){bound.value, names[i], certified, false};
        }
    }
    return best;
}

static void print_bound(const duet_instance *instance, const shown_bound *bound)
{
    char text[DUET_CLI_TEXT];
    if (bound->name[0] == '\0') {
        puts("lower bound  none");
    } else {
        printf("lower bound  %s (%s, %s)\n", duet_cli_time(instance, bound->value, text),
               bound->name, bound->certified ? "certified" : "not certified");
    }
}

static void print_guarantee(const duet_solution *solution)
{
    const char *text = duet_solution_guarantee(solution);
    if (text == NULL) {
        puts("guarantee    none");
        return;
    }
    double value = duet_cli_ratio_value(text);
    if (value < 0 || strspn(text, "0123456789") == strlen(text)) {
        printf("guarantee    at most %s times the optimum\n", text);
    } else {
        printf("guarantee    at most %s = %.4f times the optimum\n", text, value);
    }
}

static void print_status(const duet_solution *solution, const shown_bound *bound, bool cancelled)
{
    printf("status       %s", duet_status_name(duet_solution_status(solution)));
    if (!bound->own && bound->value == duet_solution_makespan(solution)) {
        printf(", and optimal by the %s bound", bound->name);
    }
    if (duet_solution_interrupted(solution)) {
        printf(", %s", cancelled ? "interrupted" : "time limit reached");
    }
    putchar('\n');
}

void duet_cli_solve_block(const duet_instance *instance, const duet_solution *solution,
                          duet_bound_check bound, bool cancelled)
{
    char text[DUET_CLI_TEXT];
    int64_t makespan = duet_solution_makespan(solution);
    long long tasks = (long long)duet_instance_tasks(instance);
    size_t kinds = duet_instance_kinds(instance);
    shown_bound lower = {duet_solution_lower_bound(solution), duet_solution_bound_name(solution),
                         bound == DUET_BOUND_CERTIFIED, true};
    if (bound == DUET_BOUND_NONE) {
        lower = cheap_bound(instance);
    }
    printf("instance     %s: %lld task%s in %zu kind%s\n", duet_instance_name(instance), tasks,
           tasks == 1 ? "" : "s", kinds, kinds == 1 ? "" : "s");
    printf("platform     %s\n", duet_cli_platform(instance, text, sizeof text));
    printf("algorithm    %s\n", duet_solution_algorithm(solution));
    printf("makespan     %s\n", duet_cli_time(instance, makespan, text));
    print_bound(instance, &lower);
    printf("gap          %s\n", duet_cli_gap_text(makespan, lower.value, text));
    print_guarantee(solution);
    print_status(solution, &lower, cancelled);
    printf("time         %.3f s\n", duet_solution_seconds(solution));
}
