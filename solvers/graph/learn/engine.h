// SPDX-License-Identifier: Apache-2.0
// The engine of lazy clause generation: bounds on integer variables, clauses and conditional
// differences over them, the trail with the reason of each bound, and the nogood that a conflict
// leaves.
//
// A variable x has two sides: side 2x is x and side 2x + 1 is -x. A bound is the least value of a
// side. A literal says that a side is at least some value, so that its negation is a literal of the
// other side. A variable of 0 and 1 is a statement. Numbers of tasks, edges, types and processors
// in rules are those of the instance, but processors of all types are numbered together.
// Each file calls only those before it in this order:
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

// A bound literal: the side is at least the value.
typedef struct duet_learn_literal {
    int64_t value;
    int32_t side;
} duet_learn_literal;

// The argument by which a literal or a clause follows. A proof names it and its operands, which
// are fields of a rule.
typedef enum duet_learn_argument {
    DUET_LEARN_BY_NONE,      // A proof does not have the argument.
    DUET_LEARN_BY_TASK,      // Task a runs on one type and processor for its time there.
    DUET_LEARN_BY_EDGE,      // Edge a orders its tasks, and its data take time.
    DUET_LEARN_BY_ORDER,     // Task a ends before task b starts if their order is so.
    DUET_LEARN_BY_TWIN,      // Task a starts no earlier than the interchangeable task before it.
    DUET_LEARN_BY_FORBIDDEN, // The tasks crowd[from] .. crowd[from + to - 1] are too many for type
                             // a at one time.
    DUET_LEARN_BY_SHARE,     // Tasks a and b do not overlap if both run on processor c.
    DUET_LEARN_BY_SAME,      // The tasks of edge a are, or are not, on the same processor.
    DUET_LEARN_BY_NUMBER,    // Task a is on processor b only if a task before it in the order of
                             // numbering is on the processor before b (symmetry breaking).
    DUET_LEARN_BY_OVERLOAD,  // The work in the interval [from, to] exceeds what its processors can
                             // do, at the prices of row a.
    DUET_LEARN_BY_NOGOOD     // Nogood number `from`.
} duet_learn_argument;

// An argument with its operands; those that it does not name are 0.
typedef struct duet_learn_rule {
    int64_t from;             // A tick, an index or a number.
    int64_t to;               // A tick, or a number of tasks.
    duet_learn_argument kind; // Which argument it is.
    int32_t a, b, c;          // Tasks, edges, types, processors or rows.
} duet_learn_rule;

// A step of a proof: a literal follows by a rule.
typedef struct duet_learn_step {
    duet_learn_rule rule;       // The rule by which it follows.
    duet_learn_literal literal; // The literal; that of the last step of a nogood is not read.
    size_t at;                  // The entry of the trail that it was; 0 for what holds everywhere.
} duet_learn_step;

// A growing array of steps.
typedef struct duet_learn_steps {
    duet_learn_step *step;
    size_t count; // The number of steps.
} duet_learn_steps;

// A growing array of literals.
typedef struct duet_learn_list {
    duet_learn_literal *literal;
    size_t count; // The number of literals.
    size_t room;  // The number for which there is room, as far as duet_learn_push() made it.
} duet_learn_list;

// Why a bound holds.
typedef enum duet_learn_reason {
    DUET_LEARN_ROOT,     // It holds at level 0, without a premise.
    DUET_LEARN_DECISION, // It was decided.
    DUET_LEARN_CLAUSE,   // All other literals of a clause are false.
    DUET_LEARN_ARC,      // It follows along an arc, all of whose conditions hold.
    DUET_LEARN_STATED    // Its premises were stated when it was concluded (an eager explanation).
} duet_learn_reason;

// An entry of the trail: a bound that was raised.
typedef struct duet_learn_entry {
    int64_t now;      // The new bound of the side.
    int64_t before;   // The bound of the side before.
    size_t of;        // Of the reason, the clause, the arc, or the first premise in `stated`.
    int32_t stated;   // The number of premises in `stated`, if they were stated.
    int32_t side;     // The side whose bound was raised.
    int32_t previous; // The entry before it of the same side; -1: none.
    int32_t jump;     // An entry further back of the same side, so that any is some steps away that
                      // grow with the logarithm of their number; -1: none.
    int32_t depth;    // The number of entries before it of the same side.
    int32_t level;    // The decision level.
    duet_learn_reason reason;
    duet_learn_rule rule; // The rule by which it follows, if its premises were stated.
} duet_learn_entry;

