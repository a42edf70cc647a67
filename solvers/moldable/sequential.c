// SPDX-License-Identifier: Apache-2.0
// Moldable tasks, each on one processor; see sequential.h.
// Method:    the times of one processor are an instance of sequential tasks, of which every
// schedule
//            is one of the moldable tasks. What knows far more of such instances solves it.
// Cost:      that of local-search or of rules, and a part of the time.
// Memory:    that of the searches.
// Reference: ours.
#include "solvers/moldable/sequential.h"

#include "core/instance/moldable.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "solvers/registry.h"
#include "solvers/solvers.h"

enum {
    PART = 8,   // The searches have an eighth of the time,
    LONGER = 16 // if rules end by 1/16 behind the schedule that there is.
};

// What the sequential instance is made from; owned.
typedef struct described {
    int64_t *times;
    int64_t *counts;
    duet_edge *edge;
} described;

static int64_t time_of_one(const duet_instance *instance, size_t kind, size_t type)
{
    return duet_moldable_sizes(instance, kind, type) == 0
               ? DUET_FORBIDDEN
               : duet_moldable_time(instance, kind, type, 1);
}

// Whether each kind may run on one processor.
static bool fill_times(const duet_instance *instance, described *to)
{
    size_t types = instance->types;
    bool all = true;
    for (size_t i = 0; i < instance->kinds; i++) {
        bool any = false;
        for (size_t t = 0; t < types; t++) {
            to->times[i * types + t] = time_of_one(instance, i, t);
            any = any || to->times[i * types + t] != DUET_FORBIDDEN;
        }
        to->counts[i] = duet_count(instance, i);
        all = all && any;
    }
    return all;
}

static duet_code create(const duet_instance *instance, duet_instance **out)
{
    const duet_graph *graph = instance->graph;
    size_t edges = graph == NULL ? 0 : (size_t)graph->edges;
    duet_type platform[DUET_MAX_TYPES];
    described d = {.times =
                       duet_alloc_raw(instance->kinds * instance->types, sizeof *d.times, NULL),
                   .counts = duet_alloc_raw(instance->kinds, sizeof *d.counts, NULL),
                   .edge = duet_alloc_raw(edges, sizeof *d.edge, NULL)};
    bool whole = d.times != NULL && d.counts != NULL && d.edge != NULL;
    duet_code code = !whole                     ? DUET_E_MEMORY
                     : fill_times(instance, &d) ? DUET_OK
                                                : DUET_E_UNSUPPORTED;
    for (size_t e = 0; e < edges && code == DUET_OK; e++) {
        d.edge[e] = (duet_edge){graph->tail[e], graph->head[e], 0};
    }
    for (size_t t = 0; t < instance->types; t++) {
        platform[t] = (duet_type){instance->type_names[t], instance->processors[t]};
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = instance->types,
                               .platform = platform,
                               .kinds = instance->kinds,
                               .counts = d.counts,
                               .times = d.times,
                               .edges = edges,
                               .edge = d.edge};
    DUET_THEN(code, duet_instance_create(&desc, out, NULL));
    duet_free(d.times);
    duet_free(d.counts);
    duet_free(d.edge);
    return code;
}

// Takes the schedule of an algorithm where it is shorter. How long it is; INT64_MAX: there is none.
static int64_t take(const duet_instance *sequential, const duet_algorithm *row,
                    const duet_context *context, duet_solution *solution)
{
    duet_context inner = *context;
    duet_solution *made = NULL;
    int64_t makespan = INT64_MAX;
    inner.progress = NULL;
    inner.start_from = NULL;
    inner.known = NULL;
    if (duet_run_algorithm(sequential, row, &inner, &made, NULL) == DUET_OK &&
        duet_solution_placements(made) != NULL) {
        makespan = made->makespan;
        if (makespan < solution->makespan) {
            duet_solution_swap_schedules(solution, made);
        }
    }
    duet_solution_free(made);
    return makespan;
}

void duet_moldable_offer_sequential(const duet_instance *instance, const duet_context *context,
                                    duet_solution *solution)
{
    const duet_moldable *moldable = instance->moldable;
    duet_instance *sequential = NULL;
    if (moldable->amount_of != NULL || moldable->cost_of != NULL ||
        create(instance, &sequential) != DUET_OK) {
        return;
    }
    duet_context part = duet_context_part(context, PART);
    part.options = NULL;
    int64_t before = solution->makespan;
    const duet_algorithm *first =
        instance->graph == NULL ? &duet_algorithm_local_search : &duet_algorithm_heft;
    int64_t makespan = take(sequential, first, &part, solution);
    bool near = makespan <= before + before / LONGER;
    if (near && part.deadline_ns != INT64_MAX && !duet_context_stop(&part)) {
        take(sequential, &duet_algorithm_auto, &part, solution);
    }
    duet_instance_free(sequential);
}
