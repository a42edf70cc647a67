// SPDX-License-Identifier: Apache-2.0
// All schedules of few tasks around what is given.
//
// Method:    depth-first branch and bound. Tasks are placed in the order of their starts, each as
//            early as it may: every schedule can be shifted to the left into one of these, since
//            what is given stays where it is. Of processors that are alike the first is taken:
//            free at the same time, nothing given on them, and no data there that take time to
//            elsewhere. A state that was seen before is not looked at again. A state ends where a
//            path, or the work that is left, does not fit below the best schedule.
// Guarantee: optimal where it ends.
// Cost:      exponential.
// Memory:    states that were seen, up to a limit.
// Reference: Giffler, Thompson, "Algorithms for solving production-scheduling problems", Operations
//            Research 8(4), 1960, for active schedules.
#include <string.h>

#include "core/number/minmax.h"
#include "core/seen.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "core/system/watch.h"
#include "solvers/fixed/fixed.h"

enum {
    MOST_TASKS = 64,
    MOST_PROCESSORS = 64,
    NODE = 1000,                 // units of work of a node
    MOST_WORDS = 4 * 1024 * 1024 // of the states that are kept
};

typedef struct branch {
    const duet_fixed_model *m;
    duet_carry *carry;
    duet_error *error;
    duet_watch watch;
    int64_t nodes; // visited so far
    int64_t most;  // of these
    duet_code code;
    bool distinct; // processors are told apart from the beginning

    // The state.
    uint64_t placed; // a bit for each task
    int64_t last;    // start
    int64_t end;     // of all tasks so far
    bool used[MOST_PROCESSORS];
    duet_processor_range set[MOST_TASKS][MOST_PROCESSORS];

    // The best schedule.
    int64_t best;
    bool found;
    duet_solution *solution;

    duet_seen seen;
    int64_t *key; // of the state
    size_t key_length;
} branch;

static bool is_placed(const branch *b, int64_t task)
{
    return (b->placed >> task & 1) != 0;
}

static int64_t free_at(const branch *b, size_t processor)
{
    int64_t own = duet_max(b->carry->free_at[processor], b->m->processor[processor].from);
    return duet_max(own, b->last);
}

// --- states --------------------------------------------------------------------------------------

static duet_code add_word(branch *b, int64_t word)
{
    return duet_vec_push(b->key, b->key_length, b->error, word);
}

static bool awaits_successors(const branch *b, int64_t task)
{
    const duet_graph *graph = b->m->rest->instance->graph;
    bool awaits = false;
    for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1] && !awaits; at++) {
        awaits = !is_placed(b, graph->head[graph->leaving[at]]);
    }
    return awaits;
}

// When processors are free, and when predecessors of others end, where what lies before the last
// start counts as that; those that are alike by their times alone.
static duet_code make_key(branch *b)
{
    const duet_fixed_model *m = b->m;
    b->key_length = 0;
    DUET_TRY(add_word(b, (int64_t)b->placed));
    DUET_TRY(add_word(b, duet_max(b->end, b->last)));
    for (size_t t = 0; t < m->whole->types; t++) {
        size_t begin = b->key_length;
        for (size_t p = m->first[t]; p < m->first[t + 1]; p++) {
            int64_t own = free_at(b, p);
            DUET_TRY(add_word(b, own));
            size_t to = b->key_length - 1;
            for (; !b->distinct && to > begin && b->key[to - 1] > own; to--) {
                b->key[to] = b->key[to - 1];
            }
            b->key[to] = own;
        }
    }
    DUET_TRY(add_word(b, b->distinct ? b->last : 0));
    for (int64_t i = 0; m->rest->instance->graph != NULL && i < m->tasks; i++) {
        if (!is_placed(b, i) || !awaits_successors(b, i)) {
            continue;
        }
        const duet_fixed_place *place = &b->carry->place[m->rest->task[i]];
        DUET_TRY(add_word(b, m->costs ? place->end : duet_max(place->end, b->last)));
        for (size_t r = 0; m->costs && r < place->set.count; r++) {
            const duet_processor_range *range = &place->set.range[r];
            DUET_TRY(add_word(b, (int64_t)range->type << 32 | range->first));
            DUET_TRY(add_word(b, range->last));
        }
        DUET_TRY(add_word(b, -1));
    }
    return DUET_OK;
}

// Whether the state was seen before; else it is kept as long as there is room.
static duet_code look_up(branch *b, bool *seen)
{
    *seen = false;
    DUET_TRY(make_key(b));
    return duet_seen_add(&b->seen, b->key, b->key_length, seen, b->error);
}

// --- bounds --------------------------------------------------------------------------------------

// Whether the start of a task is given, and it cannot start so early any more.
static bool is_late(const branch *b, int32_t task, int64_t earliest)
{
    const duet_pin *pin = duet_pin_of(b->m->whole, (size_t)b->m->kind[task]);
    return pin != NULL && pin->start != DUET_FORBIDDEN && pin->start < earliest;
}

// The first instant at which a processor is free.
static int64_t first_free(const branch *b)
{
    int64_t first = DUET_FORBIDDEN;
    for (size_t p = 0; p < b->m->processors; p++) {
        first = duet_min(free_at(b, p), first);
    }
    return duet_max(first, b->last);
}

