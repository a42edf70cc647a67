// SPDX-License-Identifier: Apache-2.0
// The nogood that a conflict leaves; see engine.h.
// Method:    the literals of the conflict are replaced by what they follow from, from the last one
//            back, until one of the last level is left: the first unique implication point. Of a
//            side the strongest literal counts. A literal that follows from others goes.
// Cost:      O(explanations of the last level).
// Memory:    a few words a side.
// Reference: Marques-Silva, Sakallah, "GRASP", IEEE Trans. Computers 48(5), 1999; minimising:
//            Sorensson, Biere, SAT 2009.
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "solvers/graph/learn/engine.h"
#include "solvers/graph/learn/tuning.h"

static void bump(duet_learn_engine *e, int32_t side)
{
    e->activity[side / 2] += e->bump;
}

static void raise_bump(duet_learn_engine *e)
{
    e->bump += e->bump / DUET_LEARN_BUMP_GROWTH;
    if (e->bump >> DUET_LEARN_BUMP_BITS != 0) {
        e->bump >>= DUET_LEARN_BUMP_SHIFT;
        for (int32_t i = 0; i < e->sides / 2; i++) {
            e->activity[i] >>= DUET_LEARN_BUMP_SHIFT;
        }
    }
}

// Notes that an entry was replaced by its reasons.
static void note_step(duet_learn_engine *e, size_t at, int64_t value)
{
    const duet_learn_entry *entry = &e->trail[at];
    int64_t reached = entry->reason == DUET_LEARN_ARC ? value : entry->now;
    duet_learn_step step = {*duet_learn_rule_of(e, entry), {reached, entry->side}, at};
    duet_learn_add_step(e, &e->steps, &step);
}

static int by_entry(const void *left, const void *right)
{
    const duet_learn_step *a = left;
    const duet_learn_step *b = right;
    return (a->at > b->at) - (a->at < b->at);
}

// Why a side has reached a value by an entry.
static void explain(duet_learn_engine *e, const duet_learn_entry *entry, int64_t value)
{
    duet_learn_list *out = &e->reasons;
    out->count = 0;
    if (entry->reason == DUET_LEARN_CLAUSE) {
        duet_learn_clause *clause = &e->clause[entry->of];
        clause->used = e->conflicts;
        for (int32_t i = 0; i < clause->count; i++) {
            duet_learn_literal a = e->literals.literal[clause->at + (size_t)i];
            if (a.side != entry->side || a.value != entry->now) {
                duet_learn_push(e, out, duet_learn_not(a));
            }
        }
    } else if (entry->reason == DUET_LEARN_ARC) {
        const duet_learn_arc *arc = &e->arc[entry->of];
        for (int32_t i = 0; i < arc->conditions; i++) {
            duet_learn_push(e, out, arc->condition[i]);
        }
        duet_learn_push(e, out, (duet_learn_literal){value - arc->delta, arc->from});
    } else if (entry->reason == DUET_LEARN_STATED) {
        for (int32_t i = 0; i < entry->stated; i++) {
            duet_learn_push(e, out, e->stated.literal[entry->of + (size_t)i]);
        }
    }
    e->work += (int64_t)out->count;
}

// Needs a literal that holds. Whether it is the first need of its side on the last level, which
// begins at `start`.
static bool need(duet_learn_engine *e, duet_learn_literal a, size_t start)
{
    size_t at = duet_learn_entry_of(e, a);
    if (at == SIZE_MAX || e->trail[at].level == 0) {
        return false;
    }
    bump(e, a.side);
    int64_t *needed = &e->needed[a.side];
    bool counted = *needed != INT64_MIN && e->needed_at[a.side] >= start;
    if (*needed == INT64_MIN) {
        e->touched[e->touched_count++] = a.side;
    }
    if (a.value > *needed) {
        *needed = a.value;
        e->needed_at[a.side] = at;
    }
    return !counted && e->needed_at[a.side] >= start;
}

// A side that was replaced and is needed again must not be listed twice.
static void drop_touched(duet_learn_engine *e, int32_t side)
{
    size_t i = e->touched_count;
    while (e->touched[i - 1] != side) {
        i--;
    }
    e->touched[i - 1] = e->touched[--e->touched_count];
    e->needed[side] = INT64_MIN;
}

