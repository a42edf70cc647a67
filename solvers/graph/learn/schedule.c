// SPDX-License-Identifier: Apache-2.0
// Schedules of the learning search; see learn_state.h.
// Method:    starts and types are those of the variables. Where data take time between two
//            processors of a type so are its processors; else each task takes, in the order of the
//            starts, the first one that is idle. Tasks that take no time come first.
// Cost:      O(tasks (tasks + processors)).
// Memory:    none of its own.
// Reference: colouring of interval graphs, folklore.
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "solvers/graph/learn/learn_state.h"

static int64_t end_of(const duet_learn *s, int32_t task)
{
    const duet_placement *place = &s->best.placement[task];
    return place->start + duet_learn_time(s, task, (size_t)place->type);
}

// Tasks by start, then by end.
static void sort_tasks(duet_learn *s)
{
    for (int32_t j = 0; j < s->tasks; j++) {
        int32_t at = j;
        for (; at > 0; at--) {
            int32_t other = s->running[at - 1];
            int64_t start = s->best.placement[other].start;
            int64_t own = s->best.placement[j].start;
            if (start < own || (start == own && end_of(s, other) <= end_of(s, j))) {
                break;
            }
            s->running[at] = other;
        }
        s->running[at] = j;
    }
}

// The first processor on which no task before the place `at` of s->running is at work.
static int32_t find_idle(const duet_learn *s, int32_t at)
{
    const duet_placement *place = &s->best.placement[s->running[at]];
    int32_t processor = 0;
    for (bool busy = true; busy; processor += busy ? 1 : 0) {
        busy = false;
        for (int32_t i = 0; i < at && !busy; i++) {
            const duet_placement *other = &s->best.placement[s->running[i]];
            busy = other->type == place->type && other->processor == processor &&
                   end_of(s, s->running[i]) > place->start;
        }
    }
    DUET_ASSERT(processor < duet_learn_count(s, (size_t)place->type));
    return processor;
}

static int32_t placed_at(const duet_learn *s, int32_t task, size_t type)
{
    int32_t p = s->begin[type];
    while (!duet_learn_holds(&s->engine, duet_learn_yes(duet_learn_at(s, task, p)))) {
        p++;
        DUET_ASSERT(p < s->begin[type + 1]);
    }
    return p - s->begin[type];
}

void duet_learn_keep_schedule(duet_learn *s)
{
    int64_t makespan = 0;
    for (int32_t j = 0; j < s->tasks; j++) {
        size_t type = duet_learn_type(s, j);
        s->best.placement[j] = (duet_placement){duet_learn_earliest(s, j), -1, (int32_t)type};
        makespan = duet_max(end_of(s, j), makespan);
    }
    sort_tasks(s);
    for (int32_t i = 0; i < s->tasks; i++) {
        duet_placement *place = &s->best.placement[s->running[i]];
        size_t type = (size_t)place->type;
        place->processor = s->sizes != NULL                ? 0
                           : duet_learn_is_placed(s, type) ? placed_at(s, s->running[i], type)
                                                           : find_idle(s, i);
    }
    DUET_ASSERT(makespan < s->best.makespan);
    s->best.makespan = makespan;
    s->best.own = true;
    s->engine.work += (int64_t)s->tasks * s->tasks;
}

// --- values --------------------------------------------------------------------------------------

static void set_value(duet_learn *s, duet_learn_literal a, bool holds)
{
    s->value[a.side / 2] = holds == (a.side % 2 == 0);
}

// The processors of a type with the numbers that the rules give them.
static void set_processors(duet_learn *s, size_t type)
{
    int32_t next = 0;
    for (int32_t i = 0; i < s->tasks; i++) {
        int32_t task = s->order[i];
        const duet_placement *place = &s->best.placement[task];
        int32_t number = next;
        for (int32_t k = 0; k < i && place->type == (int32_t)type; k++) {
            const duet_placement *other = &s->best.placement[s->order[k]];
            if (other->type == place->type && other->processor == place->processor) {
                number = s->running[k];
                break;
            }
        }
        s->running[i] = number;
        bool here = place->type == (int32_t)type;
        next += here && number == next ? 1 : 0;
        for (int32_t p = s->begin[type]; p < s->begin[type + 1]; p++) {
            if (duet_learn_at(s, task, p) >= 0) {
                s->value[duet_learn_at(s, task, p)] = here && p - s->begin[type] == number;
            }
        }
    }
}

void duet_learn_set_values(duet_learn *s)
{
    for (int32_t j = 0; j < s->tasks; j++) {
        const duet_placement *place = &s->best.placement[j];
        for (size_t t = 0; t < s->types; t++) {
            set_value(s, duet_learn_on(s, j, t), place->type == (int32_t)t);
        }
        for (int32_t i = 0; i < s->tasks; i++) {
            int32_t order = duet_learn_order(s, j, i);
            if (order >= 0) {
                s->value[order] = end_of(s, j) <= s->best.placement[i].start;
            }
        }
    }
    for (size_t t = 0; t < s->types; t++) {
        if (duet_learn_is_placed(s, t)) {
            set_processors(s, t);
        }
    }
}
