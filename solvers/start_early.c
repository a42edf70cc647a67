// SPDX-License-Identifier: Apache-2.0
// Method: the schedule is carried out as planned, in its order (heuristics/engine/replay.h).
// Searches
//         that build schedules from the end, and those that learn, leave tasks later than need be.
#include "solvers/start_early.h"

#include <string.h>

#include <duet/graph.h>

#include "core/instance/reality.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/replay.h"

// More tasks and edges would take seconds.
enum { MOST = 1000000 };

static bool is_meant(const duet_instance *instance, const duet_solution *solution)
{
    return instance->graph != NULL && instance->moldable == NULL && solution->placement != NULL &&
           solution->aborted_count == 0 && solution->finer == 0 &&
           duet_tasks(instance) + duet_instance_edges(instance) <= MOST;
}

static duet_code carry_out(const duet_instance *instance, const duet_context *context,
                           const duet_solution *plan, duet_solution *early, duet_error *error)
{
    duet_watch watch = {.context = NULL};
    duet_reality reality = {.disturbances = 0};
    duet_context whole = *context; // a deadline that is over does not stop it
    whole.deadline_ns = INT64_MAX;
    whole.cancel = whole.halt = NULL;
    whole.reality = &reality;
    duet_code code = duet_reality_create(instance, &reality, &watch, error);
    if (code == DUET_OK) {
        duet_reality_reset(&reality, instance);
        code = duet_solution_hold_placements(early, error);
    }
    DUET_THEN(code, duet_replay(&whole, plan, DUET_KEEP_ORDER, early, error));
    duet_reality_free(&reality);
    return code;
}

void duet_start_early(const duet_instance *instance, const duet_context *context,
                      duet_solution *solution)
{
    duet_error why = DUET_ERROR_INIT;
    duet_solution *early = NULL;
    if (!is_meant(instance, solution) ||
        duet_solution_create_blank(solution->tasks, &early, &why) != DUET_OK) {
        return;
    }
    if (carry_out(instance, context, solution, early, &why) == DUET_OK) {
        memcpy(solution->placement, early->placement,
               (size_t)solution->tasks * sizeof *solution->placement);
        duet_solution_finish(solution, instance);
    }
    duet_solution_free(early);
}
