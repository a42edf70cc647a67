// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/allocations.h"

#include <stdlib.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "dp/knapsack/knapsack.h"
#include "solvers/exact/cover/cover.h"
#include "solvers/exact/exchange.h"
#include "solvers/exact/pack.h"
#include "solvers/exact/tuning.h"

// A node of the tree of allocations. The walk keeps them on the heap: it goes down one for every
// class and every task that may leave its type, and the stack of the caller's thread may be small.
typedef struct walk_frame {
    size_t index;    // free classes still to allocate
    int64_t work[2]; // of those allocated before
    bool in_class;   // at least `least` tasks of free class index-1 leave their type
    int64_t least;
    int64_t own[2]; // work, with exactly so many
    size_t child;   // to begin next
    int64_t low, high;
    duet_verdict verdict; // of the children so far
} walk_frame;

typedef struct enumeration {
    // Inputs.
    duet_search search; // the caller's, on the residual problem of the walk
    const duet_classes *classes;
    int64_t most;  // allocations
    int64_t steps; // of a walk: exchanges make dead ends, of which there may be any number
    duet_knapsack *knapsack;
    duet_prices area;    // the knapsack's weights
    duet_prices time[2]; // time alone
    duet_exchange exchange;

    // Counters.
    duet_allocation_stats *stats;
    bool exceeded; // a limit came first
    bool counting; // only how many allocations fit

    // The way down.
    duet_residual state;
    walk_frame *frame;
    size_t frames;
} enumeration;

// The leaf of a part that holds no allocation that fits.
static void refute(enumeration *s)
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
static bool skips_search(const enumeration *s)
{
    return (s->search.limits.nodes == 0 || s->stats->open > 0) &&
           s->classes->count > DUET_ALLOCATIONS_FEW_CLASSES;
}

// One type of an allocation: packing, then the cover search. Once an allocation is open the guess
// cannot be refuted any more: from there on, packing alone may find a schedule.
static duet_code solve_type(enumeration *s, size_t type, duet_verdict *verdict, duet_error *error)
{
    bool fits = false;
    duet_code code = duet_pack_type(&s->search, type, &fits, error);
    *verdict = DUET_FOUND;
    if (code != DUET_OK || fits || skips_search(s)) {
        *verdict = fits ? DUET_FOUND : DUET_OPEN;
        return code;
    }
    duet_search search = s->search;
    if (search.limits.nodes < DUET_ALLOCATIONS_NODES) {
        search.limits.nodes = DUET_ALLOCATIONS_NODES;
    }
    search.limits.nodes += search.stats->nodes; // of this type alone
    code = duet_cover_type(&search, type, s->time, error);
    *verdict = search.verdict;
    return code;
}

// The type to look at first: on fewer processors it is sooner known that the tasks do not fit.
static size_t first_type(const enumeration *s)
{
    return s->state.processors[1] < s->state.processors[0];
}

// An allocation: the tasks of both types must pack.
static duet_code solve_allocation(enumeration *s, duet_verdict *verdict, duet_error *error)
{
    duet_loads_mark loads = duet_loads_here(s->search.loads);
    duet_verdict of[2] = {DUET_OPEN, DUET_OPEN};
    duet_code code = DUET_OK;
    duet_log_mark mark = duet_log_here(s->search.log);
    s->stats->fitting++;
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
    s->stats->open += *verdict == DUET_OPEN;
    duet_loads_rewind(s->search.loads, loads);
    return code;
}

// Room for a frame more; its fields are the caller's to set.
static duet_code push(enumeration *s, walk_frame **top, duet_error *error)
{
    duet_code code = duet_vec_grow(s->frame, s->frames, error);
    if (code == DUET_OK) {
        *top = &s->frame[s->frames++];
    }
    return code;
}

// The allocations of the free classes before `index`.
static duet_code push_allocation(enumeration *s, size_t index, const int64_t work[2],
                                 duet_error *error)
{
    walk_frame *f = NULL;
    duet_code code = push(s, &f, error);
    if (code == DUET_OK) {
        *f = (walk_frame){.index = index, .work = {work[0], work[1]}};
    }
    return code;
}

