// SPDX-License-Identifier: Apache-2.0
// Family worst-qa: QA on m CPUs and k <= m GPUs reaches tau + 2 - 1/k, tau = sqrt(m/k), up to the
// rounding of one time. On independent tasks no instance is worse (docs/theory/ratios.md).
// Instance:  in this order, with s ticks per 1/k of the optimum: k (k-1) tasks (-, s); m k tasks
//            (s, q), q the largest time with s/q > tau; one task (-, k s).
// Optimum:   k s: the first on k - 1 GPUs, the next on the CPUs, the last on its own GPU; it takes
//            that long anywhere.
// QA:        all on the GPUs, level until the last one: (k-1) s + m q + k s.
// In the paper a chain ends the instance, whose last task QA runs on a CPU for tau: 2 tau + 1 -
// 1/k. Without precedence that task has no effect; a last task on the GPUs replaces it.
// Reference: after Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, theorem 5.
#include <inttypes.h>

#include "instances/worst/worst.h"

static const duet_option_spec options[] = {
    DUET_OPTION_TICKS(2, "1000", "ticks of a k-th of the optimum by tau rounded up"),
    DUET_OPTIONS_END};

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    duet_int128 m = request->cpus;
    duet_int128 k = request->gpus;
    duet_int128 s;
    duet_int128 q;
    duet_worst_lure(request, &s, &q);
    duet_worst worst = duet_worst_begin(builder, error, "worst-qa-%" PRId64 "-%" PRId64,
                                        request->cpus, request->gpus);
    duet_worst_add(&worst, "gpu-only", -1, k * (k - 1), DUET_WORST_FORBIDDEN, s);
    duet_worst_add(&worst, "lured", -1, m * k, s, q);
    duet_worst_add(&worst, "last", -1, 1, DUET_WORST_FORBIDDEN, k * s);
    duet_read_claim claim = {
        .algorithm = "qa",
        .limit = "tau + 2 - 1/k",
        .source = "after Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, theorem 5"};
    return duet_worst_end(&worst, &claim, k * s, (2 * k - 1) * s + m * q);
}

const duet_family duet_family_worst_qa = {
    {.name = "worst-qa",
     .summary = "qa on m CPUs and k <= m GPUs",
     .guarantee = "towards tau + 2 - 1/k, tau = sqrt(m/k)",
     .reference = "after Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, theorem 5",
     .options = options},
    0,
    0,
    generate,
    duet_worst_more_cpus};
