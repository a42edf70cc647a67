// SPDX-License-Identifier: Apache-2.0
// Sides, trail and reasons; see engine.h.
#include "solvers/graph/learn/engine.h"

#include <string.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "solvers/graph/learn/tuning.h"

duet_code duet_learn_engine_create(duet_learn_engine *e, size_t variables, duet_error *error)
{
    *e = (duet_learn_engine){
        .bump = DUET_LEARN_BUMP_FIRST, .keep = DUET_LEARN_KEPT, .explains = e->explains};
    size_t sides = 2 * variables;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(e->bound, sides),        DUET_ARENA_ARRAY(e->last, sides),
        DUET_ARENA_ARRAY(e->watch, sides),        DUET_ARENA_ARRAY(e->activity, variables),
        DUET_ARENA_ARRAY(e->leave_at, sides + 1), DUET_ARENA_ARRAY(e->wait_at, sides + 1),
        DUET_ARENA_ARRAY(e->needed, sides),       DUET_ARENA_ARRAY(e->needed_at, sides),
        DUET_ARENA_ARRAY(e->touched, sides)};
    duet_code code = duet_arena_create(&e->arena, arrays, sizeof arrays / sizeof *arrays, error);
    if (code == DUET_OK) {
        e->most_sides = (int32_t)sides;
        for (size_t k = 0; k < sides; k++) {
            e->needed[k] = INT64_MIN;
        }
    }
    return code;
}

void duet_learn_engine_free(duet_learn_engine *e)
{
    for (int32_t k = 0; k < e->sides; k++) {
        duet_free(e->watch[k].watch);
    }
    duet_free(e->trail);
    duet_free(e->level_at);
    duet_free(e->clause);
    duet_free(e->arc);
    duet_free(e->leaving);
    duet_free(e->waiting);
    duet_learn_list *const lists[] = {&e->stated, &e->literals, &e->conflict, &e->nogood,
                                      &e->reasons};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        duet_free(lists[i]->literal);
    }
    duet_free(e->facts.step);
    duet_free(e->steps.step);
    duet_arena_free(&e->arena);
    *e = (duet_learn_engine){.sides = 0};
}

int32_t duet_learn_variable(duet_learn_engine *e, int64_t low, int64_t high)
{
    DUET_ASSERT(e->sides < e->most_sides);
    e->bound[e->sides] = low;
    e->bound[e->sides + 1] = -high;
    e->last[e->sides] = -1;
    e->last[e->sides + 1] = -1;
    e->contradiction = e->contradiction || low > high;
    e->sides += 2;
    return e->sides / 2 - 1;
}

bool duet_learn_make_room(duet_learn_engine *e, duet_learn_list *list)
{
    duet_error ignored = DUET_ERROR_INIT;
    if (duet_vec_grow(list->literal, list->count, &ignored) != DUET_OK) {
        e->no_memory = true;
        return false;
    }
    list->room = duet_vec_room(list->literal);
    return true;
}

// --- bounds --------------------------------------------------------------------------------------

void duet_learn_add_step(duet_learn_engine *e, duet_learn_steps *list, const duet_learn_step *step)
{
    duet_error ignored = DUET_ERROR_INIT;
    if (!e->explains) {
        return;
    }
    e->explains = duet_vec_grow(list->step, list->count, &ignored) == DUET_OK;
    if (e->explains) {
        list->step[list->count++] = *step;
    }
}

const duet_learn_rule *duet_learn_rule_of(const duet_learn_engine *e, const duet_learn_entry *entry)
{
    return entry->reason == DUET_LEARN_CLAUSE ? &e->clause[entry->of].rule
           : entry->reason == DUET_LEARN_ARC  ? &e->arc[entry->of].rule
                                              : &entry->rule;
}

// Links an entry behind the last one of its side. Jumps are as long as the carries of a count in
// skew binary numbers (Myers, Information Processing Letters 17, 1983).
static void link_entry(const duet_learn_engine *e, duet_learn_entry *entry)
{
    int32_t last = e->last[entry->side];
    entry->previous = last;
    entry->jump = last;
    entry->depth = 0;
    if (last < 0) {
        return;
    }
    entry->depth = e->trail[last].depth + 1;
    int32_t over = e->trail[last].jump;
    int32_t next = over >= 0 ? e->trail[over].jump : -1;
    if (next >= 0 && e->trail[last].depth - e->trail[over].depth ==
                         e->trail[over].depth - e->trail[next].depth) {
        entry->jump = next;
    }
}