typedef struct duet_learn_clause {
    size_t at;      // The place of its first literal in `literals`.
    int64_t used;   // The number of the conflict that used it last.
    int32_t count;  // The number of its literals.
    int32_t levels; // The number of distinct levels of its literals when it was learned (LBD);
                    // 0: it belongs to the model.
    duet_learn_rule rule; // The rule by which it holds.
} duet_learn_clause;

// One of the two literals by which a clause is watched. It is false when the side of its negation
// reaches the threshold.
typedef struct duet_learn_watch {
    int64_t threshold; // The value of the negated literal.
    size_t clause;     // The number of the clause.
} duet_learn_watch;

// A growing array of watches.
typedef struct duet_learn_watches {
    duet_learn_watch *watch;
    size_t count; // The number of watches.
} duet_learn_watches;

// The most conditions of an arc.
enum { DUET_LEARN_CONDITIONS = 3 };

// A conditional difference: if all conditions hold, side `to` is at least side `from` plus `delta`.
typedef struct duet_learn_arc {
    duet_learn_literal condition[DUET_LEARN_CONDITIONS];
    int64_t delta;
    int32_t from;         // A side.
    int32_t to;           // A side.
    int32_t conditions;   // The number of conditions.
    duet_learn_rule rule; // The rule by which it holds.
} duet_learn_arc;

// An arc waits for one of its conditions: it is followed when the side reaches the threshold.
typedef struct duet_learn_waiting {
    int64_t threshold; // The value of the condition.
    size_t arc;        // The number of the arc.
} duet_learn_waiting;

typedef struct duet_learn_engine {
    // Sides and variables.
    duet_arena arena;          // It holds the arrays per side and per variable.
    int32_t sides;             // The number of sides, two for each variable made so far.
    int32_t most_sides;        // The number of sides for which there is room.
    int64_t *bound;            // Per side, its present bound.
    int32_t *last;             // Per side, its last entry of the trail; -1: none.
    duet_learn_watches *watch; // Per side, the watches that wait for it.
    uint64_t *activity;        // Per variable, how often and how lately conflicts met it.
    uint64_t bump;             // The activity that a variable of the next conflict gains.

    // The trail.
    duet_learn_entry *trail;
    size_t entries;         // The number of entries of the trail.
    size_t next;            // The first entry that has not been propagated.
    size_t *level_at;       // Per level above 0, its first entry: level k has level_at[k - 1].
    size_t levels;          // The present decision level.
    duet_learn_list stated; // The stated premises of all entries, in their order.

    // Clauses.
    duet_learn_clause *clause;
    size_t clauses;           // The number of clauses.
    duet_learn_list literals; // The literals of all clauses.
    size_t learned;           // The clauses learned since some were last forgotten.
    size_t keep;              // Some are forgotten when `learned` exceeds this.

    // Arcs. They are grouped by sides after the last one (duet_learn_sort_arcs()).
    duet_learn_arc *arc;
    size_t arcs;                 // The number of arcs.
    size_t raises;               // The bounds that arcs have raised in the present propagation.
    size_t *leave_at;            // The arcs leaving side k begin at leaving[leave_at[k]].
    size_t *leaving;             // Numbers of arcs, by the sides that they leave.
    size_t *wait_at;             // The arcs waiting for side k begin at waiting[wait_at[k]].
    duet_learn_waiting *waiting; // The arcs with their conditions, by the sides of these.

    // Conflicts.
    duet_learn_list conflict;      // Literals that hold and cannot hold together.
    duet_learn_rule conflict_rule; // The rule by which they cannot.
    duet_learn_list nogood;        // The last learned clause; its first literal is asserted.
    duet_learn_list reasons;       // Workspace for the premises of one bound.
    int32_t nogood_levels;         // The number of distinct levels in that clause (LBD).
    size_t nogood_level;           // The level to which the search backjumps, where it asserts.
    int64_t conflicts;             // The number of conflicts so far.
    int64_t nogoods;               // The number of nogoods learned so far.
    int64_t *needed;               // Per side, the value that the conflict needs; INT64_MIN: none.
    size_t *needed_at;             // Per side, the entry with which the bound reached that value.
    int32_t *touched;              // The sides that are needed.
    size_t touched_count;          // Their number.

    // The proof.
    bool explains;          // A proof is wanted, and its steps are kept.
    duet_learn_steps facts; // What came to hold everywhere since the caller last emptied it.
    duet_learn_steps steps; // What leads from the negated nogood to the conflict, in order.

    bool contradiction; // Clauses, arcs and bounds have no solution.
    bool no_memory;     // An allocation failed: nothing more is concluded.
    int64_t work;       // About the operations so far: the same on every machine.
} duet_learn_engine;

// Returns the negation: side ^ 1 is at least 1 - value.
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

