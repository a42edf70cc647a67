// SPDX-License-Identifier: Apache-2.0
// Merges of the tasks whose bottom levels changed; level_order.h has the method.
#include "heuristics/graph_search/level_order.h"
#include "core/number/minmax.h"

#include <stdbool.h>

duet_code duet_graph_level_order_create(int32_t tasks, duet_graph_level_order *order,
                                        duet_error *error)
{
    size_t count = (size_t)tasks;
    *order = (duet_graph_level_order){.tasks = tasks};
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(order->level, count), DUET_ARENA_ARRAY(order->task, count),
        DUET_ARENA_ARRAY(order->rank, count), DUET_ARENA_ARRAY(order->moved, count),
        DUET_ARENA_ARRAY(order->spare, count)};
    duet_code code =
        duet_arena_create(&order->arena, arrays, sizeof arrays / sizeof *arrays, error);
    for (int32_t j = 0; code == DUET_OK && j < tasks; j++) {
        order->task[j] = j;
        order->rank[j] = j;
    }
    return code;
}

void duet_graph_level_order_free(duet_graph_level_order *order)
{
    duet_arena_free(&order->arena);
    *order = (duet_graph_level_order){.tasks = 0};
}

static bool is_before(const duet_graph_level_order *order, int32_t one, int32_t other)
{
    int64_t first = order->level[one];
    int64_t second = order->level[other];
    return first != second ? first > second : one < other;
}

// Takes the tasks out whose levels changed, and closes the gaps. Returns how many these are.
static int32_t take_moved(duet_graph_level_order *order, const int64_t *level)
{
    int32_t moved = 0;
    for (int32_t i = 0; i < order->tasks; i++) {
        int32_t task = order->task[i];
        if (level[task] != order->level[task]) {
            order->level[task] = level[task];
            order->moved[moved++] = task;
        } else {
            order->task[i - moved] = task;
        }
    }
    return moved;
}

// Returns where the sorted run ends that begins there.
static int32_t end_of_run(const duet_graph_level_order *order, const int32_t *task, int32_t at,
                          int32_t count)
{
    int32_t end = at + 1;
    while (end < count && is_before(order, task[end - 1], task[end])) {
        end++;
    }
    return duet_min(end, count);
}

// Merges two runs that lie one behind the other.
static void merge(const duet_graph_level_order *order, const int32_t *from, int32_t at, int32_t mid,
                  int32_t end, int32_t *to)
{
    int32_t one = at;
    int32_t other = mid;
    for (int32_t i = at; i < end; i++) {
        bool first = other == end || (one < mid && is_before(order, from[one], from[other]));
        to[i] = first ? from[one++] : from[other++];
    }
}

// Merges the runs of the moved tasks in pairs until there is one.
static const int32_t *sort_moved(const duet_graph_level_order *order, int32_t count)
{
    int32_t *from = order->moved;
    int32_t *to = order->spare;
    while (end_of_run(order, from, 0, count) < count) {
        for (int32_t at = 0; at < count;) {
            int32_t mid = end_of_run(order, from, at, count);
            int32_t end = mid < count ? end_of_run(order, from, mid, count) : count;
            merge(order, from, at, mid, end, to);
            at = end;
        }
        int32_t *merged = to;
        to = from;
        from = merged;
    }
    return from;
}

void duet_graph_level_order_update(duet_graph_level_order *order, const int64_t *level)
{
    int32_t moved = take_moved(order, level);
    int32_t stayed = order->tasks - moved;
    const int32_t *sorted = sort_moved(order, moved);
    // From the end: what is written was read before.
    for (int32_t at = order->tasks; moved > 0;) {
        bool last = stayed == 0 || is_before(order, order->task[stayed - 1], sorted[moved - 1]);
        order->task[--at] = last ? sorted[--moved] : order->task[--stayed];
    }
    for (int32_t i = 0; i < order->tasks; i++) {
        order->rank[order->task[i]] = i;
    }
}