// The allocations in which y tasks of free class index-1 leave their type, y >= least: those with
// exactly `least` in one child of a branch, the others in the other child.
static duet_code push_class(enumeration *s, size_t index, int64_t least, const int64_t work[2],
                            duet_error *error)
{
    walk_frame *f = NULL;
    duet_code code = push(s, &f, error);
    if (code == DUET_OK) {
        *f = (walk_frame){
            .index = index, .work = {work[0], work[1]}, .in_class = true, .least = least};
    }
    return code;
}

static void set_work(const enumeration *s, const duet_knapsack_free *f, const int64_t before[2],
                     int64_t leave, int64_t after[2])
{
    size_t away = 1 - f->cheaper;
    after[f->cheaper] = before[f->cheaper] - leave * s->classes->time[f->cheaper][f->class];
    after[away] = before[away] + leave * s->classes->time[away][f->class];
}

// Whether any number of leaving tasks, `least` or more, can still fit.
static bool is_possible(const enumeration *s, const walk_frame *at, const duet_knapsack_free *f)
{
    bool possible = false;
    for (int64_t y = at->least; y <= f->most && !possible; y++) {
        int64_t with[2];
        set_work(s, f, at->work, y, with);
        possible = duet_knapsack_can_fit(s->knapsack, at->index - 1, with);
    }
    return possible;
}

// Begins a child of a branch over the tasks of a class that leave their type.
static duet_code begin_child(enumeration *s, const duet_knapsack_free *f, duet_verdict *verdict,
                             duet_error *error)
{
    walk_frame *top = &s->frame[s->frames - 1];
    int64_t tasks = s->state.left[f->class];
    const walk_frame at = *top; // pushing moves it
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
    refute(s);
    return DUET_OK;
}

// The first look at a class: a leaf, a single child without a branch, or a branch.
static duet_code enter_class(enumeration *s, const duet_knapsack_free *f, duet_verdict *verdict,
                             duet_error *error)
{
    walk_frame *top = &s->frame[s->frames - 1];
    int64_t tasks = s->state.left[f->class];
    set_work(s, f, top->work, top->least, top->own);
    if (!is_possible(s, top, f)) {
        s->frames--;
        *verdict = DUET_REFUTED;
        refute(s);
        return DUET_OK;
    }
    if (top->least == tasks) { // all that is left of them
        const walk_frame at = *top;
        s->frames--;
        return push_allocation(s, at.index - 1, at.own, error);
    }
    top->verdict = DUET_REFUTED;
    top->low = s->state.low[0][f->class];
    top->high = s->state.high[0][f->class];
    duet_log_branch(s->search.log, f->class, f->cheaper == 0 ? tasks - top->least - 1 : top->least);
    return begin_child(s, f, verdict, error);
}

// A class whose children are begun one after the other; `*verdict` is that of the last.
static duet_code step_class(enumeration *s, duet_verdict *verdict, duet_error *error)
{
    walk_frame *top = &s->frame[s->frames - 1];
    duet_knapsack_free f = duet_knapsack_free_at(s->knapsack, top->index - 1);
    if (top->child == 0) {
        return enter_class(s, &f, verdict, error);
    }
    duet_residual_set_pair(&s->state, f.class, s->state.left[f.class], top->low, top->high);
    if (*verdict == DUET_FOUND || top->verdict == DUET_REFUTED) {
        top->verdict = *verdict;
    }
    if (top->child < 2 && top->verdict != DUET_FOUND) {
        return begin_child(s, &f, verdict, error);
    }
    *verdict = top->verdict;
    s->frames--;
    return DUET_OK;
}

