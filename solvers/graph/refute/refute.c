// SPDX-License-Identifier: Apache-2.0
// Refuting a guess for a task graph.
// Method:    windows of the tasks under the guess (windows.h); longest paths and the work before
//            and after each task narrow them, an interval with too much work refutes them
//            (energy.h); so do the dual of a linear program (program.c) and time-indexed prices
//            (timed.c). What is left is shaved (shave.c) and divided into cases (branch.c).
// Guarantee: floating point only proposes. Whatever is concluded is concluded in integers, by a
//            line of the proof that check/proof/graph/lines.c checks by itself.
// Cost:      propagation O(edges) a pass, ancestors O(closure), a program as in interval.c.
// Memory:    some 250 bytes a task, the transitive closure (up to 2^24 pairs), the program, and
//            the proof.
// Reference: Carlier, Pinson, "Adjustment of heads and tails for the job-shop problem", EJOR 78,
//            1994; Martin, Shmoys, "A new approach to computing optimal schedules for the job-shop
//            scheduling problem", IPCO 1996 (shaving); Klein, Scholl, "Computing lower bounds by
//            destructive improvement", EJOR 112, 1999.
#include "solvers/graph/refute/node.h"

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "solvers/graph/refute/tuning.h"

duet_code duet_refuter_create(duet_refuter *refuter, const duet_instance *instance,
                              const duet_context *context, duet_error *error)
{
    *refuter = (duet_refuter){.context = context, .work_end = INT64_MAX};
    duet_code code = duet_network_create(instance, &refuter->network, error);
    if (code == DUET_OK) {
        code = duet_windows_create(&refuter->windows, &refuter->network, context, error);
    }
    if (code == DUET_OK) {
        code = duet_energy_create(&refuter->energy, &refuter->windows, context, error);
    }
    if (code == DUET_OK) {
        code = duet_one_machine_create(&refuter->machine, &refuter->windows, error);
    }
    if (code == DUET_OK) {
        code = duet_colocation_create(&refuter->colocation, &refuter->windows, context, error);
    }
    if (code == DUET_OK) {
        code = duet_pseudocosts_create(&refuter->pseudocosts, refuter->windows.tasks, error);
    }
    if (code == DUET_OK) {
        size_t tasks = (size_t)refuter->windows.tasks;
        refuter->leaf = duet_alloc_raw(tasks, sizeof *refuter->leaf, error);
        code = refuter->leaf == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    return code;
}

void duet_refuter_free(duet_refuter *refuter)
{
    duet_interval_free(refuter->program);
    duet_timed_free(refuter->timed);
    duet_free(refuter->leaf);
    duet_pseudocosts_free(&refuter->pseudocosts);
    duet_colocation_free(&refuter->colocation);
    duet_one_machine_free(&refuter->machine);
    duet_energy_free(&refuter->energy);
    duet_windows_free(&refuter->windows);
    duet_network_free(&refuter->network);
    *refuter = (duet_refuter){.context = NULL};
}

static bool is_paused(const duet_refuter *refuter)
{
    return refuter->status == DUET_REFUTE_PAUSED_AT_ROOT ||
           refuter->status == DUET_REFUTE_PAUSED_IN_TREE;
}

// Begins a call, or goes on with one: errors are told there, and it pauses after this much work.
static void begin(duet_refuter *refuter, int64_t work, duet_error *error)
{
    int64_t done = refuter->windows.work;
    refuter->code = DUET_OK;
    refuter->error = error;
    refuter->work_end = work < INT64_MAX - done ? done + work : INT64_MAX;
}

// What became of the call.
static duet_code judge(duet_refuter *refuter, duet_refutation *result)
{
    const duet_windows *windows = &refuter->windows;
    if (refuter->code == DUET_OK && windows->no_memory) {
        refuter->code = duet_error_set(refuter->error, DUET_E_MEMORY,
                                       "out of memory in a search on a task graph");
    }
    *result = DUET_NOT_REFUTED;
    if (refuter->code != DUET_OK) {
        return refuter->code;
    }
    if (is_paused(refuter)) {
        *result = DUET_PAUSED;
    } else if (refuter->status == DUET_REFUTE_AT_LEAF) {
        *result = DUET_IRREFUTABLE;
    } else if (windows->refuted && !windows->proof.lost) {
        *result = DUET_REFUTED;
    }
    return DUET_OK;
}

// As many intervals as take no longer than about the rest of the propagation.
static size_t root_points(const duet_refuter *refuter)
{
    size_t points = DUET_REFUTE_ROOT_POINTS;
    while (points > 2 &&
           (int64_t)(points * points) * refuter->windows.tasks > DUET_REFUTE_ROOT_INTERVALS) {
        points--;
    }
    return points;
}

// From the prices at the root on.
static void finish(duet_refuter *refuter)
{
    const duet_refute_effort *effort = &refuter->effort;
    if (effort->strategy.root_steps > 0 && !refuter->windows.refuted) {
        duet_refute_timed(refuter, effort->strategy.root_steps, true);
    }
    if (effort->nodes > 0 && !refuter->windows.refuted && !is_paused(refuter)) {
        duet_refute_branch(refuter);
    }
}

duet_code duet_refute(duet_refuter *refuter, int64_t guess, const duet_refute_effort *effort,
                      duet_refutation *result, duet_error *error)
{
    const duet_windows *windows = &refuter->windows;
    const duet_refute_strategy *strategy = &effort->strategy;
    begin(refuter, effort->work == 0 ? INT64_MAX : effort->work, error);
    refuter->effort = *effort;
    refuter->node_end = refuter->nodes + effort->nodes;
    refuter->status = DUET_REFUTE_RUNS;
    refuter->by_propagation = false;
    duet_windows_reset(&refuter->windows, guess);
    duet_refute_propagate(refuter, DUET_REFUTE_ROOT_ROUNDS, root_points(refuter));
    if (strategy->program != DUET_NOWHERE && !windows->refuted) {
        duet_refute_program(refuter, strategy->mixed ? DUET_INTERVAL_MIXED : DUET_INTERVAL_FINE);
    }
    if (strategy->shaving != DUET_NOWHERE && !windows->refuted) {
        duet_refute_shave(refuter, 1);
    }
    finish(refuter);
    return judge(refuter, result);
}

duet_code duet_refute_on(duet_refuter *refuter, int64_t work, duet_refutation *result,
                         duet_error *error)
{
    DUET_ASSERT(is_paused(refuter));
    begin(refuter, work, error);
    if (refuter->status == DUET_REFUTE_PAUSED_AT_ROOT) {
        finish(refuter);
    } else {
        duet_refute_branch(refuter);
    }
    return judge(refuter, result);
}
