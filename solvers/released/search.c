// SPDX-License-Identifier: Apache-2.0
// What exact, local-search, graph-search and auto run where there are releases or busy processors.
//
// Method:    the best schedule of some rules; bounds. Of task graphs the searches for those without
//            releases, which prove what they find, after a little of the search by orders where
//            there are many tasks. Of others all schedules of few tasks for some part of the time,
//            since that often ends at once, and the search by exchanges. Then all schedules; of
//            graphs, which have too many, no more than rounds allow where time is not limited.
// Guarantee: exact is optimal where it ends.
// Cost:      the time that it is given.
// Memory:    that of its parts.
// Reference: see them.
#include <stdio.h>

#include "core/instance/moved.h"
#include "core/number/minmax.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "solvers/cheap_bounds.h"
#include "solvers/features.h"
#include "solvers/graph/tuning.h"
#include "solvers/hint.h"
#include "solvers/released/climb.h"
#include "solvers/released/model.h"
#include "solvers/run.h"

// ROUND_NODES << r: nodes of the search of all schedules of a graph in r rounds.
enum { SHARE = 4, MOVED_SHARE = 16, ROUND_NODES = 20000, MOST_ROUNDS = 40 };

static bool is_open(const duet_context *context, const duet_solution *solution)
{
    return solution->makespan > duet_context_target(context, solution->lower_bound);
}

// Takes the schedule of a row where it is shorter, or the first.
static duet_code offer(const duet_instance *instance, const duet_algorithm *row,
                       const duet_context *context, bool *found, duet_solution *solution,
                       duet_error *error)
{
    duet_context inner = *context;
    inner.options = NULL;
    inner.progress = NULL;
    inner.known = NULL;
    duet_solution *other = NULL;
    if (!duet_handles(&row->entry, duet_demand_of(instance))) {
        return DUET_OK;
    }
    DUET_TRY(duet_run_algorithm(instance, row, &inner, &other, error));
    if (!*found || other->makespan < solution->makespan) {
        duet_solution_swap_schedules(solution, other);
        snprintf(solution->found_by, sizeof solution->found_by, "%s", row->entry.name);
        *found = true;
    }
    duet_solution_free(other);
    return DUET_OK;
}

static duet_code begin(const duet_instance *instance, const duet_context *context,
                       duet_solution *solution, duet_error *error)
{
    static const duet_algorithm *const rows[] = {&duet_algorithm_eft, &duet_algorithm_heft,
                                                 &duet_algorithm_heft_min, &duet_algorithm_m_heft,
                                                 &duet_algorithm_hcpa};
    bool found = false;
    if (context->known != NULL) {
        const duet_solution *known = context->known;
        const duet_bound bound = {.name = known->bound_name,
                                  .value = known->lower_bound,
                                  .certificate = known->certificate};
        DUET_TRY(duet_hint_copy(known, instance, solution, error));
        solution->makespan = known->makespan;
        if (known->bound_name[0] != '\0') {
            duet_solution_offer_bound(solution, &bound);
        }
        return DUET_OK;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DUET_TRY(offer(instance, rows[i], context, &found, solution, error));
    }
    return duet_offer_cheap_bounds(instance, context, solution, error);
}

duet_code duet_released_search(const duet_instance *instance, const duet_context *context,
                               int64_t rounds, duet_solution *solution, duet_error *error)
{
    DUET_TRY(begin(instance, context, solution, error));
    DUET_TRY(duet_released_improve(instance, context, rounds, 0, solution, error));
    solution->interrupted = duet_context_stop(context) && is_open(context, solution);
    return DUET_OK;
}

duet_code duet_released_graph_search(const duet_instance *instance, const duet_context *context,
                                     int64_t rounds, int64_t searches, duet_solution *solution,
                                     duet_error *error)
{
    const duet_released_wanted wanted = {rounds, searches, .schedule = true};
    bool parted = duet_released_moves(instance) && context->deadline_ns != INT64_MAX;
    duet_context part = duet_context_part(context, parted ? MOVED_SHARE : 1);
    DUET_TRY(begin(instance, context, solution, error));
    DUET_TRY(duet_released_improve(instance, &part, rounds, 0, solution, error));
    if (is_open(context, solution) && duet_released_moves(instance)) {
        DUET_TRY(duet_released_moved(instance, context, &wanted, solution, error));
    }
    solution->interrupted = duet_context_stop(context) && is_open(context, solution);
    return DUET_OK;
}

