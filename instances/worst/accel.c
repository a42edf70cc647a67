// SPDX-License-Identifier: Apache-2.0
// Family worst-accel-published: the published algorithm for accelerated tasks, whose ratio 3/2 does
// not hold. P is the option "factor"; without bound where it grows, but for the last form.
// fault=count: m + k + 1 tasks (P, 1) on m CPUs and k <= m GPUs. The optimum is what the GPUs take
//            alone, ceil((m+k+1)/k), for P above that. Every guess below 2P counts m + k + 1 tasks
//            as too long and is rejected; at 2P all run on the CPUs: ceil((m+k+1)/m) P.
// fault=mixed: the five tasks (14,1) (21,1) (14,7) (39,4) (14,1) on 1 CPU + 2 GPUs, with P times
//            those CPU times. The optimum is 7; guesses below 28 P are rejected, and at 28 P the
//            CPU takes the three short tasks: 42 P.
// fault=order: 4 tasks (4P, 2P) and 8P tasks (P, 1) on 2 CPUs + 1 GPU. The optimum is 8P: the
//            former on the CPUs, the latter on the GPU; that is the area bound. By decreasing p - q
//            the former move to the GPU first, by p / q the latter would. At guess g the GPU then
//            gets 8P + (g - 8P + 1) of work, and y = 16P - g - 1 tasks stay on the CPUs, too many
//            while 2 P y > 5 g: the answer tends to 5/2 optima.
// Reference: Bleuse et al., CCPE 27(6), 2015, section 4; docs/theory/ratios.md.
#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/options.h"
#include "instances/worst/worst.h"

enum { COUNT, MIXED, ORDER };

static const duet_option_spec options[] = {
    {"fault", DUET_OPTION_CHOICE, "count", 0, 0, "count|mixed|order", "",
     "which step goes wrong: counting long tasks (equal or mixed ones), or the order of moves"},
    {"factor", DUET_OPTION_INTEGER, "100", 1, INT64_C(1000000000), NULL, "",
     "by how much CPU times are longer"},
    DUET_OPTIONS_END};

static int fault_of(const duet_family_request *request)
{
    return duet_option_choice(request->options, request->table, "fault");
}

static duet_code platform(duet_family_request *request, duet_error *error)
{
    switch (fault_of(request)) {
    case MIXED:
        return duet_worst_fixed_platform(request, 1, 2, error);
    case ORDER:
        return duet_worst_fixed_platform(request, 2, 1, error);
    default:
        duet_family_default_platform(request, 1, 1);
        return duet_worst_least_platform(request, request->gpus, 1, error);
    }
}

static duet_code add_count(duet_worst *worst, const duet_read_claim *claim,
                           const duet_family_request *request, int64_t factor)
{
    int64_t m = request->cpus;
    int64_t k = request->gpus;
    int64_t tasks = m + k + 1;
    int64_t optimum = (tasks + k - 1) / k;
    if (worst->code == DUET_OK && factor <= optimum) {
        worst->code = duet_error_set(worst->error, DUET_E_USAGE,
                                     "option factor is %" PRId64 ": expected at least %" PRId64
                                     " on this platform, so that no CPU is worth its while",
                                     factor, optimum + 1);
    }
    duet_worst_add(worst, "t", -1, tasks, factor, 1);
    return duet_worst_end(worst, claim, optimum, (duet_int128)((tasks + m - 1) / m) * factor);
}

static duet_code add_mixed(duet_worst *worst, const duet_read_claim *claim, int64_t factor)
{
    static const int64_t times[][2] = {{14, 1}, {21, 1}, {14, 7}, {39, 4}, {14, 1}};
    for (int64_t i = 0; i < 5; i++) {
        duet_worst_add(worst, "t", i, 1, (duet_int128)times[i][0] * factor, times[i][1]);
    }
    return duet_worst_end(worst, claim, 7, (duet_int128)42 * factor);
}

static duet_code add_order(duet_worst *worst, const duet_read_claim *claim, int64_t factor)
{
    enum { LEAST = 3 }; // below, the first guess is accepted
    duet_int128 p = factor;
    if (worst->code == DUET_OK && factor < LEAST) {
        worst->code =
            duet_error_set(worst->error, DUET_E_USAGE,
                           "option factor is %" PRId64 ": expected at least %d", factor, LEAST);
    }
    duet_worst_add(worst, "halved", -1, 4, 4 * p, 2 * p);
    duet_worst_add(worst, "tiny", -1, 8 * p, p, 1);
    // The first guess accepted: 2 p (16 p - g - 1) <= 5 g.
    duet_int128 guess = (2 * p * (16 * p - 1) + 2 * p + 4) / (2 * p + 5);
    duet_int128 left = 16 * p - guess - 1;
    duet_int128 on_cpus = (left + 1) / 2 * p;
    return duet_worst_end(worst, claim, 8 * p, duet_max(on_cpus, guess + 1));
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    static const char *const names[] = {"count", "mixed", "order"};
    static const char *const limits[] = {"unbounded, 3/2 published", "unbounded, 3/2 published",
                                         "5/2, 3/2 published"};
    int fault = fault_of(request);
    int64_t factor = duet_family_integer(request, "factor");
    duet_worst worst =
        duet_worst_begin(builder, error, "worst-accel-published-%s-%" PRId64, names[fault], factor);
    duet_read_claim claim = {.algorithm = "accel-published",
                             .limit = limits[fault],
                             .source = "against Bleuse et al., CCPE 27(6), 2015, section 4"};
    switch (fault) {
    case MIXED:
        return add_mixed(&worst, &claim, factor);
    case ORDER:
        return add_order(&worst, &claim, factor);
    default:
        return add_count(&worst, &claim, request, factor);
    }
}

const duet_family duet_family_worst_accel_published = {
    {.name = "worst-accel-published",
     .summary = "accel-published: its published 3/2 does not hold",
     .guarantee = "unbounded (fault=order: towards 5/2)",
     .reference = "against Bleuse et al., CCPE 27(6), 2015, section 4",
     .options = options},
    0,
    0,
    generate,
    platform};
