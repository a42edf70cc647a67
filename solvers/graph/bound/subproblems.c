// SPDX-License-Identifier: Apache-2.0
// Lower bounds of a task graph by subproblems.
// Method:    a task starts after all that is before it. So in topological order the last tasks
//            before each task, each from the start that is known of it, are a subproblem whose
//            bound (subproblem.h) is a start of the task. Against the order the same holds of
//            tails. What the whole graph's bound (destructive.h) is told so it need not find again
//            by branching on hundreds of tasks at once. Passes take more tasks and more work each.
//            If tasks cut the graph into stages (stages.h), these are the subproblems of the first
//            passes.
// Guarantee: a subproblem is a line of the proof, with the proof of its own bound.
// Cost:      200,000 operations a task and side in the first pass, four times as many in each that
//            follows; in all no more than the whole graph's bound takes. Stages may take 200
//            million before that, and four times as many for each in every pass.
// Memory:    that of the whole graph's bound twice, that of a graph of up to 128 tasks, and the
//            proof.
// Reference: Carlier, Pinson, "An algorithm for solving the job-shop problem", Management Science
//            35(2), 1989 (heads and tails from subproblems).
#include "solvers/graph/bound/subproblems.h"

#include <stdlib.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/arena.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/graph/bound/stages.h"
#include "solvers/graph/bound/strategy.h"
#include "solvers/graph/bound/subproblem.h"
#include "solvers/graph/bound/tuning.h"
#include "solvers/graph/propagate/energy.h"
#include "solvers/graph/refute/tuning.h"

// Operations to sort a member, and to make a subproblem of it: about a nanosecond each.
enum { MEMBER_WORK = 40, CREATE_WORK = 200 };

const duet_subproblems_plan duet_subproblems_usual = {.least_graph = DUET_SUBPROBLEM_LEAST_GRAPH,
                                                      .most_graph = DUET_SUBPROBLEM_LARGEST_GRAPH,
                                                      .least_size = DUET_SUBPROBLEM_LEAST_TASKS,
                                                      .first_size = DUET_SUBPROBLEM_TASKS,
                                                      .first_work = DUET_SUBPROBLEM_WORK};

typedef struct ranked {
    int64_t key;
    int32_t task;
} ranked;

// How the graph is cut into stages.
typedef enum stage_search {
    NO_STAGES,    // It is not.
    STAGES_FIRST, // Stages are looked at, and nothing else, before all else.
    STAGES_BESIDE // They are looked at in place of the nearest tasks.
} stage_search;

typedef enum progress { NOT_BEGUN, UNDER_WAY, OVER } progress;

// What the first subproblems have shown against the bound of the whole graph.
typedef enum verdict { NOT_JUDGED, PROMISING, POOR } verdict;

// What the whole graph's bound has to try before subproblems go on.
typedef enum pending {
    NOTHING,      // It has nothing to try.
    LONGEST_PATH, // What stages have shown: the guess that the longest path refutes.
    GIVEN         // What a side has shown: propagation with new heads and tails.
} pending;

typedef enum open_kind { NONE_OPEN, TASKS_OPEN, STAGE_OPEN } open_kind;

// A pass over all tasks, first in topological order, then against it.
typedef struct pass {
    int64_t done;       // Passes that have ended.
    int64_t size;       // Tasks of a subproblem that is no stage.
    int64_t work;       // Operations for it.
    int64_t stage_work; // Operations for a stage.
    bool before;        // The side: tasks before each one, or behind it.
    int64_t next;       // The place of the next task in the order of the side.
    bool gained;        // The whole graph's bound was raised by it.
} pass;

// What there was when the whole graph last tried what a side had shown.
typedef struct trial {
    int64_t spent; // Work on subproblems.
    int64_t whole; // Work on the whole graph.
    int64_t lower; // Its bound.
} trial;

struct duet_subproblems {
    // Inputs; borrowed.
    const duet_instance *instance;
    const duet_subproblems_plan *plan;
    const duet_context *context;