// Nodes of the search of all schedules of a graph, which may be without end: they grow by rounds,
// of which there are some where neither they nor time are limited.
static int64_t most_nodes(const duet_instance *instance, const duet_context *context,
                          int64_t rounds)
{
    bool limited = rounds > 0 || context->deadline_ns == INT64_MAX;
    if (instance->graph == NULL || !limited) {
        return INT64_MAX;
    }
    rounds = rounds > 0 ? rounds : DUET_GRAPH_ROUNDS;
    return rounds < MOST_ROUNDS ? (int64_t)ROUND_NODES << rounds : INT64_MAX;
}

static duet_code search_all(const duet_instance *instance, const duet_context *context,
                            int64_t rounds, duet_output *proof, duet_solution *solution,
                            duet_error *error)
{
    bool timed = context->deadline_ns != INT64_MAX;
    bool moves = duet_released_moves(instance);
    duet_context part = duet_context_part(context, SHARE);
    if (timed && !moves && is_open(context, solution)) {
        DUET_TRY(duet_released_branch(instance, &part, INT64_MAX, solution, error));
    }
    bool few = duet_tasks(instance) <= DUET_RELEASED_MOST_TASKS; // else branch() does nothing
    int share = moves ? MOVED_SHARE : few ? 2 : 1; // the rest is for the searches that prove
    part = duet_context_part(context, timed ? share : 1);
    if (is_open(context, solution) && !(moves && few)) {
        DUET_TRY(duet_released_improve(instance, &part, timed ? 0 : duet_max(rounds, 1), 0,
                                       solution, error));
    }
    if (proof != NULL || is_open(context, solution)) {
        const duet_released_wanted wanted = {.rounds = rounds, .proof = proof};
        DUET_TRY(duet_released_moved(instance, context, &wanted, solution, error));
    }
    solution->interrupted = false;
    bool written = proof != NULL && proof->stream == NULL; // no more is claimed than it proves
    if (!written && is_open(context, solution)) {
        int64_t nodes = most_nodes(instance, context, rounds);
        DUET_TRY(duet_released_branch(instance, context, nodes, solution, error));
    }
    solution->interrupted = duet_context_stop(context) && is_open(context, solution);
    return DUET_OK;
}

// What would have a task graph searched that was not.
static const char *wants(const duet_instance *instance)
{
    static const char *const less[] = {
        [DUET_MOVED_FREE] = "a smaller graph, or more memory",
        [DUET_MOVED_TIMES] = ("shorter times: work of at most 2^60 ticks, and no release or busy "
                              "time beyond 2^60 by the number of tasks"),
        [DUET_MOVED_CLASSES] = "fewer times until which processors are busy",
        [DUET_MOVED_COSTS] = "fewer releases, busy times or costs of edges",
    };
    return less[duet_moved_obstacle_of(instance)];
}

// Gives a proof up that no search has written.
static void give_up(duet_output *proof, const char *wanted, duet_solution *solution)
{
    snprintf(solution->note, sizeof solution->note,
             "no proof was written: with releases or busy processors it takes %s", wanted);
    solution->output_failed = true;
    duet_output_abandon(proof);
}

duet_code duet_released_exact(const duet_instance *instance, const duet_context *context,
                              int64_t rounds, duet_output *proof, duet_solution *solution,
                              duet_error *error)
{
    DUET_TRY(begin(instance, context, solution, error));
    if (instance->graph != NULL || instance->moldable != NULL) {
        DUET_TRY(search_all(instance, context, rounds, proof, solution, error));
        if (proof != NULL && proof->stream != NULL) {
            give_up(proof, wants(instance), solution);
        }
        return DUET_OK;
    }
    bool possible;
    DUET_TRY(duet_released_climb(instance, context, rounds, proof, &possible, solution, error));
    if (!possible && proof != NULL) {
        give_up(proof, "linear programs", solution);
    }
    if (possible) {
        return DUET_OK;
    }
    if (is_open(context, solution)) {
        DUET_TRY(duet_released_offer_divided(instance, context, solution, error));
    }
    return search_all(instance, context, rounds, NULL, solution, error);
}
