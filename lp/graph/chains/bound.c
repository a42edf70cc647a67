// SPDX-License-Identifier: Apache-2.0
// Bound: windows between the tasks of a path, and whole numbers of tasks in them.
// Method:    the starts and ends of the tasks of a long path are variables, and so is whether each
//            task that one type would take first runs there. Between each two of these points there
//            is at least the time of each path, and the work of all tasks that must run in between
//            by the capacity of the processors: a linear program whose rows are added where they
//            are violated (program.c). Branch and bound (tree.c) makes whole numbers of the tasks
//            of the path, and of how many tasks of a chain run on the type.
// Guarantee: the multipliers of all cases are rounded, and what they prove is found in integers
//            (exact.c); the certificate has all of them (DUET_PROOF_LINES, proof.c).
// Cost:      a limited number of steps of the simplex method, or up to the deadline. It proves most
//            where one type is so much faster than another that few tasks are worth the slower
//            one's time.
// Memory:    O(tasks x types + rows x nodes).
// Reference: the rows of work are those of energetic reasoning (Erschler, Lopez, PMS 1990), here
//            between points that move.
#include "lp/graph/chains/chains.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/graph/chains/chains_state.h"
#include "lp/graph/chains/tuning.h"
#include "lp/graph/head_tail.h"

// Whether the bound has anything to say of an instance: sequential tasks with edges, and two types
// with processors or more.
static bool applies(const duet_instance *instance, const duet_context *context)
{
    enum { BYTES = 128 }; // a task, besides its types
    size_t used = 0;
    for (size_t t = 0; t < instance->types; t++) {
        used += instance->processors[t] > 0 ? 1 : 0;
    }
    uint64_t tasks = (uint64_t)duet_tasks(instance);
    size_t bytes = BYTES + instance->types * sizeof(duet_int128);
    return instance->graph != NULL && instance->moldable == NULL && used >= 2 && tasks > 0 &&
           tasks <= DUET_CHAINS_TASKS &&
           duet_memory_check(tasks, 2 * bytes, context->memory_limit, "", NULL) == DUET_OK;
}

bool duet_chains_dominated(const duet_instance *instance, const duet_context *context)
{
    duet_int128 least = 0;
    duet_int128 most[DUET_MAX_TYPES] = {0};
    bool dominated = false;
    if (!applies(instance, context)) {
        return false;
    }
    for (size_t k = 0; k < instance->kinds; k++) {
        int64_t shortest = INT64_MAX;
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_allowed(instance, k, t)) {
                int64_t time = duet_time(instance, k, t);
                shortest = duet_min(shortest, time);
                most[t] += (duet_int128)time * duet_count(instance, k);
            }
        }
        least += (duet_int128)shortest * duet_count(instance, k);
    }
    for (size_t t = 0; t < instance->types; t++) {
        dominated = dominated || most[t] / DUET_CHAINS_DOMINATED > least;
    }
    return dominated;
}

static void free_all(duet_chains *c)
{
    duet_chains_free_nodes(c);
    duet_chains_simplex_free(&c->lp);
    duet_free(c->dual);
    duet_free(c->taken);
    duet_free(c->listed);
    duet_free(c->row);
    duet_free(c->set);
    duet_arena_free(&c->arena);
    duet_network_free(&c->network);
}

static duet_code certify(const duet_chains *c, const char *name, duet_bound *bound,
                         duet_error *error)
{
    int64_t value = c->nodes == 0 ? 0 : c->node[0].value;
    if (value <= bound->value || value > DUET_MAX_WORK) {
        return DUET_OK;
    }
    duet_bound raised = {.name = name, .value = value};
    raised.certificate = (duet_certificate){.proof = DUET_PROOF_LINES, .lambda = value};
    DUET_TRY(duet_chains_prove(c, value, &raised.certificate.lines, error));
    duet_bound_release(bound);
    *bound = raised;
    return DUET_OK;
}

duet_code duet_chains_raise(const duet_instance *instance, const duet_context *context,
                            bool thorough, const char *name, duet_bound *bound, duet_error *error)
{
    bool timed = context->deadline_ns != INT64_MAX;
    int64_t steps = thorough ? DUET_CHAINS_STEPS : DUET_CHAINS_CHEAP;
    if (!applies(instance, context) || bound->value < 1) {
        return DUET_OK;
    }
    duet_chains c = {.instance = instance,
                     .context = context,
                     .tasks = duet_tasks(instance),
                     .unit = (double)bound->value,
                     .known = bound->value,
                     .begun_ns = duet_clock_ns(),
                     .enough = thorough ? 0 : bound->value - bound->value / DUET_CHAINS_NEAR};
    duet_code code = duet_network_create(instance, &c.network, error);
    DUET_THEN(code, duet_chains_model(&c, error));
    DUET_THEN(code, duet_chains_make_program(&c, error));
    DUET_THEN(code, duet_chains_search(&c, timed ? INT64_MAX : steps, error));
    DUET_THEN(code, certify(&c, name, bound, error));
    free_all(&c);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context, duet_bound *bound,
                     duet_error *error)
{
    DUET_TRY(duet_head_tail_bound(instance, context, bound, error));
    bound->name = "chains";
    duet_code code = duet_chains_raise(instance, context, true, "chains", bound, error);
    if (code != DUET_OK) {
        duet_bound_release(bound);
    }
    return code;
}

const duet_bound_method duet_bound_chains = {
    .entry = {.name = "chains",
              .summary = "windows between the tasks of a path, whole numbers of tasks in chains",
              .reference = "",
              .needs = DUET_NEEDS_EDGES,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES},
    .run = run,
};
