// SPDX-License-Identifier: Apache-2.0
// Inside of a configuration relaxation: what its parts share. There is one structure for both kinds
// of programs: one that is made for a residual problem of two types
// (lp/configuration/configuration.h), and one that lasts, for any number of types, while guess and
// residual problem change (lp/configuration/generation.h). Each part calls only those above it in
// this list.
//
// nested.c, released.c: loads of tasks with releases. branching_rows.c, counts.c: rows that
// branching adds to the master program; of one that lasts. master.c, lasting_master.c: its other
// rows and its columns. start.c: its first basis. duals.c: dual prices and their smoothing.
// loads.c: the dearest load of a processor. desks.c: those of several types at a time. rounding.c:
// dual prices as integers with limits that hold. certify.c: which integer prices are handed out.
// generation.c: column generation. seed.c: where it begins. configuration.c: creation and release.
// lasting.c: what is asked of a program that lasts.
#ifndef DUET_LP_CONFIGURATION_CONFIGURATION_STATE_H
#define DUET_LP_CONFIGURATION_CONFIGURATION_STATE_H

#include "core/number/minmax.h"
#include "core/seen.h"
#include "lp/configuration/configuration.h"
#include "lp/configuration/generation.h"
#include "lp/configuration/pricing_branch.h"
#include "lp/configuration/pricing_core.h"
#include "lp/lp.h"

// A pattern that is a column of the master program.
typedef struct pattern_column {
    size_t column; // of the program
    size_t type;
    size_t begin; // of its parts
    size_t parts;
    size_t stored; // its index in the store; SIZE_MAX: it is not there
    // In a program that lasts:
    int64_t load;  // ticks
    int64_t taken; // so often at least
    bool open;     // it fits the guess and the residual problem
    bool asleep;   // left out of the program until its price is above its processor's again
    int idle;      // solves in a row in which it was too cheap
} pattern_column;

enum { ABOVE, BELOW }; // the sides of a count: its branching rows are 2 i + ABOVE and 2 i + BELOW

// Dual prices, of which those of processors and branching rows are at least 0.
typedef struct duals {
    double *task; // per pair of a type and a class: what a task adds to a pattern
    double *processor;
    double *row; // per branching row
} duals;

// Duals and smoothing.
typedef struct smoothed_duals {
    duals last;    // of the last master program
    duals center;  // those that left the least slack so far
    duals dual;    // between the two: to round and to price with
    bool centered; // there is a center
} smoothed_duals;

// Loads of a type that are to become patterns.
typedef struct priced_loads {
    duet_pricing_part *part; // of all, one load after the other
    size_t parts;
    size_t *end; // of each, in the parts
    size_t loads;
} priced_loads;

// How exactly, and for how long, the dearest load of a type is searched for.
typedef struct pricing_effort {
    bool *given_up; // per type: branch and bound was given up, for what answered instead
    bool by_table;  // that gave up although it took its time: only tables are asked
    bool thorough;  // branch and bound may take its time
    bool unknown;   // it was given up: the last limits may be higher than any load
    int fine;       // bits by which prices are finer than usual
} pricing_effort;

// What the limits of a program that lasts hold for.
typedef enum duet_price_scope {
    DUET_SCOPE_TASKS, // as many tasks of a class as the residual problem lets a type have
    DUET_SCOPE_SETS   // all tasks of a class, where it lets a type have one
} duet_price_scope;

// Some tasks of a class on one processor, taken together or not at all.
typedef struct generation_lump {
    size_t class;
    int64_t tasks;
    int64_t time;  // of all
    int64_t price; // of all
    int64_t room;  // the longest load that they may end
} generation_lump;

// The dearest loads of one processor by time, where tasks have releases (released.c). What is busy
// until later has the same table, of which it asks for less time.
typedef struct released_table {
    int64_t *by_time; // the price of the dearest load that is not longer than some cells
    uint8_t *step;    // per lump of an item and time: whether it is taken
    size_t times_room, steps_room;
    generation_lump *lump;
    size_t lumps;
    duet_pricing_item *item; // what the lumps are of, by decreasing release
    size_t items;
    size_t cells;  // 0: nothing is kept
    size_t origin; // the type of the platform
    int64_t guess; // within which the loads end
} released_table;

// Where one type is priced: the items of its loads, and workspace.
typedef struct pricing_desk {
    duet_pricing_item *item; // of the type being priced
    size_t items;
    duet_pricing_part *part; // room for a load
    duet_pricing *pricing;
    duet_branch *branch;
    duet_pricing_core *core;
    duet_pricing_part *core_part;
    bool unknown; // a limit may be higher than any load, as effort.unknown has it
} pricing_desk;

