// SPDX-License-Identifier: Apache-2.0
// The memory nodes of StarPU's records, and how long data take between the workers of two types.
// Bandwidths become times per byte of nine decimal places, and the means are those of whole
// numbers, so that the same file gives the same table everywhere.
#include "instances/formats/starpu/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { PLACES = 9 }; // of what data take

// What is slower counts as that slow: sums of costs over all pairs of workers then fit.
static const int64_t MOST_COST = INT64_C(1000000000000); // 1000 us a byte, or as a latency

// The first word of "CUDA 1" as architectures have it; memory that is no device's is the CPUs'.
static void take_sort(const char *name, char *sort)
{
    size_t length = 0;
    while (name[length] != '\0' && name[length] != ' ' && length + 1 < DUET_STARPU_SORT) {
        char letter = name[length];
        sort[length++] = (char)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
    }
    sort[length] = '\0';
    if (strcmp(sort, "numa") == 0 || strcmp(sort, "ram") == 0) {
        strcpy(sort, "cpu");
    }
}

duet_code duet_starpu_add_node(duet_starpu_memory *memory, int64_t number, const char *name,
                               const char *workers, duet_place place, duet_error *error)
{
    duet_starpu_node node = {.number = number, .first = memory->worker_count};
    if (memory->node_count == DUET_STARPU_MOST_NODES) {
        return duet_error_set_at(error, DUET_E_INPUT, place.file, place.line, 0,
                                 "too many memory nodes; expected at most %d",
                                 DUET_STARPU_MOST_NODES);
    }
    take_sort(name, node.sort);
    for (const char *at = workers; *at != '\0';) {
        char *end;
        at += strspn(at, " \t\n");
        size_t digits = strspn(at, "0123456789");
        if (digits == 0 || digits > 9) {
            if (*at == '\0') {
                break;
            }
            return duet_error_set_at(error, DUET_E_INPUT, place.file, place.line, 0,
                                     "Workers \"%.40s\": expected the numbers of workers", workers);
        }
        int64_t worker = strtoll(at, &end, 10);
        DUET_TRY(duet_vec_push(memory->workers, memory->worker_count, error, worker));
        at = end;
    }
    return duet_vec_push(memory->nodes, memory->node_count, error, node);
}

duet_code duet_starpu_add_link(duet_starpu_memory *memory, const duet_starpu_link *link,
                               duet_error *error)
{
    return duet_vec_push(memory->links, memory->link_count, error, *link);
}

// Where the workers of a node end.
static size_t end_of(const duet_starpu_memory *memory, size_t node)
{
    return node + 1 < memory->node_count ? memory->nodes[node + 1].first : memory->worker_count;
}

static int compare_seats(const void *left, const void *right)
{
    const duet_starpu_seat *a = left;
    const duet_starpu_seat *b = right;
    if (a->worker != b->worker) {
        return a->worker < b->worker ? -1 : 1;
    }
    return (a->node > b->node) - (a->node < b->node);
}

duet_starpu_seat *duet_starpu_seats(const duet_starpu_memory *memory, duet_error *error)
{
    duet_starpu_seat *seats = duet_alloc(memory->worker_count, sizeof *seats, error);
    for (size_t node = 0; seats != NULL && node < memory->node_count; node++) {
        for (size_t i = memory->nodes[node].first; i < end_of(memory, node); i++) {
            seats[i] = (duet_starpu_seat){memory->workers[i], node};
        }
    }
    if (seats != NULL) {
        qsort(seats, memory->worker_count, sizeof *seats, compare_seats);
    }
    return seats;
}

// --- transfers -----------------------------------------------------------------------------------

// What a transfer between two nodes takes, in units of 10^-9.
typedef struct cost {
    int64_t latency;
    int64_t per_unit;
} cost;

static int64_t at_nine_places(const duet_read_time *time)
{
    int64_t scaled = 0;
    duet_uint128 off;
    bool fits =
        !time->forbidden && duet_decimal_round(time->value, time->tail, PLACES, &scaled, &off);
    return fits ? duet_min(scaled, MOST_COST) : time->forbidden ? 0 : MOST_COST;
}

