// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/allocations.h"

#include <stdlib.h>

#include "core/memory.h"
#include "dp/knapsack/knapsack.h"

// Of too many deals, those that packing alone tries.
enum { SOME_DEALS = 3, FEW_CLASSES = 16, SOME_NODES = 3000, MANY_LEAVING = 3000 };

// A node of the tree of deals. The walk keeps them on the heap: it goes down one for every class
// and every task that may leave its type, and the stack of the caller's thread may be small.
typedef struct walk_frame {
    size_t index;    // free classes still to deal
    int64_t work[2]; // of those dealt before
    bool in_class;   // at least `least` tasks of free class index-1 leave their type
    int64_t least;
    int64_t own[2]; // work, with exactly so many
    size_t child;   // to begin next
    int64_t low, high;
    duet_verdict verdict; // of the children so far
} walk_frame;

typedef struct split_search {
    const duet_classes *classes;
    duet_knapsack *knapsack;
    duet_residual state;
    duet_prices area;    // the knapsack's weights
    duet_prices load[2]; // time alone
    int64_t most;
    const duet_cover_limits *limits;
    duet_random *random;
    const duet_context *context;
    duet_log *log;
    duet_loads *loads;
    duet_cover_stats *stats;
    duet_allocation_stats *splits;
    bool exceeded;
    bool counting; // only how many deals fit
    walk_frame *frame;
    size_t frames, frame_room;
} split_search;

// The leaf of a part that no deal is in.
static void refute(split_search *s)
{
    duet_prices *const prices[] = {&s->area, &s->load[0], &s->load[1]};
    for (size_t i = 0; i < 3; i++) {
        if (duet_residual_slack(s->classes, &s->state, prices[i]) < 0) {
            duet_log_price(s->log, prices[i]);
            return;
        }
    }
    duet_log_knapsack(s->log, &s->area);
}

// Whether a deal is only packed. Few classes are an exception: levelling does not help where all
// tasks are alike, and their patterns are few.
static bool skips_search(const split_search *s)
{
    return (s->limits->nodes == 0 || s->splits->open > 0) && s->classes->count > FEW_CLASSES;
}

// One side of a deal: levelling, then the exact search. Once a deal is open the length cannot be
// refuted any more: from there on, packing alone may find a schedule.
static duet_code solve_side(split_search *s, size_t type, duet_verdict *verdict, duet_error *error)
{
    bool fits = false;
    duet_code code = duet_cover_pack(s->classes, &s->state, type, s->limits->pack_effort, s->random,
                                     s->context, s->loads, &fits, error);
    *verdict = DUET_FOUND;
    if (code != DUET_OK || fits || skips_search(s)) {
        *verdict = fits ? DUET_FOUND : DUET_OPEN;
        return code;
    }
    duet_cover_limits limits = *s->limits;
    limits.nodes = limits.nodes > SOME_NODES ? limits.nodes : SOME_NODES;
    limits.nodes += s->stats->nodes; // of this side alone
    return duet_cover_side(s->classes, &s->state, type, s->load, &limits, s->random, s->context,
                           s->log, s->loads, s->stats, verdict, error);
}

// The type to look at first: on fewer processors it is sooner known that the tasks do not fit.
static size_t first_side(const split_search *s)
{
    return s->state.processors[1] < s->state.processors[0];
}

// A deal: both sides must pack.
static duet_code solve_deal(split_search *s, duet_verdict *verdict, duet_error *error)
{
    size_t loads = s->loads->loads;
    size_t parts = s->loads->parts;
    duet_verdict side[2] = {DUET_OPEN, DUET_OPEN};
    duet_code code = DUET_OK;
    duet_log_mark mark = duet_log_here(s->log);
    s->splits->splits++;
    size_t first = first_side(s);
    for (size_t i = 0; i < 2 && code == DUET_OK && side[first] != DUET_REFUTED; i++) {
        size_t t = i == 0 ? first : 1 - first;
        code = solve_side(s, t, &side[t], error);
        if (side[t] == DUET_OPEN && skips_search(s)) {
            break;
        }
        if (side[t] != DUET_REFUTED) {
            duet_log_rewind(s->log, mark);
        }
    }
    *verdict = DUET_OPEN;
    if (side[0] == DUET_REFUTED || side[1] == DUET_REFUTED) {
        *verdict = DUET_REFUTED;
    } else if (side[0] == DUET_FOUND && side[1] == DUET_FOUND) {
        *verdict = DUET_FOUND;
        return code;
    }
    s->splits->open += *verdict == DUET_OPEN;
    s->loads->loads = loads;
    s->loads->parts = parts;
    return code;
}

// Room for a frame more; its fields are the caller's to set.
static duet_code push(split_search *s, walk_frame **top, duet_error *error)
{
    duet_code code = duet_grow(&s->frame, s->frames, &s->frame_room, sizeof *s->frame, error);
    if (code == DUET_OK) {
        *top = &s->frame[s->frames++];
    }
    return code;
}