struct duet_configuration {
    // Inputs.
    const duet_classes *classes;
    size_t types, count; // of classes
    bool lasts;          // as generation.h has it
    bool *divisible;     // per type: its tasks may be divided
    int64_t guess;
    int64_t *capacity;                     // per type: of a processor within the guess
    const duet_residual *state;            // where it lasts, of this solve
    const duet_context *context;           // stops the solve; NULL: limits are to be found anyway
    duet_column_store *store;              // NULL: none
    const duet_configuration_start *start; // NULL: none, or it was taken
    const duet_branching_row *branching_row;
    size_t branching_rows;
    bool precise; // probes are to leave hardly more slack than the best prices would

    // Linear program: the master program. SIZE_MAX: there is no such row or column.
    duet_lp *lp;
    size_t *class_row;     // per class: of every task on some type
    size_t *pair_row;      // per pair: of its tasks there
    size_t *processor_row; // per type
    size_t *single;        // per pair: the column of its tasks alone
    size_t *branching_lp_row, *branching_lp_column;
    pattern_column *pattern; // the columns that are patterns
    size_t patterns;
    duet_pricing_part *content; // their parts
    size_t contents;
    double factor; // of the last solution, about
    bool *fixed;   // per class: without rows, since it is a constant of its type

    // Of a program that lasts.
    size_t *cover; // per class: a pattern that covers it; SIZE_MAX: none yet
    size_t factor_column;
    duet_seen seen;   // the patterns
    int64_t *key;     // of one
    int64_t *counted; // per number that may be limited: its tasks, all that there are
    size_t counts;
    duet_branching_row *row; // their limits; ABOVE INT64_MAX: none
    bool widened;            // since the basis was optimal
    duet_price_scope scope;  // what prices are for
    double *tasks;           // per pair: how many the last solution gives to the type

    smoothed_duals smoothing;

    // Pricing and rounding.
    pricing_desk desk;              // of what comes one after the other
    duet_dearest_start *core_start; // per type
    duet_prices trial;              // the duals, rounded
    duet_pricing_load *dearest;     // per type: where its limit comes from
    double dearest_scale;           // the scale of those; 0: they are of another guess
    int64_t priced_guess;           // that the trial prices are for
    priced_loads *priced;           // per type: of the last round
    pricing_effort effort;

    released_table table; // with releases
};

static inline size_t pair_of(const duet_configuration *c, size_t type, size_t class)
{
    return type * c->count + class;
}

// How many tasks of a class one processor of a type may run within a capacity.
static inline int64_t most_on_one(const duet_configuration *c, size_t type, size_t class,
                                  int64_t capacity)
{
    int64_t most = duet_residual_most(c->state, class, type);
    most = most > 0 && c->scope == DUET_SCOPE_SETS ? c->classes->tasks[class] : most;
    if (most == 0 || c->classes->time[type][class] > capacity) {
        return 0;
    }
    int64_t late = 0; // what the release takes of the capacity
    if (c->classes->release != NULL) {
        late = duet_class_start(c->classes, class, type) - c->classes->first[type];
    }
    int64_t room = capacity - late;
    int64_t fit = room > 0 ? room / c->classes->time[type][class] : 0;
    return duet_min(most, fit);
}

static inline int64_t capacity_within(const duet_configuration *c, size_t type, int64_t guess)
{
    const duet_classes *classes = c->classes;
    int64_t first = classes->first == NULL ? 0 : classes->first[type];
    int64_t room = duet_max(guess - first, 0);
    return room / classes->unit[type] * classes->unit[type];
}

// nested.c

// The dearest load above the value of `out`, which is left as it is if no load is above it. The
// lumps come by decreasing release. *exceeded: it was given up, since there are more than `most`
// loads.
duet_code duet_generation_price_nested(const generation_lump *lumps, size_t count, int64_t capacity,
                                       size_t most, duet_pricing_load *out, bool *exceeded,
                                       duet_error *error);

// released.c

// Whether some classes wait for their releases.
static inline bool has_releases(const duet_configuration *c)
{
    return c->classes->release != NULL;
}
// The dearest load of the items, as duet_loads_price() has it.
duet_code duet_generation_price_released(duet_generation *generation, pricing_desk *desk,
                                         size_t type, int64_t capacity, int64_t floor,
                                         duet_pricing_load *out, int64_t *limit, duet_error *error);
// What the slack of the whole loses by the patterns that are taken: their reduced costs.
duet_int128 duet_generation_taken_cost(const duet_generation *generation,
                                       const duet_prices *prices);