// 1/bandwidth; a link without one costs nothing.
static int64_t invert(const duet_read_time *bandwidth)
{
    static const duet_long_decimal one = {{1, 0}, DUET_DECIMAL_NO_TAIL};
    const duet_long_decimal read = {bandwidth->value, bandwidth->tail};
    duet_read_time inverse = {.forbidden = true};
    duet_long_decimal quotient;
    if (!bandwidth->forbidden && read.value.mantissa > 0 &&
        duet_decimal_quotient(one, read, &quotient)) {
        inverse = (duet_read_time){.value = quotient.value, .tail = quotient.tail};
    }
    return at_nine_places(&inverse);
}

static size_t find_node(const duet_starpu_memory *memory, int64_t number)
{
    size_t node = 0;
    while (node < memory->node_count && memory->nodes[node].number != number) {
        node++;
    }
    return node;
}

// The costs between all nodes, nodes x nodes. The caller's.
static cost *fill_costs(const duet_starpu_memory *memory, duet_error *error)
{
    size_t nodes = memory->node_count;
    cost *costs = duet_alloc(nodes * nodes, sizeof *costs, error);
    for (size_t i = 0; costs != NULL && i < nodes * nodes; i++) {
        costs[i] = (cost){0, 0};
    }
    for (size_t i = 0; costs != NULL && i < memory->link_count; i++) {
        const duet_starpu_link *link = &memory->links[i];
        size_t from = find_node(memory, link->from);
        size_t to = find_node(memory, link->to);
        if (from < nodes && to < nodes && from != to) {
            costs[from * nodes + to] =
                (cost){at_nine_places(&link->latency), invert(&link->bandwidth)};
        }
    }
    return costs;
}

static duet_read_time mean_of(duet_uint128 sum, duet_uint128 pairs)
{
    duet_decimal value = {pairs == 0 ? 0 : (int64_t)((sum + pairs / 2) / pairs), PLACES};
    while (value.places > 0 && value.mantissa % 10 == 0) {
        value.mantissa /= 10;
        value.places--;
    }
    return (duet_read_time){.value = value};
}

static duet_read_time least_of(duet_uint128 least)
{
    return mean_of(least == ~(duet_uint128)0 ? 0 : least, 1);
}

// Of all pairs of workers of two types.
static void find_cost(size_t nodes, const cost *costs, bool least, const int64_t *from,
                      const int64_t *to, duet_read_time *latency, duet_read_time *per_unit)
{
    duet_uint128 latencies = 0;
    duet_uint128 units = 0;
    duet_uint128 pairs = 0;
    duet_uint128 low[2] = {~(duet_uint128)0, ~(duet_uint128)0};
    for (size_t a = 0; a < nodes; a++) {
        for (size_t b = 0; b < nodes; b++) {
            bool own = from == to && a == b; // a worker and itself are no pair
            duet_uint128 weight =
                (duet_uint128)from[a] * (duet_uint128)(to[b] - (own && to[b] > 0));
            duet_uint128 wait = (duet_uint128)costs[a * nodes + b].latency;
            duet_uint128 unit = (duet_uint128)costs[a * nodes + b].per_unit;
            latencies += weight * wait;
            units += weight * unit;
            pairs += weight;
            low[0] = weight > 0 ? duet_min(wait, low[0]) : low[0];
            low[1] = weight > 0 ? duet_min(unit, low[1]) : low[1];
        }
    }
    *latency = least ? least_of(low[0]) : mean_of(latencies, pairs);
    *per_unit = least ? least_of(low[1]) : mean_of(units, pairs);
}

duet_code duet_starpu_transfer(const duet_starpu_memory *memory, bool least, size_t types,
                               const int64_t *workers, duet_read_time *latency,
                               duet_read_time *per_unit, duet_error *error)
{
    size_t nodes = memory->node_count;
    cost *costs = fill_costs(memory, error);
    DUET_NEED(costs);
    for (size_t a = 0; a < types; a++) {
        for (size_t b = 0; b < types; b++) {
            find_cost(nodes, costs, least, workers + a * nodes, workers + b * nodes,
                      &latency[a * types + b], &per_unit[a * types + b]);
        }
    }
    duet_free(costs);
    return DUET_OK;
}

void duet_starpu_free_memory(duet_starpu_memory *memory)
{
    duet_free(memory->nodes);
    duet_free(memory->workers);
    duet_free(memory->links);
}
