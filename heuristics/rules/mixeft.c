// SPDX-License-Identifier: Apache-2.0
// Algorithm: mixeft.
// Method:    eft, while qa is simulated beside it; from the task that would bring the makespan of
//            eft above lambda times that of qa on, as qa. Any number of types.
//            On task graphs the tasks that eft reveals are placed as qa beside it, not before their
//            predecessors end there. With bind=idle a task counts on both sides when it is
//            revealed; one that waits and was revealed before the change follows eft, anew at each
//            instant, so that without a change this is eft.
// Guarantee: (lambda + 1)(2 tau + 1), tau = sqrt(m/k) with m >= k (the rule is symmetric); 2 - 1/m
//            on identical processors. On more than two types the ratio of qa is not claimed, and so
//            none of mixeft. None on task graphs: filled in the order in which eft reveals tasks
//            the simulation is no list schedule, since a processor may wait for one task while
//            another is ready; so the bound on qa does not cover it.
// Cost:      O(n (Q + log m)) time, O(m) memory; on graphs O(e + n (Q + log m)) and O(n + m).
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, algorithm 1.
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/online.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {
    DUET_OPTION_TIES,
    DUET_OPTIONS_ONLINE,
    {.name = "lambda",
     .type = DUET_OPTION_DECIMAL,
     .fallback = "2",
     .minimum = 0,
     .maximum = 1000000,
     .unit = "",
     .text = "how many times longer than qa it may become before it follows qa"},
    {.name = NULL}};

// (L + 1)(2 sqrt(M/K) + 1) = (L + 1)(K + 2 sqrt(M K)) / K, M = max, K = min, L in thousandths.
static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, given, out)) {
        return true;
    }
    if (types != 2) {
        return false;
    }
    int64_t scale = duet_option_thousandths(given, options, "lambda") + 1000;
    int64_t least = duet_min(counts[0], counts[1]);
    *out = (duet_ratio){scale * least, 2 * scale, counts[0] * counts[1], 1000 * least};
    return true;
}

// Who chooses the type of a task that may be asked for again.
typedef enum phase { NOT_ASKED, FOLLOWS_EFT, FOLLOWS_QA } phase;

typedef struct mixeft {
    // The same tasks as qa would schedule them, simulated: as a list, or on the edges of a graph.
    duet_all_processors loads;
    duet_queues queues;
    duet_placement *placement;
    int64_t qa_makespan;
    int64_t makespan;
    int64_t lambda; // thousandths
    bool follows_qa;
    uint8_t *phase; // of a task with bind=idle, else NULL
} mixeft;

static duet_code create_simulation(const duet_list *list, mixeft *own, duet_error *error)
{
    if (list->spot == NULL) {
        return duet_all_processors_create(list->instance, &own->loads, error);
    }
    size_t tasks = (size_t)duet_tasks(list->instance);
    own->placement = duet_alloc_raw(tasks, sizeof *own->placement, error);
    if (list->idle) {
        own->phase = duet_alloc(tasks, sizeof *own->phase, error);
    }
    return own->placement == NULL || (list->idle && own->phase == NULL)
               ? DUET_E_MEMORY
               : duet_queues_create(list->instance, list->kind, NULL, own->placement, &own->queues,
                                    error);
}

static duet_code begin(duet_list *list, const duet_context *context, duet_error *error)
{
    mixeft *own = duet_alloc(1, sizeof *own, error);
    DUET_NEED(own);
    list->own = own;
    list->later_first = duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU;
    own->lambda = duet_option_thousandths(context->options, options, "lambda");
    return create_simulation(list, own, error);
}

static void end(duet_list *list, duet_solution *solution)
{
    mixeft *own = list->own;
    if (own != NULL) {
        duet_solution_count(solution, "followed_qa", own->follows_qa);
        duet_all_processors_free(&own->loads);
        duet_queues_free(&own->queues);
        duet_free(own->placement);
        duet_free(own->phase);
        duet_free(own);
    }
}

// Puts the task at hand where qa would put it, not before its predecessors end there, and returns
// when it ends.
static int64_t simulate(const duet_list *list, mixeft *own, size_t kind, size_t type)
{
    const duet_instance *instance = list->instance;
    if (list->spot == NULL) {
        duet_placement simulated;
        return duet_processors_start(&own->loads.of[type], duet_time(instance, kind, type),
                                     &simulated);
    }
    int64_t ready = instance->graph == NULL ? 0 : duet_queues_last_end(&own->queues, list->task);
    return duet_queues_put(&own->queues, list->task, type,
                           duet_queues_spot(&own->queues, list->task, type, ready));
}

// Whether this task and those after it follow qa. `eft`: where eft puts it.
static bool changes(const duet_list *list, mixeft *own, size_t kind, size_t eft)
{
    const duet_instance *instance = list->instance;
    size_t qa = duet_allocate_qa(instance, kind);
    own->qa_makespan = duet_max(own->qa_makespan, simulate(list, own, kind, qa));
    int64_t makespan =
        duet_max(own->makespan, duet_list_start(list, eft) + duet_time(instance, kind, eft));
    own->follows_qa = (duet_int128)makespan * 1000 > (duet_int128)own->qa_makespan * own->lambda;
    own->makespan = own->follows_qa ? own->makespan : makespan;
    return own->follows_qa;
}

static size_t choose(duet_list *list, size_t kind)
{
    mixeft *own = list->own;
    phase before = own->phase == NULL ? NOT_ASKED : (phase)own->phase[list->task];
    if (before == FOLLOWS_QA || (before == NOT_ASKED && own->follows_qa)) {
        return duet_allocate_qa(list->instance, kind);
    }
    size_t eft = duet_earliest_finish(list, kind, list->later_first);
    bool qa = before == NOT_ASKED && changes(list, own, kind, eft);
    if (own->phase != NULL) {
        own->phase[list->task] = qa ? FOLLOWS_QA : FOLLOWS_EFT;
    }
    return qa ? duet_allocate_qa(list->instance, kind) : eft;
}

const duet_rule duet_rule_mixeft = {
    .name = "mixeft", .choose = choose, .anew = true, .at_once = true, .begin = begin, .end = end};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_rule_run(&duet_rule_mixeft, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_mixeft = {
    .entry = {.name = "mixeft",
              .summary = "eft until it falls lambda times behind qa, then qa",
              .guarantee = "(lambda + 1)(2 tau + 1), tau = sqrt(m/k)",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, algorithm 1",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = options},
    .ratio = ratio,
    .graph_ratio = duet_ratio_list,
    .run = run,
    .online = true,
};
