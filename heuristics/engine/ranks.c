// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/ranks.h"

#include "core/instance/order.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_rank duet_rank_of(duet_uint128 num, duet_uint128 den)
{
    DUET_ASSERT(den > 0 && den >> 107 == 0);
    if (num >> 64 == 0 && den >> 64 == 0) { // most of them: a division of 64 bits is faster
        // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): some processor may run the task
        uint64_t rest = (uint64_t)num % (uint64_t)den;
        return ((duet_rank)((uint64_t)num / (uint64_t)den) << DUET_RANK_BITS) +
               ((duet_rank)rest << DUET_RANK_BITS) / den;
    }
    return (num / den << DUET_RANK_BITS) + (num % den << DUET_RANK_BITS) / den;
}

// --- shares --------------------------------------------------------------------------------------

static int bits_of(duet_uint128 value)
{
    int bits = 0;
    for (; value > 0; value >>= 1) {
        bits++;
    }
    return bits;
}

// With shares of two tasks below 2^bits each, sums of products of both with a cost stay below
// 2^126, and products of both below 2^106. So shares are exact where times, costs and processors
// are not all near their limits; beyond, their last bits are dropped.
static int bits_of_shares(const duet_graph *graph)
{
    int64_t highest = 0;
    size_t cells = graph == NULL ? 0 : graph->tables * graph->types * graph->types;
    for (size_t i = 0; i < cells; i++) {
        highest = duet_max(graph->cost[i], highest);
    }
    int bits = (126 - bits_of((duet_uint128)highest)) / 2;
    return duet_min(bits, 53);
}

// weight[t]: how much a processor of type t counts.
static void set_shares(const duet_means *means, const uint64_t *weight, duet_share *share)
{
    const duet_instance *instance = means->instance;
    duet_uint128 sum = 0;
    for (size_t t = 0; t < instance->types; t++) {
        sum += (duet_uint128)weight[t] * (uint64_t)instance->processors[t];
    }
    int shift = bits_of(sum) - means->bits;
    shift = duet_max(shift, 0);
    for (size_t t = 0; t < instance->types; t++) {
        uint64_t processors = (uint64_t)instance->processors[t];
        uint64_t others = processors > 0 ? processors - 1 : 0;
        share[t] = (duet_share){(uint64_t)((duet_uint128)weight[t] * processors >> shift),
                                (uint64_t)((duet_uint128)weight[t] * others >> shift)};
    }
}

static void share_alike(duet_means *means)
{
    uint64_t weight[DUET_MAX_TYPES];
    for (size_t t = 0; t < means->instance->types; t++) {
        weight[t] = 1;
    }
    set_shares(means, weight, means->share);
}

// A CPU counts as q and a GPU as p, which are their speeds times p q. Where a type is forbidden or
// has no processors all weight lies on the other; a kind that takes no time anywhere is as fast on
// both.
static void share_by_speed(duet_means *means)
{
    const duet_instance *instance = means->instance;
    DUET_ASSERT(instance->types == 2);
    for (size_t i = 0; i < instance->kinds; i++) {
        uint64_t weight[DUET_MAX_TYPES] = {0}; // of two
        bool both = duet_allowed(instance, i, 0) && duet_allowed(instance, i, 1);
        for (size_t t = 0; t < 2; t++) {
            weight[t] =
                both ? (uint64_t)duet_time(instance, i, 1 - t) : duet_allowed(instance, i, t);
        }
        if (weight[0] == 0 && weight[1] == 0) {
            weight[0] = weight[1] = 1;
        }
        set_shares(means, weight, &means->share[2 * i]);
    }
}

// The mean cost of a table where the tasks of an edge have these shares.
static duet_rank mean_of_table(const duet_instance *instance, size_t table, const duet_share *from,
                               const duet_share *to)
{
    const int64_t *cost = &instance->graph->cost[table * instance->types * instance->types];
    duet_uint128 sum = 0;
    duet_uint128 all_from = 0;
    duet_uint128 all_to = 0;
    for (size_t a = 0; a < instance->types; a++) {
        all_from += from[a].on;
        all_to += to[a].on;
        for (size_t b = 0; b < instance->types; b++) {
            uint64_t second = a == b ? to[b].other : to[b].on;
            sum += (duet_uint128)from[a].on * second * (uint64_t)cost[a * instance->types + b];
        }
    }
    return duet_rank_of(sum, all_from * all_to);
}

