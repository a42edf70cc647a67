// SPDX-License-Identifier: Apache-2.0
// The network of a task graph, and what a flow on it proves; network.h has the inequality.
#include "lp/graph/network.h"

#include "core/instance/available.h"
#include "core/instance/time_table.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// A graph without edges.
static duet_code make_empty(const duet_instance *instance, duet_graph **out, duet_error *error)
{
    int64_t tasks = duet_tasks(instance);
    if (tasks > DUET_MAX_GRAPH) {
        return duet_error_set(error, DUET_E_LIMIT, "%lld tasks: expected at most %lld of a graph",
                              (long long)tasks, (long long)DUET_MAX_GRAPH);
    }
    duet_graph *graph = duet_alloc(1, sizeof *graph, error);
    DUET_NEED(graph);
    graph->tasks = tasks;
    graph->types = instance->types;
    graph->tail = duet_alloc(1, sizeof *graph->tail, error);
    graph->head = duet_alloc(1, sizeof *graph->head, error);
    duet_code code = graph->tail == NULL || graph->head == NULL
                         ? DUET_E_MEMORY
                         : duet_graph_make_rows(graph, error);
    if (code != DUET_OK) {
        duet_graph_free(graph);
        return code;
    }
    *out = graph;
    return DUET_OK;
}

duet_code duet_network_create(const duet_instance *instance, duet_network *out, duet_error *error)
{
    *out = (duet_network){.instance = instance, .graph = instance->graph};
    if (instance->graph == NULL) {
        DUET_TRY(make_empty(instance, &out->empty, error));
        out->graph = out->empty;
    }
    out->tasks = out->graph->tasks;
    out->edges = out->graph->edges;
    out->order = duet_graph_order(out->graph, error);
    out->kind = duet_kinds_of_tasks(instance, error);
    out->shortest = duet_alloc_raw(instance->kinds, sizeof *out->shortest, error);
    if (out->order == NULL || out->kind == NULL || out->shortest == NULL) {
        duet_network_free(out);
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        out->shortest[i] = duet_shortest_time(instance, i);
        out->has_zero_times =
            out->has_zero_times || (out->shortest[i] == 0 && duet_count(instance, i) > 0);
    }
    return DUET_OK;
}

void duet_network_free(duet_network *network)
{
    duet_free(network->order);
    duet_free(network->kind);
    duet_free(network->shortest);
    duet_graph_free(network->empty);
    *network = (duet_network){.instance = NULL};
}

// What goes through a task: on its edges, and what they charge on type 0.
typedef struct passing {
    int64_t in, out;
    int64_t charge;
} passing;

static passing passing_of(const duet_network *network, const duet_dual_flow *dual, int64_t task)
{
    const duet_graph *graph = network->graph;
    passing of = {.in = 0};
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        of.in += dual->flow[graph->entering[at]];
        of.charge -= dual->cross == NULL ? 0 : dual->cross[graph->entering[at]];
    }
    for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
        of.out += dual->flow[graph->leaving[at]];
        of.charge += dual->cross == NULL ? 0 : dual->cross[graph->leaving[at]];
    }
    return of;
}

// A solution that is valued. `start`: when a type's first processor is free.
typedef struct valued {
    const duet_network *network;
    const duet_dual_flow *dual;
    bool waits;
    int64_t start[DUET_MAX_TYPES];
} valued;

// What flow that begins at a task waits for on a type.
static int64_t wait_on(const valued *v, size_t kind, size_t type)
{
    return v->waits ? duet_max(duet_release(v->network->instance, kind), v->start[type]) : 0;
}

static duet_int128 least_cost(const valued *v, int64_t task, passing of)
{
    const duet_instance *instance = v->network->instance;
    size_t kind = (size_t)v->network->kind[task];
    int64_t pass = v->dual->pass[task];
    duet_int128 least = 0;
    bool found = false;
    for (size_t t = 0; t < instance->types; t++) {
        duet_time_table table = duet_table_of(instance, kind, t);
        duet_int128 more =
            (duet_int128)(pass - of.in) * wait_on(v, kind, t) + (t == 0 ? of.charge : 0);
        for (int64_t i = 0; i < table.steps; i++) {
            int64_t area = duet_step_size(table, i) * table.time[i];
            duet_int128 cost =
                (duet_int128)v->dual->weight[t] * area + (duet_int128)pass * table.time[i] + more;
            least = !found || cost < least ? cost : least;
            found = true;
        }
    }
    return least;
}

// Adds to work and bracket what is the other way round for processors that are busy until `limit`
// or before: they have less to give than the bracket says. False where that is too much.
static bool add_busy(const valued *v, duet_fraction limit, duet_int128 *work, duet_int128 *bracket)
{
    const duet_instance *instance = v->network->instance;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t listed = duet_min(instance->busy_count[t], instance->processors[t]);
        for (int64_t p = 0; p < listed; p++) {
            const duet_fraction until = {(duet_uint128)duet_busy_until(instance, t, p), 1};
            int64_t weight = v->dual->weight[t];
            duet_int128 more = (duet_int128)weight * (int64_t)until.num;
            if (duet_fraction_compare(until, limit) > 0) {
                *bracket -= weight;
            } else if (__builtin_add_overflow(*work, more, work)) {
                return false;
            }
        }
    }
    return true;
}

