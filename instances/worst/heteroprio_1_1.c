// SPDX-License-Identifier: Apache-2.0
// Family worst-heteroprio-1-1: HeteroPrio on 1 CPU + 1 GPU reaches F(i+1)/F(i), i = 2n+1, its
// proven ratio (1+sqrt 5)/2 in the limit.
// Instance:  X = (F(i+1), F(i)), Y = (F(i), F(i-1)).
// Optimum:   F(i): X on the GPU, Y on the CPU; X takes that long anywhere.
// HeteroPrio: Cassini's F(i)^2 - F(i+1) F(i-1) = 1 for odd i makes Y the more accelerated one,
//            strictly, where the paper's two tasks tie. So Y is on the GPU, X on the CPU until
//            F(i+1); the GPU, free at F(i-1), would end X at F(i-1) + F(i) = F(i+1), not earlier.
// Reference: Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, theorem 8.
#include <inttypes.h>

#include "instances/worst/worst.h"

enum { SIZE = 8, MAX_SIZE = 43 }; // F(2 * 43 + 3) < 2^62

static duet_code platform(duet_family_request *request, duet_error *error)
{
    return duet_worst_fixed_platform(request, 1, 1, error);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    int64_t i = 2 * request->n + 1;
    int64_t before = duet_worst_fibonacci(i - 1);
    int64_t here = duet_worst_fibonacci(i);
    int64_t next = duet_worst_fibonacci(i + 1);
    duet_worst worst =
        duet_worst_begin(builder, error, "worst-heteroprio-1-1-%" PRId64, request->n);
    duet_worst_add(&worst, "X", -1, 1, next, here);
    duet_worst_add(&worst, "Y", -1, 1, here, before);
    duet_read_claim claim = {.algorithm = "heteroprio",
                             .limit = "(1+sqrt(5))/2",
                             .source = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, theorem 8"};
    return duet_worst_end(&worst, &claim, here, next);
}

const duet_family duet_family_worst_heteroprio_1_1 = {
    {.name = "worst-heteroprio-1-1",
     .summary = "heteroprio on 1 CPU + 1 GPU; N chooses the Fibonacci numbers",
     .guarantee = "F(2N+2)/F(2N+1), towards (1+sqrt(5))/2",
     .reference = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, theorem 8"},
    SIZE,
    MAX_SIZE,
    generate,
    platform};
