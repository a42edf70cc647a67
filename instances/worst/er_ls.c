// SPDX-License-Identifier: Apache-2.0
// Family worst-er-ls: ER-LS on m CPUs and k <= m GPUs reaches tau - 1/tau + 3 - 1/k, tau =
// sqrt(m/k), up to the rounding of one time.
// Instance:  that of worst-qa after k tasks (k s, k s), which the rule "on a GPU if it would finish
//            there by its CPU time" sends to the idle GPUs; tasks (s, q) for the other m - k CPUs.
// Optimum:   k s, as there, with a first task on each of k CPUs.
// ER-LS:     all on the GPUs, level until the last one: k s + (k-1) s + (m-k) q + k s.
// Reference: ours; the algorithm: Amaris, Lucarelli, Mommessin, Trystram, Euro-Par 2017.
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
    duet_worst worst = duet_worst_begin(builder, error, "worst-er-ls-%" PRId64 "-%" PRId64,
                                        request->cpus, request->gpus);
    duet_worst_add(&worst, "first", -1, k, k * s, k * s);
    duet_worst_add(&worst, "gpu-only", -1, k * (k - 1), DUET_WORST_FORBIDDEN, s);
    duet_worst_add(&worst, "lured", -1, (m - k) * k, s, q);
    duet_worst_add(&worst, "last", -1, 1, DUET_WORST_FORBIDDEN, k * s);
    duet_read_claim claim = {
        .algorithm = "er-ls", .limit = "tau - 1/tau + 3 - 1/k", .source = "Duet"};
    return duet_worst_end(&worst, &claim, k * s, (3 * k - 1) * s + (m - k) * q);
}

const duet_family duet_family_worst_er_ls = {
    {.name = "worst-er-ls",
     .summary = "er-ls on m CPUs and k <= m GPUs",
     .guarantee = "towards tau - 1/tau + 3 - 1/k, tau = sqrt(m/k)",
     .reference = "",
     .options = options},
    0,
    0,
    generate,
    duet_worst_more_cpus};
