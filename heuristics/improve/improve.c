// SPDX-License-Identifier: Apache-2.0
#include "heuristics/improve/improve.h"

#include "core/memory.h"
#include "heuristics/improve/pair_repartition.h"
#include "heuristics/improve/type_exchange.h"

// What one unit of effort is: pairs tried in vain, for each lane and task; deals listed in vain;
// deals listed in all.
enum { TRIES = 10, WORK_IN_VAIN = 100000, WORK = 1000000 };

typedef struct search {
    duet_task_lists lanes;
    duet_pair_repartitioner *splitter;
    duet_random random;
    const duet_context *context;
    int64_t target;
    int64_t effort;
    size_t top;       // of the last scan in vain
    uint64_t scanned; // when that was
    int64_t tries;
    int64_t exchanges;
} search;

static bool deal(search *s, size_t a, size_t b, duet_pair_repartition_goal goal)
{
    s->tries++;
    bool kept = duet_pair_repartition(s->splitter, &s->lanes, a, b, goal, &s->random);
    s->exchanges += kept;
    return kept;
}

// Whether a deal with the most loaded lane can be of use: if the last one was in vain, only where
// one of them has changed since, or another sample of their tasks can be drawn.
static bool worth_trying(const search *s, size_t top, size_t other)
{
    const duet_task_list *a = &s->lanes.at[top];
    const duet_task_list *b = &s->lanes.at[other];
    if (a->load - b->load < (a->type == b->type ? 2 : 1)) {
        return false;
    }
    return top != s->top || a->changed > s->scanned || b->changed > s->scanned ||
           a->count + b->count > DUET_PAIR_REPARTITION_TASKS;
}

// Deals the most loaded lane and one of the others anew, starting anywhere. Returns whether one of
// them lowered it.
static bool lower(search *s)
{
    size_t top = duet_task_lists_top(&s->lanes);
    int64_t longest = s->lanes.at[top].load;
    size_t n = s->lanes.count;
    size_t start = (size_t)duet_random_between(&s->random, 0, (int64_t)n - 1);
    for (size_t step = 0; step < n; step++) {
        size_t other = (start + step) % n;
        if (worth_trying(s, top, other) &&
            deal(s, top, other, (duet_pair_repartition_goal){.most = longest - 1})) {
            return true;
        }
    }
    s->top = top;
    s->scanned = s->lanes.clock;
    return false;
}

// The least loaded of some lanes of one type, starting anywhere.
static size_t emptiest(search *s)
{
    enum { looked_at = 64 };
    size_t last = s->lanes.count - 1;
    size_t found = (size_t)duet_random_between(&s->random, 0, (int64_t)last);
    size_t type = (size_t)s->lanes.at[found].type;
    size_t begin = s->lanes.begin[type];
    size_t lanes = s->lanes.begin[type + 1] - begin;
    size_t start = found - begin;
    for (size_t i = 1; i < lanes && i < looked_at; i++) {
        size_t lane = begin + (start + i) % lanes;
        found = s->lanes.at[lane].load < s->lanes.at[found].load ? lane : found;
    }
    return found;
}

// Deals a random lane and an almost empty one anew without harm, so that the next try differs: the
// first as full as can be, which gathers idle time on the second, or as full as chance has it.
static void shake(search *s)
{
    enum { gather = 3 }; // times of four
    int64_t longest = duet_task_lists_longest(&s->lanes);
    size_t to = emptiest(s);
    size_t from = (size_t)duet_random_between(&s->random, 0, (int64_t)s->lanes.count - 2);
    from += from >= to;
    int64_t most = longest - (s->lanes.at[from].load < longest && s->lanes.at[to].load < longest);
    int64_t cap = most;
    if (duet_random_between(&s->random, 0, gather) == 0) {
        cap = duet_random_between(&s->random, 0, most);
    }
    deal(s, from, to, (duet_pair_repartition_goal){.fill = true, .cap = cap, .most = most});
}

