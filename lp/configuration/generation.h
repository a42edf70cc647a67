// SPDX-License-Identifier: Apache-2.0
// The configuration relaxation for any number of types: fractional patterns, each the load of one
// processor within a guess (λ), that cover all tasks with as many processors as there are.
//
// Method:    column generation, as lp/configuration/configuration.h has it for two types: the
//            master program stretches the numbers of processors by a common factor and minimises
//            it; its duals, rounded to integers, go through an exact knapsack per type, which gives
//            each processor its limit. What is different serves searches on R||Cmax, with tens of
//            types and hundreds of classes: one program lives as long as its classes do, while
//            guess and residual problem change. Patterns that do not fit any more are closed by
//            their bounds, so that the dual simplex method goes on from the last basis; and limits
//            on how many tasks of a class a type runs are rows, so that prices need no terms beside
//            those of the tasks. The program of two types is made anew for each residual problem,
//            which is what its branching rows and the proofs written from them are built on.
// Guarantee: a refutation holds whatever the linear program did.
// Cost:      a linear program and a knapsack for every type in each iteration.
// Memory:    O(types x classes) and the patterns.
// Reference: Gilmore, Gomory, "A linear programming approach to the cutting-stock problem",
//            Operations Research 9(6), 1961; Wentges, "Weighted Dantzig-Wolfe decomposition for
//            linear mixed-integer programming", International Transactions in Operational Research
//            4(2), 1997.
#ifndef DUET_LP_CONFIGURATION_GENERATION_H
#define DUET_LP_CONFIGURATION_GENERATION_H

#include "lp/configuration/configuration.h"
#include "lp/lp.h"

// What duet_configuration_free() and its patterns are of, too.
typedef duet_configuration duet_generation;

// What a solve is for.
typedef enum duet_generation_purpose {
    DUET_GENERATION_REFUTE, // prices that refute the guess, and as much longer guesses as they can
    DUET_GENERATION_NODE,   // one node of many: prices that refute the guess, or leave little slack
    DUET_GENERATION_SOLVE   // the solution of the relaxation, where nothing refutes it
} duet_generation_purpose;

typedef struct duet_generation_request {
    duet_generation_purpose purpose;
    int iterations; // at most
} duet_generation_request;

// Whether there are few enough types and classes for a program.
bool duet_generation_possible(const duet_classes *classes);

// `divisible[t]`: tasks may be divided on type t, which needs no patterns. The classes must outlive
// the object; guesses go up to theirs. Errors: DUET_E_UNSUPPORTED without an LP solver.
duet_code duet_generation_create(const duet_classes *classes, const bool *divisible,
                                 duet_generation **out, duet_error *error);

// Another guess, of at most that of the classes.
void duet_generation_set_guess(duet_generation *generation, int64_t guess);

// One more pattern of a type that is not divisible, unless it is there. *index: which one it is.
// Errors: DUET_E_MEMORY.
duet_code duet_generation_add(duet_generation *generation, size_t type,
                              const duet_pricing_part *part, size_t parts, size_t *index,
                              duet_error *error);

// Begins near prices (one per class, with a limit for the patterns of each type; all processors'
// limits add up to 1), with the stored patterns that are worth about a processor at them. Errors:
// DUET_E_MEMORY.
duet_code duet_generation_seed(duet_generation *generation, const duet_column_store *store,
                               const double *price, const double *limit, duet_error *error);

// Counts: numbers of tasks that may be limited. One more of them: how many tasks of at least
// `time`, released at `release` or later, a type gets. Errors: DUET_E_MEMORY.
duet_code duet_generation_count(duet_generation *generation, size_t type, int64_t time,
                                int64_t release, duet_error *error);
size_t duet_generation_counts(const duet_generation *generation);

// Limits a count in all solves to come: at least 0 and at most INT64_MAX say nothing.
void duet_generation_limit_count(duet_generation *generation, size_t index, int64_t low,
                                 int64_t high);

typedef struct duet_generation_counted {
    int64_t low, high; // its limits
    double value;      // in the last solution
} duet_generation_counted;

duet_generation_counted duet_generation_count_at(const duet_generation *generation, size_t index);

// The limits of all counts, two of each: prices of a solve have prices for them.
const duet_branching_row *duet_generation_rows(const duet_generation *generation);

// Solves the relaxation for the guess in the residual problem, which has all tasks and processors
// of the classes. `prices` receives the integer prices that leave the least slack; on
// DUET_GENERATION_REFUTE, for which the residual problem must be the root, the smallest that do
// what answer->proven says.
duet_code duet_generation_solve(duet_generation *generation, const duet_residual *state,
                                duet_generation_request request, const duet_context *context,
                                duet_prices *prices, duet_configuration_answer *answer,
                                duet_error *error);

// Set: limits hold for all sets of a class's tasks where the residual problem lets a type have one,
// and not only for as many tasks as it lets it have.
void duet_generation_price_sets(duet_generation *generation, bool sets);

// After a solve: its basis, from which a later solve can go on. `narrowed`: the problem to come is
// that of the basis, narrowed, so that the dual simplex method is the one for it, as it is where
// nothing is said between two solves.
duet_code duet_generation_note(const duet_generation *generation, duet_lp_position *out,
                               duet_error *error);
void duet_generation_resume(duet_generation *generation, const duet_lp_position *position,
                            bool narrowed);

// After a solve: how many tasks of a class the solution gives to a type.
double duet_generation_tasks(const duet_generation *generation, size_t type, size_t class);

// Takes a pattern once more, in all the solves to come until that is taken back for all.
void duet_generation_take(duet_generation *generation, size_t index);
// Takes it once less.
void duet_generation_take_back(duet_generation *generation, size_t index);
void duet_generation_take_none(duet_generation *generation);

#endif
