// SPDX-License-Identifier: Apache-2.0
// The configuration relaxation: fractional patterns, each the load of one processor within a guess
// (λ), that cover all tasks with as many processors as there are.
//
// Method:    column generation. The master program stretches the numbers of processors by a common
//            factor and minimises it: above 1, there is no schedule. Its dual prices, rounded to
//            integers, go through an exact knapsack per type (pricing.h, pricing_branch.h), which
//            gives each processor a limit. If the prices of the tasks add up to more than the
//            limits of the processors, those integers are a proof that needs no linear program. A
//            type with many tasks per processor is divisible instead: tasks may be divided on it,
//            which weakens the bound little there and needs no patterns.
// Guarantee: a refutation holds whatever the linear program did; an answer without one says
//            nothing more than its members do.
// Cost:      a linear program and a few knapsacks in each iteration.
// Memory:    O(classes) and the patterns.
// Reference: Gilmore, Gomory, "A linear programming approach to the cutting-stock problem",
//            Operations Research 9(6), 1961; Lagrangian bound of any prices: Farley, "A note on
//            bounding a class of linear programming problems", Operations Research 38(5), 1990.
#ifndef DUET_LP_CONFIGURATION_CONFIGURATION_H
#define DUET_LP_CONFIGURATION_CONFIGURATION_H

#include "core/solution/prices.h"
#include "core/system/context.h"
#include "lp/configuration/column_store.h"
#include "lp/configuration/pricing.h"

typedef struct duet_configuration duet_configuration;

typedef struct duet_configuration_answer {
    bool refuted;   // the prices prove that there is no schedule
    int64_t proven; // where refuted: no schedule is within this, which is at least the guess
    bool finished;  // the relaxation is solved: where it refutes nothing, it cannot
    bool any;       // there are prices: the best found, refuting or not
    double factor;  // of the last master program, about; 0: it was not solved
    int iterations;
} duet_configuration_answer;

// What a processor of a type holds, about, when every class is on its cheaper type by `weight`, as
// far as that has room.
typedef struct duet_processor_holding {
    double tasks;
    // The number of equal tasks that would be as hard to divide among the processors: the square of
    // the work by the sum of the squares. Short tasks beside long ones hardly count.
    double long_tasks;
} duet_processor_holding;

duet_code duet_configuration_measure(const duet_classes *classes, const int64_t weight[2],
                                     duet_processor_holding of[2], duet_error *error);

// Which types are to be divisible: those with more than `most` tasks per processor, and those
// without processors.
duet_code duet_configuration_modes(const duet_classes *classes, const int64_t weight[2],
                                   double most, bool divisible[2], duet_error *error);

// What is basic of a class, a branching row or a type.
enum duet_basis {
    DUET_BASIS_ROW = 1 << 0,    // its row: of a class, that of all its tasks
    DUET_BASIS_COLUMN = 1 << 1, // the column of a branching row
    // Of a class, by type: shifted left by it.
    DUET_BASIS_ON = 1 << 2,     // the row of its tasks on the type
    DUET_BASIS_SINGLE = 1 << 4, // the column of its tasks alone on the type
    DUET_BASIS_FIXED = 1 << 6   // Not a matter of the basis: the class has no rows.
};

// The basis in which a program was solved, for a later one of the same classes: with another
// residual problem or another guess, it begins near its optimum. Starts empty.
typedef struct duet_configuration_start {
    size_t classes;    // 0: there is no start
    bool divisible[2]; // as of the program

    // Basic rows and columns, by what they are of: bits of enum duet_basis.
    uint8_t *class_basis;     // per class
    uint8_t *branching_basis; // per branching row
    size_t branching_rows;
    uint8_t type_basis[2]; // per type
    bool factor;           // the column of the factor is basic

    // Basic patterns.
    uint32_t *stored; // which of the store
    size_t patterns;
    size_t renewals; // of the store by then
} duet_configuration_start;

