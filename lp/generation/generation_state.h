// SPDX-License-Identifier: Apache-2.0
// Inside of the configuration relaxation for any number of types (lp/generation/generation.h): what
// its parts share. Each part calls only those above it in this list.
//
// nested.c, released.c: loads of tasks with releases. counts.c: limits on numbers of tasks.
// master.c: rows, columns and their bounds. duals.c: dual prices and their smoothing. limits.c:
// duals as integer prices, with limits that hold. certify.c: which prices are handed out.
// iterate.c: column generation. seed.c: where it begins. generation.c: creation and release.
#ifndef DUET_LP_GENERATION_GENERATION_STATE_H
#define DUET_LP_GENERATION_GENERATION_STATE_H

#include "core/number/minmax.h"
#include "lp/configuration/pricing_branch.h"
#include "lp/configuration/pricing_core.h"
#include "lp/generation/generation.h"
#include "lp/lp.h"

// A pattern that is a column of the master program.
typedef struct pattern_column {
    size_t column; // of the program
    size_t type;
    size_t begin; // of its parts
    size_t parts;
    int64_t load;  // ticks
    int64_t taken; // so often at least
    uint64_t hash; // of type and parts
    bool open;     // it fits the guess and the residual problem
    bool asleep;   // left out of the program until its price is above its processor's again
    int idle;      // solves in a row in which it was too cheap
} pattern_column;

// A limit of a count.
typedef struct count_side {
    size_t row;    // of the program; SIZE_MAX: none yet
    size_t beyond; // the column of what is above the limit
    double last;   // its price by the last master program, at least 0
    double center; // as of the duals below
    double dual;
} count_side;

enum { ABOVE, BELOW };

// A number of tasks that may be limited: how many of at least `time` a type gets.
typedef struct count_row {
    size_t type;
    int64_t time;
    int64_t release;
    int64_t tasks; // of which it may get any number
    int64_t low;   // at least
    int64_t high;  // at most; INT64_MAX: no limit
    count_side side[2];
} count_row;

// Dual prices, of which all are at least 0.
typedef struct duals {
    double *task; // per pair of a type and a class: what a task adds to a pattern
    double *processor;
} duals;

// Duals and smoothing.
typedef struct smoothed_duals {
    duals last;    // of the last master program
    duals center;  // those that left the least slack so far
    duals dual;    // between the two: to round and to price with
    bool centered; // there is a center
} smoothed_duals;

// How exactly, and for how long, the dearest load of a type is searched for.
typedef struct pricing_effort {
    bool *given_up; // per type: branch and bound was given up, in this solve
    bool fine;      // prices may be as high as a proof has them
    bool thorough;  // branch and bound may take its time
} pricing_effort;

struct duet_generation {
    // Inputs.
    const duet_classes *classes;
    size_t types, count; // of classes
    bool *divisible;
    int64_t guess;
    int64_t *capacity;           // per type: of a processor within the guess
    const duet_residual *state;  // of this solve
    const duet_context *context; // stops the solve; NULL: limits are to be found whatever the time

    // Master program.
    duet_lp *lp;
    size_t *class_row;
    size_t *processor_row;
    size_t *pair_row; // per pair: of its limits; SIZE_MAX: none yet
    size_t *share;    // per pair of a divisible type: the column of its tasks; SIZE_MAX: none yet
    size_t *cover;    // per class: a pattern that covers it; SIZE_MAX: none yet
    size_t factor_column;
    pattern_column *pattern;
    size_t patterns;
    duet_pricing_part *content; // the patterns' parts
    size_t contents;
    size_t *slot; // hash table of patterns, index + 1
    size_t slots;
    count_row *counted;
    size_t counts;
    duet_branching_row *row; // their limits, ABOVE at [2 i], BELOW behind
    bool widened;            // since the basis was optimal
    double factor;           // of the last solution, about
    double *tasks;           // per pair: how many the last solution gives to the type

    smoothed_duals smoothing;

    // Workspace of pricing and rounding.
    duet_pricing *pricing;
    duet_branch *branch;
    duet_pricing_core *core;
    duet_dearest_start *core_start; // per type
    duet_pricing_part *core_part;
    bool sets;               // prices are for sets of all tasks of a class
    duet_pricing_item *item; // of the type being priced
    size_t items;
    duet_pricing_part *part;
    duet_prices trial;          // the duals, rounded
    duet_pricing_load *dearest; // per type: where its limit comes from
    double dearest_scale;       // the scale of those; 0: they are of another guess
    pricing_effort effort;
    bool unknown; // a search for a load was given up: the last limits may be too high

    // With releases: a table over time (released.c).
    int64_t *by_time;
    uint8_t *step; // per lump of an item and time: whether it is taken
    size_t times_room, steps_room;
};