// The deals of the free classes before `index`.
static duet_code push_deal(split_search *s, size_t index, const int64_t work[2], duet_error *error)
{
    walk_frame *f = NULL;
    duet_code code = push(s, &f, error);
    if (code == DUET_OK) {
        *f = (walk_frame){.index = index, .work = {work[0], work[1]}};
    }
    return code;
}

// The deals in which y tasks of free class index-1 leave their type, y >= least: those with exactly
// `least` on one side of a branch, the others on the other side.
static duet_code push_class(split_search *s, size_t index, int64_t least, const int64_t work[2],
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

static void set_work(const split_search *s, const duet_knapsack_free *f, const int64_t before[2],
                     int64_t leave, int64_t after[2])
{
    size_t away = 1 - f->cheaper;
    after[f->cheaper] = before[f->cheaper] - leave * s->classes->time[f->cheaper][f->class];
    after[away] = before[away] + leave * s->classes->time[away][f->class];
}

// Whether any number of leaving tasks, `least` or more, can still fit.
static bool is_possible(const split_search *s, const walk_frame *at, const duet_knapsack_free *f)
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
static duet_code begin_child(split_search *s, const duet_knapsack_free *f, duet_verdict *verdict,
                             duet_error *error)
{
    walk_frame *top = &s->frame[s->frames - 1];
    int64_t tasks = s->state.left[f->class];
    const walk_frame at = *top; // pushing moves it
    // At home on the CPUs the first child has more leaving, on the GPUs the second.
    bool exactly = (at.child == 0) == (f->cheaper == 1);
    if (at.child == 0) {
        s->state.high[f->class] = f->cheaper == 0 ? tasks - at.least - 1 : at.least;
    } else {
        s->state.low[f->class] = f->cheaper == 0 ? tasks - at.least : at.least + 1;
    }
    top->child++;
    if (!exactly) {
        return push_class(s, at.index, at.least + 1, at.work, error);
    }
    if (duet_knapsack_can_fit(s->knapsack, at.index - 1, at.own)) {
        return push_deal(s, at.index - 1, at.own, error);
    }
    *verdict = DUET_REFUTED;
    refute(s);
    return DUET_OK;
}

// The first look at a class: a leaf, a single child without a branch, or a branch.
static duet_code enter_class(split_search *s, const duet_knapsack_free *f, duet_verdict *verdict,
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
        return push_deal(s, at.index - 1, at.own, error);
    }
    top->verdict = DUET_REFUTED;
    top->low = s->state.low[f->class];
    top->high = s->state.high[f->class];
    duet_log_branch(s->log, f->class, f->cheaper == 0 ? tasks - top->least - 1 : top->least);
    return begin_child(s, f, verdict, error);
}

