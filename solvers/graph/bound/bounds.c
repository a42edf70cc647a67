// SPDX-License-Identifier: Apache-2.0
// Bounds: propagation, interval, timed, shaving, branching.
// Method:    guesses are refuted, or not, between the bound head-tail and the makespan of HEFT, by
//            means of growing cost (destructive.c): propagation of windows; the linear program of
//            intervals besides; time-indexed prices besides; shaving besides; branching besides,
//            until time or work ends. Where edges cost something, the graph without costs comes
//            first, so that its bound is never above that of the graph. With releases or busy
//            processors the moved instance has the guesses (core/instance/moved.h).
// Guarantee: the certificate is the proof of the last refutation, line by line (DUET_PROOF_LINES).
// Cost:      about ten guesses for each but the last; branching goes on for DUET_BOUND_WORK
//            operations (some seconds), or to the deadline where there is one.
// Memory:    as in refute.c.
// Reference: see refute.c.
#include "solvers/bounds.h"

#include "core/instance/available.h"
#include "core/instance/moved.h"
#include "core/instance/part.h"
#include "core/number/minmax.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "lp/graph/head_tail.h"
#include "solvers/graph/bound/subproblems.h"
#include "solvers/graph/bound/tuning.h"
#include "solvers/proof_text.h"
#include "solvers/run.h"

// The makespan of a quick schedule: no bound is above it.
static duet_code quick_makespan(const duet_instance *instance, const duet_context *context,
                                int64_t *makespan, duet_error *error)
{
    duet_solution *solution = NULL;
    duet_context plain = *context;
    plain.deadline_ns = INT64_MAX;
    plain.options = NULL;
    duet_code code = duet_run_algorithm(instance, &duet_algorithm_heft, &plain, &solution, error);
    if (code == DUET_OK) {
        *makespan = duet_solution_makespan(solution);
    }
    duet_solution_free(solution);
    return code;
}

// Raises a bound that is there, where time is left: each schedule and window costs a pass over all
// tasks.
static duet_code raise_bound(const duet_instance *instance, const duet_context *context,
                             duet_bound_phase last, duet_bound *bound, duet_error *error)
{
    duet_subproblems *subproblems = NULL;
    int64_t upper = 0;
    if (duet_context_stop(context)) {
        return DUET_OK;
    }
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

// Whether the checker takes the proof of a bound of the instance without costs for one of the
// instance: what is proven there holds here, but lines are checked by what windows are there.
static bool holds_with_costs(const duet_instance *instance, const duet_context *context,
                             const duet_bound *bound)
{
    duet_params params = {.struct_size = sizeof params,
                          .threads = 1,
                          .memory_limit = context->memory_limit,
                          .cancel = context->cancel};
    if (context->deadline_ns != INT64_MAX) {
        params.time_limit = duet_max(duet_context_seconds_left(context), DUET_BOUND_CHECK_SECONDS);
    }
    return duet_certificate_check(&bound->certificate, instance, &params, NULL) == DUET_OK;
}

// Costs make windows narrower, and every step slower. So that they make no bound lower, the graph
// without costs comes first, with half of the time: what is proven of it is where the other half
// begins. A bound whose proof is none here is given back in `*unproven`.
static duet_code raise_without_costs(const duet_instance *instance, const duet_context *context,
                                     duet_bound_phase last, duet_bound *bound, int64_t *unproven,
                                     duet_error *error)
{
    duet_instance without;
    duet_graph graph;
    duet_context part = duet_context_part(context, 2);
    duet_bound raised;
    duet_instance_without_costs(instance, &without, &graph);
    DUET_TRY(duet_head_tail_bound(&without, &part, &raised, error));
    raised.name = bound->name;
    duet_code code = raise_bound(&without, &part, last, &raised, error);
    if (code == DUET_OK && raised.value > bound->value) {
        if (holds_with_costs(instance, context, &raised)) {
            duet_bound_release(bound);
            *bound = raised;
            return DUET_OK;
        }
        *unproven = raised.value;
    }
    duet_bound_release(&raised);
    return code;
}

// With releases or busy processors: the same on the moved instance, with its lines about this one.
// One that is too large leaves the bound as it is.
static duet_code raise_moved(const duet_instance *instance, const duet_context *context,
                             duet_bound_phase last, duet_bound *bound, duet_error *error)
{
    duet_moved moved = {.instance = NULL};
    duet_bound raised = {.name = bound->name, .value = bound->value + DUET_MOVED_TICKS};
    duet_error why = DUET_ERROR_INIT;
    if (duet_moved_obstacle_of(instance) != DUET_MOVED_FREE) {
        return DUET_OK;
    }
    duet_code code = duet_moved_create(instance, context->memory_limit, &moved, &why);
    if (code == DUET_E_LIMIT || code == DUET_E_MEMORY) {
        duet_moved_free(&moved);
        return DUET_OK;
    }
    if (code != DUET_OK) {
        duet_error_set(error, code, "%s", why.message);
    }
    DUET_THEN(code, raise_bound(moved.instance, context, last, &raised, error));
    if (code == DUET_OK && raised.value > bound->value + DUET_MOVED_TICKS) {
        const int64_t value = raised.value - DUET_MOVED_TICKS;
        duet_bound_release(bound);
        *bound = (duet_bound){.name = raised.name,
                              .value = value,
                              .certificate = {.proof = DUET_PROOF_LINES, .lambda = value}};
        code = duet_proof_moved_lines(raised.certificate.lines, &bound->certificate.lines, error);
    }
    duet_bound_release(&raised);
    duet_moved_free(&moved);
    return code == DUET_E_LIMIT ? DUET_OK : code;
}

static duet_code run(const duet_instance *instance, const duet_context *context, const char *name,
                     duet_bound_phase last, duet_bound *bound, duet_error *error)
{
    duet_code code = duet_head_tail_bound(instance, context, bound, error);
    if (code != DUET_OK) {
        return code;
    }
    int64_t unproven = 0;
    bound->name = name;
    if (!duet_is_available(instance)) {
        code = raise_moved(instance, context, last, bound, error);
    } else if (instance->graph != NULL && instance->graph->transfer != NULL) {
        code = raise_without_costs(instance, context, last, bound, &unproven, error);
    }
    if (code == DUET_OK && duet_is_available(instance)) {
        code = raise_bound(instance, context, last, bound, error);
    }
    if (code == DUET_OK && unproven > bound->value) {
        duet_bound_release(bound);
        *bound = (duet_bound){.name = name, .value = unproven};
    }
    if (code != DUET_OK) {
        duet_bound_release(bound);
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
