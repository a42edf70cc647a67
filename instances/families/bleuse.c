// SPDX-License-Identifier: Apache-2.0
// Family bleuse: the simulated instances of Bleuse et al. 2015, section 5.2. CPU times uniform over
// the multiples of 1/parts in 10 .. 100; GPU times a 15th or a 35th of them, with equal
// probability.
//
// A 15th and a 35th of a whole number are whole in 105ths, so that nothing need be rounded: the
// instance's unit of time is then 1/(105 parts) of the paper's. Rounded GPU times are multiples of
// 1/parts, which is then the unit.
#include <inttypes.h>
#include <stdio.h>

#include "core/options.h"
#include "core/system/try.h"
#include "instances/families/family.h"

// Least common multiple of the two factors.
enum { SLOW = 15, FAST = 35, COMMON = 105 };

typedef enum rounding { ROUND_NONE, ROUND_NEAREST, ROUND_UP } rounding;

static const duet_option_spec options[] = {
    {"parts", DUET_OPTION_INTEGER, "1", 1, 1000000, NULL, "",
     "CPU times are multiples of 1/parts of the paper's unit"},
    {"round", DUET_OPTION_CHOICE, "none", 0, 0, "none|nearest|up", "",
     "GPU times: exact, or rounded to multiples of 1/parts"},
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

typedef struct recipe {
    int64_t parts;
    rounding round;
} recipe;

static void draw(duet_family_request *request, void *state, int64_t *cpu, int64_t *gpu)
{
    const recipe *r = state;
    int64_t time = duet_random_between(&request->random, 10 * r->parts, 100 * r->parts);
    int64_t factor = duet_random_between(&request->random, 0, 1) == 0 ? SLOW : FAST;
    if (r->round == ROUND_NONE) {
        *cpu = COMMON * time;
        *gpu = COMMON / factor * time;
        return;
    }
    *cpu = time;
    *gpu = r->round == ROUND_UP ? (time + factor - 1) / factor : (2 * time + factor) / (2 * factor);
}

static duet_code set_unit(const recipe *r, duet_builder *builder, duet_error *error)
{
    int64_t ticks = r->round == ROUND_NONE ? COMMON * r->parts : r->parts;
    char unit[32];
    snprintf(unit, sizeof unit, "/%" PRId64, ticks);
    return ticks == 1 ? DUET_OK : duet_builder_set_time_unit(builder, unit, error);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    recipe r = {duet_family_integer(request, "parts"),
                (rounding)duet_option_choice(request->options, request->table, "round")};
    char name[64] = "bleuse";
    static const char *const suffix[] = {"", "-nearest", "-up"};
    if (r.parts > 1) {
        snprintf(name, sizeof name, "bleuse-%" PRId64 "%s", r.parts, suffix[r.round]);
    } else {
        snprintf(name, sizeof name, "bleuse%s", suffix[r.round]);
    }
    DUET_TRY(set_unit(&r, builder, error));
    return duet_family_draw(request, builder, name, draw, &r, error);
}

const duet_family duet_family_bleuse = {
    {.name = "bleuse",
     .summary = "accelerated tasks, exactly: cpu uniform in 10..100, gpu 15 or 35 times faster",
     .reference = "Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram 2015, section 5.2",
     .options = options},
    DUET_FAMILY_TASKS,
    DUET_FAMILY_MAX_TASKS,
    generate,
    NULL};