// Goes back from the last entry to the first unique implication point.
static duet_learn_literal find_point(duet_learn_engine *e)
{
    size_t start = e->level_at[e->levels - 1];
    size_t count = 0;
    for (size_t i = 0; i < e->conflict.count; i++) {
        count += need(e, e->conflict.literal[i], start) ? 1 : 0;
    }
    for (size_t at = e->entries; !e->no_memory;) {
        const duet_learn_entry *entry = &e->trail[--at];
        int64_t value = e->needed[entry->side];
        if (value == INT64_MIN || e->needed_at[entry->side] != at) {
            continue;
        }
        if (count == 1) {
            return (duet_learn_literal){value, entry->side};
        }
        drop_touched(e, entry->side);
        count--;
        note_step(e, at, value);
        explain(e, entry, value);
        for (size_t i = 0; i < e->reasons.count; i++) {
            count += need(e, e->reasons.literal[i], start) ? 1 : 0;
        }
    }
    return (duet_learn_literal){0, 0};
}

// Whether a needed literal follows from other needed ones, or from what holds everywhere.
static bool is_redundant(duet_learn_engine *e, int32_t side, int32_t point)
{
    const duet_learn_entry *entry = &e->trail[e->needed_at[side]];
    if (entry->reason == DUET_LEARN_DECISION) {
        return false;
    }
    explain(e, entry, e->needed[side]);
    for (size_t i = 0; i < e->reasons.count; i++) {
        duet_learn_literal a = e->reasons.literal[i];
        size_t at = duet_learn_entry_of(e, a);
        bool given = at == SIZE_MAX || e->trail[at].level == 0;
        bool other = e->needed[a.side] >= a.value && a.side != point &&
                     e->needed_at[a.side] < e->needed_at[side];
        if (!given && !other) {
            return false;
        }
    }
    note_step(e, e->needed_at[side], e->needed[side]);
    return true;
}

static int32_t count_levels(const duet_learn_engine *e)
{
    int32_t count = 0;
    for (size_t i = 0; i < e->nogood.count; i++) {
        int32_t level = e->trail[e->needed_at[e->nogood.literal[i].side ^ 1]].level;
        bool first = true;
        for (size_t k = 0; k < i && first; k++) {
            first = e->trail[e->needed_at[e->nogood.literal[k].side ^ 1]].level != level;
        }
        count += first ? 1 : 0;
    }
    return count;
}

// The clause that forbids the point together with what else is needed; the second literal is one of
// the highest level of these.
static void make_nogood(duet_learn_engine *e, duet_learn_literal point)
{
    duet_learn_list *out = &e->nogood;
    out->count = 0;
    e->nogood_level = 0;
    duet_learn_push(e, out, duet_learn_not(point));
    for (size_t i = 0; i < e->touched_count && !e->no_memory; i++) {
        int32_t side = e->touched[i];
        if (side == point.side || is_redundant(e, side, point.side)) {
            continue;
        }
        duet_learn_push(e, out, duet_learn_not((duet_learn_literal){e->needed[side], side}));
        size_t level = (size_t)e->trail[e->needed_at[side]].level;
        if (level > e->nogood_level && !e->no_memory) {
            e->nogood_level = level;
            duet_learn_literal last = out->literal[out->count - 1];
            out->literal[out->count - 1] = out->literal[1];
            out->literal[1] = last;
        }
    }
    e->nogood_levels = count_levels(e);
    for (size_t i = 0; i < e->touched_count; i++) {
        e->needed[e->touched[i]] = INT64_MIN;
    }
    e->touched_count = 0;
}

void duet_learn_from_conflict(duet_learn_engine *e)
{
    e->conflicts++;
    size_t level = 0;
    for (size_t i = 0; i < e->conflict.count; i++) {
        size_t of = duet_learn_level_of(e, e->conflict.literal[i]);
        level = duet_max(of, level);
    }
    e->steps.count = 0;
    if (level == 0 || e->no_memory) {
        e->contradiction = !e->no_memory;
        return;
    }
    duet_learn_backtrack(e, level);
    make_nogood(e, find_point(e));
    if (e->no_memory) {
        return;
    }
    if (e->steps.count > 0) {
        qsort(e->steps.step, e->steps.count, sizeof *e->steps.step, by_entry);
    }
    duet_learn_rule rule = {.kind = DUET_LEARN_BY_NOGOOD, .from = e->nogoods++};
    duet_learn_backtrack(e, e->nogood_level);
    if (e->nogood.count == 1) {
        duet_learn_know(e, e->nogood.literal[0], NULL);
    } else {
        size_t clause =
            duet_learn_store(e, e->nogood.literal, e->nogood.count, e->nogood_levels, &rule);
        if (!e->no_memory) {
            duet_learn_put(e, e->nogood.literal[0], DUET_LEARN_CLAUSE, clause);
        }
    }
    raise_bump(e);
}
