// SPDX-License-Identifier: Apache-2.0
// Clauses of bounds, watched by two literals each; see engine.h.
// Method:    a clause is looked at when one of two of its literals becomes false; it then watches
//            another one that is not, or its other watched literal follows. Of the learned clauses
//            the half that conflicts used least lately is forgotten from time to time.
// Cost:      a visit a watch, and the literals of the clause where its other one does not hold.
// Memory:    16 bytes a literal, at most DUET_LEARN_LITERALS of the learned ones.
// Reference: Moskewicz, Madigan, Zhao, Zhang, Malik, "Chaff", DAC 2001; over bounds: Ohrimenko,
//            Stuckey, Codish, "Propagation via lazy clause generation", Constraints 14, 2009.
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "solvers/graph/learn/engine.h"
#include "solvers/graph/learn/tuning.h"

static void watch(duet_learn_engine *e, duet_learn_literal a, size_t clause)
{
    duet_learn_literal fails = duet_learn_not(a);
    duet_learn_watches *list = &e->watch[fails.side];
    duet_error ignored = DUET_ERROR_INIT;
    if (duet_vec_grow(list->watch, list->count, &ignored) != DUET_OK) {
        e->no_memory = true;
        return;
    }
    list->watch[list->count++] = (duet_learn_watch){fails.value, clause};
}

size_t duet_learn_store(duet_learn_engine *e, const duet_learn_literal *literal, size_t count,
                        int32_t levels, const duet_learn_rule *rule)
{
    DUET_ASSERT(count >= 2);
    duet_error ignored = DUET_ERROR_INIT;
    if (duet_vec_grow(e->clause, e->clauses, &ignored) != DUET_OK) {
        e->no_memory = true;
        return 0;
    }
    size_t at = e->literals.count;
    for (size_t i = 0; i < count; i++) {
        duet_learn_push(e, &e->literals, literal[i]);
    }
    if (e->no_memory) {
        return 0;
    }
    e->clause[e->clauses] = (duet_learn_clause){at, e->conflicts, (int32_t)count, levels, *rule};
    watch(e, literal[0], e->clauses);
    watch(e, literal[1], e->clauses);
    e->learned += levels > 0 ? 1 : 0;
    return e->clauses++;
}

void duet_learn_add_clause(duet_learn_engine *e, const duet_learn_literal *literal, size_t count,
                           const duet_learn_rule *rule)
{
    DUET_ASSERT(e->levels == 0);
    duet_learn_list *kept = &e->nogood;
    kept->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (duet_learn_holds(e, literal[i])) {
            return;
        }
        if (!duet_learn_fails(e, literal[i])) {
            duet_learn_push(e, kept, literal[i]);
        }
    }
    if (e->no_memory) {
        return;
    }
    if (kept->count == 0) {
        e->contradiction = true;
        e->conflict_rule = *rule;
    } else if (kept->count == 1) {
        duet_learn_know(e, kept->literal[0], rule);
    } else {
        duet_learn_store(e, kept->literal, kept->count, 0, rule);
    }
}

// --- propagation ---------------------------------------------------------------------------------

static inline bool is_same(duet_learn_literal a, duet_learn_literal b)
{
    return a.side == b.side && a.value == b.value;
}

// What becomes of a watch whose literal is false.
typedef enum watched { WATCH_STAYS, WATCH_MOVED, WATCH_CONFLICTS } watched;

static watched visit(duet_learn_engine *e, size_t number, duet_learn_literal failed)
{
    const duet_learn_clause *clause = &e->clause[number];
    duet_learn_literal *literal = e->literals.literal + clause->at;
    if (is_same(literal[0], failed)) {
        literal[0] = literal[1];
        literal[1] = failed;
    }
    if (duet_learn_holds(e, literal[0])) {
        return WATCH_STAYS;
    }
    e->work += clause->count;
    for (int32_t i = 2; i < clause->count; i++) {
        if (!duet_learn_fails(e, literal[i])) {
            literal[1] = literal[i];
            literal[i] = failed;
            watch(e, literal[1], number);
            return WATCH_MOVED;
        }
    }
    if (!duet_learn_fails(e, literal[0])) {
        duet_learn_put(e, literal[0], DUET_LEARN_CLAUSE, number);
        return WATCH_STAYS;
    }
    e->conflict.count = 0;
    e->conflict_rule = clause->rule;
    for (int32_t i = 0; i < clause->count; i++) {
        duet_learn_push(e, &e->conflict, duet_learn_not(literal[i]));
    }
    return WATCH_CONFLICTS;
}

