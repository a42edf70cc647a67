// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/walk.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/vec.h"
#include "solvers/exact/cover/cover.h"
#include "solvers/exact/pack.h"
#include "solvers/exact/tuning.h"

void duet_walk_refute(duet_walk *s)
{
    duet_prices *const prices[] = {&s->area, &s->time[0], &s->time[1]};
    for (size_t i = 0; i < 3; i++) {
        if (duet_residual_slack(s->classes, &s->state, prices[i]) < 0) {
            duet_log_price(s->search.log, prices[i]);
            return;
        }
    }
    duet_log_knapsack(s->search.log, &s->area);
}

// Whether an allocation is only packed. Few classes are an exception: levelling does not help where
// all tasks are alike, and their patterns are few.
static bool skips_search(const duet_walk *s)
{
    return (s->search.limits.nodes == 0 || s->stats.open + s->part.elsewhere > 0) &&
           s->classes->count > DUET_ALLOCATIONS_FEW_CLASSES;
}

// One type of an allocation: packing, then the cover search. Once an allocation is open the guess
// cannot be refuted any more: from there on, packing alone may find a schedule.
static duet_code solve_type(duet_walk *s, size_t type, duet_verdict *verdict, duet_error *error)
{
    bool fits = false;
    duet_code code = duet_pack_type(&s->search, type, &fits, error);
    *verdict = DUET_FOUND;
    if (code != DUET_OK || fits || skips_search(s)) {
        *verdict = fits ? DUET_FOUND : DUET_OPEN;
        return code;
    }
    duet_search search = s->search;
    // The limit is of this type alone.
    search.limits.nodes =
        duet_max(search.limits.nodes, DUET_ALLOCATIONS_NODES) + search.stats->nodes;
    code = duet_cover_type(&search, type, s->time, error);
    *verdict = search.verdict;
    return code;
}

// The type to look at first: on fewer processors it is sooner known that the tasks do not fit.
static size_t first_type(const duet_walk *s)
{
    return s->state.processors[1] < s->state.processors[0];
}

duet_code duet_walk_schedule(duet_walk *s, duet_verdict *verdict, duet_error *error)
{
    duet_loads_mark loads = duet_loads_here(s->search.loads);
    duet_verdict of[2] = {DUET_OPEN, DUET_OPEN};
    duet_code code = DUET_OK;
    duet_log_mark mark = duet_log_here(s->search.log);
    s->stats.fitting++;
    size_t first = first_type(s);
    for (size_t i = 0; i < 2 && code == DUET_OK && of[first] != DUET_REFUTED; i++) {
        size_t t = i == 0 ? first : 1 - first;
        code = solve_type(s, t, &of[t], error);
        if (of[t] == DUET_OPEN && skips_search(s)) {
            break;
        }
        if (of[t] != DUET_REFUTED) {
            duet_log_rewind(s->search.log, mark);
        }
    }
    *verdict = DUET_OPEN;
    if (of[0] == DUET_REFUTED || of[1] == DUET_REFUTED) {
        *verdict = DUET_REFUTED;
    } else if (of[0] == DUET_FOUND && of[1] == DUET_FOUND) {
        *verdict = DUET_FOUND;
        return code;
    }
    s->stats.open += *verdict == DUET_OPEN;
    duet_loads_rewind(s->search.loads, loads);
    return code;
}

int64_t duet_walk_most_steps(const duet_walk *s)
{
    int64_t classes = (int64_t)duet_knapsack_free_count(s->knapsack);
    return (s->most + 1) * (DUET_WALK_SCHEDULE + DUET_ALLOCATIONS_WAYS * (classes + 1));
}

duet_code duet_walk_push(duet_walk *s, duet_walk_frame **top, duet_error *error)
{
    duet_code code = duet_vec_grow(s->frame, s->frames, error);
    if (code == DUET_OK) {
        *top = &s->frame[s->frames++];
    }
    return code;
}

// The allocations of the free classes before `index`.
static duet_code push_allocation(duet_walk *s, size_t index, const int64_t work[2],
                                 duet_error *error)
{
    duet_walk_frame *f = NULL;
    duet_code code = duet_walk_push(s, &f, error);
    if (code == DUET_OK) {
        *f = (duet_walk_frame){.index = index, .work = {work[0], work[1]}};
    }
    return code;
}

// The allocations in which y tasks of free class index-1 leave their type, y >= least: those with
// exactly `least` in one child of a branch, the others in the other child.
static duet_code push_class(duet_walk *s, size_t index, int64_t least, const int64_t work[2],
                            duet_error *error)
{
    duet_walk_frame *f = NULL;
    duet_code code = duet_walk_push(s, &f, error);
    if (code == DUET_OK) {
        *f = (duet_walk_frame){
            .index = index, .work = {work[0], work[1]}, .in_class = true, .least = least};
    }
    return code;
}

static void set_work(const duet_walk *s, const duet_knapsack_free *f, const int64_t before[2],
                     int64_t leave, int64_t after[2])
{
    size_t away = 1 - f->cheaper;
    after[f->cheaper] = before[f->cheaper] - leave * s->classes->time[f->cheaper][f->class];
    after[away] = before[away] + leave * s->classes->time[away][f->class];
}

// Whether any number of leaving tasks, `least` or more, can still fit.
static bool is_possible(const duet_walk *s, const duet_walk_frame *at, const duet_knapsack_free *f)
{
    bool possible = false;
    for (int64_t y = at->least; y <= f->most && !possible; y++) {
        int64_t with[2];
        set_work(s, f, at->work, y, with);
        possible = duet_knapsack_can_fit(s->knapsack, at->index - 1, with);
    }
    return possible;
}