static duet_code step_allocation(enumeration *s, duet_verdict *verdict, duet_error *error)
{
    const walk_frame at = s->frame[--s->frames];
    *verdict = DUET_OPEN;
    s->exceeded = s->exceeded || s->stats->fitting >= s->most || s->steps-- <= 0 ||
                  duet_context_stop(s->search.context);
    if (s->exceeded) {
        return DUET_OK;
    }
    if (s->search.exchanges && !duet_exchange_narrow(&s->exchange, &s->state)) {
        duet_log_lose(s->search.log);
        *verdict = DUET_REFUTED;
        return DUET_OK;
    }
    if (at.index == 0 && s->counting) {
        s->stats->fitting++;
        return DUET_OK;
    }
    if (at.index == 0) {
        return solve_allocation(s, verdict, error);
    }
    return push_class(s, at.index, 0, at.work, error);
}

// Goes through the allocations of all free classes.
static duet_code walk(enumeration *s, duet_verdict *verdict, duet_error *error)
{
    static const int64_t none[2] = {0, 0};
    s->frames = 0;
    size_t classes = duet_knapsack_free_count(s->knapsack);
    s->steps = (s->most + 1) * DUET_ALLOCATIONS_WAYS * (int64_t)(classes + 1);
    *verdict = DUET_OPEN;
    duet_code code = push_allocation(s, classes, none, error);
    while (s->frames > 0 && code == DUET_OK) {
        DUET_ASSERT(duet_search_is_sound(&s->search));
        code = s->frame[s->frames - 1].in_class ? step_class(s, verdict, error)
                                                : step_allocation(s, verdict, error);
    }
    return code;
}

static bool is_free(const enumeration *s, size_t class)
{
    bool found = false;
    for (size_t i = 0; i < duet_knapsack_free_count(s->knapsack) && !found; i++) {
        found = duet_knapsack_free_at(s->knapsack, i).class == class;
    }
    return found;
}

// Reduced-cost fixing by area, then the walk. Classes that are fixed stay on their cheaper type:
// each is a branch whose other child is refuted by price. Where that type is the CPUs, the refuted
// child comes first; else second, which follows all below the first. All have the same leaf.
static duet_code fix_and_walk(enumeration *s, duet_verdict *verdict, duet_error *error)
{
    size_t pending = 0;
    for (size_t class = 0; class < s->classes->count; class ++) {
        int64_t tasks = s->state.high[0][class];
        if (s->state.low[0][class] == tasks || is_free(s, class)) {
            continue;
        }
        if (s->area.price[0][class] <= s->area.price[1][class]) { // CPUs are cheaper
            duet_log_branch(s->search.log, class, tasks - 1);
            duet_log_price(s->search.log, &s->area);
            duet_residual_limit(&s->state, class, 0, tasks, tasks);
        } else {
            duet_log_branch(s->search.log, class, 0);
            duet_residual_limit(&s->state, class, 0, 0, 0);
            pending++;
        }
    }
    duet_code code = walk(s, verdict, error);
    for (; pending > 0; pending--) {
        duet_log_price(s->search.log, &s->area);
    }
    return code;
}

// Tasks that may leave their type, of all classes together: the walk through the allocations is as
// long.
static int64_t leaving(const enumeration *s)
{
    int64_t tasks = 0;
    for (size_t i = 0;
         i < duet_knapsack_free_count(s->knapsack) && tasks <= DUET_ALLOCATIONS_LEAVING; i++) {
        tasks += duet_knapsack_free_at(s->knapsack, i).most;
    }
    return tasks;
}

// Whether the allocations are few enough to go through all of them.
static duet_code few_allocations(enumeration *s, bool *few, duet_error *error)
{
    duet_log *log = s->search.log;
    duet_verdict verdict;
    s->counting = true;
    s->search.log = NULL;
    duet_code code = DUET_OK;
    *few = leaving(s) <= DUET_ALLOCATIONS_LEAVING;
    if (*few) {
        code = fix_and_walk(s, &verdict, error);
        *few = !s->exceeded;
    }
    s->counting = false;
    s->exceeded = false;
    s->search.log = log;
    *s->stats = (duet_allocation_stats){0, 0, *few};
    duet_residual_free(&s->state);
    return code == DUET_OK ? duet_residual_create(s->classes, &s->state, error) : code;
}

