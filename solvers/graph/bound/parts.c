// SPDX-License-Identifier: Apache-2.0
// Raising the lower bound of a task graph part by part.
// Method:    a task starts after all that is before it. So in topological order, for each task, the
//            last of these, each from the start that is known of it, make a small problem, whose
//            bound (part.h) is a start of the task; against the order likewise for tails. What the
//            whole graph's bound (raise.h) is told so it need not find again by branching on
//            hundreds of tasks at once. Passes take more tasks and more work each. Where tasks cut
//            the graph into stages (stages.h), these are the parts of the first passes.
// Guarantee: a part is a line of the proof, with the proof of its own bound.
// Cost:      200,000 operations a task and side in the first pass, four times as many in each that
//            follows; in all no more than the whole graph's bound takes. Stages may take 200
//            million before that, and four times as many for each part in every pass.
// Memory:    that of the whole graph's bound twice, that of a graph of up to 128 tasks, and the
//            proof.
// Reference: Carlier, Pinson, "An algorithm for solving the job-shop problem", Management Science
//            35(2), 1989 (heads and tails from subproblems).
#include "solvers/graph/bound/parts.h"

#include <stdlib.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "solvers/graph/bound/part.h"
#include "solvers/graph/bound/stages.h"
#include "solvers/graph/bound/ways.h"
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

const duet_parts_plan duet_parts_usual = {
    .least = 65, .most = 2000, .least_size = 4, .size = 32, .work = 200000};

typedef struct ranked {
    int64_t key;
    int32_t task;
} ranked;

struct duet_parts {
    // Inputs; borrowed:
    const duet_instance *instance;
    const duet_parts_plan *plan;
    const duet_context *context;
    bool staged;       // tasks cut the graph into parts
    bool stages_first; // these are looked at, and nothing else, before all else
    // The whole graph:
    duet_raise *whole;
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
    // When that was tried last: work on the parts, work on the whole graph, and its bound.
    int64_t tried_spent, tried_whole, tried_lower;
    // The part under way:
    bool open;
    bool is_stage;
    duet_part part;
    ranked *rank;
    int32_t *member;
    int32_t *mark, stamp; // for stages
};