    duet_destructive *whole; // The bound of the whole graph.

    // What is known of the whole graph under a guess that is not below any that is tried later,
    // with the lines that prove it.
    duet_network network;
    duet_windows known;
    duet_energy energy;
    int64_t *start, *tail; // Of this the whole graph has been told.

    // How far subproblems have come.
    progress progress;
    stage_search stages;
    pass pass;
    verdict verdict;
    pending pending;
    trial tried;
    int64_t spent; // Work on subproblems.

    // What other threads are told of both.
    atomic_llong told_whole;
    atomic_llong told_spent;

    // The subproblem under way.
    open_kind open;
    duet_subproblem current;

    // Workspace to choose one, per task.
    duet_arena arena;
    ranked *rank;
    int32_t *member;
    int32_t *mark, stamp; // For duet_stages_nearest().
};

static duet_code find_stages(duet_subproblems *s, duet_error *error)
{
    const duet_graph *graph = s->instance->graph;
    int32_t *order = duet_graph_order(graph, error);
    DUET_NEED(order);
    bool has = false;
    duet_code code = duet_stages_exist(graph, order, &has, error);
    s->stages = has ? STAGES_FIRST : NO_STAGES;
    duet_free(order);
    return code;
}

duet_code duet_subproblems_create(const duet_instance *instance, const duet_subproblems_plan *plan,
                                  const duet_context *context, int64_t lower,
                                  duet_subproblems **out, duet_error *error)
{
    duet_subproblems *s = duet_alloc(1, sizeof *s, error);
    *out = NULL;
    DUET_NEED(s);
    int64_t tasks = duet_tasks(instance);
    s->instance = instance;
    s->plan = plan;
    s->context = context;
    bool fit = instance->graph != NULL && tasks <= plan->most_graph;
    duet_code code = fit ? find_stages(s, error) : DUET_OK;
    s->progress = fit && (tasks >= plan->least_graph || s->stages != NO_STAGES) ? NOT_BEGUN : OVER;
    DUET_THEN(code, duet_destructive_create(instance, context, lower, &s->whole, error));
    if (code != DUET_OK) {
        duet_subproblems_free(s);
        return code;
    }
    duet_destructive_tell(s->whole, &s->told_whole);
    *out = s;
    return DUET_OK;
}

void duet_subproblems_free(duet_subproblems *s)
{
    if (s != NULL) {
        duet_subproblem_free(&s->current);
        duet_energy_free(&s->energy);
        duet_windows_free(&s->known);
        duet_network_free(&s->network);
        duet_destructive_free(s->whole);
        duet_arena_free(&s->arena);
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

int64_t duet_subproblems_chained(const duet_subproblems *s)
{
    return duet_destructive_chained(s->whole) + s->spent - s->known.beside;
}

int64_t duet_subproblems_told(const duet_subproblems *s)
{
    return atomic_load(&s->told_whole) + atomic_load(&s->told_spent);
}

// Tells other threads what was spent so far.
static void tell(duet_subproblems *s)
{
    atomic_store(&s->told_whole, duet_destructive_spent(s->whole));
    atomic_store(&s->told_spent, s->spent);
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
    if (s->known.proof.lost || s->known.code != DUET_OK) {
        return;
    }
    if (copy_known(s)) {
        duet_destructive_update(s->whole);
    }
    s->pending = GIVEN;
}

// What follows for the whole graph before the first pass.
static void reason(duet_subproblems *s)
{
    duet_windows *known = &s->known;
    int64_t before = known->work;
    for (int i = 0; i < DUET_REFUTE_ROOT_ROUNDS && !known->refuted && duet_energy_delay(&s->energy);
         i++) {
        duet_windows_propagate(known);
    }
    s->spent += known->work - before;
}

static duet_code begin(duet_subproblems *s, int64_t upper, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(s->instance);
    s->progress = OVER; // If it fails, there are no subproblems.
    s->pass = (pass){.before = true,
                     .size = s->plan->first_size,
                     .work = s->plan->first_work,
                     .stage_work = s->plan->first_work};
    s->tried.whole = duet_destructive_spent(s->whole);
    s->tried.lower = duet_destructive_lower(s->whole);
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(s->start, tasks), DUET_ARENA_ARRAY(s->tail, tasks),
        DUET_ARENA_ARRAY(s->rank, tasks), DUET_ARENA_ARRAY(s->member, tasks),
        DUET_ARENA_ARRAY(s->mark, tasks)};
    DUET_TRY(duet_arena_create(&s->arena, arrays, sizeof arrays / sizeof *arrays, error));
    DUET_TRY(duet_network_create(s->instance, &s->network, error));
    DUET_TRY(duet_windows_create(&s->known, &s->network, s->context, error));
    DUET_TRY(duet_energy_create(&s->energy, &s->known, s->context, error));
    duet_windows_reset(&s->known, upper - 1);
    s->spent += s->known.work;
    reason(s);
    copy_known(s);
    duet_given given = {s->start, s->tail, false};
    duet_destructive_give(s->whole, &given, &s->known.proof);
    s->progress = s->energy.before.task == NULL ? OVER : UNDER_WAY;
    return DUET_OK;
}

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a;
    const ranked *y = b;
    return x->key != y->key ? duet_order(y->key, x->key) : duet_order(x->task, y->task);
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
    int64_t most = s->stages == STAGES_FIRST ? DUET_SUBPROBLEM_MOST_TASKS : s->pass.size;
    int64_t stage = duet_stages_nearest(all, s->member, count, most, s->mark, &s->stamp, &s->spent);
    bool first = stage == 0 && count <= most && is_cut(s, task);
    return first ? count : stage;
}

