// SPDX-License-Identifier: Apache-2.0
// Family worst-heteroprio-m-1: HeteroPrio on m CPUs + 1 GPU reaches (m-1)/(m + a/b) + c/a, with
// a, b, c = F(i), F(i-1), F(i+1), i = 2n+1: its proven ratio (3+sqrt 5)/2 in the limit of m and n.
// Instance:  with S = m b + a: T1 = (a S, b S + 1), T2 = (c S, a S), m (m-1) a tasks T3 = (b, b),
//            (m-1) a tasks T4 = (a, b), of which one takes b - 1 on the GPU.
// Optimum:   a S: T2 on the GPU, T1 on a CPU, and on each other CPU a tasks T4 and m a tasks T3,
//            which take a (a + m b). T2 takes that long anywhere.
// HeteroPrio: the acceleration factors are T4 > T1 > T2 > T3, strictly: a S / (b S + 1) > c / a
//            since a^2 - b c = 1 (Cassini, i odd) and S > c. The CPUs run T3 until x = (m-1) a b,
//            the GPU T4 until x - 1; so the GPU takes T1, the CPUs T2. The GPU, free at x + b S,
//            would end T2 at x + (b + a) S, no earlier than the CPU does: x + c S.
// Where the paper's instance needs ties to fall right (at time x, and between T1, T2 and T4), one
// tick decides here.
// Reference: Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, theorem 11.
#include <inttypes.h>

#include "instances/worst/worst.h"

enum { SIZE = 4, MIN_SIZE = 2, MAX_SIZE = 22, CPUS = 10 };

static duet_code platform(duet_family_request *request, duet_error *error)
{
    duet_family_default_platform(request, CPUS, 1);
    if (request->gpus != 1) {
        return duet_error_set(error, DUET_E_USAGE, "-k: expected 1 GPU, got %" PRId64,
                              request->gpus);
    }
    if (request->n < MIN_SIZE) {
        return duet_error_set(error, DUET_E_USAGE, "-n: expected %d to %d, got %" PRId64, MIN_SIZE,
                              MAX_SIZE, request->n);
    }
    return duet_worst_least_platform(request, 2, 1, error);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    int64_t i = 2 * request->n + 1;
    duet_int128 m = request->cpus;
    duet_int128 a = duet_worst_fibonacci(i);
    duet_int128 b = duet_worst_fibonacci(i - 1);
    duet_int128 c = a + b;
    duet_int128 scale = m * b + a;
    duet_worst worst = duet_worst_begin(builder, error, "worst-heteroprio-m-1-%" PRId64 "-%" PRId64,
                                        request->n, request->cpus);
    duet_worst_add(&worst, "T1", -1, 1, a * scale, b * scale + 1);
    duet_worst_add(&worst, "T2", -1, 1, c * scale, a * scale);
    duet_worst_add(&worst, "T3", -1, m * (m - 1) * a, b, b);
    duet_worst_add(&worst, "T4", -1, (m - 1) * a - 1, a, b);
    duet_worst_add(&worst, "T4-short", -1, 1, a, b - 1);
    duet_read_claim claim = {.algorithm = "heteroprio",
                             .limit = "(3+sqrt(5))/2",
                             .source = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, theorem 11"};
    return duet_worst_end(&worst, &claim, a * scale, (m - 1) * a * b + c * scale);
}

const duet_family duet_family_worst_heteroprio_m_1 = {
    {.name = "worst-heteroprio-m-1",
     .summary = "heteroprio on m CPUs + 1 GPU; N >= 2 chooses the Fibonacci numbers",
     .guarantee = "(m-1)/(m + F(2N+1)/F(2N)) + F(2N+2)/F(2N+1), towards (3+sqrt(5))/2",
     .reference = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, theorem 11"},
    SIZE,
    MAX_SIZE,
    generate,
    platform};
