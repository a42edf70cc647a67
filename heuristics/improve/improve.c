// SPDX-License-Identifier: Apache-2.0
#include "heuristics/improve/improve.h"

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/improve/pair_repartition.h"

// What one unit of effort allows: pairs tried in vain, for each list and task; assignments listed
// in vain; assignments listed in all.
enum { TRIES = 10, WORK_IN_VAIN = 100000, WORK = 1000000 };

typedef struct search {
    duet_task_lists lists;
    duet_pair_repartitioner *repartitioner;
    duet_random random;
    const duet_context *context;
    int64_t target;
    int64_t effort;
    size_t top;       // the most loaded list at the last round in vain
    uint64_t in_vain; // when that round was, by the clock of the lists
    int64_t tries;
    int64_t exchanges;
} search;

static bool repartition(search *s, size_t a, size_t b, duet_pair_repartition_goal goal)
{
    s->tries++;
    bool kept = duet_pair_repartition(s->repartitioner, &s->lists, a, b, goal, &s->random);
    s->exchanges += kept;
    return kept;
}

// Whether a repartition with the most loaded processor can be of use. After a round in vain it can
// only where the tasks of one of the two have changed since, or where another sample of their tasks
// can be drawn.
static bool worth_trying(const search *s, size_t top, size_t other)
{
    const duet_task_list *a = &s->lists.at[top];
    const duet_task_list *b = &s->lists.at[other];
    if (a->load - b->load < (a->type == b->type ? 2 : 1)) {
        return false;
    }
    return top != s->top || a->changed > s->in_vain || b->changed > s->in_vain ||
           a->count + b->count > duet_pair_repartitioner_tasks(s->repartitioner);
}

// One round: repartitions the most loaded processor with each of the others, starting anywhere,
// until its load falls. Returns whether it did.
static bool lower(search *s)
{
    size_t top = duet_task_lists_top(&s->lists);
    int64_t longest = s->lists.at[top].load;
    size_t n = s->lists.count;
    size_t start = (size_t)duet_random_between(&s->random, 0, (int64_t)n - 1);
    for (size_t step = 0; step < n; step++) {
        size_t other = (start + step) % n;
        if (worth_trying(s, top, other) &&
            repartition(s, top, other, (duet_pair_repartition_goal){.most = longest - 1})) {
            return true;
        }
    }
    s->top = top;
    s->in_vain = s->lists.clock;
    return false;
}

// The least loaded of some processors of one type, starting anywhere.
static size_t emptiest(search *s)
{
    enum { looked_at = 64 };
    size_t last = s->lists.count - 1;
    size_t found = (size_t)duet_random_between(&s->random, 0, (int64_t)last);
    size_t type = (size_t)s->lists.at[found].type;
    size_t begin = s->lists.begin[type];
    size_t lists = s->lists.begin[type + 1] - begin;
    size_t start = found - begin;
    for (size_t i = 1; i < lists && i < looked_at; i++) {
        size_t list = begin + (start + i) % lists;
        found = s->lists.at[list].load < s->lists.at[found].load ? list : found;
    }
    return found;
}

// Repartitions a random processor with an almost empty one without harm, so that the next round
// differs. The first gets as full as can be, which gathers idle time on the second, or as full as
// chance has it.
static void shake(search *s)
{
    enum { gather = 3 }; // of four times the first gets as full as can be
    int64_t longest = duet_task_lists_longest(&s->lists);
    size_t to = emptiest(s);
    size_t from = (size_t)duet_random_between(&s->random, 0, (int64_t)s->lists.count - 2);
    from += from >= to;
    int64_t most = longest - (s->lists.at[from].load < longest && s->lists.at[to].load < longest);
    int64_t cap = most;
    if (duet_random_between(&s->random, 0, gather) == 0) {
        cap = duet_random_between(&s->random, 0, most);
    }
    repartition(s, from, to, (duet_pair_repartition_goal){.fill = true, .cap = cap, .most = most});
}