// The tasks before `task`, or behind it, that are nearest to it: how many. Of these a stage is
// enough.
static int64_t choose(duet_subproblems *s, int32_t task, bool *is_stage)
{
    const duet_reachable *all = s->pass.before ? &s->energy.before : &s->energy.after;
    int64_t count = all->at[task + 1] - all->at[task];
    for (int64_t i = 0; i < count; i++) {
        int32_t member = all->task[all->at[task] + i];
        const duet_window *window = &s->known.window[member];
        s->rank[i] = (ranked){s->pass.before ? window->start : window->tail, member};
    }
    qsort(s->rank, (size_t)count, sizeof *s->rank, compare_ranked);
    for (int64_t i = 0; i < count; i++) {
        s->member[i] = s->rank[i].task;
    }
    int64_t stage = s->stages == NO_STAGES ? 0 : find_stage(s, task, all, count);
    *is_stage = stage > 0;
    if (*is_stage || s->stages == STAGES_FIRST) {
        count = stage;
    } else {
        count = duet_min(count, s->pass.size);
    }
    duet_sort_tasks(s->member, (size_t)count);
    s->spent += MEMBER_WORK * (all->at[task + 1] - all->at[task]);
    return count;
}

// Whether a subproblem may say more of a task than its one neighbour does.
static bool is_worth(const duet_subproblems *s, int32_t task)
{
    const duet_graph *graph = s->network.graph;
    const int64_t *at = s->pass.before ? graph->enter_at : graph->leave_at;
    return at[task + 1] - at[task] > 1;
}

// The next side, or the next pass. What stages show from one side is all that there is to show.
static void next_side(duet_subproblems *s)
{
    pass *now = &s->pass;
    now->next = 0;
    now->before = s->stages == STAGES_FIRST || !now->before;
    if (now->before) { // the pass has ended
        now->done++;
        now->stage_work *= DUET_BOUND_GROWTH;
    }
    if (s->stages == STAGES_FIRST) {
        bool more =
            now->done < DUET_SUBPROBLEM_STAGE_PASSES && s->spent < DUET_SUBPROBLEM_STAGE_WORK;
        s->pending = LONGEST_PATH;
        s->stages = more ? STAGES_FIRST : STAGES_BESIDE;
        return;
    }
    hand_over(s);
    if (now->before) {
        bool all = now->size >= DUET_SUBPROBLEM_MOST_TASKS || now->size >= s->known.tasks;
        s->progress = all ? OVER : UNDER_WAY;
        now->size += now->size / 2;
        now->work *= DUET_BOUND_GROWTH;
    }
}

