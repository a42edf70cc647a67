// SPDX-License-Identifier: Apache-2.0
// Family uniform: times in given ranges, after a chosen distribution, on each side independently.
#include "core/system/try.h"
#include "instances/families/distribution.h"
#include "instances/families/family.h"

// Exactly representable as a double, with room for rounding.
#define LARGEST INT64_C(1000000000000)

static const duet_option_spec options[] = {
    {"cpu-min", DUET_OPTION_INTEGER, "10", 0, LARGEST, NULL, "", "shortest time on a CPU"},
    {"cpu-max", DUET_OPTION_INTEGER, "1000", 0, LARGEST, NULL, "", "longest time on a CPU"},
    {"gpu-min", DUET_OPTION_INTEGER, "1", 0, LARGEST, NULL, "", "shortest time on a GPU"},
    {"gpu-max", DUET_OPTION_INTEGER, "100", 0, LARGEST, NULL, "", "longest time on a GPU"},
    {"distribution", DUET_OPTION_CHOICE, "uniform", 0, 0, DUET_DISTRIBUTION_CHOICES, "",
     "how the times are spread over their range"},
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

typedef struct uniform_range {
    int64_t cpu_min, cpu_max, gpu_min, gpu_max;
    duet_distribution distribution;
} uniform_range;

static void draw(duet_family_request *request, void *state, int64_t *cpu, int64_t *gpu)
{
    const uniform_range *range = state;
    *cpu = duet_distribution_draw(range->distribution, &request->random, range->cpu_min,
                                  range->cpu_max);
    *gpu = duet_distribution_draw(range->distribution, &request->random, range->gpu_min,
                                  range->gpu_max);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    int choice = duet_option_choice(request->options, request->table, "distribution");
    uniform_range range = {duet_family_integer(request, "cpu-min"),
                           duet_family_integer(request, "cpu-max"),
                           duet_family_integer(request, "gpu-min"),
                           duet_family_integer(request, "gpu-max"), (duet_distribution)choice};
    DUET_TRY(duet_family_check_range(request, "cpu-min", "cpu-max", error));
    DUET_TRY(duet_family_check_range(request, "gpu-min", "gpu-max", error));
    DUET_TRY(duet_distribution_check(range.distribution, error));
    return duet_family_draw(request, builder, "uniform", draw, &range, error);
}

const duet_family duet_family_uniform = {
    {.name = "uniform",
     .summary = "times in given ranges, independent, after a chosen distribution",
     .reference = "",
     .options = options},
    DUET_FAMILY_TASKS,
    DUET_FAMILY_MAX_TASKS,
    generate,
    NULL};
