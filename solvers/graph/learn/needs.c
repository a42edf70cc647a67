// SPDX-License-Identifier: Apache-2.0
// What the work of an interval follows from; see learn_state.h.
// Method:    each job's work follows from its types and from a window, which is as wide as that
//            work allows. What there is too much is left away from the smallest works first.
// Cost:      O(jobs^2) at worst.
// Memory:    that of the state.
// Reference: Schutt, Feydy, Stuckey, Wallace, Constraints 16, 2011.
#include "core/number/minmax.h"
#include "solvers/graph/learn/learn_state.h"

void duet_learn_need_window(duet_learn *s, int32_t task, int64_t start, int64_t end)
{
    duet_learn_push(&s->engine, &s->why, duet_learn_least(s->start[task], start));
    duet_learn_push(&s->engine, &s->why, duet_learn_most(s->end[task], end));
}

// Why a job has at least some work in the interval.
static void need_work(duet_learn *s, const duet_learn_job *job, const duet_learn_interval *of,
                      int64_t work)
{
    if (job->guard.side >= 0) {
        int64_t time = s->option[job->options_at].time;
        duet_learn_push(&s->engine, &s->why, job->guard);
        duet_learn_need_window(s, job->task, of->from + work - time, of->to - work + time);
        return;
    }
    int64_t start = INT64_MIN;
    int64_t end = INT64_MAX;
    for (size_t t = 0; t < s->types; t++) {
        duet_learn_literal on = duet_learn_on(s, job->task, t);
        int64_t time = duet_learn_time(s, job->task, t);
        int64_t price = of->row->price[t];
        if (!duet_allowed(s->instance, (size_t)s->network.kind[job->task], t)) {
            continue;
        }
        if (price * duet_learn_overlap(time, job, of->from, of->to) < work) {
            duet_learn_push(&s->engine, &s->why, duet_learn_not(on));
            continue;
        }
        int64_t least = (work + price - 1) / price;
        start = duet_max(of->from + least - time, start);
        end = duet_min(of->to - least + time, end);
    }
    if (start != INT64_MIN) {
        duet_learn_need_window(s, job->task, start, end);
    }
}

// Jobs with work in the interval but for one, the least work first.
static size_t sort_by_work(duet_learn *s, const duet_learn_job *but)
{
    size_t count = 0;
    for (size_t i = 0; i < s->jobs; i++) {
        if (s->share[i] == 0 || &s->job[i] == but) {
            continue;
        }
        size_t at = count++;
        for (; at > 0 && s->share[s->sorted[at - 1]] > s->share[i]; at--) {
            s->sorted[at] = s->sorted[at - 1];
        }
        s->sorted[at] = i;
    }
    s->engine.work += (int64_t)count;
    return count;
}

static void share_work(duet_learn *s, const duet_learn_interval *of)
{
    for (size_t i = 0; i < s->jobs; i++) {
        s->share[i] = duet_learn_work_in(s, &s->job[i], of->from, of->to);
    }
    s->engine.work += (int64_t)s->jobs;
}

void duet_learn_need_others(duet_learn *s, const duet_learn_interval *of, const duet_learn_job *but,
                            int64_t spare)
{
    s->why.count = 0;
    share_work(s, of);
    size_t count = sort_by_work(s, but);
    for (size_t i = 0; i < count; i++) {
        int64_t work = s->share[s->sorted[i]];
        int64_t less = duet_min(spare, work);
        spare -= less;
        if (less < work) {
            need_work(s, &s->job[s->sorted[i]], of, work - less);
        }
    }
}
