// SPDX-License-Identifier: Apache-2.0
#include "solvers/graph/done.h"

#include "core/number/minmax.h"
#include "solvers/graph/tuning.h"

duet_graph_done duet_graph_done_so_far(const duet_graph_sides *sides)
{
    const duet_subproblems *bound = sides->subproblems;
    return (duet_graph_done){.searched = duet_graph_search_work(sides->search),
                             .waited = duet_graph_search_span(sides->search),
                             .bounded = bound != NULL ? duet_subproblems_spent(bound) : 0,
                             .chained = bound != NULL ? duet_subproblems_chained(bound) : 0,
                             .learned = sides->learning->work,
                             .learned_ns = sides->learning->ns};
}

void duet_graph_done_add(duet_graph_work *sum, const duet_graph_sides *sides,
                         const duet_graph_done *before)
{
    const duet_graph_done after = duet_graph_done_so_far(sides);
    int64_t waited = after.waited - before->waited;
    int64_t bounded = (after.bounded - before->bounded) / DUET_GRAPH_BOUND_WORK;
    int64_t chained = (after.chained - before->chained) / DUET_GRAPH_BOUND_WORK;
    int64_t learned = (after.learned - before->learned) / DUET_GRAPH_PLACING_WORK;
    if (!sides->plan.fixed) {
        double rate = (double)waited / (double)duet_max(sides->searched.ns, 1);
        bounded = sides->work > 0 ? (int64_t)(rate * (double)sides->bounded.ns) : 0;
        chained = bounded;
        learned = (int64_t)(rate * (double)(after.learned_ns - before->learned_ns));
    }
    sum->work += after.searched - before->searched + bounded + learned;
    waited = sides->learns_beside ? duet_max(waited, learned) : waited + learned;
    sum->span += duet_max(waited, chained);
}
