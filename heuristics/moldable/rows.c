// SPDX-License-Identifier: Apache-2.0
#include "heuristics/moldable/rows.h"

#include "core/heap.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"

const duet_option_spec duet_allocation_options[] = {
    {.name = "gain",
     .type = DUET_OPTION_CHOICE,
     .fallback = "area",
     .choices = DUET_GAINS,
     .unit = "",
     .text = "what a task of the critical path gains by one processor more: in time over "
             "processors, in time, or in time over its time"},
    {.name = "allocation",
     .type = DUET_OPTION_CHOICE,
     .fallback = "cpa",
     .choices = DUET_ALLOCATION_RULES,
     .unit = "",
     .text =
         "mcpa: no level of the graph gets more processors than there are; bicpa: also what cpa "
         "allocates for fewer processors, and the shortest of all these schedules"},
    {.name = NULL}};

duet_allocation_choice duet_allocation_choice_of(const duet_options *options)
{
    int gain = duet_option_choice(options, duet_allocation_options, "gain");
    int rule = duet_option_choice(options, duet_allocation_options, "allocation");
    return (duet_allocation_choice){.gain = (duet_gain)gain, .rule = (duet_allocation_rule)rule};
}

void duet_count_allocation(duet_solution *solution, const duet_allocated *allocated)
{
    duet_solution_count(solution, "allocation_steps", allocated->steps);
    if (allocated->tried > 0) {
        duet_solution_count(solution, "allocations", allocated->tried);
    }
}

// duet_move_function of an instance.
static int64_t move_of_instance(const void *instance, int64_t edge, size_t i, int64_t p, size_t j,
                                int64_t q)
{
    return duet_moldable_move(instance, edge, i, p, j, q);
}

duet_code duet_clusters_of_instance(const duet_instance *instance, duet_clusters *clusters,
                                    duet_error *error)
{
    duet_code code = duet_clusters_create(instance->graph, duet_tasks(instance), instance->types,
                                          instance->processors, clusters, error);
    clusters->move = move_of_instance;
    if (code == DUET_OK) {
        duet_clusters_heed(clusters, instance);
    }
    clusters->platform = instance;
    return code;
}

static bool is_first(const int64_t *level, int32_t a, int32_t b)
{
    return level[a] != level[b] ? level[a] > level[b] : a < b;
}
DUET_HEAP(ready, int32_t, int64_t, is_first)

// How many predecessors of each task are not placed.
static int32_t *count_waits(const duet_graph *graph, size_t tasks, duet_error *error)
{
    int32_t *waits = duet_alloc(tasks, sizeof *waits, error);
    for (size_t j = 0; waits != NULL && graph != NULL && j < tasks; j++) {
        waits[j] = (int32_t)(graph->enter_at[j + 1] - graph->enter_at[j]);
    }
    return waits;
}

duet_code duet_place_by_level(duet_clusters *clusters, const int64_t *level,
                              duet_try_function *choose, void *user, const duet_context *context,
                              duet_error *error)
{
    const duet_graph *graph = clusters->graph;
    size_t tasks = clusters->plan.tasks;
    int32_t *waits = count_waits(graph, tasks, error);
    int32_t *heap = duet_alloc_raw(tasks, sizeof *heap, error);
    size_t count = 0;
    duet_code code = waits == NULL || heap == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t j = 0; j < tasks && code == DUET_OK; j++) {
        if (waits[j] == 0) {
            ready_push(level, heap, &count, (int32_t)j);
        }
    }
    while (code == DUET_OK && count > 0) {
        int32_t task = ready_pop(level, heap, &count);
        duet_trial trial;
        code = duet_context_stop(context) ? duet_context_stop_error(context, error)
                                          : choose(user, task, &trial, error);
        DUET_THEN(code, duet_clusters_place(clusters, task, &trial, error));
        int64_t begin = graph == NULL ? 0 : graph->leave_at[task];
        int64_t end = graph == NULL ? 0 : graph->leave_at[task + 1];
        for (int64_t at = begin; at < end && code == DUET_OK; at++) {
            int32_t next = graph->head[graph->leaving[at]];
            if (--waits[next] == 0) {
                ready_push(level, heap, &count, next);
            }
        }
    }
    duet_free(waits);
    duet_free(heap);
    return code;
}
