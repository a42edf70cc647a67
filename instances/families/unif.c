// SPDX-License-Identifier: Apache-2.0
// Families unif2 and unif4: both times uniform and independent, in 1 .. 10^2 and 1 .. 10^4.
#include "instances/families/family.h"

static void draw(duet_family_request *request, void *state, int64_t *cpu, int64_t *gpu)
{
    const int64_t *longest = state;
    *cpu = duet_random_between(&request->random, 1, *longest);
    *gpu = duet_random_between(&request->random, 1, *longest);
}

static duet_code generate_unif2(duet_family_request *request, duet_builder *builder,
                                duet_error *error)
{
    int64_t longest = 100;
    return duet_family_draw(request, builder, "unif2", draw, &longest, error);
}

static duet_code generate_unif4(duet_family_request *request, duet_builder *builder,
                                duet_error *error)
{
    int64_t longest = 10000;
    return duet_family_draw(request, builder, "unif4", draw, &longest, error);
}

const duet_family duet_family_unif2 = {
    {.name = "unif2",
     .summary = "cpu and gpu times uniform in 1..100, independent",
     .reference = ""},
    DUET_FAMILY_TASKS,
    DUET_FAMILY_MAX_TASKS,
    generate_unif2,
    NULL};

const duet_family duet_family_unif4 = {
    {.name = "unif4",
     .summary = "cpu and gpu times uniform in 1..10000, independent",
     .reference = ""},
    DUET_FAMILY_TASKS,
    DUET_FAMILY_MAX_TASKS,
    generate_unif4,
    NULL};
