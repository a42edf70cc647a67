// SPDX-License-Identifier: Apache-2.0
// The readers of solutions, JSON and CSV, and the checker: the first byte chooses an instance, the
// rest is the file. What the checker accepts is not better than the optimum.
#include "bench/run/exhaustive.h"
#include "core/solution/finer.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    duet_instance *instance = fuzz_chosen_instance(data[0]);
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution;
    duet_code code =
        duet_read_solution(fuzz_file(0, data + 1, size - 1), NULL, instance, &solution, &error);
    fuzz_check_error(code, &error);
    fuzz_check((solution != NULL) == (code == DUET_OK), "a solution beside an error");
    if (code == DUET_OK) {
        duet_bound_check bound;
        code = duet_check_solution(instance, solution, NULL, &bound, &error);
        fuzz_check_error(code, &error);
        if (code == DUET_OK) {
            int64_t optimum =
                duet_exhaustive_optimum(instance) * duet_finer_scale(duet_solution_finer(solution));
            fuzz_check(duet_solution_makespan(solution) >= optimum, "a schedule below the optimum");
            fuzz_check(bound != DUET_BOUND_CERTIFIED ||
                           duet_solution_lower_bound(solution) <= optimum,
                       "a certified bound above the optimum");
        }
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
    return 0;
}
