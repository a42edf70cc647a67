// SPDX-License-Identifier: Apache-2.0
// Moldable tasks, each on one processor; see sequential.h.
// Method:    the times of one processor are an instance of sequential tasks, of which every
//            schedule is one of the moldable tasks. What knows far more of such instances solves
//            it.
// Cost:      that of local-search or of rules, and a part of the time.
// Memory:    that of the searches.
// Reference: ours.
#include "solvers/moldable/sequential.h"

#include "core/instance/moldable.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "solvers/hint.h"
#include "solvers/moldable/as_types.h"
#include "solvers/run.h"
#include "solvers/solvers.h"

enum {
    PART = 8,   // The searches have 1/8 of the time.
    LONGER = 16 // They have it if rules end by 1/16 behind the schedule that there is.
};

static duet_code create(const duet_instance *instance, duet_instance **out)
{
    size_t types = instance->types;
    duet_type platform[DUET_MAX_TYPES];
    int64_t *times = duet_alloc_raw(instance->kinds * types, sizeof *times, NULL);
    DUET_NEED(times);
    for (size_t i = 0; i < instance->kinds; i++) {
        for (size_t t = 0; t < types; t++) {
            bool any = duet_moldable_sizes(instance, i, t) > 0;
            times[i * types + t] = any ? duet_moldable_time(instance, i, t, 1) : DUET_FORBIDDEN;
        }
    }
    for (size_t t = 0; t < types; t++) {
        platform[t] = (duet_type){instance->type_names[t], instance->processors[t]};
    }
    duet_code code = duet_moldable_as_types(instance, types, platform, times, out, NULL);
    duet_free(times);
    return code;
}

// Takes the schedule of an algorithm where it is shorter. How long it is; INT64_MAX: there is none.
static int64_t take(const duet_instance *sequential, const duet_algorithm *row,
                    const duet_context *context, const duet_solution *known,
                    duet_solution *solution)
{
    duet_context inner = *context;
    duet_solution *made = NULL;
    int64_t makespan = INT64_MAX;
    inner.progress = NULL;
    inner.start_from = NULL;
    inner.known = known;
    inner.known_from = DUET_KNOWN_GIVEN;
    if (duet_run_algorithm(sequential, row, &inner, &made, NULL) == DUET_OK &&
        duet_solution_placements(made) != NULL) {
        makespan = made->makespan;
        if (makespan < solution->makespan) {
            duet_solution_swap_schedules(solution, made);
            solution->aborted_count = 0; // moldable tasks have none, and without them it is as long
        }
    }
    duet_solution_free(made);
    return makespan;
}

void duet_moldable_offer_sequential(const duet_instance *instance, const duet_context *context,
                                    duet_solution *solution)
{
    duet_instance *sequential = NULL;
    if (create(instance, &sequential) != DUET_OK) {
        return;
    }
    duet_context part = duet_context_part(context, PART);
    part.options = NULL;
    int64_t before = solution->makespan;
    const duet_algorithm *first =
        instance->graph == NULL ? &duet_algorithm_local_search : &duet_algorithm_heft;
    int64_t makespan = take(sequential, first, &part, NULL, solution);
    bool near = makespan <= before + before / LONGER;
    if (near && part.deadline_ns != INT64_MAX && !duet_context_stop(&part)) {
        take(sequential, &duet_algorithm_auto, &part, NULL, solution);
    }
    duet_instance_free(sequential);
}

// A copy of a schedule in which each task is on one processor, without its bound, which is one of
// moldable tasks. False: it is no such schedule, or there is no memory.
static bool copy_sequential(const duet_instance *sequential, const duet_solution *from,
                            duet_solution **out)
{
    duet_processor_range one;
    for (int64_t j = 0; j < from->tasks; j++) {
        const duet_processor_set set = duet_solution_set(from, j, &one);
        if (set.count != 1 || set.range[0].first != set.range[0].last) {
            return false;
        }
    }
    duet_code code = duet_solution_create_blank(from->tasks, out, NULL);
    DUET_THEN(code, duet_hint_copy(from, sequential, *out, NULL));
    if (code == DUET_OK) {
        duet_solution_finish(*out, sequential);
    }
    return code == DUET_OK;
}

void duet_moldable_search_sequential(const duet_instance *instance, const duet_context *context,
                                     duet_solution *solution)
{
    duet_instance *sequential = NULL;
    duet_solution *known = NULL;
    duet_context part = duet_context_part(context, 2);
    part.options = NULL;
    if (create(instance, &sequential) == DUET_OK && copy_sequential(sequential, solution, &known)) {
        take(sequential, &duet_algorithm_auto, &part, known, solution);
    }
    duet_solution_free(known);
    duet_instance_free(sequential);
}
