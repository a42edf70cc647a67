// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/queues.h"

#include "core/number/minmax.h"
#include "core/system/try.h"
#include "heuristics/engine/arrivals.h"

duet_code duet_queues_create(const duet_instance *instance, const int32_t *kind,
                             const duet_reality *reality, duet_placement *placement,
                             duet_queues *queues, duet_error *error)
{
    *queues =
        (duet_queues){.instance = instance,
                      .kind = kind,
                      .placement = placement,
                      .costs = (duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) != 0,
                      .executed = reality == NULL ? NULL : &reality->executed};
    for (size_t t = 0; t < instance->types; t++) {
        size_t count = duet_useful_processors(instance, reality, t);
        DUET_TRY(duet_tournament_create(count, &queues->of[t], error));
        for (size_t p = 0; p < count && (int64_t)p < instance->busy_count[t]; p++) {
            duet_tournament_set(&queues->of[t], p, instance->busy[t][p]);
        }
    }
    return DUET_OK;
}

void duet_queues_free(duet_queues *queues)
{
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        duet_tournament_free(&queues->of[t]);
    }
}

void duet_queues_copy(duet_queues *to, const duet_queues *from)
{
    for (size_t t = 0; t < from->instance->types; t++) {
        duet_tournament_copy(&to->of[t], &from->of[t]);
    }
}

int64_t duet_queues_last_end(const duet_queues *queues, int64_t task)
{
    const duet_graph *graph = queues->instance->graph;
    int64_t last = 0;
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        int64_t end = duet_queues_end(queues, graph->tail[graph->entering[at]]);
        last = duet_max(end, last);
    }
    return last;
}

// When a predecessor ends.
static int64_t end_before(const duet_queues *queues, int64_t task)
{
    const duet_placement *at = &queues->placement[task];
    return queues->executed == NULL
               ? duet_queues_end(queues, task)
               : at->start + duet_time(queues->executed, (size_t)task, (size_t)at->type);
}

static duet_arrivals find_arrivals(const duet_queues *queues, int64_t task, size_t type)
{
    const duet_graph *graph = queues->instance->graph;
    duet_arrivals found = DUET_ARRIVALS_NONE;
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        int32_t edge = graph->entering[at];
        const duet_placement *placed = &queues->placement[graph->tail[edge]];
        duet_arrivals_add(&found, end_before(queues, graph->tail[edge]),
                          duet_graph_cost(graph, edge, (size_t)placed->type, type), placed->type,
                          placed->processor);
    }
    return found;
}

int64_t duet_queues_arrival(const duet_queues *queues, int64_t task, size_t type, size_t processor)
{
    if (!queues->costs) {
        return 0; // its predecessors have ended by now
    }
    duet_arrivals data = find_arrivals(queues, task, type);
    bool there = data.from == (int32_t)type && data.last == (int32_t)processor;
    return there ? duet_arrivals_there(&data) : data.all;
}

duet_spot duet_queues_spot_with_data(const duet_queues *queues, int64_t task, size_t type,
                                     int64_t ready)
{
    const duet_tournament *free_from = &queues->of[type];
    duet_arrivals data = find_arrivals(queues, task, type);
    int64_t start = duet_max(duet_tournament_least(free_from), duet_max(data.all, ready));
    duet_spot spot = {start, duet_tournament_first(free_from, start)};
    if (data.from == (int32_t)type) {
        size_t there = (size_t)data.last;
        int64_t data_there = duet_max(duet_arrivals_there(&data), ready);
        start = duet_max(duet_tournament_at(free_from, there), data_there);
        if (start < spot.start || (start == spot.start && there < spot.processor)) {
            spot = (duet_spot){start, there};
        }
    }
    return spot;
}