// Some allocations of many, each packed or not: the most hopeful one, unless there are too many for
// that (`exceeded`), and those of random cores of the knapsack.
static duet_code try_some(enumeration *s, const int64_t weight[2], bool exceeded,
                          duet_verdict *verdict, duet_error *error)
{
    int64_t *on_cpu = duet_alloc(s->classes->count, sizeof *on_cpu, error);
    duet_code code = on_cpu == NULL ? DUET_E_MEMORY : DUET_OK;
    s->search.log = NULL; // nothing is refuted here
    for (int64_t i = 0; i < s->most && code == DUET_OK && *verdict != DUET_FOUND; i++) {
        duet_knapsack_answer answer;
        code =
            i == 0 && !exceeded
                ? duet_knapsack_decide(s->classes, weight, on_cpu, &answer, error)
                : duet_knapsack_core(s->classes, weight, s->search.random, on_cpu, &answer, error);
        if (code != DUET_OK || !answer.fits || duet_context_stop(s->search.context)) {
            break;
        }
        for (size_t c = 0; c < s->classes->count; c++) {
            duet_residual_set_pair(&s->state, c, s->state.left[c], on_cpu[c], on_cpu[c]);
        }
        code = solve_allocation(s, verdict, error);
    }
    *verdict = *verdict == DUET_FOUND ? DUET_FOUND : DUET_OPEN;
    duet_free(on_cpu);
    return code;
}

static duet_code prepare(enumeration *s, const int64_t weight[2], duet_error *error)
{
    duet_code code = duet_residual_create(s->classes, &s->state, error);
    if (code == DUET_OK) {
        code = duet_prices_create(s->classes, &s->area, error);
    }
    if (code == DUET_OK) {
        duet_prices_by_area(s->classes, weight, &s->area);
        code = duet_prices_create_by_time(s->classes, s->time, error);
    }
    return code == DUET_OK && s->search.exchanges
               ? duet_exchange_create(s->classes, &s->exchange, error)
               : code;
}

// Goes through the allocations where they are few, else through some.
static duet_code search_fitting(enumeration *s, const int64_t weight[2], int64_t most,
                                duet_verdict *verdict, duet_error *error)
{
    bool few = false;
    bool packs_only = s->search.limits.nodes == 0;
    duet_code code = few_allocations(s, &few, error);
    s->most = few ? most : DUET_ALLOCATIONS_SOME;
    if (code == DUET_OK && few) {
        return fix_and_walk(s, verdict, error);
    }
    return code == DUET_OK && packs_only ? try_some(s, weight, false, verdict, error) : code;
}

static duet_code search_all(enumeration *s, int64_t most, duet_verdict *verdict, duet_error *error)
{
    int64_t weight[2];
    duet_knapsack_answer answer = {.fits = false};
    duet_code code = duet_classes_weights(s->classes, weight, error);
    if (code == DUET_OK) {
        code = duet_knapsack_create(s->classes, weight, &s->knapsack, &answer, error);
    }
    if (code == DUET_OK) {
        code = prepare(s, weight, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    if (answer.exceeded) {
        s->most = DUET_ALLOCATIONS_SOME;
        return s->search.limits.nodes == 0 ? try_some(s, weight, true, verdict, error) : DUET_OK;
    }
    if (!answer.fits) {
        *verdict = DUET_REFUTED;
        refute(s);
        return DUET_OK;
    }
    return search_fitting(s, weight, most, verdict, error);
}

duet_code duet_allocation_search(duet_search *search, int64_t most, duet_allocation_stats *stats,
                                 duet_error *error)
{
    enumeration s = {.search = *search, .classes = search->classes, .most = most, .stats = stats};
    s.search.state = &s.state;
    search->verdict = DUET_OPEN;
    DUET_ASSERT(duet_search_is_whole(search));
    duet_code code = search_all(&s, most, &search->verdict, error);
    duet_free(s.frame);
    duet_knapsack_free_lists(s.knapsack);
    duet_prices_free(&s.area);
    duet_prices_free(&s.time[0]);
    duet_prices_free(&s.time[1]);
    duet_exchange_free(&s.exchange);
    duet_residual_free(&s.state);
    return code;
}
