// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/allocations.h"

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/exact/tuning.h"
#include "solvers/exact/walk.h"

// Counted work before a walk is divided, and between two exchanges.
enum { ALONE = 20000000, QUANTUM = 5000000 };

static bool is_free(const duet_walk *s, size_t class)
{
    bool found = false;
    for (size_t i = 0; i < duet_knapsack_free_count(s->knapsack) && !found; i++) {
        found = duet_knapsack_free_at(s->knapsack, i).class == class;
    }
    return found;
}

// Reduced-cost fixing by area. Classes that are fixed stay on their cheaper type: each is a branch
// whose other child is refuted by price. Where that type is the CPUs, the refuted child comes
// first; else second, which follows all below the first. All have the same leaf. Returns how many
// are to follow.
static size_t fix(duet_walk *s)
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
    return pending;
}

// Tasks that may leave their type, of all classes together: the walk through the allocations is as
// long.
static int64_t leaving(const duet_walk *s)
{
    int64_t tasks = 0;
    for (size_t i = 0;
         i < duet_knapsack_free_count(s->knapsack) && tasks <= DUET_ALLOCATIONS_LEAVING; i++) {
        tasks += duet_knapsack_free_at(s->knapsack, i).most;
    }
    return tasks;
}

// Whether the allocations are few enough to go through all of them.
static duet_code few_allocations(duet_walk *s, bool *few, duet_error *error)
{
    duet_log *log = s->search.log;
    s->counting = true;
    s->search.log = NULL;
    duet_code code = DUET_OK;
    *few = leaving(s) <= DUET_ALLOCATIONS_LEAVING;
    if (*few) {
        fix(s);
        code = duet_walk_begin(s, error);
        while (s->frames > 0 && code == DUET_OK) {
            code = duet_walk_step(s, error);
        }
        *few = !s->exceeded;
    }
    s->counting = false;
    s->exceeded = false;
    s->steps = 0;
    s->search.log = log;
    s->stats = (duet_allocation_stats){0, 0, *few};
    duet_residual_free(&s->state);
    return code == DUET_OK ? duet_residual_create(s->classes, &s->state, error) : code;
}

// Some allocations of many, each packed or not: the most hopeful one, unless there are too many for
// that (`exceeded`), and those of random cores of the knapsack.
static duet_code try_some(duet_walk *s, bool exceeded, duet_verdict *verdict, duet_error *error)
{
    int64_t *on_cpu = duet_alloc(s->classes->count, sizeof *on_cpu, error);
    duet_code code = on_cpu == NULL ? DUET_E_MEMORY : DUET_OK;
    s->search.log = NULL; // nothing is refuted here
    for (int64_t i = 0; i < s->most && code == DUET_OK && *verdict != DUET_FOUND; i++) {
        duet_knapsack_answer answer;
        code = i == 0 && !exceeded ? duet_knapsack_decide(s->classes, s->weight, s->search.context,
                                                          on_cpu, &answer, error)
                                   : duet_knapsack_core(s->classes, s->weight, s->search.random,
                                                        on_cpu, &answer, error);
        if (code != DUET_OK || !answer.fits || duet_context_stop(s->search.context)) {
            break;
        }
        for (size_t c = 0; c < s->classes->count; c++) {
            duet_residual_set_pair(&s->state, c, s->state.left[c], on_cpu[c], on_cpu[c]);
        }
        code = duet_walk_schedule(s, verdict, error);
    }
    *verdict = *verdict == DUET_FOUND ? DUET_FOUND : DUET_OPEN;
    duet_free(on_cpu);
    return code;
}

static duet_code prepare(duet_walk *s, duet_error *error)
{
    duet_code code = duet_residual_create(s->classes, &s->state, error);
    DUET_THEN(code, duet_prices_create(s->classes, &s->area, error));
    if (code == DUET_OK) {
        duet_prices_by_area(s->classes, s->weight, &s->area);
        code = duet_prices_create_by_time(s->classes, s->time, error);
    }
    return code == DUET_OK && s->search.exchanges
               ? duet_exchange_create(s->classes, &s->exchange, error)
               : code;
}

