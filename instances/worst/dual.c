// SPDX-License-Identifier: Apache-2.0
// Families worst-dualhp, worst-dual-2, worst-shelf-3-2 and worst-dual-4-3: dual approximations
// reach their proven ratios 2, 2, 3/2 and 4/3 in the limit, on m CPUs and k GPUs.
// worst-dualhp: with L ticks, k tasks (2L, L-1) and one (L, L). The optimum is L: the last task on
//            a CPU; it takes that long anywhere. The first guess is L: the long tasks are fixed to
//            the GPUs, their work k (L-1) leaves room, so the last task goes there too, and starts
//            at L - 1: ratio 2 - 1/L.
// The others, with j = 1, 2: j k + 1 tasks (j k + 1, k). The optimum is j k + 1: one task on a
//            CPU, j on each GPU; without a task on a CPU some GPU has j + 1, which take (j+1) k,
//            more for k >= 2. But all of them together are just as much work as the GPUs can do
//            within the optimum, and leave the CPUs idle, which is what the algorithms minimise;
//            every task is short. So the answer is (j+1) k: ratio (j+1) k / (j k + 1).
// worst-dual-4-3: the same with j = 3 on 1 CPU, times s, and a tick less on the GPU: the algorithm
//            starts from LPT's schedule, which then puts all tasks on the GPUs too, because their
//            work there is less than the optimum: 4 (k s - 1) against (3k + 1) s.
// Reference: ours; the algorithms: Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017; Bleuse et al., CCPE
//            27(6), 2015; docs/theory/dual.md.
#include <inttypes.h>

#include "core/system/try.h"
#include "instances/worst/worst.h"

enum { CPUS = 1, GPUS = 10 };

static const duet_option_spec dualhp_options[] = {
    DUET_OPTION_TICKS(2, "1000", "ticks of the optimum; more than there are GPUs"),
    DUET_OPTIONS_END};

static const duet_option_spec dual_4_3_options[] = {
    DUET_OPTION_TICKS(5, "1000", "ticks of a (3k+1)-th of the optimum"), DUET_OPTIONS_END};

static duet_code dualhp_platform(duet_family_request *request, duet_error *error)
{
    duet_family_default_platform(request, 1, 1);
    return duet_worst_least_platform(request, 1, 1, error);
}

static duet_code generate_dualhp(duet_family_request *request, duet_builder *builder,
                                 duet_error *error)
{
    int64_t length = duet_family_integer(request, "ticks");
    if (length <= request->gpus) {
        return duet_error_set(error, DUET_E_USAGE,
                              "option ticks is %" PRId64 ": expected more than GPUs, %" PRId64,
                              length, request->gpus);
    }
    duet_worst worst = duet_worst_begin(builder, error, "worst-dualhp-%" PRId64 "-%" PRId64,
                                        request->cpus, request->gpus);
    duet_int128 makespan = 2 * (duet_int128)length - 1;
    duet_worst_add(&worst, "fixed", -1, request->gpus, makespan + 1, length - 1);
    duet_worst_add(&worst, "last", -1, 1, length, length);
    duet_read_claim claim = {.algorithm = "dualhp", .limit = "2", .source = "Duet"};
    return duet_worst_end(&worst, &claim, length, makespan);
}

static duet_code overfull_platform(duet_family_request *request, duet_error *error)
{
    duet_family_default_platform(request, CPUS, GPUS);
    return duet_worst_least_platform(request, 1, 2, error);
}

static duet_code dual_4_3_platform(duet_family_request *request, duet_error *error)
{
    DUET_TRY(overfull_platform(request, error));
    if (request->cpus != 1) {
        return duet_error_set(error, DUET_E_USAGE, "-m: expected 1 CPU, got %" PRId64,
                              request->cpus);
    }
    return DUET_OK;
}

static duet_code overfull(const duet_family_request *request, duet_builder *builder,
                          const char *algorithm, int64_t j, const char *limit, duet_error *error)
{
    duet_int128 k = request->gpus;
    duet_worst worst = duet_worst_begin(builder, error, "worst-%s-%" PRId64 "-%" PRId64, algorithm,
                                        request->cpus, request->gpus);
    duet_worst_add(&worst, "t", -1, j * k + 1, j * k + 1, k);
    duet_read_claim claim = {.algorithm = algorithm, .limit = limit, .source = "Duet"};
    return duet_worst_end(&worst, &claim, j * k + 1, (j + 1) * k);
}

static duet_code generate_dual_2(duet_family_request *request, duet_builder *builder,
                                 duet_error *error)
{
    return overfull(request, builder, "dual-2", 1, "2", error);
}

static duet_code generate_shelf_3_2(duet_family_request *request, duet_builder *builder,
                                    duet_error *error)
{
    return overfull(request, builder, "shelf-3-2", 2, "3/2", error);
}

static duet_code generate_dual_4_3(duet_family_request *request, duet_builder *builder,
                                   duet_error *error)
{
    duet_int128 k = request->gpus;
    duet_int128 s = duet_family_integer(request, "ticks");
    duet_worst worst = duet_worst_begin(builder, error, "worst-dual-4-3-%" PRId64, request->gpus);
    duet_worst_add(&worst, "t", -1, 3 * k + 1, (3 * k + 1) * s, k * s - 1);
    duet_read_claim claim = {.algorithm = "dual-4-3", .limit = "4/3", .source = "Duet"};
    return duet_worst_end(&worst, &claim, (3 * k + 1) * s, 4 * (k * s - 1));
}

const duet_family duet_family_worst_dualhp = {{.name = "worst-dualhp",
                                               .summary = "dualhp on m CPUs and k GPUs",
                                               .guarantee = "2 - 1/ticks",
                                               .reference = "",
                                               .options = dualhp_options},
                                              0,
                                              0,
                                              generate_dualhp,
                                              dualhp_platform};

const duet_family duet_family_worst_dual_2 = {{.name = "worst-dual-2",
                                               .summary = "dual-2 on m CPUs and k GPUs",
                                               .guarantee = "2k/(k+1)",
                                               .reference = ""},
                                              0,
                                              0,
                                              generate_dual_2,
                                              overfull_platform};

const duet_family duet_family_worst_shelf_3_2 = {{.name = "worst-shelf-3-2",
                                                  .summary = "shelf-3-2 on m CPUs and k GPUs",
                                                  .guarantee = "3k/(2k+1)",
                                                  .reference = ""},
                                                 0,
                                                 0,
                                                 generate_shelf_3_2,
                                                 overfull_platform};

const duet_family duet_family_worst_dual_4_3 = {{.name = "worst-dual-4-3",
                                                 .summary = "dual-4-3 on 1 CPU and k GPUs",
                                                 .guarantee = "towards 4k/(3k+1)",
                                                 .reference = "",
                                                 .options = dual_4_3_options},
                                                0,
                                                0,
                                                generate_dual_4_3,
                                                dual_4_3_platform};
