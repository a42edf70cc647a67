// SPDX-License-Identifier: Apache-2.0
// How tasks are divided between the types where a flow stops, in floating point: the time between
// a task's potentials says on which type, or on both, it is.
#include <math.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/graph/crash_state.h"

// Returns the larger of the bound so far and `best`.
static double level(const duet_crash *c, duet_fraction best)
{
    double bound = (double)c->numerator / (double)c->denominator;
    return fmax(bound, (double)best.num / (double)best.den);
}

// The potential of a node where the longest path is `shortened` less than it is.
static double time_at(const duet_crash *c, int64_t node, double shortened)
{
    double moved = shortened - (double)c->distance[node];
    return (double)c->time[node] + (c->distance[node] < DUET_CRASH_FAR && moved > 0 ? moved : 0.0);
}

// Whether a task may take more or less time for these prices and this flow.
static bool is_tied(const duet_crash *c, int64_t task)
{
    const gains *g = &c->gain[c->net->kind[task]];
    return g->limit < DUET_CRASH_MUCH && g->then < g->first && c->dual.pass[task] == g->limit;
}

// The share of a task on the CPU where it has that much time.
static double share_of(const duet_crash *c, int64_t task, double time)
{
    const duet_instance *instance = c->net->instance;
    size_t kind = (size_t)c->net->kind[task];
    const gains *g = &c->gain[kind];
    if (!duet_allowed(instance, kind, 0) || !duet_allowed(instance, kind, 1)) {
        return duet_allowed(instance, kind, 0) ? 1.0 : 0.0;
    }
    int64_t p = duet_time(instance, kind, 0);
    int64_t q = duet_time(instance, kind, 1);
    if (g->limit == DUET_CRASH_MUCH) {
        return (duet_int128)p * c->prices.cpu < (duet_int128)q * c->prices.gpu ? 1.0 : 0.0;
    }
    return fmin(1.0, fmax(0.0, (time - (double)q) / (double)(p - q)));
}

// Gives a task that much time.
static void divide_task(const duet_crash *c, int64_t task, double time, duet_crash_shares *shares)
{
    const duet_instance *instance = c->net->instance;
    size_t kind = (size_t)c->net->kind[task];
    double share = share_of(c, task, time);
    if (share > 0.0) {
        shares->work[0] += share * (double)duet_time(instance, kind, 0);
    }
    if (share < 1.0) {
        shares->work[1] += (1.0 - share) * (double)duet_time(instance, kind, 1);
    }
    if (shares->share != NULL) {
        shares->share[task] = share;
    }
}

// What a task takes at least, by the potentials.
static double least_time(const duet_crash *c, int64_t task, double shortened)
{
    const gains *g = &c->gain[c->net->kind[task]];
    double time = time_at(c, 2 * task + 1, shortened) - time_at(c, 2 * task, shortened);
    if (g->limit == DUET_CRASH_MUCH || !is_tied(c, task)) {
        return (double)duet_crash_gain(c, task);
    }
    return fmin((double)g->first, fmax((double)g->then, time));
}

void duet_crash_divide(const duet_crash *c, duet_fraction best, duet_crash_shares *shares)
{
    double shortened = (double)(c->sink_time - c->source_time) - level(c, best);
    shares->work[0] = 0.0;
    shares->work[1] = 0.0;
    for (int64_t j = 0; j < c->net->tasks; j++) {
        divide_task(c, j, least_time(c, j, shortened), shares);
    }
}

duet_code duet_crash_stretch(const duet_crash *c, duet_fraction best, duet_crash_shares *shares,
                             duet_error *error)
{
    const duet_graph *graph = c->net->graph;
    double deadline = level(c, best);
    double shortened = (double)(c->sink_time - c->source_time) - deadline;
    double *late = duet_alloc_raw(2 * (size_t)c->net->tasks, sizeof *late, error);
    DUET_NEED(late);
    double *end = late + c->net->tasks; // first the times, then the ends
    for (int64_t i = c->net->tasks - 1; i >= 0; i--) {
        int32_t task = c->net->order[i];
        end[task] = least_time(c, task, shortened);
        late[task] = deadline;
        for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
            int32_t head = graph->head[graph->leaving[at]];
            late[task] = fmin(late[task], late[head] - end[head]);
        }
    }
    shares->work[0] = 0.0;
    shares->work[1] = 0.0;
    for (int64_t i = 0; i < c->net->tasks; i++) {
        int32_t task = c->net->order[i];
        double start = 0.0;
        for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
            start = fmax(start, end[graph->tail[graph->entering[at]]]);
        }
        if (is_tied(c, task)) {
            double most = (double)c->gain[c->net->kind[task]].first;
            end[task] = fmin(most, fmax(end[task], late[task] - start));
        }
        divide_task(c, task, end[task], shares);
        end[task] += start;
    }
    duet_free(late);
    return DUET_OK;
}
