// SPDX-License-Identifier: Apache-2.0
// Inside of a configuration relaxation (lp/configuration/configuration.h): what its parts share.
#ifndef DUET_LP_CONFIGURATION_STATE_H
#define DUET_LP_CONFIGURATION_STATE_H

#include "lp/configuration/configuration.h"
#include "lp/configuration/pricing_branch.h"
#include "lp/lp.h"

// Rows of a class: every task on some type, and those that are forced onto one. SIZE_MAX: no row.
typedef struct class_rows {
    size_t any;
    size_t on[2];
} class_rows;

// A pattern that is a column of the program.
typedef struct pattern_column {
    size_t column;
    size_t type;
    size_t begin; // of its parts
    size_t parts;
    size_t stored; // which of the store; SIZE_MAX: none
} pattern_column;

struct duet_configuration {
    duet_column_store *store; // NULL: none
    const duet_classes *classes;
    const duet_residual *state;
    bool area[2];
    duet_lp *lp;
    class_rows *row;
    size_t processor_row[2];
    size_t *single[2]; // the first columns: of a class's tasks alone on a type; SIZE_MAX: none
    const duet_configuration_start *start; // NULL: none, or it was taken
    bool *settled;                         // per class: no row, a constant of its type
    duet_pricing *pricing;
    duet_branch *branch;
    bool branching[2];       // a type's loads are priced by branch and bound, not by a table
    bool thorough;           // it may take its time
    bool precise;            // probes are to leave hardly more budget than the best prices would
    bool unknown;            // that was given up: the last limits may be too low
    duet_pricing_item *item; // of the type being priced
    duet_pricing_part *part;
    double *last[2];   // dual price of a task of a class on a type in the last master program
    double *center[2]; // that left the least budget so far
    double *dual[2];   // the one to round and price with: between the two
    double last_processor[2], center_processor[2], processor[2]; // the same of a processor
    const duet_branching_row *branching_row;
    size_t branching_rows;
    size_t *branching_lp_row, *branching_lp_column;
    double *last_branching, *center_branching, *branching_dual; // the same of a tally
    bool centered;                                              // there is a center
    double factor;                                              // of the last master program
    int fine; // the prices' resolution is so many bits finer than usual
    duet_prices trial;
    duet_pricing_part *dearest[2]; // of a type: what its limit comes from, at this scale
    size_t dearest_parts[2];
    double dearest_scale;    // 0: for another length
    pattern_column *pattern; // columns that are patterns, and what is in them
    size_t patterns, pattern_room;
    duet_pricing_part *content;
    size_t contents, content_room;
};

// Before the first solve: takes the start, if there is one. *resumed: there was.
duet_code duet_configuration_resume(duet_configuration *c, bool *resumed, duet_error *error);

#endif