static void add_entry(duet_learn_engine *e, const duet_learn_entry *added)
{
    duet_error ignored = DUET_ERROR_INIT;
    if (e->no_memory || duet_vec_grow(e->trail, e->entries, &ignored) != DUET_OK) {
        e->no_memory = true;
        return;
    }
    duet_learn_entry *entry = &e->trail[e->entries];
    *entry = *added;
    entry->before = e->bound[added->side];
    link_entry(e, entry);
    entry->level = (int32_t)e->levels;
    e->bound[added->side] = added->now;
    e->last[added->side] = (int32_t)e->entries++;
    if (e->levels == 0) {
        const duet_learn_rule *rule = duet_learn_rule_of(e, entry);
        // What holds everywhere anyhow has no rule.
        if (entry->reason != DUET_LEARN_ROOT || rule->kind != DUET_LEARN_BY_NONE) {
            duet_learn_step step = {*rule, {added->now, added->side}, 0};
            duet_learn_add_step(e, &e->facts, &step);
        }
    }
}

void duet_learn_put(duet_learn_engine *e, duet_learn_literal a, duet_learn_reason reason, size_t of)
{
    DUET_ASSERT(duet_learn_is_open(e, a) || e->no_memory);
    add_entry(e, &(duet_learn_entry){.now = a.value, .side = a.side, .reason = reason, .of = of});
}

bool duet_learn_conclude(duet_learn_engine *e, duet_learn_literal a, const duet_learn_list *why,
                         const duet_learn_rule *rule)
{
    if (duet_learn_holds(e, a)) {
        return true;
    }
    bool fails = duet_learn_fails(e, a);
    duet_learn_list *to = fails ? &e->conflict : &e->stated;
    to->count = fails ? 0 : to->count;
    size_t of = to->count;
    for (size_t i = 0; i < why->count; i++) {
        DUET_ASSERT(duet_learn_holds(e, why->literal[i]));
        duet_learn_push(e, to, why->literal[i]);
    }
    if (fails) {
        duet_learn_push(e, to, duet_learn_not(a));
        e->conflict_rule = *rule;
        return false;
    }
    add_entry(e, &(duet_learn_entry){.now = a.value,
                                     .side = a.side,
                                     .reason = DUET_LEARN_STATED,
                                     .of = of,
                                     .stated = (int32_t)why->count,
                                     .rule = *rule});
    return true;
}

void duet_learn_decide(duet_learn_engine *e, duet_learn_literal a)
{
    duet_error ignored = DUET_ERROR_INIT;
    if (duet_vec_grow(e->level_at, e->levels, &ignored) != DUET_OK) {
        e->no_memory = true;
        return;
    }
    e->level_at[e->levels++] = e->entries;
    duet_learn_put(e, a, DUET_LEARN_DECISION, 0);
}

void duet_learn_know(duet_learn_engine *e, duet_learn_literal a, const duet_learn_rule *rule)
{
    DUET_ASSERT(e->levels == 0);
    duet_learn_rule by = {.kind = DUET_LEARN_BY_NONE};
    by = rule != NULL ? *rule : by;
    if (duet_learn_fails(e, a)) {
        e->contradiction = true;
        e->conflict_rule = by;
    } else if (!duet_learn_holds(e, a)) {
        add_entry(e, &(duet_learn_entry){
                         .now = a.value, .side = a.side, .reason = DUET_LEARN_ROOT, .rule = by});
    }
}

void duet_learn_backtrack(duet_learn_engine *e, size_t level)
{
    if (e->levels <= level) {
        return;
    }
    size_t to = e->level_at[level];
    while (e->entries > to) {
        const duet_learn_entry *entry = &e->trail[--e->entries];
        if (entry->reason == DUET_LEARN_STATED) {
            e->stated.count = entry->of;
        }
        e->bound[entry->side] = entry->before;
        e->last[entry->side] = entry->previous;
    }
    e->levels = level;
    e->next = e->entries;
}

// --- the trail -----------------------------------------------------------------------------------

size_t duet_learn_entry_of(const duet_learn_engine *e, duet_learn_literal a)
{
    DUET_ASSERT(duet_learn_holds(e, a));
    int32_t at = e->last[a.side];
    while (at >= 0 && e->trail[at].before >= a.value) {
        int32_t jump = e->trail[at].jump;
        bool far = jump >= 0 && e->trail[jump].before >= a.value;
        at = far ? jump : e->trail[at].previous;
    }
    return at < 0 ? SIZE_MAX : (size_t)at;
}

size_t duet_learn_level_of(const duet_learn_engine *e, duet_learn_literal a)
{
    size_t at = duet_learn_entry_of(e, a);
    return at == SIZE_MAX ? 0 : (size_t)e->trail[at].level;
}
