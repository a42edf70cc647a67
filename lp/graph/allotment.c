// SPDX-License-Identifier: Apache-2.0
// The linear program of a graph of moldable tasks, as a game.
// Method:    one player gives every task a mode; the other one asks for the work of a type over its
//            processors, or for the length of a path. A mixture of what the other one asks for is
//            prices of the types and a flow along the edges: what the cheapest modes cost at these
//            is a bound, and the best mixture has the value of the program. It is found by the
//            method of Frank and Wolfe: in each round the mixture takes in a little of what is
//            largest for the cheapest modes, ever less of it.
// Guarantee: the mixture is sought in floating point; the bound is that of the rounded prices and
//            flow, in integers, over all modes.
// Cost:      O(tasks log sizes + edges) a round; in the end each size of each task once.
// Memory:    24 bytes an edge, 44 bytes a task, 16 bytes for each size of a kind up to 16 and for
//            some sixteen in each doubling beyond.
// Proof:     prices of the types and a flow along the edges (DUET_PROOF_FLOW).
// Reference: Frank, Wolfe, "An algorithm for quadratic programming", Naval Research Logistics
//            Quarterly 3, 1956; Jansen, Zhang, "Scheduling malleable tasks with precedence
//            constraints", JCSS 78(1), 2012, for the program.
#include "lp/graph/allotment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/instance/time_table.h"
#include "core/number/minmax.h"
#include "core/system/arena.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/graph/graph.h"
#include "lp/graph/tuning.h"

// Bytes, with the rounded flow.
enum { PER_TASK = 44, PER_EDGE = 24 };

// A mode that is the cheapest at some prices.
typedef struct mode {
    double time, area;
} mode;

// Prices, which with the flow from the entries make 1 in sum: a_t m_t of each type, and the flow.
typedef struct mixture {
    double share[DUET_MAX_TYPES];
    double *flow; // of each edge
    double *pass; // of each task
} mixture;

typedef struct game {
    duet_arena arena; // It holds the arrays.
    const duet_network *net;
    size_t types;

    // The modes of each kind on each type, by rising times and falling areas.
    mode *modes;
    size_t *first; // of each kind and type, and one after the last

    mixture now, best;
    double best_value;

    // The cheapest modes at a mixture, and what is largest for them.
    double *time; // of each task
    double load[DUET_MAX_TYPES];
    double *tail;  // the longest path that begins with each task
    int32_t *next; // the edge by which it goes on; -1: none
    int64_t path;  // the first task of the longest; -1: a type's load is larger
    size_t type;   // that type
} game;

// --- modes ---------------------------------------------------------------------------------------

static int by_time(const void *left, const void *right)
{
    const mode *a = left;
    const mode *b = right;
    int order = (a->time > b->time) - (a->time < b->time);
    return order != 0 ? order : (a->area > b->area) - (a->area < b->area);
}

// Keeps the modes that are the cheapest at some prices: the lower left hull.
static size_t keep_hull(mode *list, size_t count)
{
    size_t kept = 0;
    qsort(list, count, sizeof *list, by_time);
    for (size_t i = 0; i < count; i++) {
        mode m = list[i];
        if (kept > 0 && list[kept - 1].area <= m.area) {
            continue;
        }
        while (kept > 1) {
            mode a = list[kept - 2];
            mode b = list[kept - 1];
            if ((a.area - b.area) * (m.time - b.time) > (b.area - m.area) * (b.time - a.time)) {
                break;
            }
            kept--;
        }
        list[kept++] = m;
    }
    return kept;
}

// The next size that is looked at: ever sparser ones, or where there are gaps the next step.
static int64_t next_size(duet_time_table table, int64_t size)
{
    int64_t next = size + 1 + size / 16;
    int64_t step = table.dense > 0 ? 0 : duet_steps_within(table.first, table.steps, size);
    return table.dense > 0 ? next : step < table.steps ? table.first[step] : INT64_MAX;
}

static size_t count_sizes(duet_time_table table)
{
    size_t count = 0;
    for (int64_t p = next_size(table, 0); p <= table.sizes; p = next_size(table, p)) {
        count++;
    }
    return count + 1; // and the last
}

static duet_code make_modes(game *g, const duet_context *context, duet_error *error)
{
    const duet_instance *instance = g->net->instance;
    size_t most = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        for (size_t t = 0; t < g->types; t++) {
            most += count_sizes(duet_table_of(instance, i, t));
        }
    }
    DUET_TRY(duet_memory_check(most, sizeof *g->modes, context->memory_limit,
                               "the modes of all kinds", error));
    g->modes = duet_alloc_raw(most, sizeof *g->modes, error);
    g->first = duet_alloc_raw(instance->kinds * g->types + 1, sizeof *g->first, error);
    DUET_NEED(g->modes != NULL && g->first != NULL);
    size_t at = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        for (size_t t = 0; t < g->types; t++) {
            duet_time_table table = duet_table_of(instance, i, t);
            size_t count = 0;
            g->first[i * g->types + t] = at;
            for (int64_t p = next_size(table, 0); p <= table.sizes; p = next_size(table, p)) {
                g->modes[at + count++] =
                    (mode){(double)duet_time_at(table, p), (double)duet_area_at(table, p)};
            }
            if (table.dense > 0) {
                int64_t p = table.sizes;
                g->modes[at + count++] =
                    (mode){(double)duet_time_at(table, p), (double)duet_area_at(table, p)};
            }
            at += keep_hull(g->modes + at, count);
        }
    }
    g->first[instance->kinds * g->types] = at;
    return DUET_OK;
}

