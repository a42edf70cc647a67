// SPDX-License-Identifier: Apache-2.0
// Differences between two variables under conditions; see engine.h.
// Method:    if all conditions of an arc hold the bound of its end follows from that of its
//            beginning; if all but one do and that bound cannot be, the last condition is false.
//            Arcs that raise a side by itself would do so until it is too large: where there are
//            many raises their cycle is looked for, whose conditions cannot hold together.
// Cost:      O(1) an arc, each time that its beginning or a condition changes.
// Memory:    80 bytes an arc.
// Reference: Feydy, Stuckey, "Lazy clause generation reengineered", CP 2009.
#include <string.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "solvers/graph/learn/engine.h"
#include "solvers/graph/learn/tuning.h"

static void add_arc(duet_learn_engine *e, const duet_learn_arc *added)
{
    duet_error ignored = DUET_ERROR_INIT;
    if (e->no_memory || duet_vec_grow(e->arc, e->arcs, &ignored) != DUET_OK) {
        e->no_memory = true;
        return;
    }
    e->arc[e->arcs++] = *added;
}

void duet_learn_add_difference(duet_learn_engine *e, int32_t x, int32_t y, int64_t delta,
                               const duet_learn_literal *condition, size_t conditions,
                               const duet_learn_rule *rule)
{
    duet_learn_arc arc = {.delta = delta, .rule = *rule};
    for (size_t i = 0; i < conditions; i++) {
        if (duet_learn_fails(e, condition[i])) {
            return;
        }
        if (!duet_learn_holds(e, condition[i])) {
            DUET_ASSERT(arc.conditions < DUET_LEARN_CONDITIONS);
            arc.condition[arc.conditions++] = condition[i];
        }
    }
    arc.from = 2 * x;
    arc.to = 2 * y;
    add_arc(e, &arc);
    arc.from = 2 * y + 1;
    arc.to = 2 * x + 1;
    add_arc(e, &arc);
}

// Turns counts into the beginnings of rows.
static size_t begin_rows(size_t *at, int32_t rows)
{
    size_t sum = 0;
    for (int32_t k = 0; k < rows; k++) {
        size_t count = at[k];
        at[k] = sum;
        sum += count;
    }
    at[rows] = sum;
    return sum;
}

// Puts each row's beginning back after it was filled.
static void end_rows(size_t *at, int32_t rows)
{
    memmove(at + 1, at, (size_t)rows * sizeof *at);
    at[0] = 0;
}

duet_code duet_learn_sort_arcs(duet_learn_engine *e, duet_error *error)
{
    for (size_t i = 0; i < e->arcs; i++) {
        e->leave_at[e->arc[i].from]++;
        for (int32_t c = 0; c < e->arc[i].conditions; c++) {
            e->wait_at[e->arc[i].condition[c].side]++;
        }
    }
    size_t waits = begin_rows(e->wait_at, e->sides);
    e->leaving = duet_alloc_raw(begin_rows(e->leave_at, e->sides), sizeof *e->leaving, error);
    e->waiting = duet_alloc_raw(waits, sizeof *e->waiting, error);
    if (e->leaving == NULL || e->waiting == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < e->arcs; i++) {
        e->leaving[e->leave_at[e->arc[i].from]++] = i;
        for (int32_t c = 0; c < e->arc[i].conditions; c++) {
            duet_learn_literal condition = e->arc[i].condition[c];
            e->waiting[e->wait_at[condition.side]++] = (duet_learn_waiting){condition.value, i};
        }
    }
    end_rows(e->leave_at, e->sides);
    end_rows(e->wait_at, e->sides);
    return DUET_OK;
}