// Whether the literal neither holds nor fails yet.
static inline bool duet_learn_is_open(const duet_learn_engine *e, duet_learn_literal a)
{
    return !duet_learn_holds(e, a) && !duet_learn_fails(e, a);
}

// The next three return the literals x >= value, x <= value, and that the statement x is true.
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

// Makes another variable with the values `low` to `high`, and returns its number.
int32_t duet_learn_variable(duet_learn_engine *e, int64_t low, int64_t high);

// Makes room for more literals. If memory runs out it sets e->no_memory and returns false.
bool duet_learn_make_room(duet_learn_engine *e, duet_learn_list *list);

// Adds a literal to a list. If memory runs out it sets e->no_memory.
static inline void duet_learn_push(duet_learn_engine *e, duet_learn_list *list,
                                   duet_learn_literal a)
{
    if (list->count < list->room || duet_learn_make_room(e, list)) {
        list->literal[list->count++] = a;
    }
}

// Makes an open literal true by a new entry of the trail. `of` is the clause or arc of the reason.
void duet_learn_put(duet_learn_engine *e, duet_learn_literal a, duet_learn_reason reason,
                    size_t of);
// Makes a literal true that follows by a rule from the literals `why`, which hold. Returns false if
// it fails already: then e->conflict has `why` and its negation.
bool duet_learn_conclude(duet_learn_engine *e, duet_learn_literal a, const duet_learn_list *why,
                         const duet_learn_rule *rule);
// Decides an open literal: opens a new level, at which it is true.
void duet_learn_decide(duet_learn_engine *e, duet_learn_literal a);
// Makes a literal true for good, by a rule; NULL: a proof knows it without one. Only at level 0.
void duet_learn_know(duet_learn_engine *e, duet_learn_literal a, const duet_learn_rule *rule);
// Adds a step to a list. If memory runs out it clears e->explains: there is no proof.
void duet_learn_add_step(duet_learn_engine *e, duet_learn_steps *list, const duet_learn_step *step);
// Returns the rule by which an entry follows.
const duet_learn_rule *duet_learn_rule_of(const duet_learn_engine *e,
                                          const duet_learn_entry *entry);
// Undoes all entries above a level.
void duet_learn_backtrack(duet_learn_engine *e, size_t level);

// Returns the entry with which a literal that holds became true; SIZE_MAX: it always was.
size_t duet_learn_entry_of(const duet_learn_engine *e, duet_learn_literal a);
// Returns the level at which a literal that holds became true.
size_t duet_learn_level_of(const duet_learn_engine *e, duet_learn_literal a);

// --- clauses -------------------------------------------------------------------------------------

// Adds a clause of the model, without what is false already. Only at level 0.
void duet_learn_add_clause(duet_learn_engine *e, const duet_learn_literal *literal, size_t count,
                           const duet_learn_rule *rule);
// Stores a clause of at least two literals, none of which holds, and returns its number. Its first
// two literals are watched. So open literals come first, and if the second one is false, no other
// became false later. `levels` is 0 for a clause of the model.
size_t duet_learn_store(duet_learn_engine *e, const duet_learn_literal *literal, size_t count,
                        int32_t levels, const duet_learn_rule *rule);
// Visits the clauses that watch what the entry makes false. Returns false if there is a conflict.
bool duet_learn_propagate_clauses(duet_learn_engine *e, const duet_learn_entry *entry);
// Forgets the half of the learned clauses that conflicts used least lately.
void duet_learn_forget(duet_learn_engine *e);

// --- arcs ----------------------------------------------------------------------------------------

// Adds y >= x + delta for two variables, under at most DUET_LEARN_CONDITIONS conditions, as two
// arcs: one for the bound of y and one for that of -x. Only at level 0.
void duet_learn_add_difference(duet_learn_engine *e, int32_t x, int32_t y, int64_t delta,
                               const duet_learn_literal *condition, size_t conditions,
                               const duet_learn_rule *rule);
// Groups the arcs by sides, after the last one was added. DUET_E_MEMORY.
duet_code duet_learn_sort_arcs(duet_learn_engine *e, duet_error *error);
// Propagates one arc. If one condition is open and the difference cannot hold, that condition
// becomes false. Returns false if there is a conflict.
bool duet_learn_follow(duet_learn_engine *e, size_t arc);
// Propagates all new entries through clauses and arcs. Returns false if there is a conflict.
bool duet_learn_propagate(duet_learn_engine *e);

// --- analyze -------------------------------------------------------------------------------------

// Learns the nogood of the conflict, at the first unique implication point. It backjumps to the
// nogood's level and asserts its first literal there. A conflict at level 0 is a contradiction.
void duet_learn_from_conflict(duet_learn_engine *e);

#endif
