// SPDX-License-Identifier: Apache-2.0
// Stages of a task graph; see stages.h.
#include "solvers/graph/bound/stages.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"

// The place of the first task that waits for a task; `tasks`: there is none.
static int64_t first_behind(const duet_graph *graph, const int32_t *place, int32_t task)
{
    int64_t first = graph->tasks;
    for (int64_t i = graph->leave_at[task]; i < graph->leave_at[task + 1]; i++) {
        int32_t at = place[graph->head[graph->leaving[i]]];
        first = duet_min(at, first);
    }
    return first;
}

// The place of the last one that it waits for; -1: there is none.
static int64_t last_before(const duet_graph *graph, const int32_t *place, int32_t task)
{
    int64_t last = -1;
    for (int64_t i = graph->enter_at[task]; i < graph->enter_at[task + 1]; i++) {
        int32_t at = place[graph->tail[graph->entering[i]]];
        last = duet_max(at, last);
    }
    return last;
}

// From each task before a cut, the first one that waits for it is not behind the cut, and so on up
// to the cut itself; likewise from each task behind. `cuts` is per place.
static void find_cuts(const duet_graph *graph, const int32_t *order, const int32_t *place,
                      bool *cuts)
{
    int64_t reached = 0;
    for (int64_t i = 0; i < graph->tasks; i++) {
        cuts[i] = reached <= i;
        int64_t first = first_behind(graph, place, order[i]);
        reached = duet_max(first, reached);
    }
    reached = graph->tasks - 1;
    for (int64_t i = graph->tasks; i-- > 0;) {
        cuts[i] = cuts[i] && reached >= i;
        int64_t last = last_before(graph, place, order[i]);
        reached = duet_min(last, reached);
    }
}

duet_code duet_stages_exist(const duet_graph *graph, const int32_t *order, bool *has,
                            duet_error *error)
{
    int32_t *place = duet_alloc_raw((size_t)graph->tasks, sizeof *place, error);
    bool *cuts = duet_alloc_raw((size_t)graph->tasks, sizeof *cuts, error);
    bool whole = place != NULL && cuts != NULL;
    for (int64_t i = 0; whole && i < graph->tasks; i++) {
        place[order[i]] = (int32_t)i;
    }
    int64_t largest = 0;
    int64_t begin = 0; // the place behind the last cut
    if (whole) {
        find_cuts(graph, order, place, cuts);
    }
    for (int64_t i = 0; whole && i <= graph->tasks; i++) {
        if (i == graph->tasks || cuts[i]) {
            largest = duet_max(i - begin, largest);
            begin = i + 1;
        }
    }
    *has = whole && largest <= graph->tasks / 2;
    duet_free(place);
    duet_free(cuts);
    return whole ? DUET_OK : DUET_E_MEMORY;
}

// The last place from `first` on of a task that `task` does not wait for; -1: there is none.
static int64_t last_independent(const duet_reachable *all, const int32_t *near, int64_t first,
                                int64_t count, int32_t task, int32_t *mark, int32_t stamp)
{
    for (int64_t at = all->at[task]; at < all->at[task + 1]; at++) {
        mark[all->task[at]] = stamp;
    }
    int64_t place = count - 1;
    while (place >= first && mark[near[place]] == stamp) {
        place--;
    }
    return place >= first ? place : -1;
}

int64_t duet_stages_nearest(const duet_reachable *all, const int32_t *near, int64_t count,
                            int64_t most, int32_t *mark, int32_t *stamp, int64_t *work)
{
    int64_t last = -1; // that some task of the stage does not wait for
    for (int64_t i = 0; i < most && i + 1 < count && last < most; i++) {
        int64_t place = last_independent(all, near, i + 1, count, near[i], mark, ++*stamp);
        *work += all->at[near[i] + 1] - all->at[near[i]];
        last = duet_max(place, last);
        if (last <= i) {
            return i + 1;
        }
    }
    return 0;
}
