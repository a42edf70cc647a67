// SPDX-License-Identifier: Apache-2.0
#include "tests/support/proof_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/scratch_file.h"

duet_code duet_verify_text_within(const duet_instance *instance, const char *text, size_t length,
                                  int64_t bound, const duet_params *params, duet_proof_stats *stats,
                                  duet_error *error)
{
    char path[40];
    snprintf(path, sizeof path, "%s/duet-proof-XXXXXX", duet_scratch_root());
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (file == NULL || fwrite(text, 1, length, file) != length || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    duet_code code = duet_verify_proof(instance, path, bound, params, stats, error);
    unlink(path);
    return code;
}

duet_code duet_verify_text(const duet_instance *instance, const char *text, size_t length,
                           int64_t bound, duet_proof_stats *stats, duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = 200; // a mutated proof may ask for much
    params.memory_limit = (size_t)256 << 20;
    return duet_verify_text_within(instance, text, length, bound, &params, stats, error);
}
