// SPDX-License-Identifier: Apache-2.0
// The shares of the bound and the search; see share.h.
#include "solvers/graph/bound/share.h"

#include "core/number/minmax.h"
#include "solvers/graph/bound/tuning.h"

int64_t duet_bound_usual_share(int64_t tasks, bool branches)
{
    if (tasks > DUET_SHARE_LARGE_TASKS) {
        return DUET_SHARE_OF_LARGE;
    }
    return branches && tasks > DUET_SHARE_MANY_TASKS ? DUET_SHARE_BRANCHING : DUET_SHARE_FIRST;
}

int64_t duet_bound_share(int64_t share, int64_t usual, const duet_bound_step *step)
{
    int64_t least = step->gap / DUET_SHARE_WORTH;
    int64_t back = share > usual ? -1 : share < usual ? 1 : 0;
    int64_t more = duet_max(step->raised, step->shortened);
    bool gained = more > least && step->raised != step->shortened;
    share += !gained ? back : step->raised > step->shortened ? DUET_SHARE_STEP : -DUET_SHARE_STEP;
    share = duet_max(share, usual - usual / DUET_SHARE_FALL);
    return duet_min(share, DUET_SHARE_MOST);
}
