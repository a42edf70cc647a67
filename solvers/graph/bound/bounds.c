// SPDX-License-Identifier: Apache-2.0
// Bounds: propagation, interval, timed, shaving, branching.
// Method:    guesses are refuted, or not, between the bound head-tail and the makespan of HEFT, by
//            means of growing cost (destructive.c): propagation of windows; the linear program of
//            intervals besides; time-indexed prices besides; shaving besides; branching besides,
//            until time or work ends.
// Guarantee: the certificate is the proof of the last refutation, line by line (DUET_PROOF_LINES).
// Cost:      about ten guesses for each but the last; branching goes on for DUET_BOUND_WORK
//            operations (some seconds), or to the deadline where there is one.
// Memory:    as in refute.c.
// Reference: see refute.c.
#include "solvers/graph/bound/bounds.h"

#include "core/system/try.h"
#include "lp/graph/head_tail.h"
#include "solvers/graph/bound/subproblems.h"
#include "solvers/graph/bound/tuning.h"

// The makespan of a quick schedule: no bound is above it.
static duet_code quick_makespan(const duet_instance *instance, const duet_context *context,
                                int64_t *makespan, duet_error *error)
{
    duet_solution *solution = NULL;
    duet_params params = {.struct_size = sizeof params,
                          .threads = 1,
                          .memory_limit = context->memory_limit,
                          .cancel = context->cancel};
    duet_code code = duet_solve(instance, "heft", &params, &solution, error);
    if (code == DUET_OK) {
        *makespan = duet_solution_makespan(solution);
    }
    duet_solution_free(solution);
    return code;
}

// Raises a bound that is there.
static duet_code raise_bound(const duet_instance *instance, const duet_context *context,
                             duet_bound_phase last, duet_bound *bound, duet_error *error)
{
    duet_subproblems *subproblems = NULL;
    int64_t upper = 0;
    duet_code code = quick_makespan(instance, context, &upper, error);
    DUET_THEN(code, duet_subproblems_create(instance, &duet_subproblems_usual, context,
                                            bound->value, &subproblems, error));
    bool timed = context->deadline_ns != INT64_MAX;
    for (int64_t work = 0; code == DUET_OK && (timed || work < DUET_BOUND_WORK);
         work += DUET_BOUND_SLICE) {
        if (duet_destructive_done(duet_subproblems_whole(subproblems), upper, last) ||
            duet_context_stop(context)) {
            break;
        }
        code = duet_subproblems_work(subproblems, upper, DUET_BOUND_SLICE, last, error);
        duet_context_report(context, bound->name,
                            duet_destructive_lower(duet_subproblems_whole(subproblems)), upper);
    }
    if (code == DUET_OK && duet_destructive_proven(duet_subproblems_whole(subproblems))) {
        duet_bound raised;
        code = duet_destructive_certify(duet_subproblems_whole(subproblems), bound->name, &raised,
                                        error);
        if (code == DUET_OK) {
            duet_bound_release(bound);
            *bound = raised;
        }
    }
    duet_subproblems_free(subproblems);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context, const char *name,
                     duet_bound_phase last, duet_bound *bound, duet_error *error)
{
    duet_code code = duet_head_tail_bound(instance, context, bound, error);
    if (code == DUET_OK) {
        bound->name = name;
        code = raise_bound(instance, context, last, bound, error);
        if (code != DUET_OK) {
            duet_bound_release(bound);
        }
    }
    return code;
}

static duet_code run_propagation(const duet_instance *instance, const duet_context *context,
                                 duet_bound *bound, duet_error *error)
{
    return run(instance, context, "propagation", DUET_PHASE_PROPAGATION, bound, error);
}

static duet_code run_interval(const duet_instance *instance, const duet_context *context,
                              duet_bound *bound, duet_error *error)
{
    return run(instance, context, "interval", DUET_PHASE_PROGRAM, bound, error);
}

static duet_code run_timed(const duet_instance *instance, const duet_context *context,
                           duet_bound *bound, duet_error *error)
{
    return run(instance, context, "timed", DUET_PHASE_TIME_INDEXED, bound, error);
}

static duet_code run_shaving(const duet_instance *instance, const duet_context *context,
                             duet_bound *bound, duet_error *error)
{
    return run(instance, context, "shaving", DUET_PHASE_SHAVING, bound, error);
}

static duet_code run_branching(const duet_instance *instance, const duet_context *context,
                               duet_bound *bound, duet_error *error)
{
    return run(instance, context, "branching", DUET_PHASE_BRANCHING, bound, error);
}

const duet_bound_method duet_bound_propagation = {
    .entry = {.name = "propagation",
              .summary = "windows of the tasks under a guess, narrowed until they contradict",
              .reference = "Klein, Scholl, EJOR 112, 1999",
              .needs = DUET_NEEDS_EDGES,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES},
    .run = run_propagation,
};

const duet_bound_method duet_bound_interval = {
    .entry = {.name = "interval",
              .summary = "the same, and a linear program with the work in intervals",
              .reference = "Kedad-Sidhoum, Monna, Trystram, HCW 2015; Erschler, Lopez, PMS 1990",
              .needs = DUET_NEEDS_EDGES,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES},
    .run = run_interval,
};

const duet_bound_method duet_bound_timed = {
    .entry = {.name = "timed",
              .summary = "the same, and prices of processors and edges that change over time",
              .reference = "Christofides, Alvarez-Valdes, Tamarit, EJOR 29, 1987",
              .needs = DUET_NEEDS_EDGES,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES},
    .run = run_timed,
};

const duet_bound_method duet_bound_shaving = {
    .entry = {.name = "shaving",
              .summary = "the same, and suppositions that propagation refutes",
              .reference = "Martin, Shmoys, IPCO 1996",
              .needs = DUET_NEEDS_EDGES,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES},
    .run = run_shaving,
};

const duet_bound_method duet_bound_branching = {
    .entry = {.name = "branching",
              .summary = "the same, and branch and bound, to the deadline or for some seconds",
              .reference = "Carlier, Pinson, Management Science 35(2), 1989",
              .needs = DUET_NEEDS_EDGES,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES},
    .run = run_branching,
};
