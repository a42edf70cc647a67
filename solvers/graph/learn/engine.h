// SPDX-License-Identifier: Apache-2.0
// What learns: bounds on integer variables, clauses and conditional differences over them, the
// trail with the reason of each bound, and the nogood that a conflict leaves.
//
// A variable has two sides: side 2x is x and side 2x + 1 is -x. A literal says that a side is at
// least some value, so that its negation is a literal of the other side. A variable of 0 and 1 is
// a statement. Each file calls only those before it in this order:
//   engine   sides, trail, reasons
//   clauses  clauses, watched by two literals each, and how they are forgotten
//   arcs     differences between two sides under conditions
//   analyze  the first unique implication point
#ifndef DUET_SOLVERS_GRAPH_LEARN_ENGINE_H
#define DUET_SOLVERS_GRAPH_LEARN_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/system/arena.h"

// The side is at least the value.
typedef struct duet_learn_literal {
    int64_t value;
    int32_t side;
} duet_learn_literal;

// By which argument something follows, for whoever writes a proof.
typedef enum duet_learn_argument {
    DUET_LEARN_BY_NONE,      // None that a proof has.
    DUET_LEARN_BY_TASK,      // Of task a: its times, types and processors.
    DUET_LEARN_BY_EDGE,      // Of edge a.
    DUET_LEARN_BY_ORDER,     // Of task a before task b.
    DUET_LEARN_BY_TWIN,      // Of task a and the twin before it.
    DUET_LEARN_BY_FORBIDDEN, // Of `to` tasks on type a, from `from` on in a list of tasks.
    DUET_LEARN_BY_SHARE,     // Of tasks a and b on processor c.
    DUET_LEARN_BY_SAME,      // Of the processors of edge a.
    DUET_LEARN_BY_NUMBER,    // Of task a on processor b.
    DUET_LEARN_BY_OVERLOAD,  // Of the interval, at the prices of row a.
    DUET_LEARN_BY_NOGOOD     // Of nogood number `from`.
} duet_learn_argument;

typedef struct duet_learn_rule {
    int64_t from;
    int64_t to;
    duet_learn_argument kind;
    int32_t a, b, c;
} duet_learn_rule;

// What follows by a rule.
typedef struct duet_learn_step {
    duet_learn_rule rule;
    duet_learn_literal literal;
    size_t at; // Its entry of the trail.
} duet_learn_step;

typedef struct duet_learn_steps {
    duet_learn_step *step;
    size_t count;
} duet_learn_steps;

// A list of literals that grows.
typedef struct duet_learn_list {
    duet_learn_literal *literal;
    size_t count;
} duet_learn_list;

// Why a bound holds.
typedef enum duet_learn_reason {
    DUET_LEARN_ROOT,     // It holds everywhere.
    DUET_LEARN_DECISION, // It is supposed.
    DUET_LEARN_CLAUSE,   // All other literals of a clause are false.
    DUET_LEARN_ARC,      // An arc whose conditions hold.
    DUET_LEARN_STATED    // The literals that it follows from are stated.
} duet_learn_reason;

// A bound that was raised.
typedef struct duet_learn_entry {
    int64_t now;    // The bound of the side.
    int64_t before; // What it was before.
    size_t of;      // The clause, the arc, or where the literals begin.
    int32_t stated; // The number of stated literals.
    int32_t side;
    int32_t previous; // The entry before it of the same side; -1: none.
    int32_t level;
    duet_learn_reason reason;
    duet_learn_rule rule; // Where the literals are stated.
} duet_learn_entry;

typedef struct duet_learn_clause {
    size_t at;      // Its first literal.
    int64_t used;   // The conflict that used it last.
    int32_t count;  // Its literals.
    int32_t levels; // The levels of its literals when it was learned; 0: it belongs to the model.
    duet_learn_rule rule;
} duet_learn_clause;

// A clause waits for a side to reach the threshold: then one of the two literals by which it is
// watched is false.
typedef struct duet_learn_watch {
    int64_t threshold;
    size_t clause;
} duet_learn_watch;

