// SPDX-License-Identifier: Apache-2.0
// Sets of tasks that are too large for their type; see learn_state.h.
// Method:    if more tasks of a type than it has processors run at some time of the earliest
//            starts, two of them must be one after the other, on whatever schedule: intervals of
//            which every two meet have a point together (Helly). That is a clause; of its literals
//            the order is supposed that the best schedule has and that delays least.
// Cost:      O(tasks^2) a type.
// Memory:    that of the clauses.
// Reference: minimal critical sets: Laborie, Artificial Intelligence 143, 2003.
#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "solvers/graph/learn/learn_state.h"

static int64_t end_of(const duet_learn *s, int32_t task, size_t type)
{
    return duet_learn_earliest(s, task) + duet_learn_time(s, task, type);
}

// Whether a task is at work at the start of another one, or, if that takes no time, has it within.
static bool is_met(const duet_learn *s, int32_t task, size_t type, int32_t other, size_t of_other)
{
    int64_t at = duet_learn_earliest(s, other);
    int64_t start = duet_learn_earliest(s, task);
    bool begun = duet_learn_time(s, other, of_other) > 0 ? start <= at : start < at;
    return task == other || (begun && end_of(s, task, type) > at);
}

// The tasks that are at work at the start of a task, with that one first and then those that end
// last.
static int32_t list_met(duet_learn *s, int32_t task, size_t type)
{
    int32_t count = 0;
    s->running[count++] = task;
    for (int32_t i = 0; i < s->tasks; i++) {
        if (i == task || !duet_learn_holds(&s->engine, duet_learn_on(s, i, type)) ||
            !is_met(s, i, type, task, type)) {
            continue;
        }
        int32_t at = count++;
        for (; at > 1 && end_of(s, s->running[at - 1], type) < end_of(s, i, type); at--) {
            s->running[at] = s->running[at - 1];
        }
        s->running[at] = i;
    }
    return count;
}

// --- moldable tasks ------------------------------------------------------------------------------

static bool shares_cluster(const duet_learn *s, size_t type, size_t other)
{
    return s->sizes->base[type] == s->sizes->base[other];
}

// How many processors tasks of its cluster take at the start of a task.
static int64_t demand_met(const duet_learn *s, int32_t task, size_t type)
{
    int64_t demand = 0;
    for (int32_t i = 0; i < s->tasks; i++) {
        size_t own = duet_learn_type(s, i);
        if (shares_cluster(s, type, own) && is_met(s, i, own, task, type)) {
            demand += s->sizes->size[own];
        }
    }
    return demand;
}

// These tasks, with that one first and then those that end last.
static int32_t list_wide(duet_learn *s, int32_t task, size_t type)
{
    int32_t count = 0;
    s->running[count++] = task;
    for (int32_t i = 0; i < s->tasks; i++) {
        size_t own = duet_learn_type(s, i);
        if (i == task || !shares_cluster(s, type, own) || !is_met(s, i, own, task, type)) {
            continue;
        }
        int32_t at = count++;
        int64_t end = end_of(s, i, own);
        for (;
             at > 1 && end_of(s, s->running[at - 1], duet_learn_type(s, s->running[at - 1])) < end;
             at--) {
            s->running[at] = s->running[at - 1];
        }
        s->running[at] = i;
    }
    return count;
}

// Leaves tasks out, and takes smaller sizes, as long as they are too many for their cluster.
static int32_t narrow(duet_learn *s, int32_t count, int64_t spare)
{
    int32_t kept = 0;
    for (int32_t a = 0; a < count; a++) {
        size_t type = duet_learn_type(s, s->running[a]);
        if (s->sizes->size[type] <= spare) {
            spare -= s->sizes->size[type];
            continue;
        }
        s->as[kept] = (int32_t)type;
        s->running[kept++] = s->running[a];
    }
    for (int32_t a = 0; a < kept; a++) {
        size_t type = (size_t)s->as[a];
        for (; type > 0 && shares_cluster(s, type, type - 1); type--) {
            int64_t less = s->sizes->size[type] - s->sizes->size[type - 1];
            if (less > spare) {
                break;
            }
            spare -= less;
        }
        s->as[a] = (int32_t)type;
    }
    return kept;
}

// The first task at whose start others of its cluster take too many processors beside it.
static int32_t find_wide_crowd(duet_learn *s)
{
    int32_t first = -1;
    for (int32_t j = 0; j < s->tasks; j++) {
        size_t type = duet_learn_type(s, j);
        bool earlier = first < 0 || duet_learn_earliest(s, j) < duet_learn_earliest(s, first);
        s->engine.work += s->tasks / 4 + 1;
        if (earlier && demand_met(s, j, type) > s->sizes->processors[s->sizes->base[type]]) {
            first = j;
        }
    }
    if (first < 0) {
        return 0;
    }
    size_t type = duet_learn_type(s, first);
    int32_t met = list_wide(s, first, type);
    int64_t room = s->sizes->processors[s->sizes->base[type]];
    int64_t demand = 0;
    int32_t count = 0;
    while (count < met && demand <= room) {
        demand += s->sizes->size[duet_learn_type(s, s->running[count++])];
    }
    return narrow(s, count, demand - room - 1);
}

// --- crowds --------------------------------------------------------------------------------------

