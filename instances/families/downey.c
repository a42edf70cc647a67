// SPDX-License-Identifier: Apache-2.0
// Family downey: independent moldable tasks with Downey's speed-up, of average parallelism A and
// variance s of parallelism:
//   s <= 1:  A p / (A + s (p - 1)/2) up to p = A, A p / (s (A - 1/2) + p (1 - s/2)) up to 2 A - 1
//   s >= 1:  A p (s + 1) / (s (p + A - 1) + A) up to p = A + A s - s
// and A beyond. Tables are the least whole ones above it that are monotone.
//
// Reference: A. B. Downey, "A parallel workload model and its implications for processor
//            allocation", HPDC 1997.
#include "core/number/minmax.h"
#include "instances/families/moldable.h"

static const duet_option_spec options[] = {
    DUET_WORK_OPTIONS,
    {"parallelism", DUET_OPTION_INTEGER, "0", 0, 1000000, NULL, "",
     "largest average parallelism of a task; 0: the number of CPUs"},
    {"variance", DUET_OPTION_DECIMAL, "2", 0, 1000000, NULL, "",
     "largest variance of a task's parallelism"},
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

// The speed-up on p processors for s thousandths of variance.
static duet_fraction speedup(int64_t average, int64_t s, int64_t p)
{
    duet_uint128 a = (uint64_t)average;
    duet_uint128 v = (uint64_t)s;
    duet_uint128 on = (uint64_t)p;
    if (s <= 1000 && p <= average) {
        return (duet_fraction){2000 * a * on, 2000 * a + v * (on - 1)};
    }
    if (s <= 1000 && p < 2 * average - 1) {
        return (duet_fraction){2000 * a * on, v * (2 * a - 1) + on * (2000 - v)};
    }
    if (s > 1000 && 1000 * on + v <= 1000 * a + a * v) {
        return (duet_fraction){a * on * (v + 1000), v * (on + a - 1) + 1000 * a};
    }
    return (duet_fraction){a, 1};
}

static void draw(duet_family_request *request, int64_t work, duet_read_time *values,
                 duet_read_table *table)
{
    int64_t most = duet_family_integer(request, "parallelism");
    int64_t variance = duet_option_thousandths(request->options, request->table, "variance");
    most = most == 0 ? request->cpus : most;
    int64_t average = duet_random_between(&request->random, 1, most);
    int64_t s = duet_random_between(&request->random, 0, variance);
    int64_t before = work;
    for (int64_t p = 1; p <= request->cpus; p++) {
        duet_fraction speed = speedup(average, s, p);
        int64_t ticks =
            (int64_t)duet_fraction_ceil((duet_fraction){speed.den * (uint64_t)work, speed.num});
        int64_t least = p == 1 ? work : before - before / p; // ceil((p - 1) before / p)
        ticks = ticks < least ? least : duet_min(ticks, before);
        values[p - 1] = (duet_read_time){.value = {ticks, 0}};
        before = ticks;
    }
    table->length = (size_t)request->cpus;
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    return duet_moldable_draw(request, builder, "downey", draw, error);
}

const duet_family duet_family_downey = {{.name = "downey",
                                         .summary = "moldable tasks with Downey's speed-up",
                                         .reference = "Downey 1997",
                                         .handles = DUET_FEATURE_MOLDABLE,
                                         .options = options},
                                        DUET_FAMILY_TASKS,
                                        DUET_MOLDABLE_MAX_TASKS,
                                        generate,
                                        duet_moldable_platform};
