// SPDX-License-Identifier: Apache-2.0
// Family bimod: mostly short times, some many times longer, on each side independently.
#include "core/system/try.h"
#include "instances/families/family.h"

#define LARGEST INT64_C(1000000000)

static const duet_option_spec options[] = {
    {"short-min", DUET_OPTION_INTEGER, "1", 0, LARGEST, NULL, "", "shortest short time"},
    {"short-max", DUET_OPTION_INTEGER, "100", 0, LARGEST, NULL, "", "longest short time"},
    {"factor-min", DUET_OPTION_INTEGER, "10", 1, 1000000, NULL, "",
     "least factor by which a long time is longer"},
    {"factor-max", DUET_OPTION_INTEGER, "100", 1, 1000000, NULL, "",
     "greatest factor by which a long time is longer"},
    {"long-percent", DUET_OPTION_INTEGER, "10", 0, 100, NULL, "%", "how many times are long"},
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

typedef struct bimod_range {
    int64_t short_min, short_max, factor_min, factor_max, long_percent;
} bimod_range;

static int64_t draw_side(duet_random *random, const bimod_range *range)
{
    int64_t time = duet_random_between(random, range->short_min, range->short_max);
    if (duet_random_between(random, 1, 100) <= range->long_percent) {
        time *= duet_random_between(random, range->factor_min, range->factor_max);
    }
    return time;
}

static void draw(duet_family_request *request, void *state, int64_t *cpu, int64_t *gpu)
{
    const bimod_range *range = state;
    *cpu = draw_side(&request->random, range);
    *gpu = draw_side(&request->random, range);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    bimod_range range = {
        duet_family_integer(request, "short-min"), duet_family_integer(request, "short-max"),
        duet_family_integer(request, "factor-min"), duet_family_integer(request, "factor-max"),
        duet_family_integer(request, "long-percent")};
    DUET_TRY(duet_family_check_range(request, "short-min", "short-max", error));
    DUET_TRY(duet_family_check_range(request, "factor-min", "factor-max", error));
    return duet_family_draw(request, builder, "bimod", draw, &range, error);
}

const duet_family duet_family_bimod = {
    {.name = "bimod",
     .summary = "mostly short times, some 10 to 100 times longer, on each side independently",
     .reference = "",
     .options = options},
    DUET_FAMILY_TASKS,
    DUET_FAMILY_MAX_TASKS,
    generate,
    NULL};
