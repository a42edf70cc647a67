// SPDX-License-Identifier: Apache-2.0
#include "solvers/graph/pace.h"

#include "solvers/graph/tuning.h"

void duet_graph_pace_note(duet_graph_pace *of, int64_t work, int64_t ns)
{
    of->work += (double)work;
    of->ns += (double)ns;
    if (of->ns > DUET_GRAPH_PACE_MEMORY_NS) {
        of->work /= 2;
        of->ns /= 2;
    }
}

double duet_graph_pace_ratio(const duet_graph_pace *bound, const duet_graph_pace *search)
{
    bool known = bound->ns >= DUET_GRAPH_PACE_NS && search->ns >= DUET_GRAPH_PACE_NS &&
                 bound->work >= 1 && search->work >= 1;
    return known ? bound->work / bound->ns * search->ns / search->work : DUET_GRAPH_BOUND_WORK;
}
