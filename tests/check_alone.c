// SPDX-License-Identifier: Apache-2.0
// The checkers with nothing else of Duet but the vocabulary: the linker shows that they need no
// solver, no reader of instances, and none of the classes and prices that the solvers work with.
#include <stdio.h>
#include <stdlib.h>

#include <duet/check.h>

#include "core/solution/certificate.h"
#include "core/solution/solution.h"

static int faults;

static void expect(const char *what, duet_code code, duet_code expected, duet_error *error)
{
    if (code != expected) {
        printf("FAIL %s: %s, expected %s: %s\n", what, duet_code_name(code),
               duet_code_name(expected), error->message);
        faults++;
    }
    duet_error_clear(error);
}

// Two of three tasks of 6 on the CPU, the other one on the GPU: 12, which is optimal.
static void check_solution(const duet_instance *instance)
{
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution = NULL;
    expect("a solution", duet_solution_create(3, &solution, &error), DUET_OK, &error);
    if (solution == NULL) {
        return;
    }
    expect("placements", duet_solution_hold_placements(solution, &error), DUET_OK, &error);
    if (solution->placement == NULL) {
        duet_solution_free(solution);
        return;
    }
    solution->placement[0] = (duet_placement){.type = 0, .processor = 0, .start = 0};
    solution->placement[1] = (duet_placement){.type = 0, .processor = 0, .start = 6};
    solution->placement[2] = (duet_placement){.type = 1, .processor = 0, .start = 0};
    solution->makespan = 12;
    expect("a schedule", duet_check_solution(instance, solution, NULL, NULL, &error), DUET_OK,
           &error);
    solution->placement[1].start = 5;
    expect("an overlap", duet_check_solution(instance, solution, NULL, NULL, &error), DUET_E_INPUT,
           &error);
    duet_solution_free(solution);
}

static void check_certificate(const duet_instance *instance)
{
    duet_error error = DUET_ERROR_INIT;
    duet_certificate certificate = {.proof = DUET_PROOF_KNAPSACK, .lambda = 12, .weight = {1, 1}};
    expect("a certificate", duet_certificate_check(&certificate, instance, NULL, &error), DUET_OK,
           &error);
    certificate.lambda = 13;
    expect("too high a bound", duet_certificate_check(&certificate, instance, NULL, &error),
           DUET_E_INPUT, &error);
}

// The example of docs/formats.md.
static void check_proof(const duet_instance *instance)
{
    static const char text[] = "duet-proof 1\nbound 12\nclasses 1\nprices set 2 set 2  1 1\n"
                               "branch 0 1\ncover 0 gpu 0 1\ncover 0 gpu 0 0\narea 1 0\n"
                               "knapsack 1\nend\n";
    char path[] = "/tmp/duet-check-alone-XXXXXX";
    duet_error error = DUET_ERROR_INIT;
    int file = mkstemp(path);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    if (stream == NULL || fputs(text, stream) < 0 || fclose(stream) != 0) {
        printf("FAIL cannot write %s\n", path);
        faults++;
        return;
    }
    expect("a proof", duet_verify_proof(instance, path, 12, NULL, NULL, &error), DUET_OK, &error);
    expect("a proof of less", duet_verify_proof(instance, path, 13, NULL, NULL, &error),
           DUET_E_INPUT, &error);
    remove(path);
}

int main(void)
{
    static const duet_type platform[] = {{"cpu", 1}, {"gpu", 1}};
    static const int64_t counts[] = {3};
    static const int64_t times[] = {6, 6};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = 1,
                               .counts = counts,
                               .times = times};
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = NULL;
    expect("an instance", duet_instance_create(&desc, &instance, &error), DUET_OK, &error);
    if (instance == NULL) {
        return 1;
    }
    check_solution(instance);
    check_certificate(instance);
    check_proof(instance);
    duet_instance_free(instance);
    return faults > 0;
}
