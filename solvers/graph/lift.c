// SPDX-License-Identifier: Apache-2.0
// Bounds by guesses below the best schedule; see lift.h.
#include "solvers/graph/lift.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/try.h"
#include "solvers/graph/tuning.h"

void duet_lift_free(duet_lift *lift)
{
    duet_learn_free(lift->search);
    duet_learn_free(lift->refuted);
    duet_solution_free(lift->own);
    *lift = (duet_lift){.search = NULL};
}

static void drop(duet_lift *lift)
{
    duet_learn_free(lift->search);
    lift->search = NULL;
}

// A guess between the bound and the schedule, or the guess that took too long. The next one below
// the schedule is left to the search that knows the schedule.
static bool choose_guess(duet_lift *lift, const duet_solution *best)
{
    int64_t lower = best->lower_bound;
    int64_t most = best->makespan - 2;
    bool near = lift->ceiling - 1 - lower <= (most - lower) / DUET_GRAPH_LIFT_NEAR + 1;
    if (lift->ceiling > 0 && near) {
        lift->ceiling = 0;
        lift->allowance = duet_min(2 * lift->allowance, INT64_MAX / 4);
    }
    most = lift->ceiling > 0 ? duet_min(lift->ceiling - 1, most) : most;
    lift->guess = lower + (most - lower) / DUET_GRAPH_LIFT_STEP;
    return most >= lower;
}

// Begins a search at the guess, which keeps to the best schedule where it may.
static duet_code begin(duet_lift *lift, const duet_instance *instance, const duet_context *context,
                       const duet_solution *best, duet_error *why)
{
    duet_code code = DUET_OK;
    if (lift->own == NULL) {
        code = duet_solution_create(best->tasks, &lift->own, why);
    }
    DUET_THEN(code, duet_solution_hold_placements(lift->own, why));
    if (code == DUET_OK) {
        memcpy(lift->own->placement, best->placement,
               (size_t)best->tasks * sizeof *best->placement);
        lift->own->makespan = lift->guess + 1;
        lift->spent = 0;
        code = duet_learn_create(instance, context, lift->own, &lift->search, why);
    }
    return code;
}

static void take_schedule(const duet_lift *lift, duet_solution *best)
{
    memcpy(best->placement, lift->own->placement, (size_t)best->tasks * sizeof *best->placement);
    best->makespan = lift->own->makespan;
    best->aborted_count = 0;
}

// The search has proven that no schedule is shorter than its own: one that it has found, or the one
// tick above the guess that it was given.
static void take_proof(duet_lift *lift, duet_solution *best)
{
    lift->lower = lift->own->makespan;
    best->lower_bound = lift->lower;
    duet_learn_free(lift->refuted);
    lift->refuted = lift->search;
    lift->search = NULL;
}

// What the search has found out about its guess.
static void take_answer(duet_lift *lift, duet_solution *best)
{
    bool shorter = lift->own->makespan <= lift->guess;
    if (shorter) {
        take_schedule(lift, best);
    }
    if (duet_learn_is_proven(lift->search)) {
        take_proof(lift, best);
    } else if (shorter) {
        drop(lift);
    } else if (lift->spent >= lift->allowance) {
        lift->ceiling = lift->guess + 1;
        drop(lift);
    }
}

// Works on the guess for about `work` operations, at least one.
static duet_code work_on_guess(duet_lift *lift, int64_t work, duet_error *why)
{
    int64_t before = duet_learn_work(lift->search);
    int64_t part = duet_min(work, lift->allowance - lift->spent);
    duet_code code = duet_learn_run(lift->search, 0, duet_max(part, 1), lift->own, why);
    lift->spent += duet_learn_work(lift->search) - before;
    lift->work += duet_learn_work(lift->search) - before;
    return code;
}

void duet_lift_run(duet_lift *lift, const duet_instance *instance, const duet_context *context,
                   int64_t work, duet_solution *best)
{
    duet_error why = DUET_ERROR_INIT;
    int64_t end = lift->work + work;
    lift->allowance = lift->allowance > 0 ? lift->allowance : DUET_GRAPH_LIFT_FIRST;
    best->lower_bound = duet_max(lift->lower, best->lower_bound);
    while (lift->work < end && !lift->over && !duet_context_stop(context)) {
        if (lift->search != NULL &&
            (lift->guess < best->lower_bound || lift->guess > best->makespan - 2)) {
            drop(lift);
        }
        if (lift->search == NULL && !choose_guess(lift, best)) {
            return;
        }
        duet_code code =
            lift->search == NULL ? begin(lift, instance, context, best, &why) : DUET_OK;
        int64_t before = lift->work;
        if (code == DUET_OK && lift->search != NULL) {
            code = work_on_guess(lift, end - lift->work, &why);
        }
        lift->over = code != DUET_OK || lift->search == NULL;
        if (!lift->over) {
            take_answer(lift, best);
            lift->over = lift->search != NULL && lift->work == before; // it does nothing more
        }
    }
    if (lift->over) {
        drop(lift); // its memory is of more use elsewhere
    }
}

bool duet_lift_has_proof(const duet_lift *lift, int64_t bound)
{
    return lift->refuted != NULL && lift->lower == bound && duet_learn_has_proof(lift->refuted);
}
