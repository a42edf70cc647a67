// SPDX-License-Identifier: Apache-2.0
// Family worst-quickest: the shortest time on m CPUs and k GPUs reaches m/k + 2 - 1/k, up to a tick
// per task; on independent tasks no instance with k <= m is worse.
// Instance:  with s ticks per task, in this order: k (m+k-1) tasks (s+1, s), one task (-, k (s+1)).
// Optimum:   k (s+1): the last task on its own GPU, k tasks on every other processor; the last one
//            takes that long anywhere.
// Quickest:  all on the GPUs, level until the last one: (m+k-1) s + k (s+1).
// Reference: ours; the algorithm: Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, section 7.1.
#include <inttypes.h>

#include "instances/worst/worst.h"

enum { CPUS = 16, GPUS = 4 };

static const duet_option_spec options[] = {DUET_OPTION_TICKS(1, "1000", "ticks of a task"),
                                           DUET_OPTIONS_END};

static duet_code platform(duet_family_request *request, duet_error *error)
{
    duet_family_default_platform(request, CPUS, GPUS);
    return duet_worst_least_platform(request, 0, 1, error);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    duet_int128 m = request->cpus;
    duet_int128 k = request->gpus;
    duet_int128 s = duet_family_integer(request, "ticks");
    duet_worst worst = duet_worst_begin(builder, error, "worst-quickest-%" PRId64 "-%" PRId64,
                                        request->cpus, request->gpus);
    duet_worst_add(&worst, "lured", -1, k * (m + k - 1), s + 1, s);
    duet_worst_add(&worst, "last", -1, 1, DUET_WORST_FORBIDDEN, k * (s + 1));
    duet_read_claim claim = {.algorithm = "quickest", .limit = "m/k + 2 - 1/k", .source = "Duet"};
    return duet_worst_end(&worst, &claim, k * (s + 1), (m + k - 1) * s + k * (s + 1));
}

const duet_family duet_family_worst_quickest = {{.name = "worst-quickest",
                                                 .summary = "quickest on m CPUs and k GPUs",
                                                 .guarantee = "towards m/k + 2 - 1/k",
                                                 .reference = "",
                                                 .options = options},
                                                0,
                                                0,
                                                generate,
                                                platform};
