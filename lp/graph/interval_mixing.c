// SPDX-License-Identifier: Apache-2.0
// Which mixing inequalities (lp/graph/mixing.h) the last solution of the interval program violates.
//
// Of one pair u, v all inequalities are of different items in the order of their lengths h. Where
// the largest share of an item of a length above h is y(h), the sum for the best choice is that of
// y(h) over all h from L on: from the longest item down, each with a larger share than all before
// it is one of the row. The pairs that matter are those near each other, so that what is violated
// counts in proportion to the length of the row.
#include <math.h>
#include <stdlib.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/graph/interval_state.h"
#include "lp/graph/tuning.h"

// A task that takes longer than at least, by the shares of the solution.
typedef struct longer {
    duet_mixing_item item;
    int64_t time;
    double share;
    int64_t start;   // from the end of u to its start
    int64_t through; // from u, through it, to v
} longer;

typedef struct candidate {
    double score;
    int32_t from, to;
} candidate;

typedef struct mixing_search {
    duet_interval_program *p;
    const duet_interval_guess *guess;
    longer *all; // that have some share
    size_t longers;
    longer *behind; // of these, those behind the task that is looked at, the nearest first
    size_t behinds;
    longer *between; // of these, those between the pair that is looked at, the longest first
    candidate *found;
    size_t founds;
    uint8_t *begins, *ends; // rows of each task; behind the last one, of the outside
    int64_t work;           // about the operations
} mixing_search;

// --- the items -----------------------------------------------------------------------------------

// The share of a task on types where it takes at least so long.
static double share_from(const mixing_search *s, int64_t task, int64_t time)
{
    const duet_interval_program *p = s->p;
    double share = 0.0;
    for (size_t t = 0; t < p->types; t++) {
        if (duet_interval_may_run(p->net, s->guess, task, t) &&
            duet_interval_time(p, task, t) >= time) {
            share += p->share[(size_t)task * p->types + t];
        }
    }
    return share;
}

static void find_longer(mixing_search *s)
{
    const duet_interval_program *p = s->p;
    for (int64_t j = 0; j < p->net->tasks; j++) {
        int64_t shortest = duet_interval_shortest(p, s->guess, j);
        for (size_t t = 0; t < p->types; t++) {
            if (!duet_interval_may_run(p->net, s->guess, j, t) ||
                duet_interval_time(p, j, t) <= shortest) {
                continue;
            }
            int64_t time = duet_interval_time(p, j, t);
            double share = share_from(s, j, time);
            if (share > DUET_MIXING_LEAST_SHARE) {
                s->all[s->longers++] =
                    (longer){{(int32_t)j, (uint32_t)t, 0}, time, fmin(share, 1.0), 0, 0};
            }
        }
    }
}

static int by_start(const void *left, const void *right)
{
    const longer *a = left;
    const longer *b = right;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return (a->item.task > b->item.task) - (a->item.task < b->item.task);
}

static void look_from(mixing_search *s, int32_t from)
{
    s->behinds = 0;
    for (size_t i = 0; i < s->longers; i++) {
        longer one = s->all[i];
        one.start =
            one.item.task == from ? -1 : duet_mixing_between(s->p->mixing, from, one.item.task);
        if (one.start >= 0) {
            s->behind[s->behinds++] = one;
        }
    }
    qsort(s->behind, s->behinds, sizeof *s->behind, by_start);
}

// --- a pair --------------------------------------------------------------------------------------

// By falling lengths; of those of one length the largest share alone can be of the row.
static bool comes_before(const longer *a, const longer *b)
{
    return a->through != b->through ? a->through > b->through : a->share > b->share;
}

// Between the pair and longer than the path without them, by falling lengths.
static size_t find_between(mixing_search *s, int32_t to, int64_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < s->behinds; i++) {
        longer one = s->behind[i];
        s->work++;
        if (one.start > length && to != DUET_MIXING_OUTSIDE) {
            break; // it starts behind the other task
        }
        int64_t rest =
            one.item.task == to ? -1 : duet_mixing_between(s->p->mixing, one.item.task, to);
        if (rest < 0) {
            continue;
        }
        one.through = duet_mixing_sum(s->p->mixing, one.start, one.time, rest);
        if (one.through <= length) {
            continue;
        }
        size_t at = count++;
        for (; at > 0 && comes_before(&one, &s->between[at - 1]); at--) {
            s->between[at] = s->between[at - 1];
        }
        s->between[at] = one;
    }
    return count;
}

// The items of the most violated row, and the length that they and the shares ask for.
static double choose(const mixing_search *s, size_t count, int64_t length, duet_mixing_row *row)
{
    double share = 0.0;
    double sum = 0.0;
    row->items = 0;
    for (size_t i = 0; i < count; i++) {
        const longer *one = &s->between[i];
        if (one->share > share && row->items < DUET_MIXING_MOST) {
            bool there = false;
            for (int32_t k = 0; k < row->items; k++) {
                there = there || row->item[k].task == one->item.task;
            }
            if (!there) {
                row->item[row->items++] = one->item;
                share = one->share;
            }
        }
        int64_t next = i + 1 < count ? s->between[i + 1].through : length;
        sum += share * (double)(one->through - next);
    }
    return (double)length + sum;
}

