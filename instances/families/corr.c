// SPDX-License-Identifier: Apache-2.0
// Family corr: correlated times. p uniform in 1 .. 10000, q = p * f with f uniform in 0.1 .. 1.2
// (in millionths), rounded to nearest, at least 1.
#include "core/number/minmax.h"
#include "instances/families/family.h"

static void draw(duet_family_request *request, void *state, int64_t *cpu, int64_t *gpu)
{
    (void)state;
    *cpu = duet_random_between(&request->random, 1, 10000);
    int64_t millionths = duet_random_between(&request->random, 100000, 1200000);
    *gpu = (*cpu * millionths + 500000) / 1000000;
    *gpu = duet_max(*gpu, 1);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    return duet_family_draw(request, builder, "corr", draw, NULL, error);
}

const duet_family duet_family_corr = {
    {.name = "corr",
     .summary = "correlated times: cpu uniform in 1..10000, gpu 0.1 to 1.2 times as long",
     .reference = ""},
    DUET_FAMILY_TASKS,
    DUET_FAMILY_MAX_TASKS,
    generate,
    NULL};