// Whether no schedule from here is shorter than the best, by a path or by the least work, or keeps
// the starts that are given.
static bool is_hopeless(const branch *b)
{
    const duet_fixed_model *m = b->m;
    const duet_graph *graph = m->graph;
    int64_t earliest[MOST_TASKS];
    duet_int128 work = 0;
    const int64_t from = first_free(b);
    for (int64_t i = 0; i < m->tasks; i++) {
        int32_t task = m->order[i];
        if (is_placed(b, task)) {
            continue;
        }
        int64_t start = duet_max(m->release[task], from);
        int64_t j = m->rest->task[task];
        for (int64_t at = graph == NULL ? 0 : graph->enter_at[j];
             graph != NULL && at < graph->enter_at[j + 1]; at++) {
            int32_t before = graph->tail[graph->entering[at]];
            int64_t number = m->number[before];
            int64_t end = number < 0 || is_placed(b, number)
                              ? b->carry->place[before].end
                              : earliest[number] + m->shortest[number];
            start = duet_max(end, start);
        }
        earliest[task] = start;
        work += m->shortest[task]; // an area is at least a time on one processor or more
        if (is_late(b, task, start) || start + m->shortest[task] + m->tail[task] >= b->best) {
            return true;
        }
    }
    duet_int128 room = 0;
    for (size_t p = 0; p < m->processors; p++) {
        int64_t left = b->best - 1 - free_at(b, p);
        room += duet_max(left, 0);
    }
    return work > room;
}

// --- branches ------------------------------------------------------------------------------------

static void extend(branch *b);

static void keep_best(branch *b)
{
    b->best = duet_max(b->end, b->m->rest->end);
    b->found = true;
    b->code = duet_carry_write(b->carry, b->solution, b->error);
    b->solution->makespan = b->best;
}

// Puts a task on a set, extends the schedule and takes the task back.
static void try_set(branch *b, int64_t task, duet_processor_set set)
{
    const duet_fixed_model *m = b->m;
    int64_t start = duet_carry_earliest(b->carry, task, set, b->last);
    if (start == DUET_FORBIDDEN ||
        start + duet_carry_time(b->carry, task, set) + m->tail[task] >= b->best) {
        return;
    }
    int64_t free_before[MOST_PROCESSORS];
    bool used_before[MOST_PROCESSORS];
    memcpy(free_before, b->carry->free_at, m->processors * sizeof *free_before);
    memcpy(used_before, b->used, m->processors * sizeof *used_before);
    int64_t last = b->last;
    int64_t end = b->end;
    duet_carry_put(b->carry, task, set, start);
    for (size_t r = 0; r < set.count; r++) {
        for (int64_t n = set.range[r].first; n <= set.range[r].last; n++) {
            b->used[duet_fixed_find(m, (size_t)set.range[r].type, n)] = true;
        }
    }
    b->placed |= UINT64_C(1) << task;
    b->last = start;
    b->end = duet_max(b->carry->place[m->rest->task[task]].end, end);
    extend(b);
    b->placed &= ~(UINT64_C(1) << task);
    b->last = last;
    b->end = end;
    memcpy(b->carry->free_at, free_before, m->processors * sizeof *free_before);
    memcpy(b->used, used_before, m->processors * sizeof *used_before);
}

// Whether two processors of a type cannot be told apart from here on.
static bool are_alike(const branch *b, size_t p, size_t q)
{
    const duet_fixed_processor *a = &b->m->processor[p];
    const duet_fixed_processor *c = &b->m->processor[q];
    return a->type == c->type && !a->special && !c->special && free_at(b, p) == free_at(b, q) &&
           (!b->m->costs || (!b->used[p] && !b->used[q]));
}

typedef struct subset {
    int64_t task;
    int64_t size; // wanted
    size_t end;   // of the processors that it may have
    int32_t chosen[MOST_PROCESSORS];
    int64_t count;
    bool left_out[MOST_PROCESSORS];
} subset;

static void try_chosen(branch *b, const subset *s)
{
    duet_processor_range *range = b->set[s->task];
    size_t count = 0;
    for (int64_t i = 0; i < s->count; i++) {
        const duet_fixed_processor *p = &b->m->processor[s->chosen[i]];
        if (count > 0 && range[count - 1].type == p->type &&
            range[count - 1].last + 1 == p->number) {
            range[count - 1].last = p->number;
        } else {
            range[count++] = (duet_processor_range){p->type, p->number, p->number};
        }
    }
    try_set(b, s->task, (duet_processor_set){range, count});
}

// Each subset of the size, of those that are alike one.
static void choose(branch *b, subset *s, size_t from)
{
    if (s->count == s->size) {
        try_chosen(b, s);
        return;
    }
    for (size_t p = from; p < s->end && b->code == DUET_OK; p++) {
        bool skips = false;
        for (size_t q = from; q < p && !skips; q++) {
            skips = are_alike(b, p, q);
        }
        if (!skips) {
            s->chosen[s->count++] = (int32_t)p;
            choose(b, s, p + 1);
            s->count--;
        }
    }
}