// The conflict of arcs that raise a side by itself: their conditions. Whether the arc that is to
// raise its end to a value is the last of such a cycle.
static bool closes_cycle(duet_learn_engine *e, size_t number, int64_t value)
{
    int32_t side = e->arc[number].to;
    e->conflict.count = 0;
    for (size_t steps = 0; steps <= (size_t)e->sides && !e->no_memory; steps++) {
        const duet_learn_arc *arc = &e->arc[number];
        for (int32_t i = 0; i < arc->conditions; i++) {
            duet_learn_push(e, &e->conflict, arc->condition[i]);
        }
        if (arc->from == side) {
            e->explains = false; // no rule of proofs says that
            e->conflict_rule = (duet_learn_rule){.kind = DUET_LEARN_BY_NONE};
            return true;
        }
        value -= arc->delta;
        size_t at = duet_learn_entry_of(e, (duet_learn_literal){value, arc->from});
        if (at == SIZE_MAX || e->trail[at].reason != DUET_LEARN_ARC) {
            return false;
        }
        number = e->trail[at].of;
        e->work++;
    }
    return false;
}

// All conditions hold.
static bool raise(duet_learn_engine *e, size_t number)
{
    const duet_learn_arc *arc = &e->arc[number];
    duet_learn_literal follows = {e->bound[arc->from] + arc->delta, arc->to};
    if (duet_learn_holds(e, follows)) {
        return true;
    }
    if (++e->raises > DUET_LEARN_RAISES && closes_cycle(e, number, follows.value)) {
        return false;
    }
    if (!duet_learn_fails(e, follows)) {
        duet_learn_put(e, follows, DUET_LEARN_ARC, number);
        return true;
    }
    e->conflict.count = 0;
    e->conflict_rule = arc->rule;
    for (int32_t i = 0; i < arc->conditions; i++) {
        duet_learn_push(e, &e->conflict, arc->condition[i]);
    }
    duet_learn_push(e, &e->conflict, duet_learn_not(follows));
    duet_learn_push(e, &e->conflict, (duet_learn_literal){follows.value - arc->delta, arc->from});
    return false;
}

// All conditions but one hold.
static bool exclude(duet_learn_engine *e, size_t number, int32_t open)
{
    const duet_learn_arc *arc = &e->arc[number];
    int64_t from = e->bound[arc->from];
    if (from + arc->delta + e->bound[arc->to ^ 1] < 1) {
        return true;
    }
    e->reasons.count = 0;
    for (int32_t i = 0; i < arc->conditions; i++) {
        if (i != open) {
            duet_learn_push(e, &e->reasons, arc->condition[i]);
        }
    }
    duet_learn_push(e, &e->reasons, (duet_learn_literal){from, arc->from});
    duet_learn_push(e, &e->reasons, (duet_learn_literal){1 - arc->delta - from, arc->to ^ 1});
    return e->no_memory ||
           duet_learn_conclude(e, duet_learn_not(arc->condition[open]), &e->reasons, &arc->rule);
}

bool duet_learn_follow(duet_learn_engine *e, size_t number)
{
    const duet_learn_arc *arc = &e->arc[number];
    int32_t open = -1;
    for (int32_t i = 0; i < arc->conditions; i++) {
        if (!duet_learn_holds(e, arc->condition[i])) {
            if (open >= 0 || duet_learn_fails(e, arc->condition[i])) {
                return true;
            }
            open = i;
        }
    }
    return open < 0 ? raise(e, number) : exclude(e, number, open);
}

// What arcs say where an entry is new.
static bool follow_arcs(duet_learn_engine *e, const duet_learn_entry *entry)
{
    size_t leave_end = e->leave_at[entry->side + 1];
    size_t wait_end = e->wait_at[entry->side + 1];
    e->work += (int64_t)(leave_end - e->leave_at[entry->side]) + 1;
    for (size_t i = e->leave_at[entry->side]; i < leave_end; i++) {
        if (!duet_learn_follow(e, e->leaving[i])) {
            return false;
        }
    }
    for (size_t i = e->wait_at[entry->side]; i < wait_end; i++) {
        const duet_learn_waiting *waits = &e->waiting[i];
        if (waits->threshold <= entry->now && waits->threshold > entry->before &&
            !duet_learn_follow(e, waits->arc)) {
            return false;
        }
    }
    return true;
}

bool duet_learn_propagate(duet_learn_engine *e)
{
    e->raises = 0;
    while (e->next < e->entries && !e->no_memory) {
        const duet_learn_entry entry = e->trail[e->next++];
        if (!duet_learn_propagate_clauses(e, &entry) || !follow_arcs(e, &entry)) {
            return false;
        }
    }
    return true;
}