static duet_fraction divide(duet_int128 work, duet_int128 bracket)
{
    if (work <= 0 || bracket <= 0) {
        return (duet_fraction){0, 1};
    }
    return duet_fraction_reduce((duet_fraction){(duet_uint128)work, (duet_uint128)bracket});
}

// The length within which the work fits, with what busy processors do not give. What processors
// that are busy until some length or before would give as if they were there from 0 on, less what
// they do not give, is at most what all give: the length that this says is too long, or right. So
// those that are busy for longer are left out until there are none (Newton's method).
static duet_fraction fit(const valued *v, duet_int128 work, duet_int128 bracket)
{
    enum { ROUNDS = 64 };
    duet_fraction longest = {(duet_uint128)DUET_MAX_WORK, 1};
    for (int round = 0; round < ROUNDS && v->waits && work > 0; round++) { // nothing always fits
        duet_int128 all = work;
        duet_int128 given = bracket;
        if (!add_busy(v, longest, &all, &given)) {
            break;
        }
        duet_fraction next = divide(all, given);
        if (duet_fraction_compare(next, longest) >= 0) {
            return longest;
        }
        longest = next;
    }
    return divide(work, bracket);
}

duet_fraction duet_dual_flow_value(const duet_network *network, duet_dual_flow *dual, bool waits)
{
    const duet_instance *instance = network->instance;
    valued v = {.network = network, .dual = dual, .waits = waits};
    duet_int128 work = 0;
    duet_int128 bracket = 0;
    for (size_t t = 0; t < instance->types; t++) {
        bracket += (duet_int128)dual->weight[t] * instance->processors[t];
        v.start[t] = instance->mixed_sets ? 0 : duet_first_free(instance, t);
    }
    for (int64_t j = 0; j < network->tasks; j++) {
        const passing of = passing_of(network, dual, j);
        dual->pass[j] = duet_max(dual->pass[j], duet_max(of.in, of.out));
        bracket += dual->pass[j];
        work += least_cost(&v, j, of);
    }
    for (int64_t e = 0; e < network->edges; e++) {
        bracket -= dual->flow[e]; // the sum of what flows into tasks
    }
    DUET_ASSERT(bracket >= 0);
    return fit(&v, work, bracket);
}

// The entries that are not 0, as far as there is room for them: how many there are.
static size_t collect(const int64_t *value, int64_t count, duet_flow_term *terms)
{
    size_t found = 0;
    for (int64_t i = 0; i < count; i++) {
        if (value[i] != 0) {
            if (terms != NULL) {
                terms[found] = (duet_flow_term){i, value[i]};
            }
            found++;
        }
    }
    return found;
}

// The tasks that let more pass than flows in and out.
static size_t collect_tasks(const duet_network *network, const duet_dual_flow *dual,
                            duet_flow_term *terms)
{
    size_t found = 0;
    for (int64_t j = 0; j < network->tasks; j++) {
        const passing of = passing_of(network, dual, j);
        if (dual->pass[j] > duet_max(of.in, of.out)) {
            if (terms != NULL) {
                terms[found] = (duet_flow_term){j, dual->pass[j]};
            }
            found++;
        }
    }
    return found;
}

static duet_code make_flow(const duet_network *network, const duet_dual_flow *dual,
                           const duet_flow **out, duet_error *error)
{
    size_t edges = collect(dual->flow, network->edges, NULL);
    size_t tasks = collect_tasks(network, dual, NULL);
    size_t charges = dual->cross == NULL ? 0 : collect(dual->cross, network->edges, NULL);
    duet_flow_term *terms = duet_alloc_raw(edges + tasks + charges, sizeof *terms, error);
    DUET_NEED(terms);
    collect(dual->flow, network->edges, terms);
    collect_tasks(network, dual, terms + edges);
    if (charges > 0) {
        collect(dual->cross, network->edges, terms + edges + tasks);
    }
    const duet_flow_lists list = {
        {terms, edges}, {terms + edges, tasks}, {terms + edges + tasks, charges}};
    duet_code code = duet_flow_create(&list, out, error);
    duet_free(terms);
    return code;
}

duet_code duet_dual_flow_bound(const duet_network *network, const duet_dual_flow *dual,
                               duet_fraction value, const char *name, duet_bound *bound,
                               duet_error *error)
{
    *bound = (duet_bound){.name = name, .value = (int64_t)duet_fraction_ceil(value)};
    duet_fraction_format(value, bound->exact);
    duet_certificate *certificate = &bound->certificate;
    certificate->types = network->instance->types;
    for (size_t t = 0; t < certificate->types; t++) {
        certificate->weight[t] = dual->weight[t];
    }
    DUET_TRY(make_flow(network, dual, &certificate->flow, error));
    certificate->proof = DUET_PROOF_FLOW;
    certificate->lambda = bound->value;
    return DUET_OK;
}
