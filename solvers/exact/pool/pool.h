// SPDX-License-Identifier: Apache-2.0
// The configuration relaxation over a list of patterns.
//
// Method:    where one type is priced by area and the patterns of the other one that prices leave
//            are few, they are listed once. At each node of a search below, the relaxation takes
//            its columns from the list alone, and its linear program is kept from node to node. Its
//            prices need to hold for the listed patterns only, and leave fewer of them for the
//            nodes below: a stronger relaxation than the one over all patterns, and a cheaper one.
// Cost:      a node costs some linear programs with a row per class in the list, and some passes
//            over the list.
// Memory:    O(tasks of all patterns), and 4 bytes a pattern for each node on the way down.
// Reference: column enumeration by reduced costs: Baldacci, Christofides, Mingozzi, "An exact
//            algorithm for the vehicle routing problem based on the set partitioning formulation
//            with additional cuts", Mathematical Programming 115, 2008.
#ifndef DUET_SOLVERS_EXACT_POOL_POOL_H
#define DUET_SOLVERS_EXACT_POOL_POOL_H

#include "lp/configuration/configuration.h"
#include "lp/lp.h"
#include "solvers/exact/pack.h"

typedef struct duet_pool duet_pool;

// Over these patterns, all that `state` and prices leave of their type; the other type is priced by
// area. Takes the patterns over, whatever comes back. The classes must outlive it.
duet_code duet_pool_create(const duet_classes *classes, duet_patterns *patterns, duet_pool **out,
                           duet_error *error);
// Before the first relaxation: begins with those patterns that a program's last solution takes.
duet_code duet_pool_seed(duet_pool *pool, const duet_configuration *program, duet_error *error);
void duet_pool_free(duet_pool *pool); // NULL is allowed
// What a list takes beside its patterns, about.
size_t duet_pool_more_bytes(const duet_patterns *patterns);

size_t duet_pool_type(const duet_pool *pool);
// How many patterns there are now.
size_t duet_pool_count(const duet_pool *pool);
// What the lists on the way down take, in bytes.
size_t duet_pool_bytes(const duet_pool *pool);

// What is counted of the patterns of a list: at 0 `tasks`, the tasks of a set of classes, else the
// patterns with at least `tasks` of those. The set has the classes of at least `time`, or two.
typedef struct duet_branching_count {
    int64_t tasks;
    int64_t time;
    size_t pair[2]; // of classes, which may be the same; SIZE_MAX: those of `time`
} duet_branching_count;

// Whether a class is in the set, on the list's type.
bool duet_pool_has(const duet_classes *classes, size_t type, const duet_branching_count *what,
                   size_t class);

// From here on at most (or, `at_least`, at least) `bound` of it may be. Counts stand in the order
// in which they were opened; duet_pool_close() closes those since there were `mark`.
duet_code duet_pool_open(duet_pool *pool, duet_branching_count count, bool at_least, int64_t bound,
                         duet_error *error);
size_t duet_pool_open_counts(const duet_pool *pool);
void duet_pool_close(duet_pool *pool, size_t mark);
// What the open counts add to the budget of prices.
duet_int128 duet_pool_row_term(const duet_pool *pool, const duet_prices *prices);
// What to branch on after a relaxation that did not refute the state: the solution counts between
// `*most` and 1 more of it. *divided: there is such a thing, and it promises more than to branch on
// the type of `class`'s tasks, of which the solution puts `share` on the list's type. SIZE_MAX: no
// class is divided; then tasks that are together in a part of the patterns only are of use too.
duet_code duet_pool_divided(duet_pool *pool, const duet_residual *state,
                            const duet_context *context, size_t class, double share,
                            duet_branching_count *count, int64_t *most, bool *divided,
                            int64_t *programs, duet_error *error);

// Solves the relaxation of a state. `prices` hold for the patterns that are listed now; *refuted:
// they leave no budget. Else, where *any, `share` receives how many tasks of each class the
// solution puts on the list's type (without *any the solve was stopped). *programs grows by the
// linear programs.
duet_code duet_pool_relax(duet_pool *pool, const duet_residual *state, const duet_context *context,
                          duet_prices *prices, bool *refuted, bool *any, double *share,
                          int64_t *programs, duet_error *error);

// Where the program stands after a relaxation, for others that start from there.
typedef struct duet_pool_position {
    duet_lp_position at;
    size_t renewals; // of the program until then
} duet_pool_position;

duet_code duet_pool_note(const duet_pool *pool, duet_pool_position *out, duet_error *error);
void duet_pool_position_free(duet_pool_position *position);
// Back to where it stood, unless the program was renewed since.
void duet_pool_resume(duet_pool *pool, const duet_pool_position *position);

// Leaves those patterns that fit the state and fetch all but `slack` of the limit. *mark leads
// back.
duet_code duet_pool_narrow(duet_pool *pool, const duet_residual *state, const duet_prices *prices,
                           duet_int128 slack, size_t *mark, duet_error *error);
// To what there was at a mark; the marks since then are forgotten.
void duet_pool_back(duet_pool *pool, size_t mark);

// After a relaxation whose solution takes whole patterns, with all of so many tasks of each class:
// *taken, and the loads grow by them, less what they have to spare.
duet_code duet_pool_take(const duet_pool *pool, const int64_t *allocation, duet_loads *loads,
                         bool *taken, duet_error *error);

#endif