// A class whose children are begun one after the other; `*verdict` is that of the last.
static duet_code step_class(split_search *s, duet_verdict *verdict, duet_error *error)
{
    walk_frame *top = &s->frame[s->frames - 1];
    duet_knapsack_free f = duet_knapsack_free_at(s->knapsack, top->index - 1);
    if (top->child == 0) {
        return enter_class(s, &f, verdict, error);
    }
    s->state.low[f.class] = top->low;
    s->state.high[f.class] = top->high;
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

static duet_code step_deal(split_search *s, duet_verdict *verdict, duet_error *error)
{
    const walk_frame at = s->frame[--s->frames];
    *verdict = DUET_OPEN;
    s->exceeded = s->exceeded || s->splits->splits >= s->most || duet_context_stop(s->context);
    if (s->exceeded) {
        return DUET_OK;
    }
    if (at.index == 0 && s->counting) {
        s->splits->splits++;
        return DUET_OK;
    }
    if (at.index == 0) {
        return solve_deal(s, verdict, error);
    }
    return push_class(s, at.index, 0, at.work, error);
}

// Goes through the deals of all free classes.
static duet_code walk(split_search *s, duet_verdict *verdict, duet_error *error)
{
    static const int64_t none[2] = {0, 0};
    s->frames = 0;
    *verdict = DUET_OPEN;
    duet_code code = push_deal(s, duet_knapsack_free_count(s->knapsack), none, error);
    while (s->frames > 0 && code == DUET_OK) {
        code = s->frame[s->frames - 1].in_class ? step_class(s, verdict, error)
                                                : step_deal(s, verdict, error);
    }
    return code;
}

static bool is_free(const split_search *s, size_t class)
{
    bool found = false;
    for (size_t i = 0; i < duet_knapsack_free_count(s->knapsack) && !found; i++) {
        found = duet_knapsack_free_at(s->knapsack, i).class == class;
    }
    return found;
}

// Classes that the budget settles stay at home: each is a branch whose other side is refuted by
// price, at home on the CPUs the first side, on the GPUs the second, which follows all below the
// first. All have the same leaf.
static duet_code settle(split_search *s, duet_verdict *verdict, duet_error *error)
{
    size_t pending = 0;
    for (size_t class = 0; class < s->classes->count; class ++) {
        int64_t tasks = s->state.high[class];
        if (s->state.low[class] == tasks || is_free(s, class)) {
            continue;
        }
        if (s->area.price[0][class] <= s->area.price[1][class]) { // at home on the CPUs
            duet_log_branch(s->log, class, tasks - 1);
            duet_log_price(s->log, &s->area);
            s->state.low[class] = tasks;
        } else {
            duet_log_branch(s->log, class, 0);
            s->state.high[class] = 0;
            pending++;
        }
    }
    duet_code code = walk(s, verdict, error);
    for (; pending > 0; pending--) {
        duet_log_price(s->log, &s->area);
    }
    return code;
}

// Tasks that may leave their type, of all classes together: the walk through the deals is as long.
static int64_t leaving(const split_search *s)
{
    int64_t tasks = 0;
    for (size_t i = 0; i < duet_knapsack_free_count(s->knapsack) && tasks <= MANY_LEAVING; i++) {
        tasks += duet_knapsack_free_at(s->knapsack, i).most;
    }
    return tasks;
}

// Whether the deals are few enough to go through all of them.
static duet_code few_deals(split_search *s, bool *few, duet_error *error)
{
    duet_log *log = s->log;
    duet_verdict verdict;
    s->counting = true;
    s->log = NULL;
    duet_code code = DUET_OK;
    *few = leaving(s) <= MANY_LEAVING;
    if (*few) {
        code = settle(s, &verdict, error);
        *few = !s->exceeded;
    }
    s->counting = false;
    s->exceeded = false;
    s->log = log;
    *s->splits = (duet_allocation_stats){0, 0, *few};
    duet_residual_free(&s->state);
    return code == DUET_OK ? duet_residual_create(s->classes, &s->state, error) : code;
}

// Some deals of many: random cores of the knapsack, each packed or not.
static duet_code try_cores(split_search *s, const int64_t weight[2], duet_verdict *verdict,
                           duet_error *error)
{
    int64_t *on_cpu = duet_alloc(s->classes->count, sizeof *on_cpu, error);
    duet_code code = on_cpu == NULL ? DUET_E_MEMORY : DUET_OK;
    s->log = NULL; // nothing is refuted here
    for (int64_t i = 0; i < s->most && code == DUET_OK && *verdict != DUET_FOUND; i++) {
        duet_knapsack_answer answer;
        code = duet_knapsack_core(s->classes, weight, s->random, on_cpu, &answer, error);
        if (code != DUET_OK || !answer.fits || duet_context_stop(s->context)) {
            break;
        }
        for (size_t c = 0; c < s->classes->count; c++) {
            s->state.low[c] = s->state.high[c] = on_cpu[c];
        }
        code = solve_deal(s, verdict, error);
    }
    *verdict = *verdict == DUET_FOUND ? DUET_FOUND : DUET_OPEN;
    duet_free(on_cpu);
    return code;
}

static duet_code prepare(split_search *s, const int64_t weight[2], duet_error *error)
{
    duet_code code = duet_residual_create(s->classes, &s->state, error);
    if (code == DUET_OK) {
        code = duet_prices_create(s->classes, &s->area, error);
    }
    if (code == DUET_OK) {
        duet_prices_by_area(s->classes, weight, &s->area);
        code = duet_prices_create_by_time(s->classes, s->load, error);
    }
    return code;
}

duet_code duet_allocation_search(const duet_classes *classes, int64_t most,
                                 const duet_cover_limits *limits, duet_random *random,
                                 const duet_context *context, duet_log *proof, duet_loads *loads,
                                 duet_cover_stats *stats, duet_allocation_stats *splits,
                                 duet_verdict *verdict, duet_error *error)
{
    split_search s = {.classes = classes,
                      .most = most,
                      .limits = limits,
                      .random = random,
                      .context = context,
                      .log = proof,
                      .loads = loads,
                      .stats = stats,
                      .splits = splits};
    int64_t weight[2];
    duet_knapsack_answer answer = {.fits = false};
    bool few = false;
    *verdict = DUET_OPEN;
    duet_code code = duet_classes_weights(classes, weight, error);
    if (code == DUET_OK) {
        code = duet_knapsack_create(classes, weight, &s.knapsack, &answer, error);
    }
    if (code == DUET_OK) {
        code = prepare(&s, weight, error);
    }
    if (code == DUET_OK && answer.exceeded && limits->nodes == 0) {
        s.most = SOME_DEALS;
        code = try_cores(&s, weight, verdict, error);
    } else if (code == DUET_OK && !answer.exceeded) {
        if (answer.fits) {
            code = few_deals(&s, &few, error);
            s.most = few ? most : SOME_DEALS;
            bool walk = few || (limits->nodes == 0 && leaving(&s) <= MANY_LEAVING);
            if (code == DUET_OK && walk) {
                code = settle(&s, verdict, error);
            } else if (code == DUET_OK && limits->nodes == 0) {
                code = try_cores(&s, weight, verdict, error);
            }
        } else {
            *verdict = DUET_REFUTED;
            refute(&s);
        }
    }
    duet_free(s.frame);
    duet_knapsack_free_lists(s.knapsack);
    duet_prices_free(&s.area);
    duet_prices_free(&s.load[0]);
    duet_prices_free(&s.load[1]);
    duet_residual_free(&s.state);
    return code;
}