int32_t duet_learn_find_crowd(duet_learn *s, size_t *type)
{
    int32_t first = -1;
    *type = 0;
    if (s->sizes != NULL) {
        return find_wide_crowd(s);
    }
    for (size_t t = 0; t < s->types; t++) {
        int32_t processors = duet_learn_count(s, t);
        if (duet_learn_is_placed(s, t) || processors < 2 || processors >= s->tasks) {
            continue;
        }
        for (int32_t j = 0; j < s->tasks; j++) {
            bool earlier = first < 0 || duet_learn_earliest(s, j) < duet_learn_earliest(s, first);
            s->engine.work++;
            if (earlier && duet_learn_holds(&s->engine, duet_learn_on(s, j, t)) &&
                list_met(s, j, t) > processors) {
                first = j;
                *type = t;
            }
        }
    }
    if (first < 0) {
        return 0;
    }
    list_met(s, first, *type);
    for (int32_t a = 0; a <= duet_learn_count(s, *type); a++) {
        s->as[a] = (int32_t)*type;
    }
    return duet_learn_count(s, *type) + 1;
}

// --- clauses -------------------------------------------------------------------------------------

// A literal of the clause.
typedef struct choice {
    duet_learn_literal literal;
    size_t level; // Where it became false; SIZE_MAX: it is open.
} choice;

static void add_choice(duet_learn *s, choice *list, size_t *count, duet_learn_literal a)
{
    bool fails = duet_learn_fails(&s->engine, a);
    size_t level = fails ? duet_learn_level_of(&s->engine, duet_learn_not(a)) : SIZE_MAX;
    DUET_ASSERT(!duet_learn_holds(&s->engine, a));
    if (level > 0) { // else it is false everywhere
        list[(*count)++] = (choice){a, level};
    }
}

// The clause of the set, open literals first, then those that became false last.
static size_t list_choices(duet_learn *s, int32_t tasks, choice *list)
{
    size_t count = 0;
    for (int32_t a = 0; a < tasks; a++) {
        size_t type = (size_t)s->as[a];
        add_choice(s, list, &count, duet_learn_not(duet_learn_wide(s, s->running[a], type)));
        for (int32_t b = 0; b < tasks; b++) {
            int32_t order = duet_learn_order(s, s->running[a], s->running[b]);
            DUET_ASSERT(a == b || order >= 0);
            if (a != b) {
                add_choice(s, list, &count, duet_learn_yes(order));
            }
        }
    }
    for (size_t i = 1; i < count; i++) {
        choice moved = list[i];
        size_t at = i;
        for (; at > 0 && list[at - 1].level < moved.level; at--) {
            list[at] = list[at - 1];
        }
        list[at] = moved;
    }
    s->engine.work += (int64_t)count;
    return count;
}

// Of the open orders one as in the best schedule, if there is any, and of these the one that delays
// least.
static duet_learn_literal choose_order(const duet_learn *s, int32_t tasks)
{
    duet_learn_literal best = {0, -1};
    int64_t least = 0;
    bool kept = false;
    for (int32_t a = 0; a < tasks; a++) {
        for (int32_t b = 0; b < tasks; b++) {
            int32_t i = s->running[a];
            int32_t j = s->running[b];
            if (a == b ||
                !duet_learn_is_open(&s->engine, duet_learn_yes(duet_learn_order(s, i, j)))) {
                continue;
            }
            bool keeps = s->value[duet_learn_order(s, i, j)];
            int64_t delay = s->engine.bound[2 * (size_t)s->end[i]] - duet_learn_earliest(s, j);
            if (best.side < 0 || keeps > kept || (keeps == kept && delay < least)) {
                best = duet_learn_yes(duet_learn_order(s, i, j));
                least = delay;
                kept = keeps;
            }
        }
    }
    return best;
}

static void state_choices(duet_learn *s, const choice *list, size_t count, int32_t tasks,
                          const duet_learn_rule *rule)
{
    duet_learn_engine *e = &s->engine;
    size_t open = 0;
    s->why.count = 0;
    e->conflict.count = 0;
    for (size_t i = 0; i < count; i++) {
        open += list[i].level == SIZE_MAX ? 1 : 0;
        duet_learn_push(e, &s->why, list[i].literal);
        duet_learn_push(e, &e->conflict, duet_learn_not(list[i].literal));
    }
    if (e->no_memory) {
        return;
    }
    if (open == 0) {
        e->conflict_rule = *rule;
        s->is_crowded = true;
        return;
    }
    if (count == 1) {
        duet_learn_backtrack(e, 0);
        duet_learn_know(e, list[0].literal, rule);
        return;
    }
    size_t clause = duet_learn_store(e, s->why.literal, count, DUET_LEARN_GOOD + 1, rule);
    if (e->no_memory) {
        return;
    }
    if (open == 1) {
        duet_learn_backtrack(e, list[1].level);
        duet_learn_put(e, list[0].literal, DUET_LEARN_CLAUSE, clause);
    } else {
        duet_learn_decide(e, choose_order(s, tasks));
    }
}

void duet_learn_divide_crowd(duet_learn *s, int32_t count, size_t type)
{
    duet_error ignored = DUET_ERROR_INIT;
    size_t most = (size_t)count * (size_t)count;
    choice *list = duet_alloc_raw(most, sizeof *list, &ignored);
    s->engine.no_memory = s->engine.no_memory || list == NULL;
    if (!s->engine.no_memory) {
        duet_learn_rule rule = duet_learn_forbid(s, type, s->running, (size_t)count);
        state_choices(s, list, list_choices(s, count, list), count, &rule);
    }
    duet_free(list);
}
