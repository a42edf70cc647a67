// SPDX-License-Identifier: Apache-2.0
// The checker of proofs: the first bytes draw a small instance, the rest is the proof, whole or
// (for a start that no mutation finds by itself) behind the head that such an instance needs. A
// proof that is accepted claims no more than the optimum.
#include <stdio.h>
#include <string.h>

#include "bench/run/exhaustive.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    duet_instance *instance = fuzz_typed_instance(&input);
    int64_t bound = fuzz_between(&input, 0, 255);
    const char *path = fuzz_file(0, input.at, input.left);
    duet_error error = DUET_ERROR_INIT;
    duet_proof_stats stats = {.is_proof = false};
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.memory_limit = (size_t)64 << 20;
    // First for the bound it names itself, then for another.
    duet_code code = duet_verify_proof(instance, path, bound, &params, &stats, &error);
    fuzz_check_error(code, &error);
    int64_t accepted = code == DUET_OK ? bound : -1;
    if (code != DUET_OK && stats.is_proof) {
        duet_error_clear(&error);
        code = duet_verify_proof(instance, path, stats.bound, &params, &stats, &error);
        fuzz_check_error(code, &error);
        accepted = code == DUET_OK ? stats.bound : -1;
    }
    if (accepted > 0 && duet_instance_tasks(instance) > 0) {
        fuzz_check(accepted <= duet_exhaustive_optimum(instance), "a proof of too much");
    }
    duet_instance_free(instance);
    return 0;
}