typedef struct duet_learn_watches {
    duet_learn_watch *watch;
    size_t count;
} duet_learn_watches;

enum { DUET_LEARN_CONDITIONS = 3 };

// If all conditions hold the side `to` is at least the side `from` plus `delta`.
typedef struct duet_learn_arc {
    duet_learn_literal condition[DUET_LEARN_CONDITIONS];
    int64_t delta;
    int32_t from;
    int32_t to;
    int32_t conditions;
    duet_learn_rule rule;
} duet_learn_arc;

// An arc waits for a condition.
typedef struct duet_learn_waiting {
    int64_t threshold;
    size_t arc;
} duet_learn_waiting;

typedef struct duet_learn_engine {
    // Sides and variables, of one arena.
    duet_arena arena;
    int32_t sides;
    int32_t most_sides;
    int64_t *bound;            // Per side.
    int32_t *last;             // Per side: its last entry; -1: none.
    duet_learn_watches *watch; // Per side.
    uint64_t *activity;        // Per variable.
    uint64_t bump;             // What a variable of a conflict gains.

    // The trail.
    duet_learn_entry *trail;
    size_t entries;
    size_t next;      // The first entry of which nothing was concluded yet.
    size_t *level_at; // Per level above 0: its first entry.
    size_t levels;
    duet_learn_list stated; // The literals of reasons that are stated.

    // Clauses.
    duet_learn_clause *clause;
    size_t clauses;
    duet_learn_list literals; // Of all clauses.
    size_t learned;           // Clauses that were learned since the last were forgotten.
    size_t keep;              // Learned clauses that are kept before some are forgotten.

    // Arcs; rows by sides once all are there.
    duet_learn_arc *arc;
    size_t arcs;
    size_t raises;    // Bounds that arcs have raised lately.
    size_t *leave_at; // Arcs that leave a side: leaving[leave_at[k]] ...
    size_t *leaving;
    size_t *wait_at; // Arcs with a condition on a side: waiting[wait_at[k]] ...
    duet_learn_waiting *waiting;

    // Conflicts.
    duet_learn_list conflict;      // Literals that hold and cannot hold together.
    duet_learn_rule conflict_rule; // By this.
    duet_learn_list nogood;        // The clause that was learned; its first literal follows next.
    duet_learn_list reasons;       // Room for the reasons of one bound.
    int32_t nogood_levels;
    size_t nogood_level; // The level at which its first literal follows.
    int64_t conflicts;
    int64_t nogoods;   // Learned, so far.
    int64_t *needed;   // Per side: the value that the conflict needs; INT64_MIN: none.
    size_t *needed_at; // Per side: the entry that made it so.
    int32_t *touched;  // Sides that are needed.
    size_t touched_count;

    // For a proof, if it is wanted.
    bool explains;          // It is.
    duet_learn_steps facts; // What holds everywhere, since the caller last emptied this.
    duet_learn_steps steps; // What the last nogood follows from, in their order.

    bool contradiction; // Nothing satisfies all of this.
    bool no_memory;     // An allocation failed: nothing more is concluded.
    int64_t work;       // About the operations so far: the same on every machine.
} duet_learn_engine;

static inline duet_learn_literal duet_learn_not(duet_learn_literal a)
{
    return (duet_learn_literal){1 - a.value, a.side ^ 1};
}

static inline bool duet_learn_holds(const duet_learn_engine *e, duet_learn_literal a)
{
    return e->bound[a.side] >= a.value;
}

static inline bool duet_learn_fails(const duet_learn_engine *e, duet_learn_literal a)
{
    return e->bound[a.side ^ 1] >= 1 - a.value;
}

static inline bool duet_learn_is_open(const duet_learn_engine *e, duet_learn_literal a)
{
    return !duet_learn_holds(e, a) && !duet_learn_fails(e, a);
}

// x >= value, x <= value, and the statement x.
static inline duet_learn_literal duet_learn_least(int32_t variable, int64_t value)
{
    return (duet_learn_literal){value, 2 * variable};
}

