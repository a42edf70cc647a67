// SPDX-License-Identifier: Apache-2.0
// Raising the lower bound of a task graph part by part.
// Method:    a task starts after all that is before it. So in topological order, for each task, the
//            last of these, each from the start that is known of it, make a small problem, whose
//            bound (subproblem.h) is a start of the task; against the order likewise for tails.
//            What the whole graph's bound (raise.h) is told so it need not find again by branching
//            on hundreds of tasks at once. Passes take more tasks and more work each. Where tasks
//            cut the graph into stages (stages.h), these are the parts of the first passes.
// Guarantee: a part is a line of the proof, with the proof of its own bound.
// Cost:      200,000 operations a task and side in the first pass, four times as many in each that
//            follows; in all no more than the whole graph's bound takes. Stages may take 200
//            million before that, and four times as many for each part in every pass.
// Memory:    that of the whole graph's bound twice, that of a graph of up to 128 tasks, and the
//            proof.
// Reference: Carlier, Pinson, "An algorithm for solving the job-shop problem", Management Science
//            35(2), 1989 (heads and tails from subproblems).
#include "solvers/graph/bound/subproblems.h"

#include <stdlib.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "solvers/graph/bound/stages.h"
#include "solvers/graph/bound/strategy.h"
#include "solvers/graph/bound/subproblem.h"
#include "solvers/graph/propagate/energy.h"

enum {
    MOST_SIZE = 128,     // tasks of a part; each pass takes half as many more, up to so many,
    WORK_FACTOR = 4,     // and so many times the work for each
    MEMBER_WORK = 40,    // operations to sort one,
    CREATE_WORK = 200,   // and to make a part of it
    ROUNDS = 20,         // of delays before the first pass, at most
    PROGRAM_TASKS = 600, // up to so many tasks parts wait until the linear program has been tried
    STAGE_PASSES = 3,    // that look at stages first, until they have taken
    STAGE_WORK = 200000000, // operations
    PROBED = 4              // when the first side has come so far, one in so many, it is judged
};
// Of the work on the whole graph, one in so many is for parts that promise little; as much is for
// others.
enum { DOUBTED = 4 };

const duet_subproblems_plan duet_subproblems_usual = {
    .least = 65, .most = 2000, .least_size = 4, .size = 32, .work = 200000};

typedef struct ranked {
    int64_t key;
    int32_t task;
} ranked;

struct duet_subproblems {
    // Inputs; borrowed:
    const duet_instance *instance;
    const duet_subproblems_plan *plan;
    const duet_context *context;
    bool staged;       // tasks cut the graph into parts
    bool stages_first; // these are looked at, and nothing else, before all else
    // The whole graph:
    duet_destructive *whole;
    // What is known of it under a guess that is not below any that is tried later, with the lines
    // that prove it, and what of this the whole graph has been told:
    duet_network network;
    duet_windows known;
    duet_energy energy;
    int64_t *start, *tail;
    // The pass:
    bool begun, ended;
    int64_t passes; // that have ended
    bool looks;     // for the whole graph to try what stages have shown
    int64_t size;
    int64_t work;       // of a part,
    int64_t stage_work; // and of one that is a stage
    bool before;        // the side
    int64_t next;       // of the tasks in their order
    bool judged;        // what the first parts have shown,
    bool promises;      // which is more than the bound of the whole graph
    bool waits;         // for the whole graph to try what a side has shown
    bool gained;        // which has raised its bound in this pass
    int64_t spent;
    // When that was tried last: work on the s, work on the whole graph, and its bound.
    int64_t tried_spent, tried_whole, tried_lower;
    // The part under way:
    bool open;
    bool is_stage;
    duet_subproblem part;
    ranked *rank;
    int32_t *member;
    int32_t *mark, stamp; // for stages
};

