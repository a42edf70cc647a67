// SPDX-License-Identifier: Apache-2.0
// What duet solve says to people.
#include "cli/solve.h"

#include <stdio.h>
#include <string.h>

#include "console/print.h"
#include "console/texts.h"
#include "core/instance/clock.h"
#include "core/solution/solution.h"

static void print_bound(const duet_instance *instance, const duet_solution *solution,
                        duet_bound_check check)
{
    char text[DUET_CLI_TEXT];
    if (check == DUET_BOUND_NONE) {
        puts("lower bound  none");
    } else {
        duet_cli_print(stdout, "lower bound  %s (%s, %s)\n",
                       duet_cli_time(instance, duet_solution_lower_bound(solution), text),
                       duet_solution_bound_name(solution),
                       check == DUET_BOUND_CERTIFIED ? "certified"
                       : duet_certificate_proof(duet_solution_certificate(solution)) ==
                               DUET_PROOF_TABLE
                           ? "by table"
                           : "not certified");
    }
    const duet_certificate *beside = &solution->certified.certificate;
    if (check != DUET_BOUND_CERTIFIED && beside->proof != DUET_PROOF_NONE &&
        duet_certificate_check(beside, instance, NULL, NULL) == DUET_OK) {
        duet_cli_print(stdout, "certified    %s (%s)\n",
                       duet_cli_time(instance, solution->certified.value, text),
                       solution->certified.name);
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
        duet_cli_print(stdout, "guarantee    at most %s times the optimum\n", text);
    } else {
        duet_cli_print(stdout, "guarantee    at most %s = %.4f times the optimum\n", text, value);
    }
}

static void print_algorithm(const duet_solution *solution)
{
    if (duet_solution_algorithm(solution)[0] == '\0') {
        return; // a schedule from elsewhere may not say who made it
    }
    const char *found_by = duet_solution_found_by(solution);
    duet_cli_print(stdout, "algorithm    %s", duet_solution_algorithm(solution));
    if (found_by[0] != '\0') {
        duet_cli_print(stdout, " (schedule by %s)", found_by);
    }
    putchar('\n');
}

static void print_status(const duet_solution *solution)
{
    duet_cli_print(stdout, "status       %s", duet_status_name(duet_solution_status(solution)));
    if (duet_solution_ending(solution) != NULL) {
        duet_cli_print(stdout, ", %s", duet_solution_ending(solution));
    }
    putchar('\n');
}

// What heteroprio without spoliation says beside.
static void print_first_idle(const duet_instance *instance, const duet_solution *solution)
{
    size_t count = 0;
    char text[DUET_CLI_TEXT];
    const duet_counter *counters = duet_solution_counters(solution, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(counters[i].name, "first_idle") == 0 && counters[i].value >= 0) {
            duet_cli_print(stdout, "first idle   %s\n",
                           duet_cli_time(instance, counters[i].value, text));
        }
    }
}

void duet_cli_schedule_block(const duet_instance *instance, const duet_solution *solution,
                             duet_bound_check bound)
{
    char text[DUET_CLI_TEXT];
    int64_t makespan = duet_solution_makespan(solution);
    duet_cli_print(stdout, "instance     %s: %s\n", duet_instance_name(instance),
                   duet_cli_size(instance, text));
    duet_cli_print(stdout, "platform     %s\n", duet_cli_platform(instance, text, sizeof text));
    print_algorithm(solution);
    duet_cli_print(stdout, "makespan     %s\n", duet_cli_time(instance, makespan, text));
    if (duet_clock_is_known(instance)) {
        char clock[DUET_CLOCK_TEXT];
        duet_cli_print(stdout, "ends at      %s\n", duet_clock_tell(instance, makespan, clock));
    }
    print_bound(instance, solution, bound);
    duet_cli_print(stdout, "gap          %s\n",
                   duet_cli_gap_text(makespan, duet_solution_lower_bound(solution), text));
}

// How a bound becomes certified that is not: no proofs are there of moldable tasks, and where
// something is given they are about the rest.
static void print_way(const duet_instance *instance, const duet_solution *solution,
                      duet_bound_check bound)
{
    if (bound == DUET_BOUND_DEEP) {
        duet_cli_print(stdout,
                       "proof        the %s is computed again by 'duet verify FILE SOLUTION "
                       "--deep'\n",
                       duet_certificate_proof(duet_solution_certificate(solution)) ==
                               DUET_PROOF_TABLE
                           ? "table"
                           : "knapsack");
    } else if (bound == DUET_BOUND_UNPROVEN &&
               (duet_instance_features(instance) & (DUET_FEATURE_MOLDABLE | DUET_FEATURE_FIXED)) ==
                   0) {
        puts("proof        'duet solve FILE -a exact -O proof=PROOF' writes one, 'duet verify FILE "
             "SOLUTION --proof PROOF' checks it");
    }
}

void duet_cli_solve_block(const duet_instance *instance, const duet_solution *solution,
                          duet_bound_check bound, bool has_proof)
{
    duet_cli_schedule_block(instance, solution, bound);
    print_guarantee(solution);
    print_first_idle(instance, solution);
    print_status(solution);
    printf("time         %.3f s\n", duet_solution_seconds(solution));
    if (!has_proof) {
        print_way(instance, solution, bound);
    }
}