duet_code duet_walk_begin_child(duet_walk *s, const duet_knapsack_free *f, duet_verdict *verdict,
                                duet_error *error)
{
    duet_walk_frame *top = &s->frame[s->frames - 1];
    int64_t tasks = s->state.left[f->class];
    const duet_walk_frame at = *top; // pushing moves it
    // Where CPUs are the cheaper type the first child has more leaving, else the second.
    bool exactly = (at.child == 0) == (f->cheaper == 1);
    if (at.child == 0) {
        duet_residual_limit(&s->state, f->class, 0, at.low,
                            f->cheaper == 0 ? tasks - at.least - 1 : at.least);
    } else {
        duet_residual_limit(&s->state, f->class, 0,
                            f->cheaper == 0 ? tasks - at.least : at.least + 1, at.high);
    }
    top->child++;
    if (!exactly) {
        return push_class(s, at.index, at.least + 1, at.work, error);
    }
    if (duet_knapsack_can_fit(s->knapsack, at.index - 1, at.own)) {
        return push_allocation(s, at.index - 1, at.own, error);
    }
    *verdict = DUET_REFUTED;
    duet_walk_refute(s);
    return DUET_OK;
}

// The first look at a class: a leaf, a single child without a branch, or a branch.
static duet_code enter_class(duet_walk *s, const duet_knapsack_free *f, duet_verdict *verdict,
                             duet_error *error)
{
    duet_walk_frame *top = &s->frame[s->frames - 1];
    int64_t tasks = s->state.left[f->class];
    set_work(s, f, top->work, top->least, top->own);
    if (!is_possible(s, top, f)) {
        s->frames--;
        *verdict = DUET_REFUTED;
        duet_walk_refute(s);
        return DUET_OK;
    }
    if (top->least == tasks) { // all that is left of them
        const duet_walk_frame at = *top;
        s->frames--;
        return push_allocation(s, at.index - 1, at.own, error);
    }
    top->verdict = DUET_REFUTED;
    top->low = s->state.low[0][f->class];
    top->high = s->state.high[0][f->class];
    duet_log_branch(s->search.log, f->class, f->cheaper == 0 ? tasks - top->least - 1 : top->least);
    return duet_walk_begin_child(s, f, verdict, error);
}

// A class whose children are begun one after the other; `*verdict` is that of the last.
static duet_code step_class(duet_walk *s, duet_verdict *verdict, duet_error *error)
{
    duet_walk_frame *top = &s->frame[s->frames - 1];
    duet_knapsack_free f = duet_knapsack_free_at(s->knapsack, top->index - 1);
    duet_code code = DUET_OK;
    if (top->child == 0) {
        return enter_class(s, &f, verdict, error);
    }
    duet_residual_set_pair(&s->state, f.class, s->state.left[f.class], top->low, top->high);
    if (*verdict == DUET_FOUND || top->verdict == DUET_REFUTED) {
        top->verdict = *verdict;
    }
    if (top->child < 2 && top->verdict != DUET_FOUND && top->taker == 0) {
        return duet_walk_begin_child(s, &f, verdict, error);
    }
    if (top->child < 2 && top->taker > 0) {
        code = duet_vec_push(s->part.gap, s->part.gaps, error,
                             (duet_part_gap){duet_log_here(s->search.log).length, top->taker});
    }
    *verdict = top->verdict;
    s->frames--;
    return code;
}

static duet_code step_allocation(duet_walk *s, duet_verdict *verdict, duet_error *error)
{
    const duet_walk_frame at = s->frame[--s->frames];
    *verdict = DUET_OPEN;
    s->exceeded = s->exceeded || s->stats.fitting >= s->most ||
                  s->steps++ >= duet_walk_most_steps(s) || duet_context_stop(s->search.context);
    if (s->exceeded) {
        return DUET_OK;
    }
    if (s->search.exchanges && !duet_exchange_narrow(&s->exchange, &s->state)) {
        duet_log_lose(s->search.log);
        *verdict = DUET_REFUTED;
        return DUET_OK;
    }
    if (at.index == 0 && s->counting) {
        s->stats.fitting++;
        return DUET_OK;
    }
    if (at.index == 0) {
        return duet_walk_schedule(s, verdict, error);
    }
    return push_class(s, at.index, 0, at.work, error);
}

duet_code duet_walk_step(duet_walk *s, duet_error *error)
{
    enum { step = 100 }; // nanoseconds
    DUET_ASSERT(duet_search_is_sound(&s->search));
    duet_count_work(step);
    return s->frame[s->frames - 1].in_class ? step_class(s, &s->last, error)
                                            : step_allocation(s, &s->last, error);
}

duet_code duet_walk_begin(duet_walk *s, duet_error *error)
{
    static const int64_t none[2] = {0, 0};
    s->frames = 0;
    s->last = DUET_OPEN;
    return push_allocation(s, duet_knapsack_free_count(s->knapsack), none, error);
}

int64_t duet_walk_spent(const duet_part *part)
{
    const duet_walk *s = (const duet_walk *)part;
    return s->steps + DUET_WALK_SCHEDULE * s->stats.fitting;
}

duet_code duet_walk_on(duet_part *part, int64_t most, duet_error *error)
{
    duet_walk *s = (duet_walk *)part;
    duet_code code = DUET_OK;
    while (code == DUET_OK && !part->ended && duet_walk_spent(part) < most) {
        code = duet_walk_step(s, error);
        bool found = s->last == DUET_FOUND;
        part->open = s->stats.open;
        part->ended = s->frames == 0 || found || s->exceeded;
        part->verdict = found ? DUET_FOUND : s->exceeded ? DUET_OPEN : DUET_REFUTED;
    }
    return code;
}