static void try_type(branch *b, int64_t task, size_t type)
{
    const duet_fixed_model *m = b->m;
    size_t kind = (size_t)m->kind[task];
    int64_t sizes = duet_moldable_sizes(m->whole, kind, type);
    int64_t count = (int64_t)(m->first[type + 1] - m->first[type]);
    for (int64_t q = 1; q <= sizes && q <= count; q++) {
        if (duet_moldable_time(m->whole, kind, type, q) != DUET_FORBIDDEN) {
            subset s = {.task = task, .size = q, .end = m->first[type + 1]};
            choose(b, &s, m->first[type]);
        }
    }
}

static void try_task(branch *b, int64_t task)
{
    const duet_fixed_model *m = b->m;
    size_t kind = (size_t)m->kind[task];
    const duet_pin *pin = duet_pin_of(m->whole, kind);
    if (pin != NULL && pin->set_count > 0) {
        try_set(b, task, duet_pin_set(m->whole, pin));
        return;
    }
    for (size_t q = 1; m->whole->mixed_sets && q <= m->processors; q++) {
        subset s = {.task = task, .size = (int64_t)q, .end = m->processors};
        choose(b, &s, 0);
    }
    for (size_t t = 0; !m->whole->mixed_sets && t < m->whole->types; t++) {
        if (duet_allowed(m->whole, kind, t)) {
            try_type(b, task, t);
        }
    }
}

static bool is_ready(const branch *b, int64_t task)
{
    const duet_graph *graph = b->m->rest->instance->graph;
    bool ready = !is_placed(b, task);
    for (int64_t at = graph == NULL ? 0 : graph->enter_at[task];
         graph != NULL && ready && at < graph->enter_at[task + 1]; at++) {
        ready = is_placed(b, graph->tail[graph->entering[at]]);
    }
    return ready;
}

// Tasks of one kind without edges are alike: the first one goes first.
static bool has_twin_before(const branch *b, int64_t task)
{
    const duet_fixed_model *m = b->m;
    return m->graph == NULL && task > 0 && m->kind[task - 1] == m->kind[task] &&
           !is_placed(b, task - 1);
}

static void extend(branch *b)
{
    const duet_fixed_model *m = b->m;
    uint64_t all = m->tasks == MOST_TASKS ? UINT64_MAX : (UINT64_C(1) << m->tasks) - 1;
    bool seen = false;
    if (b->code != DUET_OK || ++b->nodes > b->most ||
        duet_watch_spend(&b->watch, NODE * m->tasks)) {
        return;
    }
    if (b->placed == all) {
        keep_best(b);
        return;
    }
    if (is_hopeless(b)) {
        return;
    }
    b->code = look_up(b, &seen);
    for (int64_t i = 0; i < m->tasks && !seen && b->code == DUET_OK; i++) {
        if (is_ready(b, i) && !has_twin_before(b, i)) {
            try_task(b, i);
        }
    }
}

// Processors that hold data which take time to elsewhere are told apart.
static void mark_used(branch *b)
{
    const duet_fixed_model *m = b->m;
    for (int64_t i = 0; m->costs && i < m->tasks; i++) {
        int64_t j = m->rest->task[i];
        for (int64_t at = m->graph->enter_at[j]; at < m->graph->enter_at[j + 1]; at++) {
            int64_t before = m->graph->tail[m->graph->entering[at]];
            duet_processor_set set = b->carry->place[before].set;
            for (size_t r = 0; m->number[before] < 0 && r < set.count; r++) {
                for (int64_t n = set.range[r].first; n <= set.range[r].last; n++) {
                    size_t p = duet_fixed_find(m, (size_t)set.range[r].type, n);
                    if (p != SIZE_MAX) {
                        b->used[p] = true;
                    }
                }
            }
        }
    }
}

duet_code duet_fixed_branch(const duet_fixed_model *model, duet_carry *carry,
                            const duet_context *context, int64_t most, duet_solution *solution,
                            bool *found, bool *proven, duet_error *error)
{
    *proven = false;
    if (model->tasks > MOST_TASKS || model->processors > MOST_PROCESSORS) {
        return DUET_OK;
    }
    branch *b = duet_alloc(1, sizeof *b, error);
    DUET_NEED(b);
    *b = (branch){.m = model,
                  .carry = carry,
                  .error = error,
                  .watch = {.context = context},
                  .most = most,
                  .seen = {.most = MOST_WORDS},
                  .best = *found ? solution->makespan : DUET_FORBIDDEN,
                  .distinct = model->costs,
                  .solution = solution};
    for (size_t p = 0; p < model->processors; p++) {
        carry->free_at[p] = 0;
        b->distinct = b->distinct || model->processor[p].special;
    }
    mark_used(b);
    if (!*found || solution->makespan > model->rest->end) {
        extend(b);
    }
    duet_code code = b->code;
    *proven = code == DUET_OK && !b->watch.stopped && b->nodes <= most;
    *found = *found || b->found;
    duet_seen_free(&b->seen);
    duet_free(b->key);
    duet_free(b);
    return code;
}