static void next_task(duet_subproblems *s)
{
    bool tired = s->stages == STAGES_FIRST && s->spent >= DUET_SUBPROBLEM_STAGE_WORK;
    s->pass.next++;
    if (s->pass.next >= s->known.tasks || tired) {
        next_side(s);
    }
}

static duet_code open_next(duet_subproblems *s, duet_error *error)
{
    bool before = s->pass.before;
    int64_t place = before ? s->pass.next : s->known.tasks - 1 - s->pass.next;
    int32_t task = s->network.order[place];
    const duet_window *window = &s->known.window[task];
    bool is_stage = false;
    int64_t count = is_worth(s, task) ? choose(s, task, &is_stage) : 0;
    if (count < (is_stage ? 2 : s->plan->least_size)) { // stages are dealt with alone
        next_task(s);
        return DUET_OK;
    }
    duet_subproblem_choice choice = {task, before, s->member, count};
    int64_t lower = before ? window->start : window->tail;
    s->open = is_stage ? STAGE_OPEN : TASKS_OPEN;
    duet_code code =
        duet_subproblem_create(&s->current, &s->known, &choice, lower, s->context, error);
    s->spent += s->current.spent + CREATE_WORK * count;
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
    for (int64_t i = 0; i <= s->pass.next; i++) {
        int32_t j = s->network.order[i];
        if ((double)s->start[j] >= longest / DUET_SUBPROBLEM_PROBED / 2) {
            before += (double)s->start[j];
            now += (double)known->window[j].start;
        }
        reached = duet_max(s->start[j], reached);
    }
    if ((double)reached >= longest / DUET_SUBPROBLEM_PROBED) {
        bool alike = duet_strategy_are_alike(known->tasks, (int64_t)s->instance->kinds);
        bool rises = now * longest > before * (double)duet_destructive_lower(s->whole);
        s->verdict = rises ? PROMISING : POOR;
        s->progress = alike && !rises ? OVER : UNDER_WAY;
    }
}

// What a subproblem has shown holds of the whole graph.
static void take_result(duet_subproblems *s)
{
    const duet_subproblem *sub = &s->current;
    duet_windows *known = &s->known;
    int64_t before = known->work;
    if (!duet_destructive_proven(sub->bound) || !duet_subproblem_write(sub, &known->proof)) {
        return;
    }
    int64_t lower = duet_destructive_lower(sub->bound);
    if (s->pass.before) {
        duet_windows_raise_start(known, sub->choice.task, lower);
    } else {
        duet_windows_raise_tail(known, sub->choice.task, lower);
    }
    duet_windows_propagate(known);
    s->spent += known->work - before;
}

static duet_code work_on_current(duet_subproblems *s, int64_t work, duet_error *error)
{
    if (s->open == NONE_OPEN) {
        return open_next(s, error);
    }
    duet_subproblem *sub = &s->current;
    int64_t before = sub->spent;
    int64_t most = s->open == STAGE_OPEN ? s->pass.stage_work : s->pass.work;
    int64_t left = most - before;
    duet_code code = duet_subproblem_work(sub, duet_min(left, work), error);
    s->spent += sub->spent - before;
    if (code == DUET_OK && (sub->spent >= most || duet_subproblem_done(sub))) {
        take_result(s);
        duet_subproblem_free(sub);
        s->open = NONE_OPEN;
        if (s->verdict == NOT_JUDGED && s->pass.before && s->stages != STAGES_FIRST) {
            judge_side(s);
        }
        next_task(s);
    }
    return code;
}