static inline size_t pair_of(const duet_generation *generation, size_t type, size_t class)
{
    return type * generation->count + class;
}

// How many tasks of a class one processor of a type may run within a capacity.
static inline int64_t most_on_one(const duet_generation *generation, size_t type, size_t class,
                                  int64_t capacity)
{
    int64_t most = duet_residual_most(generation->state, class, type);
    most = most > 0 && generation->sets ? generation->classes->tasks[class] : most;
    if (most == 0 || generation->classes->time[type][class] > capacity) {
        return 0;
    }
    int64_t late = 0; // what the release takes of the capacity
    if (generation->classes->release != NULL) {
        late = duet_class_start(generation->classes, class, type) - generation->classes->from[type];
    }
    int64_t room = capacity - late;
    int64_t fit = room > 0 ? room / generation->classes->time[type][class] : 0;
    return duet_min(most, fit);
}

static inline int64_t capacity_within(const duet_generation *generation, size_t type, int64_t guess)
{
    const duet_classes *classes = generation->classes;
    int64_t from = classes->from == NULL ? 0 : classes->from[type];
    int64_t room = duet_max(guess - from, 0);
    return room / classes->unit[type] * classes->unit[type];
}

// Whether a count has the tasks of a class.
static inline bool duet_generation_counts_class(const duet_generation *generation,
                                                const count_row *count, size_t class)
{
    return generation->classes->time[count->type][class] >= count->time &&
           (count->release == 0 || generation->classes->release[class] >= count->release) &&
           duet_class_fits(generation->classes, class, count->type);
}

// nested.c

// Some tasks of a class on one processor, taken together or not at all.
typedef struct generation_lump {
    size_t class;
    int64_t tasks;
    int64_t time;  // of all
    int64_t price; // of all
    int64_t room;  // the longest load that they may end
} generation_lump;

// The dearest load above the value of `out`, which is left as it is if no load is above it. The
// lumps come by decreasing release. *exceeded: it was given up, since there are more than `most`
// loads.
duet_code duet_generation_price_nested(const generation_lump *lumps, size_t count, int64_t capacity,
                                       size_t most, duet_pricing_load *out, bool *exceeded,
                                       duet_error *error);

// released.c

// Whether some classes wait for their releases.
static inline bool has_releases(const duet_generation *generation)
{
    return generation->classes->release != NULL;
}
// The dearest load of the items, as duet_generation_price() has it.
duet_code duet_generation_price_released(duet_generation *generation, size_t type, int64_t capacity,
                                         int64_t floor, duet_pricing_load *out, int64_t *limit,
                                         duet_error *error);
// What the slack of the whole loses by the patterns that are taken: their reduced costs.
duet_int128 duet_generation_taken_cost(const duet_generation *generation,
                                       const duet_prices *prices);

// counts.c

// The entries of a new column in the rows of counts.
void duet_generation_count_pattern(duet_generation *generation, const pattern_column *pattern);
void duet_generation_count_share(duet_generation *generation, size_t type, size_t class);
// Bounds of the rows.
void duet_generation_fit_counts(duet_generation *generation);
// Their duals in the last master program, and what these add to the price of a task.
void duet_generation_read_counts(duet_generation *generation);
double duet_generation_count_dual(const duet_generation *generation, size_t type, size_t class);
// Their duals as integers at a scale, in generation->trial.
void duet_generation_round_counts(duet_generation *generation, double scale);

// master.c

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

// duals.c

void duet_generation_duals(duet_generation *generation);
void duet_generation_smooth(duet_generation *generation, double share);
void duet_generation_recenter(duet_generation *generation);

// limits.c

// The items of a type, at no price yet: what the residual problem lets a processor of that capacity
// run.
void duet_generation_list(duet_generation *generation, size_t type, int64_t capacity);
// The dearest load of the items, of that type, that was found above the price `floor`, in `out`; no
// load is worth more than `*limit`, which is its price where there is no dearer one.
duet_code duet_generation_price(duet_generation *generation, size_t type, int64_t capacity,
                                int64_t floor, duet_pricing_load *out, int64_t *limit,
                                duet_error *error);
double duet_generation_scale(duet_generation *generation, int64_t guess);
// The duals as integer prices at a scale, in generation->trial, with limits that hold for the
// guess, and the slack that they leave; INT64_MAX where the context stopped it.
duet_code duet_generation_round(duet_generation *generation, double scale, int64_t guess,
                                duet_int128 *slack, duet_error *error);

// certify.c

// How far a refutation goes beyond the guess, and the smallest prices of it.
duet_code duet_generation_certify(duet_generation *generation, const duet_context *context,
                                  duet_prices *prices, duet_generation_answer *answer,
                                  duet_error *error);

#endif
