// SPDX-License-Identifier: Apache-2.0
// The configuration relaxation: fractional patterns, each the load of one processor within a
// length, that cover all tasks with as many processors as there are.
//
// Method:    column generation. The master program stretches the numbers of processors by a common
//            factor and minimises it: above 1, there is no schedule. Its dual prices, rounded to
//            integers, go through an exact knapsack per type (lp/pricing*.h); if the tasks are
//            worth more than the processors can afford, those integers are a proof that needs no
//            linear program. A type with many tasks per processor is priced by area instead: its
//            tasks are divisible, which costs next to nothing there.
// Reference: Gilmore, Gomory, "A linear programming approach to the cutting-stock problem",
//            Operations Research 9(6), 1961; Lagrangian bound of any prices: Farley, "A note on
//            bounding a class of linear programming problems", Operations Research 38(5), 1990.
#ifndef DUET_LP_CONFIGURATION_CONFIGURATION_H
#define DUET_LP_CONFIGURATION_CONFIGURATION_H

#include "core/context.h"
#include "core/prices.h"
#include "lp/configuration/column_store.h"

typedef struct duet_configuration duet_configuration;

typedef struct duet_configuration_answer {
    bool refuted;   // the prices prove that there is no schedule
    int64_t proven; // and then none within `proven` either, which is at least the length
    bool settled;   // the relaxation is solved: if not refuted, it cannot refute this
    bool any;       // there are prices: the best found, refuting or not
    double factor;  // of the last master program, about
    int iterations;
} duet_configuration_answer;

// Which types to price by area: those with more than `most` tasks per processor when every class is
// on the type where `weight` makes it cheaper, as far as that has room, and those without
// processors. `tasks` (may be NULL) receives those numbers.
duet_code duet_configuration_modes(const duet_classes *classes, const int64_t weight[2],
                                   double most, bool area[2], double tasks[2], duet_error *error);

// Where the simplex method ended, for the program of another state of the same classes, or of these
// classes at another length: it then begins near its end. Starts empty.
typedef struct duet_configuration_start {
    bool *settled;       // per class: it has no rows
    bool *row, *on[2];   // its rows are in the basis
    bool *single[2];     // per type: so is the column of its tasks alone
    bool *branching_row; // per tally: so is its row,
    bool *beside;        // and the column of what it misses
    size_t branching_rows;
    uint32_t *stored; // the patterns in the basis, of the store
    size_t patterns;
    size_t renewals; // of the store by then
    bool factor, processor[2];
    bool area[2];
    size_t classes; // 0: there is no start
} duet_configuration_start;

void duet_configuration_start_free(duet_configuration_start *start);
// What it takes, about.
size_t duet_configuration_start_bytes(const duet_configuration_start *start);

// `area[t]`: price type t by area. The classes must outlive the object; `state` says what is left,
// and stays as it is as long as the object. `store` (may be NULL) gives and takes columns. `start`
// (may be NULL, or empty) is where to begin, until the first solve; it is of use with the same
// store alone. Whatever has changed since, it is only a matter of time. Its tallies are the first
// that follow. Errors: DUET_E_UNSUPPORTED without an LP solver.
duet_code duet_configuration_create(const duet_classes *classes, const duet_residual *state,
                                    const bool area[2], duet_column_store *store,
                                    const duet_configuration_start *start, duet_configuration **out,
                                    duet_error *error);
void duet_configuration_free(duet_configuration *configuration);

// Before the first solve: keeps to tallies of a type that has patterns. They must outlive the
// object, and prices then have one for each; `prices` below needs room for them.
duet_code duet_configuration_add_branching_rows(duet_configuration *configuration,
                                                const duet_branching_row *branching_row,
                                                size_t branching_rows, duet_error *error);

// Solves the relaxation for the classes' length. `prices` receives the prices that leave the least
// budget; where they refute the length, they may refute longer ones too, up to classes->valid.
duet_code duet_configuration_solve(duet_configuration *configuration, int iterations,
                                   const duet_context *context, duet_prices *prices,
                                   duet_configuration_answer *answer, duet_error *error);

// The same for one node of many: ends where the program's patterns show that the relaxation cannot
// refute the length, and does not look at longer lengths. The prices are small where that costs
// next to no strength, since the checker of a proof has each node's; `precise`: where they lose
// hardly any.
duet_code duet_configuration_probe(duet_configuration *configuration, int iterations, bool precise,
                                   const duet_context *context, duet_prices *prices,
                                   duet_configuration_answer *answer, duet_error *error);

// The same as the first, but goes on where the prices refute the length, and ends (`settled`) where
// no pattern is found that could be of use: the patterns of the relaxation's solution are wanted
// then. The prices are those of the least budget, not made small.
duet_code duet_configuration_settle(duet_configuration *configuration, int iterations,
                                    const duet_context *context, duet_prices *prices,
                                    duet_configuration_answer *answer, duet_error *error);

// After a solve: where it ended.
duet_code duet_configuration_note(const duet_configuration *configuration,
                                  duet_configuration_start *start, duet_error *error);

// A pattern of the program and how often the last master program's solution takes it.
typedef struct duet_configuration_pattern {
    size_t type;
    double value;
    const struct duet_pricing_part
        *part; // lp/configuration/pricing.h; as long as the object, until it is solved
    size_t parts;
} duet_configuration_pattern;

size_t duet_configuration_patterns(const duet_configuration *configuration);
duet_configuration_pattern duet_configuration_pattern_at(const duet_configuration *configuration,
                                                         size_t index);

// After a solve: how much a tally of the type that has patterns lifts the master program's factor,
// for its bound as an upper one, and for one more as a lower one; without new patterns, which would
// lift it less. The values of the program's solution are lost.
duet_code duet_configuration_try(duet_configuration *configuration,
                                 const duet_branching_row *branching_row,
                                 const duet_context *context, double lift[2], duet_error *error);

#endif