static inline duet_learn_literal duet_learn_most(int32_t variable, int64_t value)
{
    return (duet_learn_literal){-value, 2 * variable + 1};
}

static inline duet_learn_literal duet_learn_yes(int32_t variable)
{
    return duet_learn_least(variable, 1);
}

// --- engine --------------------------------------------------------------------------------------

// Makes an engine of `variables` variables. DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_learn_engine_create(duet_learn_engine *e, size_t variables, duet_error *error);
void duet_learn_engine_free(duet_learn_engine *e);

// One more variable.
int32_t duet_learn_variable(duet_learn_engine *e, int64_t low, int64_t high);

// Adds a literal to a list; where there is no memory the engine says so from then on.
void duet_learn_push(duet_learn_engine *e, duet_learn_list *list, duet_learn_literal a);

// Raises a bound by a literal that is open.
void duet_learn_put(duet_learn_engine *e, duet_learn_literal a, duet_learn_reason reason,
                    size_t of);
// What follows from literals that hold, by a rule. False: it cannot hold, which is the conflict.
bool duet_learn_conclude(duet_learn_engine *e, duet_learn_literal a, const duet_learn_list *why,
                         const duet_learn_rule *rule);
// Supposes a literal that is open, one level up.
void duet_learn_decide(duet_learn_engine *e, duet_learn_literal a);
// What holds everywhere, by a rule (NULL: a proof knows it). Only at level 0.
void duet_learn_know(duet_learn_engine *e, duet_learn_literal a, const duet_learn_rule *rule);
// Adds a step; without memory there is no proof.
void duet_learn_add_step(duet_learn_engine *e, duet_learn_steps *list, const duet_learn_step *step);
// By which rule an entry follows.
const duet_learn_rule *duet_learn_rule_of(const duet_learn_engine *e,
                                          const duet_learn_entry *entry);
void duet_learn_backtrack(duet_learn_engine *e, size_t level);

// The entry that made a literal hold that holds; SIZE_MAX: it always has.
size_t duet_learn_entry_of(const duet_learn_engine *e, duet_learn_literal a);
// The level at which a literal that holds came to hold.
size_t duet_learn_level_of(const duet_learn_engine *e, duet_learn_literal a);

// --- clauses -------------------------------------------------------------------------------------

// A clause of the model, at level 0.
void duet_learn_add_clause(duet_learn_engine *e, const duet_learn_literal *literal, size_t count,
                           const duet_learn_rule *rule);
// A clause of at least two literals, none of which holds. At most its first one is open, or its
// first two are, or the second is the last that became false. Its number.
size_t duet_learn_store(duet_learn_engine *e, const duet_learn_literal *literal, size_t count,
                        int32_t levels, const duet_learn_rule *rule);
// What clauses say where an entry is new. False: a conflict.
bool duet_learn_propagate_clauses(duet_learn_engine *e, const duet_learn_entry *entry);
// Forgets half of what was learned, of little use.
void duet_learn_forget(duet_learn_engine *e);

// --- arcs ----------------------------------------------------------------------------------------

// y >= x + delta for two variables, under at most three conditions: two arcs. At level 0.
void duet_learn_add_difference(duet_learn_engine *e, int32_t x, int32_t y, int64_t delta,
                               const duet_learn_literal *condition, size_t conditions,
                               const duet_learn_rule *rule);
// After the last arc. DUET_E_MEMORY.
duet_code duet_learn_sort_arcs(duet_learn_engine *e, duet_error *error);
// What one arc says. False: a conflict.
bool duet_learn_follow(duet_learn_engine *e, size_t arc);
// What arcs and clauses say of all new entries. False: a conflict.
bool duet_learn_propagate(duet_learn_engine *e);

// --- analyze -------------------------------------------------------------------------------------

// Learns from the conflict, which is nogood number `nogoods` from then on: goes back to where the
// nogood's first literal follows, which it puts there. A conflict at level 0 is a contradiction.
void duet_learn_from_conflict(duet_learn_engine *e);

#endif