// Trades between the type of the most loaded lane and the others, as long as one of them shortens
// the schedule.
static duet_code trade_types(search *s, duet_error *error)
{
    duet_code code = DUET_OK;
    size_t types = s->lanes.instance->types;
    size_t done[2] = {SIZE_MAX, SIZE_MAX}; // who traded last: they have nothing left to trade
    size_t left = 2 * types;               // trades, at most
    for (size_t b = 0; b < types && left > 0 && code == DUET_OK; b++) {
        size_t a = (size_t)s->lanes.at[duet_task_lists_top(&s->lanes)].type;
        int64_t moved = 0;
        bool lanes = s->lanes.begin[b] < s->lanes.begin[b + 1];
        if (duet_task_lists_longest(&s->lanes) <= s->target || duet_context_stop(s->context)) {
            break;
        }
        if (a == b || !lanes || (a == done[0] && b == done[1]) || (a == done[1] && b == done[0])) {
            continue;
        }
        left--;
        code = duet_type_exchange(&s->lanes, a, b, &moved, error);
        if (moved > 0) {
            s->exchanges++;
            done[0] = a;
            done[1] = b;
            b = SIZE_MAX; // from the first type on
        }
    }
    return code;
}

// Returns whether the context stopped it.
static bool deal_pairs(search *s)
{
    int64_t best = INT64_MAX;
    int64_t tries = 0;
    int64_t work = 0;
    int64_t size = (int64_t)s->lanes.count + duet_tasks(s->lanes.instance);
    while (duet_task_lists_longest(&s->lanes) > s->target) {
        int64_t done = duet_pair_repartitioner_work(s->splitter);
        if (duet_task_lists_longest(&s->lanes) < best) {
            best = duet_task_lists_longest(&s->lanes);
            tries = s->tries;
            work = done;
        }
        if (s->tries - tries >= s->effort * TRIES * size ||
            done - work >= s->effort * WORK_IN_VAIN || done >= s->effort * WORK) {
            return false;
        }
        if (duet_context_stop(s->context)) {
            return true;
        }
        if (!lower(s)) {
            shake(s);
        }
    }
    return false;
}

static duet_code run(search *s, duet_improved *improved, duet_error *error)
{
    duet_code code = DUET_OK;
    if (s->lanes.count > 1 && s->effort > 0) {
        code = duet_pair_repartitioner_create(&s->splitter, error);
        if (code == DUET_OK) {
            code = trade_types(s, error);
        }
        if (code == DUET_OK) {
            improved->stopped = deal_pairs(s);
        }
    }
    return code;
}

duet_code duet_improve_memory_check(const duet_instance *instance, const duet_context *context,
                                    duet_error *error)
{
    return duet_memory_check(duet_task_lists_memory(instance), 1, context->memory_limit,
                             "the search for a shorter schedule", error);
}

duet_code duet_improve(const duet_instance *instance, const duet_context *context, int64_t target,
                       int64_t effort, duet_solution *solution, duet_improved *improved,
                       duet_error *error)
{
    int64_t before = duet_solution_measure(solution, instance);
    *improved = (duet_improved){.before = before, .after = before};
    if (before <= target) {
        return DUET_OK;
    }
    duet_code code = duet_improve_memory_check(instance, context, error);
    const duet_placement *placement = NULL;
    if (code == DUET_OK) {
        placement = duet_solution_placements(solution);
    }
    if (code == DUET_OK && placement == NULL) {
        code = duet_error_set(error, DUET_E_MEMORY, "out of memory for a schedule");
    }
    if (code != DUET_OK) {
        return code;
    }
    search s = {.context = context, .target = target, .effort = effort, .top = SIZE_MAX};
    duet_random_seed(&s.random, context->seed);
    code = duet_task_lists_create(instance, placement, &s.lanes, error);
    if (code == DUET_OK) {
        code = run(&s, improved, error);
    }
    bool shorter = code == DUET_OK && duet_task_lists_longest(&s.lanes) < before;
    if (shorter) {
        code = duet_solution_hold_placements(solution, error); // runs are those of the longer one
    }
    if (shorter && code == DUET_OK) {
        improved->after = duet_task_lists_longest(&s.lanes);
        improved->exchanges = s.exchanges;
        duet_task_lists_place(&s.lanes, solution->placement);
        solution->makespan = improved->after;
        solution->aborted_count = 0;
    }
    duet_task_lists_free(&s.lanes);
    duet_pair_repartitioner_free(s.splitter);
    return code;
}
