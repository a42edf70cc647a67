// SPDX-License-Identifier: Apache-2.0
// Family acc: accelerated tasks. p uniform in 1000 .. 10000; q = p/15 or p/35 with equal
// probability, rounded to nearest.
#include "instances/families/family.h"

static void draw(duet_family_request *request, void *state, int64_t *cpu, int64_t *gpu)
{
    (void)state;
    *cpu = duet_random_between(&request->random, 1000, 10000);
    int64_t factor = duet_random_between(&request->random, 0, 1) == 0 ? 15 : 35;
    *gpu = (2 * *cpu + factor) / (2 * factor);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    return duet_family_draw(request, builder, "acc", draw, NULL, error);
}

const duet_family duet_family_acc = {
    {.name = "acc",
     .summary = "accelerated tasks: cpu uniform in 1000..10000, gpu 15 or 35 times faster",
     .reference = "Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram 2015"},
    DUET_FAMILY_TASKS,
    DUET_FAMILY_MAX_TASKS,
    generate,
    NULL};
