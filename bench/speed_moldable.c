// SPDX-License-Identifier: Apache-2.0
// Tasks follow Amdahl's law, with works from 1 to 10^6 and up to a fifth of it sequential. The
// graphs have the edges of the family daggen: the wide one levels of n^0.5 tasks, of which CPA lets
// none grow, since their area is above the critical path's from the start; the deep one levels of
// n^0.2 tasks, where it takes hundreds of thousands of steps.
#include "bench/speed.h"

#include <stdio.h>

#include "bench/run/measure.h"
#include "core/number/random.h"
#include "core/system/memory.h"
#include "core/system/try.h"

typedef struct moldable_contender {
    const char *name;
    const char *algorithm;
    const char *width; // of a graph; NULL: independent tasks
    const char *density;
    int64_t processors;
    int64_t part; // 1 task in `part` is timed
    double limit;
} moldable_contender;

static const moldable_contender contenders[DUET_SPEED_MOLDABLE] = {
    {"moldable-3-2", "moldable-3-2", NULL, NULL, 512, 1, 800},
    {"cpa-wide", "cpa", "width=0.5", "density=0.02", 128, 1, 80},
    {"cpa-deep", "cpa", "width=0.2", "density=0.5", 512, 10, 8000}};

// A task graph of the family daggen, for its edges.
static duet_code make_shape(const moldable_contender *c, int64_t tasks, duet_instance **out,
                            duet_error *error)
{
    char options[64];
    snprintf(options, sizeof options, "%s %s", c->width, c->density);
    return duet_bench_generate("daggen", tasks, 1, 1, 1, options, out, error);
}

// Its edges, into a list that the caller frees; NULL where there are none.
static duet_code copy_edges(const duet_instance *shape, duet_edge **edges, size_t *count,
                            duet_error *error)
{
    *count = shape == NULL ? 0 : (size_t)duet_instance_edges(shape);
    *edges = NULL;
    if (*count == 0) {
        return DUET_OK;
    }
    *edges = duet_alloc(*count, sizeof **edges, error);
    for (size_t e = 0; *edges != NULL && e < *count; e++) {
        duet_edge edge = duet_instance_edge(shape, (int64_t)e);
        (*edges)[e] = (duet_edge){edge.from, edge.to, 0};
    }
    return *edges == NULL ? DUET_E_MEMORY : DUET_OK;
}

static duet_code make_tasks(const moldable_contender *c, size_t tasks, const duet_edge *edges,
                            size_t count, duet_instance **out, duet_error *error)
{
    enum { MOST_WORK = 1000000, MOST_ALPHA = 2000 };
    duet_random random;
    duet_random_seed(&random, 1);
    duet_moldable_times *times = duet_alloc(tasks, sizeof *times, error);
    DUET_NEED(times);
    for (size_t j = 0; j < tasks; j++) {
        times[j] = (duet_moldable_times){.work = {duet_random_between(&random, 1, MOST_WORK), 0},
                                         .alpha = {duet_random_between(&random, 0, MOST_ALPHA), 4}};
    }
    const duet_type platform[] = {{"cpu", c->processors}};
    const duet_moldable_desc moldable = {.struct_size = sizeof moldable, .times = times};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 1,
                                     .platform = platform,
                                     .kinds = tasks,
                                     .edges = count,
                                     .edge = edges,
                                     .moldable = &moldable};
    duet_code code = duet_instance_create(&desc, out, error);
    duet_free(times);
    return code;
}

static duet_code make_instance(const moldable_contender *c, int64_t tasks, duet_instance **out,
                               duet_error *error)
{
    duet_instance *shape = NULL;
    duet_edge *edges = NULL;
    size_t count = 0;
    duet_code code = c->width == NULL ? DUET_OK : make_shape(c, tasks, &shape, error);
    DUET_THEN(code, copy_edges(shape, &edges, &count, error));
    DUET_THEN(code, make_tasks(c, (size_t)tasks, edges, count, out, error));
    duet_free(edges);
    duet_instance_free(shape);
    return code;
}

// What a turn needs.
typedef struct moldable_turn {
    const duet_instance *instance;
    const char *algorithm;
} moldable_turn;

static duet_code run_turn(const void *state, size_t index, duet_error *error)
{
    const moldable_turn *turn = state;
    double seconds;
    (void)index; // it is alone
    return duet_bench_run(turn->instance, turn->algorithm, 0, &seconds, NULL, error);
}

duet_code duet_speed_time_moldable(int64_t tasks, int rounds,
                                   duet_speed_row rows[DUET_SPEED_MOLDABLE], duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < DUET_SPEED_MOLDABLE && code == DUET_OK; i++) {
        const moldable_contender *c = &contenders[i];
        duet_instance *instance = NULL;
        rows[i] = (duet_speed_row){.name = c->name, .processors = c->processors, .limit = c->limit};
        code = make_instance(c, tasks / c->part, &instance, error);
        if (code == DUET_OK) {
            const moldable_turn turn = {instance, c->algorithm};
            code = duet_speed_rounds(tasks / c->part, rounds, run_turn, &turn, 1, &rows[i], error);
        }
        duet_instance_free(instance);
    }
    return code;
}
