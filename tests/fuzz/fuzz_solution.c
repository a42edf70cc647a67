// SPDX-License-Identifier: Apache-2.0
// The readers of solutions, JSON and CSV, and the checker: the first byte chooses an instance, the
// rest is the file. What the checker accepts is not better than the optimum (where tasks follow
// laws a set may have processors of several types, which the optimum leaves out).
#include "bench/run/exhaustive.h"
#include "tests/fuzz/fuzz.h"

typedef duet_code read_function(const char *path, duet_instance *instance, duet_solution **out,
                                duet_error *error);

static void read_and_judge(read_function *read, const uint8_t *data, size_t size)
{
    duet_instance *instance = fuzz_chosen_instance(data[0]);
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution;
    duet_code code = read(fuzz_file(0, data + 1, size - 1), instance, &solution, &error);
    fuzz_check_error(code, &error);
    fuzz_check((solution != NULL) == (code == DUET_OK), "a solution beside an error");
    if (code == DUET_OK) {
        duet_bound_check bound;
        code = duet_check_solution(instance, solution, &bound, &error);
        fuzz_check_error(code, &error);
        bool mixed = data[0] >= 0x80 && (data[0] & 1) != 0;
        if (code == DUET_OK && !mixed) {
            int64_t optimum = duet_exhaustive_optimum(instance);
            fuzz_check(duet_solution_makespan(solution) >= optimum, "a schedule below the optimum");
            fuzz_check(bound != DUET_BOUND_CERTIFIED ||
                           duet_solution_lower_bound(solution) <= optimum,
                       "a certified bound above the optimum");
        }
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0) {
        read_and_judge(duet_read_solution, data, size);
        read_and_judge(duet_read_schedule, data, size);
    }
    return 0;
}
