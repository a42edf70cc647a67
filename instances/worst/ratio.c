// SPDX-License-Identifier: Apache-2.0
// Family worst-ratio: the threshold p/q >= m/k on m CPUs and k <= m GPUs reaches m/k + 2 - 1/k, up
// to a tick per task.
// Instance:  with s ticks per m-th of the optimum, in this order: m tasks (m s, -); m (k-1) tasks
//            (p, s) with p the largest time below s m/k; one task (r, m s) with r the largest below
//            (m s) m/k.
// Optimum:   m s: the first on the CPUs, the next on k - 1 GPUs, the last on its own GPU; the first
//            take that long anywhere.
// Ratio:     all on the CPUs, level until the last one: m s + (k-1) p + r.
// Reference: ours; the algorithm: Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, section 7.1.
#include <inttypes.h>

#include "instances/worst/worst.h"

static const duet_option_spec options[] = {
    DUET_OPTION_TICKS(1, "1000", "ticks of an m-th of the optimum"), DUET_OPTIONS_END};

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    duet_int128 m = request->cpus;
    duet_int128 k = request->gpus;
    duet_int128 s = duet_family_integer(request, "ticks");
    duet_int128 p = (m * s - 1) / k;
    duet_int128 r = (m * m * s - 1) / k;
    duet_worst worst = duet_worst_begin(builder, error, "worst-ratio-%" PRId64 "-%" PRId64,
                                        request->cpus, request->gpus);
    duet_worst_add(&worst, "cpu-only", -1, m, m * s, DUET_WORST_FORBIDDEN);
    duet_worst_add(&worst, "lured", -1, m * (k - 1), p, s);
    duet_worst_add(&worst, "last", -1, 1, r, m * s);
    duet_read_claim claim = {.algorithm = "ratio", .limit = "m/k + 2 - 1/k", .source = "Duet"};
    return duet_worst_end(&worst, &claim, m * s, m * s + (k - 1) * p + r);
}

const duet_family duet_family_worst_ratio = {{.name = "worst-ratio",
                                              .summary = "ratio on m CPUs and k <= m GPUs",
                                              .guarantee = "towards m/k + 2 - 1/k",
                                              .reference = "",
                                              .options = options},
                                             0,
                                             0,
                                             generate,
                                             duet_worst_more_cpus};
