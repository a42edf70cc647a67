// SPDX-License-Identifier: Apache-2.0
// Families worst-heft and worst-heft-published: HEFT on m CPUs + 1 GPU.
// worst-heft: the published idea, with numbers that hold: HEFT reaches (m+1)/2.
// Instance:  with c = m + 1, for i = 0 .. m-1: A(i) = (c m (m-i), c m (m-i) - 1) once and
//            B(i) = (c m (m-i), c) m times.
// Optimum:   c m^2: A on the m CPUs, the m^2 tasks B on the GPU. In less, A(0) could only run on
//            the GPU and fill it, and no CPU could take a B(0).
// HEFT:      mean times fall in the order A(0), B(0), A(1), B(1), ... All CPUs are level at T and
//            the GPU at T - i before A(i), which goes to the GPU; then a B(i) would end there at T
//            - i - 1 + c + c m (m-i), after T + c m (m-i), so each CPU gets one: no ties. The sum
//            of c m (m-i) is c m^2 (m+1)/2.
// worst-heft-published: the instance as printed, in units of m^2 s ticks: m tasks (1, epsilon), and
//            for i = 0 .. m-1 a task A(i) = (1-i/m, 1-i/m) and m - 1 tasks B(i) = (1-i/m, 1/m^2);
//            epsilon is one tick. Its optimum is 1: A(0) takes that long anywhere, A fits on the
//            CPUs and the rest on the GPU. HEFT does not reach the claimed m/2 + 3/2 - 1/m: A(0)
//            precedes the m tasks that should fill the CPUs, all processors are busy until 1, and
//            then A(1), ... end first on CPUs: 2 - 1/m for every m that was tried.
// Reference: Bleuse et al., CCPE 27(6), 2015, lemma 3.
#include <inttypes.h>

#include "instances/worst/worst.h"

enum { CPUS = 8 };

static const duet_option_spec published_options[] = {
    DUET_OPTION_TICKS(1, "1", "ticks of the shortest B; epsilon is one tick"), DUET_OPTIONS_END};

static duet_code platform(duet_family_request *request, duet_error *error)
{
    duet_family_default_platform(request, CPUS, 1);
    if (request->gpus != 1) {
        return duet_error_set(error, DUET_E_USAGE, "-k: expected 1 GPU, got %" PRId64,
                              request->gpus);
    }
    return duet_worst_least_platform(request, 2, 1, error);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    duet_int128 m = request->cpus;
    duet_int128 c = m + 1;
    duet_worst worst = duet_worst_begin(builder, error, "worst-heft-%" PRId64, request->cpus);
    duet_worst_reserve(&worst, 2 * m);
    for (int64_t i = 0; i < request->cpus && worst.code == DUET_OK; i++) {
        duet_int128 time = c * m * (m - i);
        duet_worst_add(&worst, "A", i, 1, time, time - 1);
        duet_worst_add(&worst, "B", i, m, time, c);
    }
    duet_read_claim claim = {.algorithm = "heft",
                             .limit = "(m+1)/2",
                             .source = "after Bleuse et al., CCPE 27(6), 2015, lemma 3"};
    return duet_worst_end(&worst, &claim, c * m * m, c * m * m * (m + 1) / 2);
}

static duet_code generate_published(duet_family_request *request, duet_builder *builder,
                                    duet_error *error)
{
    duet_int128 m = request->cpus;
    duet_int128 s = duet_family_integer(request, "ticks");
    duet_worst worst =
        duet_worst_begin(builder, error, "worst-heft-published-%" PRId64, request->cpus);
    duet_worst_reserve(&worst, 2 * m);
    duet_worst_add(&worst, "first", -1, m, m * m * s, 1);
    for (int64_t i = 0; i < request->cpus && worst.code == DUET_OK; i++) {
        duet_int128 time = m * (m - i) * s;
        duet_worst_add(&worst, "A", i, 1, time, time);
        duet_worst_add(&worst, "B", i, m - 1, time, s);
    }
    duet_read_claim claim = {.algorithm = "heft",
                             .options = "ties=gpu",
                             .limit = "m/2 + 3/2 - 1/m",
                             .source = "Bleuse et al., CCPE 27(6), 2015, lemma 3",
                             .refuted = true};
    return duet_worst_end(&worst, &claim, m * m * s, m * (m * m + 3 * m - 2) / 2 * s);
}

const duet_family duet_family_worst_heft = {
    {.name = "worst-heft",
     .summary = "heft on m CPUs + 1 GPU",
     .guarantee = "(m+1)/2",
     .reference = "after Bleuse et al., CCPE 27(6), 2015, lemma 3"},
    0,
    0,
    generate,
    platform};

const duet_family duet_family_worst_heft_published = {
    {.name = "worst-heft-published",
     .summary = "heft on m CPUs + 1 GPU, as printed: the claim does not hold",
     .guarantee = "2 - 1/m (m/2 + 3/2 - 1/m claimed)",
     .reference = "Bleuse et al., CCPE 27(6), 2015, lemma 3",
     .options = published_options},
    0,
    0,
    generate_published,
    platform};
