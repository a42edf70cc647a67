// SPDX-License-Identifier: Apache-2.0
// Draws of dispatches to begin with; initial.h says which.
#include "heuristics/graph_search/initial.h"

#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/graph_search/tuning.h"

// Parameters of a dispatch; see duet_graph_search_dispatch.
typedef struct dispatch_draw {
    double target; // The target is this times the best makespan.
    double tail_weight;
    double noise;
    double penalty;
    bool longest_tail_first;
    // From the second dispatch on, the time behind a task is read off the last schedule; otherwise
    // it is the task's tail.
    bool tails_of_schedule;
    bool mirrored; // The first dispatch is on the mirrored graph.
} dispatch_draw;

duet_code duet_graph_search_initial_create(const duet_graph_search_model *model,
                                           const duet_graph_search_model *mirror, uint64_t seed,
                                           duet_graph_search_initial *initial, duet_error *error)
{
    size_t tasks = (size_t)model->tasks;
    *initial = (duet_graph_search_initial){.model = model, .mirror = mirror};
    duet_random_seed(&initial->random, seed);
    duet_code code = duet_graph_search_dispatcher_create(model, &initial->dispatcher, error);
    initial->best.start = duet_alloc_raw(tasks, sizeof *initial->best.start, error);
    initial->best.type = duet_alloc_raw(tasks, sizeof *initial->best.type, error);
    initial->priority = duet_alloc_raw(tasks, sizeof *initial->priority, error);
    initial->behind = duet_alloc_raw(tasks, sizeof *initial->behind, error);
    bool whole = initial->best.start != NULL && initial->best.type != NULL &&
                 initial->priority != NULL && initial->behind != NULL;
    return code == DUET_OK && !whole ? DUET_E_MEMORY : code;
}

void duet_graph_search_initial_free(duet_graph_search_initial *initial)
{
    duet_graph_search_dispatcher_free(&initial->dispatcher);
    duet_free(initial->best.start);
    duet_free(initial->best.type);
    duet_free(initial->priority);
    duet_free(initial->behind);
    *initial = (duet_graph_search_initial){.model = NULL};
}

// The schedule of a dispatch, read forward.
static void keep_dispatch(duet_graph_search_initial *s, bool mirrored, int64_t makespan)
{
    const duet_graph_search_dispatcher *d = &s->dispatcher;
    s->best.makespan = makespan;
    for (int32_t j = 0; j < s->model->tasks; j++) {
        size_t type = d->type[j];
        s->best.type[j] = (uint8_t)type;
        s->best.start[j] = mirrored ? makespan - d->end[j]
                                    : d->end[j] - duet_graph_search_model_time(s->model, j, type);
    }
}

static double uniform(duet_graph_search_initial *s, double low, double high)
{
    return low + (high - low) * duet_random_unit(&s->random);
}

// A way to dispatch: the plain one first, then any.
static dispatch_draw draw(duet_graph_search_initial *s)
{
    if (!s->drawn) {
        s->drawn = true;
        return (dispatch_draw){.target = 1.0, .tail_weight = 1.0};
    }
    dispatch_draw drawn = {.target = uniform(s, 0.75, 1.25),
                           .tail_weight = exp(uniform(s, -0.7, 1.4))};
    drawn.noise = uniform(s, 0.0, 1.0) < 0.5 ? 0.0 : uniform(s, 0.0, 0.3);
    drawn.penalty = uniform(s, 0.0, 1.0) < 0.5 ? 0.0 : uniform(s, 0.0, 1.0);
    drawn.longest_tail_first = uniform(s, 0.0, 1.0) < 0.5;
    drawn.tails_of_schedule = uniform(s, 0.0, 1.0) < 0.5;
    drawn.mirrored = uniform(s, 0.0, 1.0) < 0.5;
    return drawn;
}

// Dispatches in one direction, then by the ends of that in the other one, and so on.
static duet_code dispatch(duet_graph_search_initial *s, const duet_context *context, int64_t known,
                          duet_error *error)
{
    size_t tasks = (size_t)s->model->tasks;
    int64_t best = duet_min(known, s->best.makespan);
    dispatch_draw drawn = draw(s);
    duet_graph_search_dispatch how = {.target = (int64_t)(drawn.target * (double)best),
                                      .priority = s->priority,
                                      .behind = s->behind,
                                      .tail_weight = drawn.tail_weight,
                                      .noise = drawn.noise,
                                      .penalty = drawn.penalty,
                                      .longest_tail_first = drawn.longest_tail_first};
    for (int turn = 0; turn < DUET_DISPATCH_TURNS && !duet_context_stop(context); turn++) {
        bool mirrored = (turn % 2 != 0) != drawn.mirrored;
        const duet_graph_search_model *model = mirrored ? s->mirror : s->model;
        memcpy(s->behind, model->tail, tasks * sizeof *s->behind);
        memcpy(s->priority, turn == 0 ? model->tail : s->dispatcher.end,
               tasks * sizeof *s->priority);
        if (turn > 0 && drawn.tails_of_schedule) {
            for (int32_t j = 0; j < (int32_t)tasks; j++) {
                s->behind[j] = s->dispatcher.end[j] -
                               duet_graph_search_model_time(model, j, s->dispatcher.type[j]);
            }
            how.tail_weight = 0.5 + drawn.tail_weight / 4;
        }
        int64_t makespan = 0;
        DUET_TRY(duet_graph_search_dispatch_run(&s->dispatcher, model, &how, &s->random, &makespan,
                                                error));
        if (makespan < s->best.makespan) {
            keep_dispatch(s, mirrored, makespan);
        }
    }
    return DUET_OK;
}

duet_code duet_graph_search_initial_run(duet_graph_search_initial *initial,
                                        const duet_context *context, int64_t known, int64_t work,
                                        duet_error *error)
{
    DUET_ASSERT(known < INT64_MAX);
    int64_t each = (int64_t)DUET_DISPATCH_TURNS * DUET_DISPATCH_TASK_WORK * initial->model->tasks;
    duet_code code = DUET_OK;
    initial->best.makespan = INT64_MAX;
    for (int64_t spent = 0; spent <= work && code == DUET_OK && !duet_context_stop(context);
         spent += each) {
        code = dispatch(initial, context, known, error);
        initial->work += each;
    }
    return code;
}