// Whether the whole graph has done what comes before subproblems.
static bool has_prepared(const duet_subproblems *s, int64_t upper)
{
    bool few = duet_tasks(s->instance) <= DUET_SUBPROBLEM_PROGRAM_TASKS && s->stages == NO_STAGES;
    return s->stages == STAGES_FIRST ||
           duet_destructive_done(s->whole, upper,
                                 few ? DUET_PHASE_PROGRAM : DUET_PHASE_PROPAGATION);
}

// Whether the next work is on a subproblem.
static bool is_turn_of_subproblems(const duet_subproblems *s, int64_t upper, duet_bound_phase last)
{
    int64_t share = s->verdict == POOR ? DUET_SUBPROBLEM_DOUBTED : 1;
    return s->progress != OVER && s->pending != GIVEN && last >= DUET_PHASE_BRANCHING &&
           has_prepared(s, upper) && !duet_destructive_done(s->whole, upper, last) &&
           (s->stages == STAGES_FIRST || s->spent < duet_destructive_spent(s->whole) / share);
}

// Whether subproblems have raised the bound as fast as the work on the whole graph beside them.
static bool pays(const duet_subproblems *s, int64_t gained)
{
    int64_t other = duet_destructive_updated_at(s->whole) - s->tried.lower;
    int64_t work = s->spent - s->tried.spent;
    int64_t other_work = duet_destructive_spent(s->whole) - s->tried.whole;
    return (double)gained * (double)other_work >= (double)other * (double)work;
}

// After the whole graph has tried what a side has shown: a pass in vain is the last.
static void judge_pass(duet_subproblems *s)
{
    int64_t lower = duet_destructive_lower(s->whole);
    int64_t gained = lower - duet_destructive_updated_at(s->whole);
    s->pending = NOTHING;
    s->pass.gained = s->pass.gained || gained > 0;
    if (s->verdict != NOT_JUDGED) {
        s->verdict = pays(s, gained) ? PROMISING : POOR;
    }
    s->tried = (trial){s->spent, duet_destructive_spent(s->whole), lower};
    if (s->pass.before) {
        s->progress = s->pass.gained ? s->progress : OVER;
        s->pass.gained = false;
    }
}

// Whether nothing more comes of subproblems: the guess is refuted, or a proof has no room.
static bool is_over(const duet_subproblems *s)
{
    return s->known.refuted || s->known.code != DUET_OK || s->known.proof.lost;
}

// Tries the guess that the longest way through the graph refutes.
static duet_code try_longest(duet_subproblems *s, int64_t upper, duet_error *error)
{
    int64_t longest = 0;
    s->pending = NOTHING;
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

static duet_code step(duet_subproblems *s, int64_t upper, int64_t work, duet_bound_phase last,
                      duet_error *error)
{
    if (s->pending == LONGEST_PATH) {
        return try_longest(s, upper, error);
    }
    if (s->pending == GIVEN && !duet_destructive_is_updating(s->whole)) {
        judge_pass(s);
    }
    if (!is_turn_of_subproblems(s, upper, last)) {
        bool first = s->progress != OVER && !has_prepared(s, upper);
        duet_bound_phase phase = first && last > DUET_PHASE_PROGRAM ? DUET_PHASE_PROGRAM : last;
        return duet_destructive_work(s->whole, upper, work, phase, error);
    }
    if (s->progress == NOT_BEGUN) {
        return begin(s, upper, error);
    }
    if (!is_over(s)) {
        return work_on_current(s, work, error);
    }
    hand_over(s);
    s->progress = OVER;
    return DUET_OK;
}

duet_code duet_subproblems_work(duet_subproblems *s, int64_t upper, int64_t work,
                                duet_bound_phase last, duet_error *error)
{
    int64_t end = duet_subproblems_spent(s) + work;
    duet_code code = DUET_OK;
    DUET_ASSERT(s->progress != UNDER_WAY || upper - 1 <= s->known.guess);
    while (code == DUET_OK && duet_subproblems_spent(s) < end &&
           !duet_destructive_done(s->whole, upper, last) && !duet_context_stop(s->context)) {
        code = step(s, upper, end - duet_subproblems_spent(s), last, error);
        tell(s);
    }
    return code;
}