// --- a mixture -----------------------------------------------------------------------------------

// The cheapest of the modes of a kind on a type; NULL: it has none.
static const mode *cheapest(const game *g, size_t cell, double price, double pass)
{
    size_t low = g->first[cell];
    size_t high = g->first[cell + 1];
    if (low == high) {
        return NULL;
    }
    while (high - low > 1) { // the slope of the areas falls
        size_t middle = low + (high - low) / 2;
        const mode *a = &g->modes[middle - 1];
        const mode *b = &g->modes[middle];
        bool beyond = price * (a->area - b->area) > pass * (b->time - a->time);
        low = beyond ? middle : low;
        high = beyond ? high : middle;
    }
    return &g->modes[low];
}

// Chooses the cheapest modes of all tasks. Returns what they cost.
static double choose_modes(game *g, const mixture *m)
{
    const duet_network *net = g->net;
    double price[DUET_MAX_TYPES];
    double value = 0.0;
    for (size_t t = 0; t < g->types; t++) {
        int64_t processors = net->instance->processors[t];
        price[t] = processors > 0 ? m->share[t] / (double)processors : 0.0;
        g->load[t] = 0.0;
    }
    for (int64_t j = 0; j < net->tasks; j++) {
        const mode *best = NULL;
        size_t best_type = 0;
        double least = INFINITY;
        for (size_t t = 0; t < g->types; t++) {
            const mode *here =
                cheapest(g, (size_t)net->kind[j] * g->types + t, price[t], m->pass[j]);
            double cost = here == NULL ? INFINITY : price[t] * here->area + m->pass[j] * here->time;
            if (cost < least) {
                least = cost;
                best = here;
                best_type = t;
            }
        }
        g->time[j] = best == NULL ? 0.0 : best->time;
        g->load[best_type] += best == NULL ? 0.0 : best->area;
        value += best == NULL ? 0.0 : least;
    }
    return value;
}

// What is largest for the modes that were chosen; returns it. No mixture is worth more. Of paths of
// the same length the longest in tasks: only a task without edges is a path by itself, since what
// passes others is known from the edges.
static double find_largest(game *g)
{
    const duet_network *net = g->net;
    const duet_graph *graph = net->graph;
    double largest = -1.0;
    for (size_t t = 0; t < g->types; t++) {
        int64_t processors = net->instance->processors[t];
        if (processors > 0 && g->load[t] / (double)processors > largest) {
            largest = g->load[t] / (double)processors;
            g->type = t;
            g->path = -1;
        }
    }
    for (int64_t i = net->tasks - 1; i >= 0; i--) {
        int32_t task = net->order[i];
        double behind = 0.0;
        g->next[task] = -1;
        for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
            int32_t edge = graph->leaving[at];
            if (g->tail[graph->head[edge]] >= behind) {
                behind = g->tail[graph->head[edge]];
                g->next[task] = edge;
            }
        }
        g->tail[task] = behind + g->time[task];
        if (g->tail[task] >= largest) {
            largest = g->tail[task];
            g->path = task;
        }
    }
    return largest;
}

static void scale(const game *g, mixture *m, double by)
{
    for (size_t t = 0; t < g->types; t++) {
        m->share[t] *= by;
    }
    for (int64_t e = 0; e < g->net->edges; e++) {
        m->flow[e] *= by;
    }
    for (int64_t j = 0; j < g->net->tasks; j++) {
        m->pass[j] *= by;
    }
}

// The mixture takes in a part of what is largest.
static void take_in(const game *g, mixture *m, double part)
{
    const duet_graph *graph = g->net->graph;
    scale(g, m, 1.0 - part);
    if (g->path < 0) {
        m->share[g->type] += part;
        return;
    }
    int64_t task = g->path;
    m->pass[task] += part;
    for (int32_t edge = g->next[task]; edge >= 0; edge = g->next[task]) {
        task = graph->head[edge];
        m->flow[edge] += part;
        m->pass[task] += part;
    }
}

static void copy(const game *g, mixture *to, const mixture *from)
{
    memcpy(to->share, from->share, sizeof to->share);
    memcpy(to->flow, from->flow, (size_t)g->net->edges * sizeof *to->flow);
    memcpy(to->pass, from->pass, (size_t)g->net->tasks * sizeof *to->pass);
}

