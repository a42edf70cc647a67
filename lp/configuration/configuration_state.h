// SPDX-License-Identifier: Apache-2.0
// Inside of a configuration relaxation (lp/configuration/configuration.h): what its parts share.
// Each part calls only those above it in this list.
//
// branching_rows.c: rows that branching adds to the master program. master.c: its other rows and
// its columns. start.c: its first basis. duals.c: dual prices and their smoothing. loads.c: the
// dearest load of a processor. rounding.c: dual prices as integers with limits that hold.
// certify.c: which integer prices are handed out. generation.c: column generation.
// configuration.c: creation and release.
#ifndef DUET_LP_CONFIGURATION_CONFIGURATION_STATE_H
#define DUET_LP_CONFIGURATION_CONFIGURATION_STATE_H

#include "lp/configuration/configuration.h"
#include "lp/configuration/pricing_branch.h"
#include "lp/configuration/pricing_core.h"
#include "lp/lp.h"

// Rows of a class: every task on some type, and those that must run on one. SIZE_MAX: no row.
typedef struct class_rows {
    size_t any;
    size_t on[2];
} class_rows;

// A pattern that is a column of the master program.
typedef struct pattern_column {
    size_t column;
    size_t type;
    size_t begin; // of its parts
    size_t parts;
    size_t stored; // its index in the store; SIZE_MAX: it is not there
} pattern_column;

// Dual prices, of which a processor's is at least 0.
typedef struct duals {
    double *task[2]; // per class: what a task adds to a pattern of the type
    double processor[2];
    double *row; // per branching row
} duals;

// Duals and smoothing.
typedef struct smoothed_duals {
    duals last;    // of the last master program
    duals center;  // those that left the least slack so far
    duals dual;    // between the two: to round and to price with
    bool centered; // there is a center
} smoothed_duals;

// How the dearest load of a type is searched for.
typedef struct pricing_effort {
    bool by_branching[2]; // per type: by branch and bound, not by a table
    bool given_up[2];     // that was given up: limits come from the core, or from a small table
    bool thorough;        // branch and bound may take its time
} pricing_effort;

struct duet_configuration {
    // Inputs.
    const duet_classes *classes;
    const duet_residual *state;
    bool divisible[2];                     // the tasks on a type
    duet_column_store *store;              // NULL: none
    const duet_configuration_start *start; // NULL: none, or it was taken
    const duet_branching_row *branching_row;
    size_t branching_rows;

    // Limits of the effort.
    pricing_effort effort;
    bool precise; // probes are to leave hardly more slack than the best prices would
    int fine;     // bits by which the prices are finer than usual

    // Linear program: the master program.
    duet_lp *lp;
    class_rows *row;
    bool *fixed; // per class: without rows, since it is a constant of its type
    size_t processor_row[2];
    size_t *single[2]; // the columns of a class's tasks alone on a type; SIZE_MAX: none
    size_t *branching_lp_row, *branching_lp_column;
    pattern_column *pattern; // the columns that are patterns
    size_t patterns;
    duet_pricing_part *content; // their parts
    size_t contents;
    double factor; // of the last solution, about

    smoothed_duals smoothing;

    // Workspace of pricing and rounding.
    duet_pricing *pricing;
    duet_branch *branch;
    duet_pricing_core *core;
    duet_dearest_start core_start[2];
    duet_pricing_item *item; // of the type being priced
    size_t items;
    duet_pricing_part *part;
    duet_prices trial;            // the duals, rounded
    duet_pricing_load dearest[2]; // where the limit of a type comes from
    double dearest_scale;         // the scale of those; 0: they are of another guess
    bool unknown; // a search for a load was given up: the last limits may be too low
};

// branching_rows.c

// The entry of a pattern in a branching row, which is this row of the master program.
void duet_master_count_pattern(duet_configuration *c, const duet_branching_row *branching_row,
                               size_t row, const pattern_column *pattern);

// master.c

// All rows and the first columns. Errors: those of duet_lp_failure(); DUET_E_MEMORY.
duet_code duet_master_build(duet_configuration *c, duet_error *error);
// A column: a pattern of one processor or, of a divisible type, one task with its share of one. The
// program keeps a failure of its own to itself. Errors: DUET_E_MEMORY.
duet_code duet_master_add_column(duet_configuration *c, size_t type, const duet_pricing_part *part,
                                 size_t parts, double share, duet_error *error);

// start.c

// Before the first solve: takes the start, if there is one. *resumed: there was.
duet_code duet_configuration_resume(duet_configuration *c, bool *resumed, duet_error *error);

// duals.c

// The duals of the last master program.
void duet_duals_read(duet_configuration *c);
// Duals part of the way from the last ones to the center: they oscillate less. `share` 0: the last
// ones. Below 0 a task is left out of patterns.
void duet_duals_smooth(duet_configuration *c, double share);
// Makes them the center.
void duet_duals_center(duet_configuration *c);

// loads.c

// Lists the items of a type, at no price yet. The prices of their loads hold at every node, since
// the items allow as many tasks as the root does.
void duet_loads_list(duet_configuration *c, size_t type);
// The dearest load of the items among those of a price above `floor`, in `out`, which has room for
// all; of the price `floor` and without parts if no load is dearer. Where the search is given up,
// c->unknown is set and `out` is the best found.
duet_code duet_loads_price(duet_configuration *c, size_t type, int64_t capacity, int64_t floor,
                           duet_pricing_load *out, duet_error *error);

// The same for the limit of a type, which must be exact: where branch and bound gives up and a
// table over time is small, that table answers, this time and from then on.
duet_code duet_loads_limit(duet_configuration *c, size_t type, int64_t capacity, int64_t floor,
                           duet_pricing_load *out, duet_error *error);

// rounding.c

// The largest scale at which no load of a processor within the guess has a higher price than the
// tables can take.
double duet_rounding_scale(duet_configuration *c, int64_t guess);
// The duals as integer prices at a scale, in c->trial, with limits that hold for the guess, and the
// slack that they leave. Where c->unknown, they do not hold and the slack is 0.
duet_code duet_rounding_prices(duet_configuration *c, double scale, int64_t guess,
                               duet_int128 *slack, duet_error *error);
// Whether the load that a type's limit comes from, at that scale, may be the next pattern: the
// residual problem allows it, and it is the dearest or the best found before c->unknown was set.
bool duet_rounding_has_dearest(const duet_configuration *c, size_t type, double scale);

// certify.c: the trial prices refute the guess, or others are to.

// How far a refutation goes beyond the guess, and with which prices.
duet_code duet_certify_refutation(duet_configuration *c, const duet_context *context,
                                  duet_prices *prices, duet_configuration_answer *answer,
                                  duet_error *error);
// The smallest prices that refute answer->proven: the checker's knapsack runs over them.
duet_code duet_certify_smallest(duet_configuration *c, const duet_context *context,
                                duet_prices *prices, duet_configuration_answer *answer,
                                duet_error *error);
// The relaxation refutes the guess, but its prices were rounded too much to show it: finer ones.
duet_code duet_certify_finer(duet_configuration *c, const duet_context *context,
                             duet_prices *prices, duet_configuration_answer *answer,
                             duet_error *error);
// Prices that refute the guess at a smaller scale. *small: there are such.
duet_code duet_certify_small(duet_configuration *c, double scale, duet_prices *prices, bool *small,
                             duet_error *error);
// Smaller prices than those of the least slack that are not much weaker.
duet_code duet_certify_reduced(duet_configuration *c, duet_prices *prices,
                               duet_configuration_answer *answer, duet_error *error);

#endif
