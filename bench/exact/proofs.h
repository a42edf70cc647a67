// SPDX-License-Identifier: Apache-2.0
// The proofs that algorithms of `duet bench exact` write: a file for each run, checked by the
// independent checker, which is timed.
#ifndef DUET_BENCH_EXACT_PROOFS_H
#define DUET_BENCH_EXACT_PROOFS_H

#include "bench/exact/exact.h"

// The file of one run.
typedef struct duet_exact_proof {
    char path[512]; // "": no proof is asked for
    duet_options *options;
} duet_exact_proof;

// Whether the algorithm has an option "proof" that takes a file.
bool duet_exact_takes_proof(const char *algorithm);

// Makes an empty temporary file and the options that name it. Errors: DUET_E_OUTPUT, DUET_E_MEMORY.
duet_code duet_exact_proof_create(duet_exact_proof *proof, duet_error *error);
// Checks that the file proves row->bound, and notes size, nodes and time in the row; a proof that
// is refused makes it faulty. `seconds` limits the check.
void duet_exact_proof_check(const duet_exact_proof *proof, const duet_instance *instance,
                            double seconds, const duet_cancel *cancel, duet_exact_row *row);
// Removes the file. Harmless where there is none.
void duet_exact_proof_free(duet_exact_proof *proof);

#endif
