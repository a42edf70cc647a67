// SPDX-License-Identifier: Apache-2.0
// Edges of the same two tasks. Where an input may have them, they are one: links carry any number
// of transfers at once (docs/problem.md, S3), so that the task that waits has all data when the
// largest are there.
#include <stdio.h>
#include <stdlib.h>

#include "core/instance/builder/builder_state.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// An edge by its ends, to find those that stand twice.
typedef struct found_edge {
    int32_t tail, head, edge;
} found_edge;

static int compare_found(const void *left, const void *right)
{
    const found_edge *a = left;
    const found_edge *b = right;
    int order = duet_order(a->tail, b->tail);
    order = order != 0 ? order : duet_order(a->head, b->head);
    return order != 0 ? order : duet_order(a->edge, b->edge);
}

static int compare_times(const duet_read_time *a, const duet_read_time *b)
{
    duet_uint128 power[] = {duet_power_of_ten(a->value.places), duet_power_of_ten(b->value.places)};
    duet_uint128 number[] = {(duet_uint128)a->value.mantissa, (duet_uint128)b->value.mantissa};
    duet_uint128 whole[] = {number[0] / power[0], number[1] / power[1]};
    duet_uint128 rest[] = {
        number[0] % power[0] * duet_power_of_ten(DUET_DECIMAL_MOST_PLACES - a->value.places),
        number[1] % power[1] * duet_power_of_ten(DUET_DECIMAL_MOST_PLACES - b->value.places)};
    if (whole[0] != whole[1]) {
        return whole[0] < whole[1] ? -1 : 1;
    }
    if (rest[0] != rest[1]) {
        return rest[0] < rest[1] ? -1 : 1;
    }
    return (a->tail > b->tail) - (a->tail < b->tail);
}

// Whether one of two costs is at least the other one between all types; *larger is that one.
static bool pick_larger(const duet_builder *builder, uint32_t a, uint32_t b, uint32_t *larger)
{
    const duet_builder_cost *one = &builder->cost[a];
    const duet_builder_cost *other = &builder->cost[b];
    *larger = a;
    if (a == b || b == 0) {
        return true;
    }
    if (a != 0 && (one->form != other->form || one->form == DUET_COST_TABLE)) {
        return false;
    }
    bool less =
        a == 0 || compare_times(&builder->value[one->first], &builder->value[other->first]) < 0;
    *larger = less ? b : a;
    return true;
}

// Whether an edge goes with the first of the same ends, which then has the larger cost.
static bool merge(duet_builder *builder, int32_t first, int32_t edge)
{
    uint32_t *kept = &builder->edge_cost[first];
    uint32_t cost = builder->edge_cost[edge];
    uint32_t larger = *kept;
    bool merged = builder->doubles == DUET_DOUBLES_LARGEST
                      ? pick_larger(builder, *kept, cost, &larger)
                      : builder->doubles == DUET_DOUBLES_WITHOUT_COST && (cost == 0 || *kept == 0);
    larger = merged && larger == 0 ? cost : larger;
    if (merged) {
        builder->cost[larger == cost ? *kept : cost].edges--;
        *kept = larger;
    }
    return merged;
}

// Takes out the edges without a tail.
static size_t close_gaps(duet_builder *builder, duet_graph *graph)
{
    size_t kept = 0;
    for (size_t e = 0; e < builder->edges; e++) {
        if (graph->tail[e] >= 0) {
            graph->tail[kept] = graph->tail[e];
            graph->head[kept] = graph->head[e];
            builder->edge_cost[kept] = builder->edge_cost[e];
            builder->edge_at[kept++] = builder->edge_at[e];
        }
    }
    return kept;
}

duet_code duet_builder_merge_doubles(duet_builder *builder, duet_graph *graph, duet_error *error)
{
    size_t edges = builder->edges;
    if (builder->doubles == DUET_DOUBLES_REFUSED) {
        return DUET_OK;
    }
    found_edge *found = duet_alloc_raw(edges, sizeof *found, error);
    DUET_NEED(found);
    for (size_t e = 0; e < edges; e++) {
        found[e] = (found_edge){graph->tail[e], graph->head[e], (int32_t)e};
    }
    qsort(found, edges, sizeof *found, compare_found);
    size_t first = 0;
    for (size_t i = 1; i < edges; i++) {
        bool same = found[i].tail == found[first].tail && found[i].head == found[first].head;
        first = same ? first : i;
        if (same && merge(builder, found[first].edge, found[i].edge)) {
            graph->tail[found[i].edge] = -1;
        }
    }
    duet_free(found);
    builder->edges = close_gaps(builder, graph);
    graph->edges = (int64_t)builder->edges;
    if (builder->doubles != DUET_DOUBLES_LARGEST || builder->edges == edges) {
        return DUET_OK;
    }
    char notice[120];
    size_t left = edges - builder->edges;
    snprintf(notice, sizeof notice,
             "%zu of %zu edges %s parallel to others: the largest cost counts", left, edges,
             left == 1 ? "is" : "are");
    return duet_builder_add_notice(builder, notice, error);
}