bool duet_learn_propagate_clauses(duet_learn_engine *e, const duet_learn_entry *entry)
{
    // A watch that moves goes to another side: a literal of the clause that is not false.
    duet_learn_watches *list = &e->watch[entry->side];
    size_t kept = 0;
    size_t i = 0;
    bool holds = true;
    e->work += (int64_t)list->count;
    for (; i < list->count && holds; i++) {
        duet_learn_watch next = list->watch[i];
        watched became = WATCH_STAYS;
        if (next.threshold > entry->before && next.threshold <= entry->now) {
            duet_learn_literal failed = {1 - next.threshold, entry->side ^ 1};
            became = visit(e, next.clause, failed);
        }
        if (became != WATCH_MOVED) {
            list->watch[kept++] = next;
        }
        holds = became != WATCH_CONFLICTS;
    }
    for (; i < list->count; i++) {
        list->watch[kept++] = list->watch[i];
    }
    list->count = kept;
    return holds && !e->no_memory;
}

// --- forgetting ----------------------------------------------------------------------------------

typedef struct candidate {
    int64_t used;
    size_t clause;
} candidate;

static int by_use(const void *left, const void *right)
{
    const candidate *a = left;
    const candidate *b = right;
    return a->used != b->used ? (a->used > b->used) - (a->used < b->used)
                              : (a->clause > b->clause) - (a->clause < b->clause);
}

// Marks clauses that go by SIZE_MAX; the others get their new numbers.
static void choose(duet_learn_engine *e, candidate *candidates, size_t *number)
{
    memset(number, 0, e->clauses * sizeof *number);
    for (size_t i = 0; i < e->entries; i++) {
        if (e->trail[i].reason == DUET_LEARN_CLAUSE) {
            number[e->trail[i].of] = 1; // it is a reason
        }
    }
    size_t count = 0;
    for (size_t c = 0; c < e->clauses; c++) {
        if (e->clause[c].levels > DUET_LEARN_GOOD && number[c] == 0) {
            candidates[count++] = (candidate){e->clause[c].used, c};
        }
    }
    qsort(candidates, count, sizeof *candidates, by_use);
    memset(number, 0, e->clauses * sizeof *number);
    for (size_t i = 0; i < count / 2; i++) {
        number[candidates[i].clause] = SIZE_MAX;
    }
    size_t next = 0;
    for (size_t c = 0; c < e->clauses; c++) {
        number[c] = number[c] == SIZE_MAX ? SIZE_MAX : next++;
    }
}

static void renumber(duet_learn_engine *e, const size_t *number)
{
    for (int32_t k = 0; k < e->sides; k++) {
        duet_learn_watches *list = &e->watch[k];
        size_t kept = 0;
        for (size_t i = 0; i < list->count; i++) {
            duet_learn_watch next = list->watch[i];
            next.clause = number[next.clause];
            if (next.clause != SIZE_MAX) {
                list->watch[kept++] = next;
            }
        }
        list->count = kept;
    }
    for (size_t i = 0; i < e->entries; i++) {
        if (e->trail[i].reason == DUET_LEARN_CLAUSE) {
            e->trail[i].of = number[e->trail[i].of];
        }
    }
}

static void pack(duet_learn_engine *e, const size_t *number)
{
    size_t at = 0;
    size_t clauses = 0;
    for (size_t c = 0; c < e->clauses; c++) {
        duet_learn_clause clause = e->clause[c];
        if (number[c] == SIZE_MAX) {
            continue;
        }
        size_t length = (size_t)clause.count;
        memmove(e->literals.literal + at, e->literals.literal + clause.at,
                length * sizeof *e->literals.literal);
        clause.at = at;
        at += length;
        e->clause[clauses++] = clause;
    }
    e->literals.count = at;
    e->clauses = clauses;
}

void duet_learn_forget(duet_learn_engine *e)
{
    duet_error ignored = DUET_ERROR_INIT;
    candidate *candidates = duet_alloc_raw(e->clauses, sizeof *candidates, &ignored);
    size_t *number = duet_alloc_raw(e->clauses, sizeof *number, &ignored);
    e->no_memory = e->no_memory || candidates == NULL || number == NULL;
    if (!e->no_memory) {
        choose(e, candidates, number);
        renumber(e, number);
        pack(e, number);
        e->learned = 0;
        e->keep += DUET_LEARN_KEPT_MORE;
    }
    duet_free(candidates);
    duet_free(number);
}
