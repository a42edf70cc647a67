// SPDX-License-Identifier: Apache-2.0
// Proofs written by hand, a row each: the instance, the text, and what a checker says of it.
#ifndef DUET_TESTS_SUPPORT_PROOF_ROWS_H
#define DUET_TESTS_SUPPORT_PROOF_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include <duet/duet.h>

typedef struct duet_proof_problem {
    int64_t cpus, gpus;
    size_t kinds;
    int64_t counts[4];
    int64_t times[8];
    int64_t npus; // above 0 on three types
} duet_proof_problem;

// Three tasks of 6 on one CPU and one GPU: the optimum is 12.
extern const duet_proof_problem duet_proof_sixes;
// Optimum 9: five tasks of 3, 4, 5 on one CPU or two GPUs; c and d only on the GPUs.
extern const duet_proof_problem duet_proof_mixed;
// Nothing runs anywhere within 4 but the first.
extern const duet_proof_problem duet_proof_longs;
// A task that takes no time on the GPU, and two kinds of equal times.
extern const duet_proof_problem duet_proof_zeros;
// No GPU at all.
extern const duet_proof_problem duet_proof_no_gpu;

// `fault` is part of the message, or NULL where the proof holds.
typedef struct duet_proof_row {
    const duet_proof_problem *problem;
    const char *text; // after the first line
    const char *fault;
    int line;
} duet_proof_row;

// The caller frees it.
duet_instance *duet_proof_problem_instance(const duet_proof_problem *p);

// Each is accepted or refused as it says, and proves no more than the exhaustive optimum.
void duet_check_proof_rows(const duet_proof_row *rows, size_t count);

// One row, where the optimum is out of reach; `index` names it in a failure.
void duet_check_proof_row(const duet_proof_row *expected, size_t index);

#endif