// branching_rows.c

// Room for the rows and prices of that many branching rows.
duet_code duet_branching_rows_make_room(duet_configuration *c, size_t rows, duet_error *error);
// The entry of a pattern, whatever its type, in this row of the master program for a branching row.
void duet_master_count_pattern(duet_configuration *c, const duet_branching_row *branching_row,
                               size_t row, const pattern_column *pattern);

// counts.c

// The entries of a new column in the rows of counts.
void duet_generation_count_pattern(duet_generation *generation, const pattern_column *pattern);
void duet_generation_count_share(duet_generation *generation, size_t type, size_t class);
// Bounds of the rows.
void duet_generation_fit_counts(duet_generation *generation);
// What their duals in the last master program add to the price of a task.
double duet_generation_count_dual(const duet_generation *generation, size_t type, size_t class);

// master.c

// All rows and the first columns. Errors: those of duet_lp_failure(); DUET_E_MEMORY.
duet_code duet_master_build(duet_configuration *c, duet_error *error);
// A column: a pattern of one processor or, of a divisible type, one task with its share of one. The
// program keeps a failure of its own to itself. Errors: DUET_E_MEMORY.
duet_code duet_master_add_column(duet_configuration *c, size_t type, const duet_pricing_part *part,
                                 size_t parts, double share, duet_error *error);
// The entries of some tasks of a class in a column.
void duet_master_add_tasks(duet_configuration *c, size_t column, size_t type, size_t class,
                           double tasks);

// lasting_master.c

// All rows, and the column of the factor.
duet_code duet_generation_build(duet_generation *generation, duet_error *error);
// Bounds of rows and columns for generation->state and the guess, and columns by which it can be
// covered.
duet_code duet_generation_fit(duet_generation *generation, duet_error *error);
// Leaves out patterns that were too cheap for long, and brings those back that are not by the last
// duals. Returns how many came back.
int duet_generation_rest(duet_generation *generation);
// The column of a class's tasks on a divisible type, unless it is there.
void duet_generation_share_class(duet_generation *generation, size_t type, size_t class);
// The solution's counts, in generation->tasks.
void duet_generation_read(duet_generation *generation);

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
// What a pattern's tasks are worth by the last ones beyond its processor, by more than rounding
// makes of it: all processors together have the price 1.
bool duet_duals_are_above(const duet_configuration *c, size_t type, const duet_pricing_part *part,
                          size_t parts);

// loads.c

// Lists the items of a type, at no price yet. Where the program lasts they are what the residual
// problem lets a processor of that capacity run; else there are as many as at the root, so that the
// prices of their loads hold at every node.
void duet_loads_list(const duet_configuration *c, pricing_desk *desk, size_t type,
                     int64_t capacity);
// The dearest load of the items, of that type, that was found above the price `floor`, in `out`,
// which has room for all; without parts, and of that price, where none was. No load is worth more
// than `*limit`, which is its price where there is no dearer one.
duet_code duet_loads_price(duet_configuration *c, pricing_desk *desk, size_t type, int64_t capacity,
                           int64_t floor, duet_pricing_load *out, int64_t *limit,
                           duet_error *error);

// desks.c

// Makes a desk for loads of that number of classes. Free it whatever comes back. Errors:
// DUET_E_MEMORY.
duet_code duet_desk_create(pricing_desk *desk, size_t classes, duet_error *error);
void duet_desk_free(pricing_desk *desk);
// Prices one type at a desk. It may change what is of its type alone.
typedef duet_code duet_desk_job(duet_configuration *c, pricing_desk *desk, size_t type,
                                double scale, duet_error *error);
// Does so for every type with processors that is not divisible, beside each other; not for those
// that have not begun when the context stops it. Sets c->effort.unknown where a desk or the context
// says so. Errors: DUET_E_MEMORY.
duet_code duet_desks_price(duet_configuration *c, duet_desk_job *job, double scale,
                           duet_error *error);

// rounding.c

// The largest scale at which no load of a processor within the guess has a higher price than the
// tables and the checker can take.
double duet_rounding_scale(duet_configuration *c, int64_t guess);
// The duals as integer prices at a scale, in c->trial, with limits that hold for the guess, and the
// slack that they leave; INT64_MAX where the context stopped it.
duet_code duet_rounding_prices(duet_configuration *c, double scale, int64_t guess,
                               duet_int128 *slack, duet_error *error);
// Whether the load that a type's limit comes from, at that scale, may be the next pattern: the
// residual problem allows it, and it is the dearest or the best found before c->effort.unknown was
// set.
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
