// SPDX-License-Identifier: Apache-2.0
// Bound: longest path.
// Method:    every task takes at least its shortest time, and starts after its predecessors have
//            ended: no schedule is shorter than the longest path with these times. Communication
//            may cost nothing, as a path may run on one processor.
// Cost:      O(tasks + edges) time, 16 bytes a task. Of independent tasks it is the longest one.
//            With releases and busy processors a path begins when its first task can start.
// Proof:     a flow of 1 along the path, no prices (DUET_PROOF_FLOW).
#include <stdio.h>

#include "core/instance/available.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/area/area.h"
#include "lp/graph/graph.h"

// When a path can begin with a task. With mixed sets processors that are busy are left out of it.
static int64_t start_of(const duet_network *network, int64_t task)
{
    const duet_instance *instance = network->instance;
    size_t kind = (size_t)network->kind[task];
    return instance->mixed_sets ? duet_release(instance, kind)
                                : duet_earliest_start(instance, kind);
}

// Per task: the longest path that begins with it. Returns the task where the one begins that ends
// last.
static int64_t measure_tails(const duet_network *network, int64_t *tail)
{
    for (int64_t j = 0; j < network->tasks; j++) {
        tail[j] = network->shortest[network->kind[j]];
    }
    duet_graph_raise(network->graph, network->order, tail);
    int64_t longest = network->order[network->tasks - 1];
    int64_t end = start_of(network, longest) + tail[longest];
    for (int64_t i = network->tasks - 2; i >= 0; i--) {
        int32_t task = network->order[i];
        int64_t own = start_of(network, task) + tail[task];
        longest = own > end ? task : longest;
        end = duet_max(own, end);
    }
    return longest;
}

// The edges of the longest path from a task on; returns how many.
static size_t trace(const duet_network *network, const int64_t *tail, int64_t task,
                    duet_flow_term *terms)
{
    const duet_graph *graph = network->graph;
    size_t count = 0;
    for (int64_t from = -1; task != from;) {
        from = task;
        int64_t after = tail[from] - network->shortest[network->kind[from]];
        for (int64_t at = graph->leave_at[from]; at < graph->leave_at[from + 1]; at++) {
            int32_t edge = graph->leaving[at];
            if (tail[graph->head[edge]] == after) {
                terms[count++] = (duet_flow_term){edge, 1};
                task = graph->head[edge];
                break;
            }
        }
    }
    return count;
}

duet_code duet_network_path_bound(const duet_network *network, duet_bound *bound, duet_error *error)
{
    *bound = (duet_bound){.name = "path", .exact = "0"};
    if (network->tasks == 0) {
        return DUET_OK;
    }
    int64_t *tail = duet_alloc_raw((size_t)network->tasks, sizeof *tail, error);
    duet_flow_term *terms = duet_alloc_raw((size_t)network->tasks, sizeof *terms, error);
    duet_code code = tail == NULL || terms == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        int64_t first = measure_tails(network, tail);
        const duet_flow_term alone = {first, 1};
        size_t edges = trace(network, tail, first, terms);
        const duet_flow_lists list = {.edges = {terms, edges}, .tasks = {&alone, edges == 0}};
        bound->value = start_of(network, first) + tail[first];
        bound->certificate.proof = DUET_PROOF_FLOW;
        bound->certificate.lambda = bound->value;
        bound->certificate.types = network->instance->types;
        snprintf(bound->exact, sizeof bound->exact, "%lld", (long long)bound->value);
        code = duet_flow_create(&list, &bound->certificate.flow, error);
    }
    duet_free(tail);
    duet_free(terms);
    return code;
}

duet_code duet_path_bound(const duet_instance *instance, const duet_context *context,
                          duet_bound *bound, duet_error *error)
{
    if (instance->graph == NULL) {
        duet_code code = duet_longest_bound(instance, context, bound, error);
        bound->name = "path";
        return code;
    }
    duet_network network;
    duet_code code = duet_network_create(instance, &network, error);
    if (code == DUET_OK) {
        code = duet_network_path_bound(&network, bound, error);
        duet_network_free(&network);
    }
    return code;
}

const duet_bound_method duet_bound_path = {
    .entry = {.name = "path",
              .summary = "the longest path of a task graph, every task on its fastest type",
              .reference = "",
              .needs = DUET_NEEDS_EDGES,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES |
                         DUET_FEATURE_MOLDABLE | DUET_FEATURE_MIXED_SETS | DUET_FEATURE_RIGID},
    .run = duet_path_bound,
};
