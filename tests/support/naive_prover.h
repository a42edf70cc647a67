// SPDX-License-Identifier: Apache-2.0
// A prover for the checker of proofs to judge: slow, plain, random in all that a proof leaves free.
#ifndef DUET_TESTS_SUPPORT_NAIVE_PROVER_H
#define DUET_TESTS_SUPPORT_NAIVE_PROVER_H

#include <stdio.h>

#include <duet/instance.h>

#include "core/number/random.h"

// What kind of proof to write.
typedef struct duet_naive_style {
    int most_nodes;   // gives up beyond these
    int most_vectors; // at least 1
    bool only_covers; // no leaf but a cover without children: large trees
    bool only_area;   // no vector but by weights
    bool lists;       // lists, counts, and vectors for them too
    bool lie;         // where the claim is false, writes leaves that do not hold
} duet_naive_style;

// Writes a proof that no schedule of `instance` (at most 5 types and 16 kinds, small counts) is
// shorter than `bound`. Returns the number of its nodes; 0 where it gave up, or where a schedule
// was found (and style->lie is false): the text is worth nothing then. With `lie`, *lies (may be
// NULL) receives how many leaves do not hold.
int duet_naive_proof(FILE *out, const duet_instance *instance, int64_t bound,
                     const duet_naive_style *style, duet_random *random, int *lies);

#endif
