// SPDX-License-Identifier: Apache-2.0
#include "solvers/graph/bound/share.h"

#include "core/number/minmax.h"

// In a hundred: the bound's largest share, and by how much it changes after a step in which one
// side has gained more. It falls by a fifth of the usual one at most.
enum { MOST_SHARE = 75, SHARE_STEP = 5, FALL = 5 };
// Beyond so many tasks branching seldom raises the bound: its usual share is then this.
enum { MANY_TASKS = 300, SHARE_OF_BRANCHING = 25 };

int64_t duet_bound_usual_share(int64_t tasks, bool branches)
{
    return branches && tasks > MANY_TASKS ? SHARE_OF_BRANCHING : DUET_FIRST_SHARE;
}

int64_t duet_bound_share(int64_t share, int64_t usual, const duet_bound_step *step)
{
    enum { worth = 256 }; // one in so many of the gap
    int64_t least = step->gap / worth;
    int64_t back = share > usual ? -1 : share < usual ? 1 : 0;
    int64_t more = duet_max(step->raised, step->shortened);
    bool gained = more > least && step->raised != step->shortened;
    share += !gained ? back : step->raised > step->shortened ? SHARE_STEP : -SHARE_STEP;
    share = duet_max(share, usual - usual / FALL);
    return duet_min(share, MOST_SHARE);
}