// Exchanges tasks between the type of the most loaded processor and the others, as long as that
// shortens the schedule.
static duet_code exchange_types(search *s, duet_error *error)
{
    duet_code code = DUET_OK;
    size_t types = s->lists.instance->types;
    size_t done[2] = {SIZE_MAX, SIZE_MAX}; // the last two types: they have nothing left to exchange
    size_t left = 2 * types;               // exchanges, at most
    for (size_t b = 0; b < types && left > 0 && code == DUET_OK; b++) {
        size_t a = (size_t)s->lists.at[duet_task_lists_top(&s->lists)].type;
        int64_t moved = 0;
        bool has_processors = s->lists.begin[b] < s->lists.begin[b + 1];
        if (duet_task_lists_longest(&s->lists) <= s->target || duet_context_stop(s->context)) {
            break;
        }
        if (a == b || !has_processors || (a == done[0] && b == done[1]) ||
            (a == done[1] && b == done[0])) {
            continue;
        }
        left--;
        code = duet_type_exchange(&s->lists, a, b, &moved, error);
        if (moved > 0) {
            s->exchanges++;
            done[0] = a;
            done[1] = b;
            b = SIZE_MAX; // from the first type on
        }
    }
    return code;
}

// Repartitions pairs until the target is met or the effort is spent. Returns whether the context
// stopped it.
static bool repartition_pairs(search *s)
{
    int64_t best = INT64_MAX;
    int64_t tries = 0;
    int64_t work = 0;
    int64_t size = (int64_t)s->lists.count + duet_tasks(s->lists.instance);
    while (duet_task_lists_longest(&s->lists) > s->target) {
        int64_t done = duet_pair_repartitioner_work(s->repartitioner);
        if (duet_task_lists_longest(&s->lists) < best) {
            best = duet_task_lists_longest(&s->lists);
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

static duet_code run(search *s, size_t tasks, duet_improved *improved, duet_error *error)
{
    duet_code code = DUET_OK;
    if (s->lists.count > 1 && s->effort > 0) {
        code = duet_pair_repartitioner_create(tasks, &s->repartitioner, error);
        DUET_THEN(code, exchange_types(s, error));
        if (code == DUET_OK) {
            improved->stopped = repartition_pairs(s);
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

// The search `s` has its settings; the rest is made here. At most `tasks` of a pair are partitioned
// anew.
static duet_code improve(search *s, size_t tasks, const duet_instance *instance,
                         duet_solution *solution, duet_improved *improved, duet_error *error)
{
    int64_t before = duet_solution_measure(solution, instance);
    *improved = (duet_improved){.before = before, .after = before};
    if (before <= s->target) {
        return DUET_OK;
    }
    DUET_TRY(duet_improve_memory_check(instance, s->context, error));
    const duet_placement *placement = NULL;
    placement = duet_solution_placements(solution);
    if (placement == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory for a schedule");
    }
    s->top = SIZE_MAX;
    duet_random_seed(&s->random, s->context->seed);
    duet_code code = duet_task_lists_create(instance, placement, &s->lists, error);
    DUET_THEN(code, run(s, tasks, improved, error));
    bool shorter = code == DUET_OK && duet_task_lists_longest(&s->lists) < before;
    if (shorter) {
        code = duet_solution_hold_placements(solution, error); // runs are those of the longer one
    }
    if (shorter && code == DUET_OK) {
        improved->after = duet_task_lists_longest(&s->lists);
        improved->exchanges = s->exchanges;
        duet_task_lists_place(&s->lists, solution->placement);
        DUET_ASSERT(duet_solution_measure(solution, instance) == improved->after);
        solution->makespan = improved->after;
        solution->aborted_count = 0;
    }
    duet_task_lists_free(&s->lists);
    duet_pair_repartitioner_free(s->repartitioner);
    return code;
}

duet_code duet_improve(const duet_instance *instance, const duet_context *context, int64_t target,
                       int64_t effort, duet_solution *solution, duet_improved *improved,
                       duet_error *error)
{
    search s = {.context = context, .target = target, .effort = effort};
    return improve(&s, DUET_PAIR_REPARTITION_TASKS, instance, solution, improved, error);
}

duet_code duet_improve_fine(const duet_instance *instance, const duet_context *context,
                            int64_t target, int64_t effort, duet_solution *solution,
                            duet_improved *improved, duet_error *error)
{
    search s = {.context = context, .target = target, .effort = effort};
    return improve(&s, DUET_PAIR_REPARTITION_FINE, instance, solution, improved, error);
}