static duet_code find_stages(duet_parts *parts, duet_error *error)
{
    const duet_graph *graph = parts->instance->graph;
    int32_t *order = duet_graph_order(graph, error);
    if (order == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = duet_stages_exist(graph, order, &parts->staged, error);
    parts->stages_first = parts->staged;
    duet_free(order);
    return code;
}

duet_code duet_parts_create(const duet_instance *instance, const duet_parts_plan *plan,
                            const duet_context *context, int64_t lower, duet_parts **out,
                            duet_error *error)
{
    duet_parts *parts = duet_alloc(1, sizeof *parts, error);
    *out = NULL;
    if (parts == NULL) {
        return DUET_E_MEMORY;
    }
    int64_t tasks = duet_tasks(instance);
    parts->instance = instance;
    parts->plan = plan;
    parts->context = context;
    bool fit = instance->graph != NULL && tasks <= plan->most;
    duet_code code = fit ? find_stages(parts, error) : DUET_OK;
    parts->ended = !fit || (tasks < plan->least && !parts->staged);
    if (code == DUET_OK) {
        code = duet_raise_create(instance, context, lower, &parts->whole, error);
    }
    if (code != DUET_OK) {
        duet_parts_free(parts);
        return code;
    }
    *out = parts;
    return DUET_OK;
}

void duet_parts_free(duet_parts *parts)
{
    if (parts != NULL) {
        duet_part_free(&parts->part);
        duet_energy_free(&parts->energy);
        duet_windows_free(&parts->known);
        duet_network_free(&parts->network);
        duet_raise_free(parts->whole);
        duet_free(parts->start);
        duet_free(parts->tail);
        duet_free(parts->rank);
        duet_free(parts->member);
        duet_free(parts->mark);
        duet_free(parts);
    }
}

const duet_raise *duet_parts_whole(const duet_parts *parts)
{
    return parts->whole;
}

int64_t duet_parts_spent(const duet_parts *parts)
{
    return duet_raise_spent(parts->whole) + parts->spent;
}

// Whether anything has become known since the last time.
static bool copy_known(duet_parts *parts)
{
    bool more = false;
    for (int64_t j = 0; j < parts->known.tasks; j++) {
        const duet_window *window = &parts->known.window[j];
        more = more || window->start > parts->start[j] || window->tail > parts->tail[j];
        parts->start[j] = window->start;
        parts->tail[j] = window->tail;
    }
    return more;
}

// Hands what is known to the whole graph, unless lines are missing that prove it.
static void hand_over(duet_parts *parts)
{
    if (parts->known.proof.lost || parts->known.no_memory) {
        return;
    }
    if (copy_known(parts)) {
        duet_raise_again(parts->whole);
    }
    parts->waits = true;
}

// What follows for the whole graph before the first pass.
static void reason(duet_parts *parts)
{
    duet_windows *known = &parts->known;
    int64_t before = known->work;
    for (int i = 0; i < ROUNDS && !known->refuted && duet_energy_delay(&parts->energy); i++) {
        duet_windows_propagate(known);
    }
    parts->spent += known->work - before;
}

static duet_code begin(duet_parts *parts, int64_t upper, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(parts->instance);
    parts->begun = parts->ended = true; // where it fails, there are no parts
    parts->before = true;
    parts->size = parts->plan->size;
    parts->work = parts->plan->work;
    parts->stage_work = parts->plan->work;
    parts->tried_whole = duet_raise_spent(parts->whole);
    parts->tried_lower = duet_raise_lower(parts->whole);
    parts->start = duet_alloc(tasks, sizeof *parts->start, error);
    parts->tail = duet_alloc(tasks, sizeof *parts->tail, error);
    parts->rank = duet_alloc_raw(tasks, sizeof *parts->rank, error);
    parts->member = duet_alloc_raw(tasks, sizeof *parts->member, error);
    parts->mark = duet_alloc(tasks, sizeof *parts->mark, error);
    if (parts->start == NULL || parts->tail == NULL || parts->rank == NULL ||
        parts->member == NULL || parts->mark == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = duet_network_create(parts->instance, &parts->network, error);
    if (code == DUET_OK) {
        code = duet_windows_create(&parts->known, &parts->network, parts->context, error);
    }
    if (code == DUET_OK) {
        code = duet_energy_create(&parts->energy, &parts->known, parts->context, error);
    }
    if (code == DUET_OK) {
        duet_windows_reset(&parts->known, upper - 1);
        parts->spent += parts->known.work;
        reason(parts);
        copy_known(parts);
        duet_given given = {parts->start, parts->tail, false};
        duet_raise_give(parts->whole, &given, &parts->known.proof);
        parts->ended = parts->energy.before.task == NULL;
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
static bool is_cut(const duet_parts *parts, int32_t task)
{
    const int64_t *before = parts->energy.before.at + task;
    const int64_t *after = parts->energy.after.at + task;
    return before[1] - before[0] + after[1] - after[0] == parts->known.tasks - 1;
}

// How many of the tasks before `task`, or behind it, of which `member` has the nearest first, are a
// stage; 0: there is none.
static int64_t find_stage(duet_parts *parts, int32_t task, const duet_reachable *all, int64_t count)
{
    int64_t most = parts->stages_first ? MOST_SIZE : parts->size;
    int64_t stage = duet_stages_nearest(all, parts->member, count, most, parts->mark, &parts->stamp,
                                        &parts->spent);
    bool first = stage == 0 && count <= most && is_cut(parts, task);
    return first ? count : stage;
}

// The tasks before `task`, or behind it, that are nearest to it: how many. Of these a stage is
// enough.
static int64_t choose(duet_parts *parts, int32_t task)
{
    const duet_reachable *all = parts->before ? &parts->energy.before : &parts->energy.after;
    int64_t count = all->at[task + 1] - all->at[task];
    for (int64_t i = 0; i < count; i++) {
        int32_t member = all->task[all->at[task] + i];
        const duet_window *window = &parts->known.window[member];
        parts->rank[i] = (ranked){parts->before ? window->start : window->tail, member};
    }
    qsort(parts->rank, (size_t)count, sizeof *parts->rank, compare_ranked);
    for (int64_t i = 0; i < count; i++) {
        parts->member[i] = parts->rank[i].task;
    }
    int64_t stage = parts->staged ? find_stage(parts, task, all, count) : 0;
    parts->is_stage = stage > 0;
    if (parts->is_stage || parts->stages_first) {
        count = stage;
    } else if (count > parts->size) {
        count = parts->size;
    }
    qsort(parts->member, (size_t)count, sizeof *parts->member, compare_tasks);
    parts->spent += MEMBER_WORK * (all->at[task + 1] - all->at[task]);
    return count;
}

// Whether a part may say more of a task than its one neighbour does.
static bool is_worth(const duet_parts *parts, int32_t task)
{
    const duet_graph *graph = parts->network.graph;
    const int64_t *at = parts->before ? graph->enter_at : graph->leave_at;
    return at[task + 1] - at[task] > 1;
}

// The next side, or the next pass. What stages show from one side is all that there is to show.
static void next_side(duet_parts *parts)
{
    parts->next = 0;
    parts->before = parts->stages_first || !parts->before;
    if (parts->before) { // the pass has ended
        parts->passes++;
        parts->stage_work *= WORK_FACTOR;
    }
    if (parts->stages_first) {
        parts->looks = true;
        parts->stages_first = parts->passes < STAGE_PASSES && parts->spent < STAGE_WORK;
        return;
    }
    hand_over(parts);
    if (parts->before) {
        parts->ended = parts->size >= MOST_SIZE || parts->size >= parts->known.tasks;
        parts->size += parts->size / 2;
        parts->work *= WORK_FACTOR;
    }
}

static void next_task(duet_parts *parts)
{
    parts->next++;
    if (parts->next >= parts->known.tasks || (parts->stages_first && parts->spent >= STAGE_WORK)) {
        next_side(parts);
    }
}

static duet_code open_part(duet_parts *parts, duet_error *error)
{
    int64_t place = parts->before ? parts->next : parts->known.tasks - 1 - parts->next;
    int32_t task = parts->network.order[place];
    const duet_window *window = &parts->known.window[task];
    int64_t count = is_worth(parts, task) ? choose(parts, task) : 0;
    if (count < (parts->is_stage ? 2 : parts->plan->least_size)) { // stages are dealt with alone
        next_task(parts);
        return DUET_OK;
    }
    duet_part_choice choice = {task, parts->before, parts->member, count};
    int64_t lower = parts->before ? window->start : window->tail;
    parts->open = true;
    duet_code code =
        duet_part_create(&parts->part, &parts->known, &choice, lower, parts->context, error);
    parts->spent += parts->part.spent + CREATE_WORK * count;
    return code;
}

// Judges the first side by the tasks that it has looked at: if all starts rise as theirs did, is
// the longest way through the graph above its bound?
static void judge_side(duet_parts *parts)
{
    const duet_windows *known = &parts->known;
    double before = 0;
    double now = 0;
    double longest = 0;
    int64_t reached = 0;
    for (int64_t j = 0; j < known->tasks; j++) {
        double way =
            (double)parts->start[j] + (double)known->window[j].shortest + (double)parts->tail[j];
        longest = duet_max(way, longest);
    }
    for (int64_t i = 0; i <= parts->next; i++) {
        int32_t j = parts->network.order[i];
        if ((double)parts->start[j] >= longest / PROBED / 2) {
            before += (double)parts->start[j];
            now += (double)known->window[j].start;
        }
        reached = duet_max(parts->start[j], reached);
    }
    if ((double)reached >= longest / PROBED) {
        bool alike = duet_ways_are_alike(known->tasks, (int64_t)parts->instance->kinds);
        parts->judged = true;
        parts->promises = now * longest > before * (double)duet_raise_lower(parts->whole);
        parts->ended = alike && !parts->promises;
    }
}

// What a part has shown holds of the whole graph.
static void take_result(duet_parts *parts)
{
    const duet_part *part = &parts->part;
    duet_windows *known = &parts->known;
    int64_t before = known->work;
    if (!duet_raise_proven(part->raise) || !duet_part_write(part, &known->proof)) {
        return;
    }
    int64_t lower = duet_raise_lower(part->raise);
    if (parts->before) {
        duet_windows_raise_start(known, part->choice.task, lower);
    } else {
        duet_windows_raise_tail(known, part->choice.task, lower);
    }
    duet_windows_propagate(known);
    parts->spent += known->work - before;
}

static duet_code work_on_part(duet_parts *parts, int64_t work, duet_error *error)
{
    if (!parts->open) {
        return open_part(parts, error);
    }
    duet_part *part = &parts->part;
    int64_t before = part->spent;
    int64_t most = parts->is_stage ? parts->stage_work : parts->work;
    int64_t left = most - before;
    duet_code code = duet_part_work(part, duet_min(left, work), error);
    parts->spent += part->spent - before;
    if (code == DUET_OK && (part->spent >= most || duet_part_done(part))) {
        take_result(parts);
        duet_part_free(part);
        parts->open = false;
        if (!parts->judged && parts->before && !parts->stages_first) {
            judge_side(parts);
        }
        next_task(parts);
    }
    return code;
}

// Whether the whole graph has done what comes before parts.
static bool has_prepared(const duet_parts *parts, int64_t upper)
{
    bool few = duet_tasks(parts->instance) <= PROGRAM_TASKS && !parts->staged;
    return parts->stages_first ||
           duet_raise_done(parts->whole, upper, few ? DUET_RAISE_PROGRAM : DUET_RAISE_PROPAGATION);
}

// Whether the next work is on a part.
static bool is_turn_of_parts(const duet_parts *parts, int64_t upper, duet_raise_stage last)
{
    return !parts->ended && !parts->waits && last >= DUET_RAISE_BRANCHING &&
           has_prepared(parts, upper) && !duet_raise_done(parts->whole, upper, last) &&
           (parts->stages_first ||
            parts->spent <
                duet_raise_spent(parts->whole) / (parts->judged && !parts->promises ? DOUBTED : 1));
}

// Whether the parts have raised the bound as fast as the work on the whole graph beside them.
static bool pays(const duet_parts *parts, int64_t gained)
{
    int64_t other = duet_raise_caught_up_at(parts->whole) - parts->tried_lower;
    int64_t work = parts->spent - parts->tried_spent;
    int64_t other_work = duet_raise_spent(parts->whole) - parts->tried_whole;
    return (double)gained * (double)other_work >= (double)other * (double)work;
}

// After the whole graph has tried what a side has shown: a pass in vain is the last.
static void judge_pass(duet_parts *parts)
{
    int64_t lower = duet_raise_lower(parts->whole);
    int64_t gained = lower - duet_raise_caught_up_at(parts->whole);
    parts->waits = false;
    parts->gained = parts->gained || gained > 0;
    parts->promises = pays(parts, gained);
    parts->tried_spent = parts->spent;
    parts->tried_whole = duet_raise_spent(parts->whole);
    parts->tried_lower = lower;
    if (parts->before) {
        parts->ended = parts->ended || !parts->gained;
        parts->gained = false;
    }
}

// Whether nothing more comes of parts: the guess is refuted, or there is no room for a proof.
static bool is_over(const duet_parts *parts)
{
    return parts->known.refuted || parts->known.no_memory || parts->known.proof.lost;
}

// Tries the guess that the longest way through the graph refutes.
static duet_code try_longest(duet_parts *parts, int64_t upper, duet_error *error)
{
    int64_t longest = 0;
    parts->looks = false;
    if (is_over(parts)) {
        return DUET_OK;
    }
    copy_known(parts);
    for (int64_t j = 0; j < parts->known.tasks; j++) {
        const duet_window *window = &parts->known.window[j];
        int64_t way = window->start + window->shortest + window->tail;
        longest = duet_max(way, longest);
    }
    return duet_raise_try(parts->whole, longest < upper ? longest - 1 : upper - 1, error);
}

static duet_code step(duet_parts *parts, int64_t upper, int64_t work, duet_raise_stage last,
                      duet_error *error)
{
    if (parts->looks) {
        return try_longest(parts, upper, error);
    }
    if (parts->waits && !duet_raise_is_behind(parts->whole)) {
        judge_pass(parts);
    }
    if (!is_turn_of_parts(parts, upper, last)) {
        bool first = !parts->ended && !has_prepared(parts, upper);
        duet_raise_stage stage = first && last > DUET_RAISE_PROGRAM ? DUET_RAISE_PROGRAM : last;
        return duet_raise_work(parts->whole, upper, work, stage, error);
    }
    if (!parts->begun) {
        return begin(parts, upper, error);
    }
    if (!is_over(parts)) {
        return work_on_part(parts, work, error);
    }
    hand_over(parts);
    parts->ended = true;
    return DUET_OK;
}

duet_code duet_parts_work(duet_parts *parts, int64_t upper, int64_t work, duet_raise_stage last,
                          duet_error *error)
{
    int64_t end = duet_parts_spent(parts) + work;
    duet_code code = DUET_OK;
    DUET_ASSERT(!parts->begun || parts->ended || upper - 1 <= parts->known.guess);
    while (code == DUET_OK && duet_parts_spent(parts) < end &&
           !duet_raise_done(parts->whole, upper, last) && !duet_context_stop(parts->context)) {
        code = step(parts, upper, end - duet_parts_spent(parts), last, error);
    }
    return code;
}