static double end_of(const mixing_search *s, int32_t from)
{
    return from == DUET_MIXING_OUTSIDE
               ? 0.0
               : s->p->start[from] * (double)s->guess->guess + s->p->duration[from];
}

static double start_of(const mixing_search *s, int32_t to)
{
    return (to == DUET_MIXING_OUTSIDE ? 1.0 : s->p->start[to]) * (double)s->guess->guess;
}

// What the row of a pair exceeds, and the longest of its paths; the row has its items. After
// look_from().
static double violation(mixing_search *s, duet_mixing_row *row, int64_t *longest)
{
    int64_t length = duet_mixing_between(s->p->mixing, row->from, row->to);
    double room = start_of(s, row->to) - end_of(s, row->from);
    double most = s->p->net->tasks <= DUET_MIXING_FEW_TASKS ? 1.0 : DUET_MIXING_FARTHEST;
    if (length < 0 || room > most * (double)s->guess->guess) {
        return 0.0;
    }
    size_t count = find_between(s, row->to, length);
    if (count < 2 || (double)s->between[0].through <= room) {
        return 0.0;
    }
    *longest = s->between[0].through;
    return choose(s, count, length, row) - room;
}

// --- all pairs -----------------------------------------------------------------------------------

static duet_code find_from(mixing_search *s, int32_t from, duet_error *error)
{
    int32_t tasks = (int32_t)s->p->net->tasks;
    duet_code code = DUET_OK;
    look_from(s, from);
    s->work += tasks + (int64_t)s->longers;
    for (int32_t to = DUET_MIXING_OUTSIDE; to < tasks && code == DUET_OK; to++) {
        duet_mixing_row row = {.from = from, .to = to};
        int64_t longest = 1;
        if (from == to) {
            continue;
        }
        double excess = violation(s, &row, &longest);
        if (excess > DUET_MIXING_LEAST_VIOLATION * (double)s->guess->guess) {
            code = duet_vec_push(s->found, s->founds, error,
                                 (candidate){excess / (double)longest, from, to});
        }
    }
    return code;
}

// As far as the context lets it.
static duet_code find(mixing_search *s, const duet_context *context, duet_error *error)
{
    int32_t from = DUET_MIXING_OUTSIDE;
    for (; from < s->p->net->tasks && !duet_context_stop(context); from++) {
        DUET_TRY(find_from(s, from, error));
    }
    return DUET_OK;
}

static int by_score(const void *left, const void *right)
{
    const candidate *a = left;
    const candidate *b = right;
    if (a->score != b->score) {
        return a->score > b->score ? -1 : 1;
    }
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return (a->to > b->to) - (a->to < b->to);
}

static duet_code add_row(mixing_search *s, const candidate *c, duet_error *error)
{
    duet_interval_program *p = s->p;
    duet_mixing_row mix = {.from = c->from, .to = c->to};
    int64_t longest;
    look_from(s, c->from);
    violation(s, &mix, &longest);
    if (!duet_mixing_measure(p->mixing, &mix)) {
        return DUET_OK;
    }
    DUET_TRY(duet_vec_grow(p->mix, p->mixes, error));
    duet_interval_row row = {.kind = DUET_INTERVAL_MIX, .at = (int32_t)p->mixes};
    p->mix[p->mixes++] = mix;
    return duet_interval_add_row(p, &row, error);
}

// The best ones of each task.
static int take(mixing_search *s, duet_error *error)
{
    size_t tasks = (size_t)s->p->net->tasks;
    int added = 0;
    if (s->founds > 0) {
        qsort(s->found, s->founds, sizeof *s->found, by_score);
    }
    for (size_t i = 0; i < s->founds; i++) {
        const candidate *c = &s->found[i];
        size_t from = c->from == DUET_MIXING_OUTSIDE ? tasks : (size_t)c->from;
        size_t to = c->to == DUET_MIXING_OUTSIDE ? tasks : (size_t)c->to;
        if (s->begins[from] < DUET_MIXING_ROWS_OF_EACH && s->ends[to] < DUET_MIXING_ROWS_OF_EACH) {
            s->begins[from]++;
            s->ends[to]++;
            if (add_row(s, c, error) != DUET_OK) {
                return -1;
            }
            added++;
        }
    }
    return added;
}

int duet_interval_add_mixing(duet_interval_program *program, const duet_interval_guess *guess,
                             const duet_context *context, duet_error *error)
{
    if (program->mixing == NULL || program->lp == NULL) {
        return 0;
    }
    size_t tasks = (size_t)program->net->tasks;
    mixing_search s = {.p = program, .guess = guess};
    s.all = duet_alloc_raw(tasks * program->types, sizeof *s.all, error);
    s.between = duet_alloc_raw(tasks * program->types, sizeof *s.between, error);
    s.behind = duet_alloc_raw(tasks * program->types, sizeof *s.behind, error);
    s.begins = duet_alloc(2 * (tasks + 1), sizeof *s.begins, error);
    int added = -1;
    if (s.all != NULL && s.between != NULL && s.behind != NULL && s.begins != NULL) {
        s.ends = s.begins + tasks + 1;
        find_longer(&s);
        added = find(&s, context, error) == DUET_OK ? take(&s, error) : -1;
        program->work += s.work;
    }
    duet_free(s.all);
    duet_free(s.between);
    duet_free(s.behind);
    duet_free(s.begins);
    duet_free(s.found);
    return added;
}