duet_code duet_means_create(const duet_instance *instance, const int32_t *kind, duet_mean which,
                            duet_means *means, duet_error *error)
{
    bool alike = which == DUET_MEAN_PROCESSORS;
    const duet_graph *graph = instance->graph;
    *means = (duet_means){.instance = instance, .kind = kind, .which = which};
    means->bits = bits_of_shares(graph);
    means->share =
        duet_alloc((alike ? 1 : instance->kinds) * instance->types, sizeof *means->share, error);
    DUET_NEED(means->share);
    if (!alike) {
        share_by_speed(means);
        return DUET_OK;
    }
    share_alike(means);
    size_t tables = graph == NULL || graph->transfer == NULL ? 0 : graph->tables;
    means->table = duet_alloc(tables, sizeof *means->table, error);
    for (size_t i = 0; i < tables && means->table != NULL; i++) {
        means->table[i] = mean_of_table(instance, i, means->share, means->share);
    }
    return means->table == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_means_free(duet_means *means)
{
    duet_free(means->share);
    duet_free(means->table);
    *means = (duet_means){.bits = 0};
}

// --- means ---------------------------------------------------------------------------------------

duet_rank duet_mean_of(const duet_means *means, size_t kind, const int64_t *value)
{
    const duet_instance *instance = means->instance;
    bool alike = means->which == DUET_MEAN_PROCESSORS;
    duet_uint128 sum = 0;
    duet_uint128 all = 0;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            uint64_t on = alike ? (uint64_t)instance->processors[t]
                                : means->share[kind * instance->types + t].on;
            sum += (duet_uint128)on * (uint64_t)value[t];
            all += on;
        }
    }
    return duet_rank_of(sum, all);
}

// The mean cost of an edge.
static duet_rank mean_cost(const duet_means *means, int64_t edge)
{
    const duet_graph *graph = means->instance->graph;
    if (graph->transfer == NULL) {
        return 0;
    }
    size_t table = graph->transfer[edge];
    if (means->which == DUET_MEAN_PROCESSORS) {
        return means->table[table];
    }
    size_t types = means->instance->types;
    const duet_share *from = &means->share[(size_t)means->kind[graph->tail[edge]] * types];
    const duet_share *to = &means->share[(size_t)means->kind[graph->head[edge]] * types];
    return mean_of_table(means->instance, table, from, to);
}

// --- ranks ---------------------------------------------------------------------------------------

// Adds to the rank of a task the heaviest way on: over the edges that leave it, or that enter it.
static void add_heaviest(const duet_graph *graph, const duet_means *means, int32_t task,
                         bool upward, duet_rank *rank)
{
    const int64_t *first = upward ? graph->leave_at : graph->enter_at;
    const int32_t *edges = upward ? graph->leaving : graph->entering;
    const int32_t *other = upward ? graph->head : graph->tail;
    bool costs = means != NULL && graph->transfer != NULL;
    duet_rank heaviest = 0;
    for (int64_t at = first[task]; at < first[task + 1]; at++) {
        int32_t edge = edges[at];
        duet_rank way = rank[other[edge]] + (costs ? mean_cost(means, edge) : 0);
        heaviest = duet_max(way, heaviest);
    }
    rank[task] += heaviest;
}

void duet_ranks_upward(const duet_graph *graph, const duet_means *means, const int32_t *order,
                       duet_rank *rank)
{
    for (int64_t i = graph->tasks; i-- > 0;) {
        add_heaviest(graph, means, order[i], true, rank);
    }
}

void duet_ranks_downward(const duet_graph *graph, const duet_means *means, const int32_t *order,
                         duet_rank *rank)
{
    for (int64_t i = 0; i < graph->tasks; i++) {
        add_heaviest(graph, means, order[i], false, rank);
    }
}

duet_code duet_ranks_sort(const duet_rank *rank, int64_t tasks, int32_t *order, duet_error *error)
{
    duet_ordered *items = duet_alloc_raw((size_t)tasks, sizeof *items, error);
    DUET_NEED(items);
    duet_code code = DUET_OK;
    uint64_t high = 0;
    for (int64_t i = 0; i < tasks; i++) {
        items[i] = (duet_ordered){(uint64_t)rank[order[i]], (size_t)order[i]};
        high |= (uint64_t)(rank[order[i]] >> 64);
    }
    code = duet_order_by_key(items, (size_t)tasks, error);
    if (code == DUET_OK && high > 0) { // the sort is stable: by the low halves, then by the high
        for (int64_t i = 0; i < tasks; i++) {
            items[i].key = (uint64_t)(rank[items[i].kind] >> 64);
        }
        code = duet_order_by_key(items, (size_t)tasks, error);
    }
    for (int64_t i = 0; i < tasks && code == DUET_OK; i++) {
        order[i] = (int32_t)items[i].kind;
    }
    duet_free(items);
    return code;
}
