// SPDX-License-Identifier: Apache-2.0
#include "solvers/graph/share.h"

#include <stdbool.h>

// In a hundred: the bound's least and largest share, and by how much it changes after a step in
// which one side has gained more.
enum { LEAST_SHARE = 40, MOST_SHARE = 75, SHARE_STEP = 5 };

int64_t duet_graph_share(int64_t share, const duet_graph_step *step)
{
    enum { worth = 256 }; // one in so many of the gap
    int64_t least = step->gap / worth;
    int64_t usual = share > DUET_USUAL_SHARE ? -1 : share < DUET_USUAL_SHARE ? 1 : 0;
    int64_t more = step->raised > step->shortened ? step->raised : step->shortened;
    bool gained = more > least && step->raised != step->shortened;
    share += !gained ? usual : step->raised > step->shortened ? SHARE_STEP : -SHARE_STEP;
    share = share < LEAST_SHARE ? LEAST_SHARE : share;
    return share > MOST_SHARE ? MOST_SHARE : share;
}