void duet_configuration_start_free(duet_configuration_start *start);
// Bytes that it takes, about.
size_t duet_configuration_start_bytes(const duet_configuration_start *start);

// `divisible[t]`: type t is divisible. The classes and the residual problem `state` must outlive
// the object and stay as they are. `store` (may be NULL) gives and takes columns. `start` (may be
// NULL, or empty) is where the first solve begins and must live until then; it is of use only with
// the store that it was noted with, and its branching rows are the first of those added here. A
// stale start is safe; it costs iterations. Errors: DUET_E_UNSUPPORTED without an LP solver.
duet_code duet_configuration_create(const duet_classes *classes, const duet_residual *state,
                                    const bool divisible[2], duet_column_store *store,
                                    const duet_configuration_start *start, duet_configuration **out,
                                    duet_error *error);
void duet_configuration_free(duet_configuration *configuration); // NULL is allowed

// Before the first solve: adds branching rows of a type that is not divisible. They must outlive
// the object. Prices then have one for each row, and `prices` below needs room for them.
duet_code duet_configuration_add_branching_rows(duet_configuration *configuration,
                                                const duet_branching_row *branching_row,
                                                size_t branching_rows, duet_error *error);

// Before the first solve: prices of the classes, the same on both types, near which duals are
// sought at first, and the price of a processor of each type. All processors together have the
// price 1.
void duet_configuration_pull(duet_configuration *configuration, const double *price,
                             const double *limit);

// Solves the relaxation for classes->guess, in at most `iterations` iterations. `prices` receives
// the prices that leave the least slack; where they refute the guess, they may refute longer ones
// too, up to classes->valid.
duet_code duet_configuration_solve(duet_configuration *configuration, int iterations,
                                   const duet_context *context, duet_prices *prices,
                                   duet_configuration_answer *answer, duet_error *error);

// The same where only a refutation is of use: ends as soon as the patterns show that there is none.
duet_code duet_configuration_refute(duet_configuration *configuration, int iterations,
                                    const duet_context *context, duet_prices *prices,
                                    duet_configuration_answer *answer, duet_error *error);

// The same for one node of many: ends when the patterns so far show that the relaxation cannot
// refute the guess, and tries no longer guesses. The prices are made small where that weakens them
// little (`precise`: hardly), since a proof has those of every node and its checker runs a knapsack
// over them.
duet_code duet_configuration_probe(duet_configuration *configuration, int iterations, bool precise,
                                   const duet_context *context, duet_prices *prices,
                                   duet_configuration_answer *answer, duet_error *error);

// For the patterns of the relaxation's solution: goes on where the prices refute the guess, and
// ends (`finished`) when no pattern improves the program. The prices are those of the least slack,
// not made small.
duet_code duet_configuration_finish(duet_configuration *configuration, int iterations,
                                    const duet_context *context, duet_prices *prices,
                                    duet_configuration_answer *answer, duet_error *error);

// After a solve: its basis, as a start for later ones.
duet_code duet_configuration_note(const duet_configuration *configuration,
                                  duet_configuration_start *start, duet_error *error);

// A pattern of the master program and how often its last solution takes it.
typedef struct duet_configuration_pattern {
    size_t type;
    double value;
    int64_t taken;                 // so often at least (generation.h)
    const duet_pricing_part *part; // valid until the next solve or pattern
    size_t parts;
} duet_configuration_pattern;

size_t duet_configuration_patterns(const duet_configuration *configuration);
duet_configuration_pattern duet_configuration_pattern_at(const duet_configuration *configuration,
                                                         size_t index);

// After a solve, strong branching: by how much a branching row raises the factor of the master
// program with its bound as an upper one, and with one more as a lower one. Without new patterns,
// with which it would be less. The values of the program's solution are lost.
duet_code duet_configuration_try(duet_configuration *configuration,
                                 const duet_branching_row *branching_row,
                                 const duet_context *context, double lift[2], duet_error *error);

#endif