static void play(game *g, const duet_context *context, int64_t rounds)
{
    int64_t processors = 0;
    for (size_t t = 0; t < g->types; t++) {
        processors += g->net->instance->processors[t];
    }
    for (size_t t = 0; t < g->types; t++) {
        g->now.share[t] = (double)g->net->instance->processors[t] / (double)processors;
    }
    for (int64_t round = 0; round < rounds && !duet_context_stop(context); round++) {
        double value = choose_modes(g, &g->now);
        if (value > g->best_value) {
            g->best_value = value;
            copy(g, &g->best, &g->now);
        }
        if (find_largest(g) <= g->best_value * DUET_ALLOTMENT_ENOUGH) {
            return;
        }
        take_in(g, &g->now, 2.0 / (double)(round + 3));
    }
}

// --- the bound -----------------------------------------------------------------------------------

// Offers what the rounded mixture proves.
static duet_code offer(const game *g, duet_bound *bound, duet_error *error)
{
    const duet_instance *instance = g->net->instance;
    size_t tasks = (size_t)g->net->tasks;
    size_t edges = (size_t)g->net->edges;
    int64_t *room = duet_alloc_raw(tasks + edges, sizeof *room, error);
    DUET_NEED(room);
    duet_dual_flow dual = {.pass = room, .flow = room + tasks};
    for (size_t t = 0; t < g->types; t++) {
        double processors = (double)instance->processors[t];
        dual.weight[t] =
            processors > 0.0 ? llround(g->best.share[t] / processors * DUET_ALLOTMENT_UNIT) : 0;
    }
    for (size_t e = 0; e < edges; e++) {
        dual.flow[e] = llround(g->best.flow[e] * DUET_ALLOTMENT_UNIT);
    }
    for (size_t j = 0; j < tasks; j++) {
        const duet_graph *graph = g->net->graph;
        bool alone = graph->enter_at[j] == graph->enter_at[j + 1] &&
                     graph->leave_at[j] == graph->leave_at[j + 1];
        dual.pass[j] = alone ? llround(g->best.pass[j] * DUET_ALLOTMENT_UNIT) : 0;
    }
    duet_code code = DUET_OK;
    duet_fraction value = duet_dual_flow_value(g->net, &dual, true);
    if ((int64_t)duet_fraction_ceil(value) > bound->value) {
        duet_bound found;
        code = duet_dual_flow_bound(g->net, &dual, value, "graph", &found, error);
        if (code == DUET_OK) {
            duet_bound_release(bound);
            *bound = found;
            bound->exact[0] = '\0';
        }
    }
    duet_free(room);
    return code;
}

static duet_code create(game *g, const duet_context *context, duet_error *error)
{
    size_t tasks = (size_t)g->net->tasks;
    size_t edges = (size_t)g->net->edges;
    DUET_TRY(duet_memory_check((uint64_t)tasks * PER_TASK + (uint64_t)edges * PER_EDGE, 1,
                               context->memory_limit, "the program of a graph", error));
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(g->now.flow, edges),  DUET_ARENA_ARRAY(g->now.pass, tasks),
        DUET_ARENA_ARRAY(g->best.flow, edges), DUET_ARENA_ARRAY(g->best.pass, tasks),
        DUET_ARENA_ARRAY(g->time, tasks),      DUET_ARENA_ARRAY(g->tail, tasks),
        DUET_ARENA_ARRAY(g->next, tasks)};
    DUET_TRY(duet_arena_create(&g->arena, arrays, sizeof arrays / sizeof *arrays, error));
    return make_modes(g, context, error);
}

// Over all tasks, how many sizes they may have: what the bound in the end looks at.
static duet_uint128 count_all_sizes(const duet_instance *instance)
{
    duet_uint128 all = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        for (size_t t = 0; t < instance->types; t++) {
            all += (duet_uint128)duet_count(instance, i) *
                   (duet_uint128)duet_table_of(instance, i, t).sizes;
        }
    }
    return all;
}

static void free_game(game *g)
{
    duet_arena_free(&g->arena);
    duet_free(g->modes);
    duet_free(g->first);
}

duet_code duet_lp_graph_allotment_bound(const duet_network *network, const duet_context *context,
                                        int64_t work, duet_bound *bound, duet_error *error)
{
    game g = {.net = network, .types = network->instance->types, .best_value = -1.0};
    int64_t each = network->tasks * (int64_t)(4 + 4 * g.types) + network->edges;
    int64_t rounds = each > 0 ? work / each : 0;
    if (rounds == 0 || count_all_sizes(network->instance) > (duet_uint128)work) {
        return DUET_OK;
    }
    duet_code code = create(&g, context, error);
    if (code == DUET_OK) {
        play(&g, context, duet_min(rounds, DUET_ALLOTMENT_MOST_ROUNDS));
        code = offer(&g, bound, error);
    }
    free_game(&g);
    return code;
}
