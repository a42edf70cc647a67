// SPDX-License-Identifier: Apache-2.0
// The order of walks; exchange.h has the method.
#include "heuristics/graph_search/exchange.h"

#include <stdlib.h>

#include "heuristics/graph_search/tuning.h"

static int compare(const void *left, const void *right)
{
    const duet_graph_search_walk *a = left;
    const duet_graph_search_walk *b = right;
    if (a->makespan != b->makespan) {
        return a->makespan < b->makespan ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

size_t duet_graph_search_rank_walks(duet_graph_search_walk *walks, size_t count)
{
    if (count > 1) {
        qsort(walks, count, sizeof *walks, compare);
    }
    return count / DUET_GRAPH_SEARCH_WINNERS;
}
