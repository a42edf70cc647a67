// SPDX-License-Identifier: Apache-2.0
// The configuration relaxation over a pattern pool.
//
// Method:    where one type is divisible and the patterns of the other one within the slack of
//            prices are few, they are enumerated once, into a pool. At each node of the search
//            below, the relaxation takes its columns from the pool alone, and its master program is
//            kept from node to node. Its prices need to hold for the patterns of the pool only, and
//            leave fewer of them for the nodes below: a stronger relaxation than the one over all
//            patterns, and a cheaper one.
// Cost:      a node costs some linear programs with a row per class of the pool, and some passes
//            over the pool.
// Memory:    O(tasks of all patterns), and 4 bytes a pattern for each node on the way down.
// Reference: column enumeration by reduced costs: Baldacci, Christofides, Mingozzi, "An exact
//            algorithm for the vehicle routing problem based on the set partitioning formulation
//            with additional cuts", Mathematical Programming 115, 2008.
#ifndef DUET_SOLVERS_EXACT_POOL_POOL_H
#define DUET_SOLVERS_EXACT_POOL_POOL_H

#include "lp/configuration/configuration.h"
#include "lp/lp.h"
#include "solvers/exact/loads.h"

typedef struct duet_pool duet_pool;

// A pool of all patterns of their type that a state and prices leave; the other type is divisible.
// Takes the patterns over, whatever comes back. *programs grows by the linear programs that are
// solved. Classes, context and counter must outlive the pool.
duet_code duet_pool_create(const duet_classes *classes, const duet_context *context,
                           int64_t *programs, duet_patterns *patterns, duet_pool **out,
                           duet_error *error);
// Before the first relaxation: begins with those patterns that a program's last solution takes.
duet_code duet_pool_seed(duet_pool *pool, const duet_configuration *program, duet_error *error);
// Where a pool stands at a node on the way down: `levels` nodes have narrowed its patterns by then,
// and `opened` bounds are open.
typedef struct duet_pool_place {
    size_t levels, opened;
} duet_pool_place;

duet_pool_place duet_pool_here(const duet_pool *pool);
// A pool of the patterns and with the bounds of such a node.
duet_code duet_pool_copy(const duet_pool *from, duet_pool_place place, int64_t *programs,
                         duet_pool **out, duet_error *error);
// The bytes that the copy takes, about.
size_t duet_pool_copy_bytes(const duet_pool *from, duet_pool_place place);
void duet_pool_free(duet_pool *pool); // NULL is allowed
// What a pool takes beside its patterns, about.
size_t duet_pool_more_bytes(const duet_patterns *patterns);

size_t duet_pool_type(const duet_pool *pool);
// How many patterns the node on top has.
size_t duet_pool_count(const duet_pool *pool);
// What the patterns of the nodes on the way down take, in bytes.
size_t duet_pool_bytes(const duet_pool *pool);

// What a branching row counts: at 0 `tasks`, the tasks of a set of classes, else the patterns with
// at least `tasks` of those. The set has the classes of at least `time`, or two.
typedef struct duet_branching_count {
    int64_t tasks;
    int64_t time;
    size_t pair[2]; // of classes, which may be the same; SIZE_MAX: those of `time`
} duet_branching_count;

// Whether a class is in the set, on the pool's type.
bool duet_pool_has(const duet_classes *classes, size_t type, const duet_branching_count *what,
                   size_t class);

// Bounds a branching row: at most `bound`, or `at_least`. Bounds stand in the order in which they
// were opened; duet_pool_close() closes those since there were `mark`.
duet_code duet_pool_open(duet_pool *pool, duet_branching_count count, bool at_least, int64_t bound,
                         duet_error *error);
size_t duet_pool_open_counts(const duet_pool *pool);
void duet_pool_close(duet_pool *pool, size_t mark);
// The row term: what the open bounds add to the slack of prices.
duet_int128 duet_pool_row_term(const duet_pool *pool, const duet_prices *prices);

// A branching row that a solution divides: it counts between `most` and 1 more.
typedef struct duet_pool_division {
    bool found; // else the rest says nothing
    duet_branching_count count;
    int64_t most;
} duet_pool_division;

// Strong branching after a relaxation that did not refute the state. *division is found where a
// branching row promises more than branching on the type of `class`'s tasks, of which the solution
// puts `share` on the pool's type. SIZE_MAX: no class is divided; then rows of two tasks that are
// together in a part of the patterns only are tried too.
duet_code duet_pool_choose_row(duet_pool *pool, const duet_residual *state, size_t class,
                               double share, duet_pool_division *division, duet_error *error);

// How a relaxation ended.
typedef enum duet_pool_status {
    DUET_POOL_STOPPED, // nothing is known
    DUET_POOL_REFUTED, // the prices leave no slack
    DUET_POOL_SOLVED
} duet_pool_status;

// Solves the relaxation of a state. Unless it was stopped, `prices` hold for the patterns of the
// node on top, and `share` receives how many tasks of each class the solution puts on the pool's
// type.
duet_code duet_pool_relax(duet_pool *pool, const duet_residual *state, duet_prices *prices,
                          double *share, duet_pool_status *status, duet_error *error);

// Where the master program stands after a relaxation, for others that start from there.
typedef struct duet_pool_position {
    duet_lp_position at;
    size_t renewals; // of the program until then
} duet_pool_position;

duet_code duet_pool_note(const duet_pool *pool, duet_pool_position *out, duet_error *error);
void duet_pool_position_free(duet_pool_position *position);
// Back to where it stood, unless the program was renewed since.
void duet_pool_resume(duet_pool *pool, const duet_pool_position *position);

// Reduced-cost fixing of patterns: a new node has those that fit the state and whose reduced cost
// is within the slack. *mark leads back.
duet_code duet_pool_narrow(duet_pool *pool, const duet_residual *state, const duet_prices *prices,
                           duet_int128 slack, size_t *mark, duet_error *error);
// Back to the patterns at a mark; the marks since then are forgotten.
void duet_pool_back(duet_pool *pool, size_t mark);

// After a relaxation: *taken where its solution is integral and has all tasks of the allocation: of
// each class as many as that has. The loads grow by its patterns, less the tasks that are covered
// twice.
duet_code duet_pool_take(const duet_pool *pool, const int64_t *allocation, duet_loads *loads,
                         bool *taken, duet_error *error);

#endif
