// SPDX-License-Identifier: Apache-2.0
// The proofs of `duet bench exact`.
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/exact/exact.h"
#include "bench/run/process.h"
#include "core/system/context.h"
#include "core/system/try.h"
#include "solvers/registry.h"

bool duet_exact_takes_proof(const char *algorithm)
{
    const duet_algorithm *found = duet_find_algorithm(algorithm);
    const duet_option_spec *option = found == NULL ? NULL : found->entry.options;
    for (; option != NULL && option->name != NULL; option++) {
        if (strcmp(option->name, "proof") == 0 && option->type == DUET_OPTION_TEXT) {
            return true;
        }
    }
    return false;
}

duet_code duet_exact_proof_create(duet_exact_proof *proof, duet_error *error)
{
    *proof = (duet_exact_proof){.options = NULL};
    DUET_TRY(duet_process_file("proof", proof->path, sizeof proof->path, error));
    char assignment[sizeof proof->path + 8];
    snprintf(assignment, sizeof assignment, "proof=%s", proof->path);
    DUET_TRY(duet_options_create(&proof->options, error));
    return duet_options_add(proof->options, assignment, error);
}

void duet_exact_proof_check(const duet_exact_proof *proof, const duet_instance *instance,
                            double seconds, const duet_cancel *cancel, duet_exact_row *row)
{
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = seconds;
    params.threads = 1;
    params.cancel = cancel;
    if (row->bound == 0) {
        row->proof_seconds = 0; // nothing to prove, and no proof is written
        return;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_proof_stats stats = {.nodes = 0};
    struct stat status;
    row->proof_bytes = stat(proof->path, &status) == 0 ? (int64_t)status.st_size : 0;
    bool graph = (duet_instance_features(instance) & DUET_FEATURE_PRECEDENCE) != 0;
    if (row->proof_bytes == 0 && graph) {
        row->proof_seconds = 0; // not all that is proven of graphs is proven by lines
        return;
    }
    int64_t start = duet_clock_ns();
    duet_code code = duet_verify_proof(instance, proof->path, row->bound, &params, &stats, &error);
    row->proof_seconds = duet_bench_since(start);
    row->proof_nodes = stats.nodes;
    if (code != DUET_OK && code != DUET_E_CANCELLED) {
        row->faulty = true;
        snprintf(row->note, sizeof row->note, "the proof: line %d: %.150s", error.line,
                 error.message);
    }
}

void duet_exact_proof_free(duet_exact_proof *proof)
{
    if (proof->path[0] != '\0') {
        unlink(proof->path);
    }
    duet_options_free(proof->options);
    *proof = (duet_exact_proof){.options = NULL};
}