static duet_code find_stages(duet_subproblems *s, duet_error *error)
{
    const duet_graph *graph = s->instance->graph;
    int32_t *order = duet_graph_order(graph, error);
    if (order == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = duet_stages_exist(graph, order, &s->staged, error);
    s->stages_first = s->staged;
    duet_free(order);
    return code;
}

duet_code duet_subproblems_create(const duet_instance *instance, const duet_subproblems_plan *plan,
                                  const duet_context *context, int64_t lower,
                                  duet_subproblems **out, duet_error *error)
{
    duet_subproblems *s = duet_alloc(1, sizeof *s, error);
    *out = NULL;
    if (s == NULL) {
        return DUET_E_MEMORY;
    }
    int64_t tasks = duet_tasks(instance);
    s->instance = instance;
    s->plan = plan;
    s->context = context;
    bool fit = instance->graph != NULL && tasks <= plan->most;
    duet_code code = fit ? find_stages(s, error) : DUET_OK;
    s->ended = !fit || (tasks < plan->least && !s->staged);
    if (code == DUET_OK) {
        code = duet_destructive_create(instance, context, lower, &s->whole, error);
    }
    if (code != DUET_OK) {
        duet_subproblems_free(s);
        return code;
    }
    *out = s;
    return DUET_OK;
}

void duet_subproblems_free(duet_subproblems *s)
{
    if (s != NULL) {
        duet_subproblem_free(&s->part);
        duet_energy_free(&s->energy);
        duet_windows_free(&s->known);
        duet_network_free(&s->network);
        duet_destructive_free(s->whole);
        duet_free(s->start);
        duet_free(s->tail);
        duet_free(s->rank);
        duet_free(s->member);
        duet_free(s->mark);
        duet_free(s);
    }
}

const duet_destructive *duet_subproblems_whole(const duet_subproblems *s)
{
    return s->whole;
}

int64_t duet_subproblems_spent(const duet_subproblems *s)
{
    return duet_destructive_spent(s->whole) + s->spent;
}

// Whether anything has become known since the last time.
static bool copy_known(duet_subproblems *s)
{
    bool more = false;
    for (int64_t j = 0; j < s->known.tasks; j++) {
        const duet_window *window = &s->known.window[j];
        more = more || window->start > s->start[j] || window->tail > s->tail[j];
        s->start[j] = window->start;
        s->tail[j] = window->tail;
    }
    return more;
}

// Hands what is known to the whole graph, unless lines are missing that prove it.
static void hand_over(duet_subproblems *s)
{
    if (s->known.proof.lost || s->known.no_memory) {
        return;
    }
    if (copy_known(s)) {
        duet_destructive_update(s->whole);
    }
    s->waits = true;
}

// What follows for the whole graph before the first pass.
static void reason(duet_subproblems *s)
{
    duet_windows *known = &s->known;
    int64_t before = known->work;
    for (int i = 0; i < ROUNDS && !known->refuted && duet_energy_delay(&s->energy); i++) {
        duet_windows_propagate(known);
    }
    s->spent += known->work - before;
}

static duet_code begin(duet_subproblems *s, int64_t upper, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(s->instance);
    s->begun = s->ended = true; // where it fails, there are no parts
    s->before = true;
    s->size = s->plan->size;
    s->work = s->plan->work;
    s->stage_work = s->plan->work;
    s->tried_whole = duet_destructive_spent(s->whole);
    s->tried_lower = duet_destructive_lower(s->whole);
    s->start = duet_alloc(tasks, sizeof *s->start, error);
    s->tail = duet_alloc(tasks, sizeof *s->tail, error);
    s->rank = duet_alloc_raw(tasks, sizeof *s->rank, error);
    s->member = duet_alloc_raw(tasks, sizeof *s->member, error);
    s->mark = duet_alloc(tasks, sizeof *s->mark, error);
    if (s->start == NULL || s->tail == NULL || s->rank == NULL || s->member == NULL ||
        s->mark == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = duet_network_create(s->instance, &s->network, error);
    if (code == DUET_OK) {
        code = duet_windows_create(&s->known, &s->network, s->context, error);
    }
    if (code == DUET_OK) {
        code = duet_energy_create(&s->energy, &s->known, s->context, error);
    }
    if (code == DUET_OK) {
        duet_windows_reset(&s->known, upper - 1);
        s->spent += s->known.work;
        reason(s);
        copy_known(s);
        duet_given given = {s->start, s->tail, false};
        duet_destructive_give(s->whole, &given, &s->known.proof);
        s->ended = s->energy.before.task == NULL;
    }
    return code;
}

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a;
    const ranked *y = b;
    return x->key != y->key ? duet_order(y->key, x->key) : duet_order(x->task, y->task);
}

static int compare_tasks(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;
    return duet_order(x, y);
}

// Whether all other tasks are before it or behind.
static bool is_cut(const duet_subproblems *s, int32_t task)
{
    const int64_t *before = s->energy.before.at + task;
    const int64_t *after = s->energy.after.at + task;
    return before[1] - before[0] + after[1] - after[0] == s->known.tasks - 1;
}

// How many of the tasks before `task`, or behind it, of which `member` has the nearest first, are a
// stage; 0: there is none.
static int64_t find_stage(duet_subproblems *s, int32_t task, const duet_reachable *all,
                          int64_t count)
{
    int64_t most = s->stages_first ? MOST_SIZE : s->size;
    int64_t stage = duet_stages_nearest(all, s->member, count, most, s->mark, &s->stamp, &s->spent);
    bool first = stage == 0 && count <= most && is_cut(s, task);
    return first ? count : stage;
}

// The tasks before `task`, or behind it, that are nearest to it: how many. Of these a stage is
// enough.
static int64_t choose(duet_subproblems *s, int32_t task)
{
    const duet_reachable *all = s->before ? &s->energy.before : &s->energy.after;
    int64_t count = all->at[task + 1] - all->at[task];
    for (int64_t i = 0; i < count; i++) {
        int32_t member = all->task[all->at[task] + i];
        const duet_window *window = &s->known.window[member];
        s->rank[i] = (ranked){s->before ? window->start : window->tail, member};
    }
    qsort(s->rank, (size_t)count, sizeof *s->rank, compare_ranked);
    for (int64_t i = 0; i < count; i++) {
        s->member[i] = s->rank[i].task;
    }
    int64_t stage = s->staged ? find_stage(s, task, all, count) : 0;
    s->is_stage = stage > 0;
    if (s->is_stage || s->stages_first) {
        count = stage;
    } else if (count > s->size) {
        count = s->size;
    }
    qsort(s->member, (size_t)count, sizeof *s->member, compare_tasks);
    s->spent += MEMBER_WORK * (all->at[task + 1] - all->at[task]);
    return count;
}

// Whether a part may say more of a task than its one neighbour does.
static bool is_worth(const duet_subproblems *s, int32_t task)
{
    const duet_graph *graph = s->network.graph;
    const int64_t *at = s->before ? graph->enter_at : graph->leave_at;
    return at[task + 1] - at[task] > 1;
}

// The next side, or the next pass. What stages show from one side is all that there is to show.
static void next_side(duet_subproblems *s)
{
    s->next = 0;
    s->before = s->stages_first || !s->before;
    if (s->before) { // the pass has ended
        s->passes++;
        s->stage_work *= WORK_FACTOR;
    }
    if (s->stages_first) {
        s->looks = true;
        s->stages_first = s->passes < STAGE_PASSES && s->spent < STAGE_WORK;
        return;
    }
    hand_over(s);
    if (s->before) {
        s->ended = s->size >= MOST_SIZE || s->size >= s->known.tasks;
        s->size += s->size / 2;
        s->work *= WORK_FACTOR;
    }
}

static void next_task(duet_subproblems *s)
{
    s->next++;
    if (s->next >= s->known.tasks || (s->stages_first && s->spent >= STAGE_WORK)) {
        next_side(s);
    }
}

static duet_code open_part(duet_subproblems *s, duet_error *error)
{
    int64_t place = s->before ? s->next : s->known.tasks - 1 - s->next;
    int32_t task = s->network.order[place];
    const duet_window *window = &s->known.window[task];
    int64_t count = is_worth(s, task) ? choose(s, task) : 0;
    if (count < (s->is_stage ? 2 : s->plan->least_size)) { // stages are dealt with alone
        next_task(s);
        return DUET_OK;
    }
    duet_subproblem_choice choice = {task, s->before, s->member, count};
    int64_t lower = s->before ? window->start : window->tail;
    s->open = true;
    duet_code code = duet_subproblem_create(&s->part, &s->known, &choice, lower, s->context, error);
    s->spent += s->part.spent + CREATE_WORK * count;
    return code;
}

// Judges the first side by the tasks that it has looked at: if all starts rise as theirs did, is
// the longest way through the graph above its bound?
static void judge_side(duet_subproblems *s)
{
    const duet_windows *known = &s->known;
    double before = 0;
    double now = 0;
    double longest = 0;
    int64_t reached = 0;
    for (int64_t j = 0; j < known->tasks; j++) {
        double way = (double)s->start[j] + (double)known->window[j].shortest + (double)s->tail[j];
        longest = duet_max(way, longest);
    }
    for (int64_t i = 0; i <= s->next; i++) {
        int32_t j = s->network.order[i];
        if ((double)s->start[j] >= longest / PROBED / 2) {
            before += (double)s->start[j];
            now += (double)known->window[j].start;
        }
        reached = duet_max(s->start[j], reached);
    }
    if ((double)reached >= longest / PROBED) {
        bool alike = duet_strategy_are_alike(known->tasks, (int64_t)s->instance->kinds);
        s->judged = true;
        s->promises = now * longest > before * (double)duet_destructive_lower(s->whole);
        s->ended = alike && !s->promises;
    }
}

// What a part has shown holds of the whole graph.
static void take_result(duet_subproblems *s)
{
    const duet_subproblem *part = &s->part;
    duet_windows *known = &s->known;
    int64_t before = known->work;
    if (!duet_destructive_proven(part->bound) || !duet_subproblem_write(part, &known->proof)) {
        return;
    }
    int64_t lower = duet_destructive_lower(part->bound);
    if (s->before) {
        duet_windows_raise_start(known, part->choice.task, lower);
    } else {
        duet_windows_raise_tail(known, part->choice.task, lower);
    }
    duet_windows_propagate(known);
    s->spent += known->work - before;
}

static duet_code work_on_part(duet_subproblems *s, int64_t work, duet_error *error)
{
    if (!s->open) {
        return open_part(s, error);
    }
    duet_subproblem *part = &s->part;
    int64_t before = part->spent;
    int64_t most = s->is_stage ? s->stage_work : s->work;
    int64_t left = most - before;
    duet_code code = duet_subproblem_work(part, duet_min(left, work), error);
    s->spent += part->spent - before;
    if (code == DUET_OK && (part->spent >= most || duet_subproblem_done(part))) {
        take_result(s);
        duet_subproblem_free(part);
        s->open = false;
        if (!s->judged && s->before && !s->stages_first) {
            judge_side(s);
        }
        next_task(s);
    }
    return code;
}

// Whether the whole graph has done what comes before parts.
static bool has_prepared(const duet_subproblems *s, int64_t upper)
{
    bool few = duet_tasks(s->instance) <= PROGRAM_TASKS && !s->staged;
    return s->stages_first ||
           duet_destructive_done(s->whole, upper,
                                 few ? DUET_STAGE_PROGRAM : DUET_STAGE_PROPAGATION);
}

// Whether the next work is on a part.
static bool is_turn_of_subproblems(const duet_subproblems *s, int64_t upper, duet_bound_stage last)
{
    return !s->ended && !s->waits && last >= DUET_STAGE_BRANCHING && has_prepared(s, upper) &&
           !duet_destructive_done(s->whole, upper, last) &&
           (s->stages_first || s->spent < duet_destructive_spent(s->whole) /
                                              (s->judged && !s->promises ? DOUBTED : 1));
}

// Whether the parts have raised the bound as fast as the work on the whole graph beside them.
static bool pays(const duet_subproblems *s, int64_t gained)
{
    int64_t other = duet_destructive_updated_at(s->whole) - s->tried_lower;
    int64_t work = s->spent - s->tried_spent;
    int64_t other_work = duet_destructive_spent(s->whole) - s->tried_whole;
    return (double)gained * (double)other_work >= (double)other * (double)work;
}

// After the whole graph has tried what a side has shown: a pass in vain is the last.
static void judge_pass(duet_subproblems *s)
{
    int64_t lower = duet_destructive_lower(s->whole);
    int64_t gained = lower - duet_destructive_updated_at(s->whole);
    s->waits = false;
    s->gained = s->gained || gained > 0;
    s->promises = pays(s, gained);
    s->tried_spent = s->spent;
    s->tried_whole = duet_destructive_spent(s->whole);
    s->tried_lower = lower;
    if (s->before) {
        s->ended = s->ended || !s->gained;
        s->gained = false;
    }
}

// Whether nothing more comes of parts: the guess is refuted, or there is no room for a proof.
static bool is_over(const duet_subproblems *s)
{
    return s->known.refuted || s->known.no_memory || s->known.proof.lost;
}

// Tries the guess that the longest way through the graph refutes.
static duet_code try_longest(duet_subproblems *s, int64_t upper, duet_error *error)
{
    int64_t longest = 0;
    s->looks = false;
    if (is_over(s)) {
        return DUET_OK;
    }
    copy_known(s);
    for (int64_t j = 0; j < s->known.tasks; j++) {
        const duet_window *window = &s->known.window[j];
        int64_t way = window->start + window->shortest + window->tail;
        longest = duet_max(way, longest);
    }
    return duet_destructive_try(s->whole, longest < upper ? longest - 1 : upper - 1, error);
}

static duet_code step(duet_subproblems *s, int64_t upper, int64_t work, duet_bound_stage last,
                      duet_error *error)
{
    if (s->looks) {
        return try_longest(s, upper, error);
    }
    if (s->waits && !duet_destructive_is_updating(s->whole)) {
        judge_pass(s);
    }
    if (!is_turn_of_subproblems(s, upper, last)) {
        bool first = !s->ended && !has_prepared(s, upper);
        duet_bound_stage stage = first && last > DUET_STAGE_PROGRAM ? DUET_STAGE_PROGRAM : last;
        return duet_destructive_work(s->whole, upper, work, stage, error);
    }
    if (!s->begun) {
        return begin(s, upper, error);
    }
    if (!is_over(s)) {
        return work_on_part(s, work, error);
    }
    hand_over(s);
    s->ended = true;
    return DUET_OK;
}

duet_code duet_subproblems_work(duet_subproblems *s, int64_t upper, int64_t work,
                                duet_bound_stage last, duet_error *error)
{
    int64_t end = duet_subproblems_spent(s) + work;
    duet_code code = DUET_OK;
    DUET_ASSERT(!s->begun || s->ended || upper - 1 <= s->known.guess);
    while (code == DUET_OK && duet_subproblems_spent(s) < end &&
           !duet_destructive_done(s->whole, upper, last) && !duet_context_stop(s->context)) {
        code = step(s, upper, end - duet_subproblems_spent(s), last, error);
    }
    return code;
}