static duet_walk *create(const duet_search *search, duet_error *error)
{
    duet_walk *s = duet_alloc(1, sizeof *s, error);
    if (s != NULL) {
        s->part = (duet_part){.error = DUET_ERROR_INIT, .log = search->log};
        s->search = *search;
        s->search.state = &s->state;
        s->classes = search->classes;
    }
    return s;
}

// All but the knapsack.
static void drop(duet_part *part)
{
    duet_walk *s = (duet_walk *)part;
    duet_loads_free(&s->own.loads);
    duet_log_free(&s->own.log);
    duet_free(s->frame);
    duet_prices_free(&s->area);
    duet_prices_free(&s->time[0]);
    duet_prices_free(&s->time[1]);
    duet_exchange_free(&s->exchange);
    duet_residual_free(&s->state);
    duet_free(s);
}

static size_t open_depth(const duet_part *part)
{
    const duet_walk *s = (const duet_walk *)part;
    for (size_t i = 0; i < s->frames; i++) {
        const duet_walk_frame *frame = &s->frame[i];
        if (frame->in_class && frame->child == 1 && frame->taker == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static size_t bytes(const duet_part *part, size_t depth)
{
    enum { OF_CLASS = 20 * sizeof(int64_t) };
    (void)depth;
    return ((const duet_walk *)part)->classes->count * OF_CLASS;
}

// The state at a frame: what those above it have decided is open again.
static void copy_state(const duet_walk *from, size_t depth, duet_walk *to)
{
    duet_residual_copy(from->classes, &from->state, &to->state);
    for (size_t i = from->frames; i-- > depth;) {
        const duet_walk_frame *frame = &from->frame[i];
        if (frame->in_class && frame->child > 0) {
            size_t class = duet_knapsack_free_at(from->knapsack, frame->index - 1).class;
            duet_residual_set_pair(&to->state, class, to->state.left[class], frame->low,
                                   frame->high);
        }
    }
}

// The frame as a walk of its own, which begins with the second child.
static duet_code begin_part(const duet_walk *from, size_t depth, duet_walk *to, duet_error *error)
{
    to->most = from->most;
    to->knapsack = from->knapsack;
    to->weight[0] = from->weight[0];
    to->weight[1] = from->weight[1];
    to->search.random = &to->own.random;
    to->search.loads = &to->own.loads;
    to->search.stats = &to->own.counted;
    duet_random_seed(&to->own.random, duet_random_next(from->search.random));
    if (from->search.log != NULL) {
        duet_log_start_like(&to->own.log, from->search.log);
        to->search.log = to->part.log = &to->own.log;
    }
    duet_code code = prepare(to, error);
    duet_walk_frame *base;
    if (code == DUET_OK) {
        copy_state(from, depth, to);
        code = duet_walk_push(to, &base, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    *base = from->frame[depth];
    base->verdict = to->last = DUET_REFUTED;
    duet_knapsack_free f = duet_knapsack_free_at(to->knapsack, base->index - 1);
    return duet_walk_begin_child(to, &f, &to->last, error);
}

static duet_code split(duet_part *part, size_t depth, size_t taker, size_t seat, duet_part **out,
                       duet_error *error)
{
    duet_walk *from = (duet_walk *)part;
    duet_walk *made = create(&from->search, error);
    DUET_NEED(made);
    duet_code code = begin_part(from, depth, made, error);
    if (code != DUET_OK) {
        drop(&made->part);
        return code;
    }
    from->frame[depth].taker = taker;
    made->part.seat = seat;
    *out = &made->part;
    return DUET_OK;
}

static void rest(duet_part *part)
{
    (void)part; // what it has is small
}

static const duet_part_kind walks = {.walk = duet_walk_on,
                                     .spent = duet_walk_spent,
                                     .open_depth = open_depth,
                                     .bytes = bytes,
                                     .split = split,
                                     .rest = rest,
                                     .drop = drop};

// What the parts counted, and the schedule of the one that has it.
static void collect(const duet_parts *parts, duet_search *search, duet_allocation_stats *stats)
{
    for (size_t i = 0; i < parts->count; i++) {
        const duet_walk *s = (const duet_walk *)parts->part[i];
        stats->fitting += s->stats.fitting;
        stats->open += s->stats.open;
        if (i > 0) {
            duet_search_count(search->stats, &s->own.counted);
        }
    }
    if (parts->found != NULL && parts->found != parts->part[0]) {
        duet_walk *s = (duet_walk *)parts->found;
        duet_loads loads = *search->loads;
        *search->loads = s->own.loads;
        s->own.loads = loads;
    }
}

// Schedules for all allocations. Frees the walk.
static duet_code walk_all(duet_walk *first, duet_search *search, duet_allocation_stats *stats,
                          duet_error *error)
{
    duet_parts parts = {.kind = &walks,
                        .most = duet_walk_most_steps(first),
                        .alone = search->limits.divided ? 1 : ALONE,
                        .least = search->limits.divided ? 1 : QUANTUM,
                        .most_open = INT64_MAX,
                        .most_bytes = duet_memory_steady(search->context->memory_limit) /
                                      DUET_TREE_MEMORY_SHARE};
    duet_verdict verdict;
    size_t pending = fix(first);
    duet_code code = duet_walk_begin(first, error);
    if (code != DUET_OK) {
        drop(&first->part);
        return code;
    }
    code = duet_parts_run(&parts, &first->part, &verdict, error);
    for (; pending > 0 && verdict == DUET_REFUTED; pending--) {
        duet_log_price(search->log, &first->area);
    }
    if (verdict == DUET_REFUTED) {
        duet_parts_gather_proof(&parts);
    }
    search->verdict = verdict;
    collect(&parts, search, stats);
    duet_parts_free(&parts);
    return code;
}

// Goes through the allocations where they are few, else through some. Frees the walk.
static duet_code search_fitting(duet_walk *s, duet_search *search, duet_allocation_stats *stats,
                                duet_error *error)
{
    bool packs_only = s->search.limits.nodes == 0;
    bool few = false;
    duet_code code = few_allocations(s, &few, error);
    stats->all = few;
    if (code == DUET_OK && few) {
        return walk_all(s, search, stats, error);
    }
    s->most = DUET_ALLOCATIONS_SOME;
    if (code == DUET_OK && packs_only) {
        code = try_some(s, false, &search->verdict, error);
    }
    drop(&s->part);
    return code;
}

duet_code duet_allocation_search(duet_search *search, int64_t most, duet_allocation_stats *stats,
                                 duet_error *error)
{
    duet_knapsack_answer answer = {.fits = false};
    duet_knapsack *knapsack = NULL;
    search->verdict = DUET_OPEN;
    *stats = (duet_allocation_stats){0, 0, false};
    DUET_ASSERT(duet_search_is_whole(search));
    duet_walk *s = create(search, error);
    DUET_NEED(s);
    s->most = most;
    duet_code code = duet_classes_weights(s->classes, s->weight, error);
    if (code == DUET_OK) {
        code = duet_knapsack_create(s->classes, s->weight, &knapsack, &answer, error);
        s->knapsack = knapsack;
    }
    DUET_THEN(code, prepare(s, error));
    if (code == DUET_OK && answer.fits && !answer.exceeded) {
        code = search_fitting(s, search, stats, error);
        duet_knapsack_free_lists(knapsack);
        return code;
    }
    if (code == DUET_OK && answer.exceeded) {
        s->most = DUET_ALLOCATIONS_SOME;
        code = s->search.limits.nodes == 0 ? try_some(s, true, &search->verdict, error) : DUET_OK;
    } else if (code == DUET_OK) {
        search->verdict = DUET_REFUTED;
        duet_walk_refute(s);
    }
    drop(&s->part);
    duet_knapsack_free_lists(knapsack);
    return code;
}
