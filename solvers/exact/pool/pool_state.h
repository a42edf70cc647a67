// SPDX-License-Identifier: Apache-2.0
// Inside of a pattern pool (solvers/exact/pool/pool.h): the state that its parts share.
//
//   pool.c              life of a pool, and its patterns from node to node
//   items.c             the patterns as sequences of items, for passes over all of them
//   rows.c              the branching rows
//   master.c            the master program: rows, columns, costs, bounds
//   candidates.c        which patterns get columns
//   relax.c             column generation over the pool
//   prices.c            integer prices from the duals
//   seed.c              the first columns
//   strong_branching.c  which branching row to add
//   integral.c          the schedule of an integral solution
//   dive.c              dives for a schedule
#ifndef DUET_SOLVERS_EXACT_POOL_POOL_STATE_H
#define DUET_SOLVERS_EXACT_POOL_POOL_STATE_H

#include "core/system/assert.h"
#include "lp/lp.h"
#include "solvers/exact/pool/pool.h"
#include "solvers/exact/tuning.h"

// A pattern whose column would improve the master program.
typedef struct duet_pool_candidate {
    double gain; // its dual beyond that of a processor
    uint32_t pattern;
} duet_pool_candidate;

// The duals of a master program, in processors of the divisible type. Those of classes and of
// branching rows are in the pool.
typedef struct duet_pool_duals {
    double processor; // of the pool's type
    double gain;      // the most that a pattern without a column gains
} duet_pool_duals;

// A branching row of the master program. Its coefficients are duet_pool_coefficient().
typedef struct duet_pool_row {
    duet_branching_count count;
    uint32_t items;      // of tasks that are long enough: those below this number
    size_t lp_row;       // in the master program
    size_t short_column; // of what is missing to a lower bound
    double dual;
} duet_pool_row;

// A bound of a branching row.
typedef struct duet_pool_bound {
    size_t row; // index into `row` of the pool
    bool at_least;
    int64_t bound;
} duet_pool_bound;

// The column of a pattern.
typedef struct duet_pool_column {
    uint32_t pattern;
    size_t lp_column;
    double work; // of its tasks on the divisible type
} duet_pool_column;

// A branching row that counts patterns, not tasks: its dual is no part of the items' duals, nor its
// price of their prices.
typedef struct duet_pool_pattern_row {
    size_t row;
    double dual;
    int64_t price;
} duet_pool_pattern_row;

struct duet_pool {
    // Inputs.
    const duet_classes *classes;
    const duet_context *context;
    int64_t *programs; // linear programs solved: the caller's counter
    size_t type;       // of the patterns; the other type is divisible
    duet_patterns patterns;

    // Master program. Its objective is the work that patterns save the divisible type. Once all
    // tasks' types are decided and the divisible type has room for its own, `fitting`, it is the
    // number of processors of the pool's type instead. Each is then the unit of duals and prices.
    duet_lp *lp;
    size_t processor_row;
    size_t *class_row; // of each class; SIZE_MAX: no pattern has it
    double *work;      // of a task of each class on the divisible type, in processors; 0: not there
    double *dual;      // of a task of each class on the pool's type
    duet_pool_column *column;
    size_t columns;
    size_t most_columns; // beyond it the program is built afresh
    size_t renewals;     // how often it was
    bool fitting;
    double short_cost;  // of a task without a pattern, and of what is missing to a lower bound
    double first_cost;  // short_cost at first: a high cost makes for duals that are far apart
    double enough_cost; // a value of short_cost that is certain to be enough

    // Patterns as items: the classes that patterns have, the longest first. Passes over all
    // patterns go by items, since they read little memory.
    size_t items;
    size_t *item_class;
    uint32_t *item_most; // tasks in one pattern
    uint16_t *item;      // of each task of each pattern, the longest first
    size_t *task;        // where each pattern begins in `item`; one more at the end
    double *item_dual;
    int64_t *item_price;
    bool *item_barred; // the state has no such task left for the pool's type
    bool limited;      // the state has fewer tasks left of some class than some patterns have

    // Branching rows.
    duet_pool_row *row;
    size_t rows;
    duet_pool_bound *open;
    size_t opened;
    size_t hidden; // bounds beyond the open ones, which a dive leaves out of account
    duet_pool_pattern_row *pattern_row; // of the item duals or prices that were set last
    size_t pattern_rows;

    // Nodes on the way down: the patterns of each, node after node.
    uint32_t *pick;
    size_t picks;
    size_t *from; // where each node but the first begins in `pick`
    size_t levels;

    // Workspace of a relaxation.
    uint32_t relaxation; // its number
    uint32_t *present;   // per pattern: the last relaxation that had it
    uint32_t *live;      // the patterns that fit the state
    size_t lives;
    bool *class_present; // per class: one of them has it
    bool *has_column;    // per pattern
    duet_pool_candidate best[DUET_POOL_CANDIDATES];
    size_t candidates;
    bool *class_taken; // per class: a column of this round has it
};

static inline bool duet_branching_count_same(const duet_branching_count *a,
                                             const duet_branching_count *b)
{
    return a->tasks == b->tasks && a->time == b->time && a->pair[0] == b->pair[0] &&
           a->pair[1] == b->pair[1];
}

// Where the patterns of the node on top begin in `pick`.
static inline size_t duet_pool_begin(const duet_pool *pool)
{
    return pool->levels == 0 ? 0 : pool->from[pool->levels - 1];
}

// Whether the state has all tasks of a pattern left for the pool's type.
static inline bool duet_pool_fits(const duet_pool *pool, uint32_t pattern,
                                  const duet_residual *state)
{
    const duet_patterns *all = &pool->patterns;
    for (size_t i = all->begin[pattern]; i < all->begin[pattern + 1]; i++) {
        const duet_pattern_part *part = &all->part[i];
        if (part->tasks > duet_residual_most(state, part->class, pool->type)) {
            return false;
        }
    }
    return true;
}

// How many tasks of the pair of classes of a branching row a pattern has.
static inline int64_t duet_pool_count_pair(const duet_pool *pool, const duet_pool_row *row,
                                           uint32_t pattern)
{
    const duet_patterns *all = &pool->patterns;
    int64_t found = 0;
    for (size_t i = all->begin[pattern]; i < all->begin[pattern + 1]; i++) {
        const duet_pattern_part *part = &all->part[i];
        found += part->class == row->count.pair[0] || part->class == row->count.pair[1]
                     ? part->tasks
                     : 0;
    }
    return found;
}

// The coefficient of a pattern's column in a branching row.
static inline int64_t duet_pool_coefficient(const duet_pool *pool, const duet_pool_row *row,
                                            uint32_t pattern)
{
    const uint16_t *item = pool->item + pool->task[pattern];
    int64_t tasks = (int64_t)(pool->task[pattern + 1] - pool->task[pattern]);
    if (row->count.pair[0] != SIZE_MAX) {
        return duet_pool_count_pair(pool, row, pattern) >= row->count.tasks;
    }
    if (row->count.tasks > 0) {
        return row->count.tasks <= tasks && item[row->count.tasks - 1] < row->items;
    }
    int64_t found = 0;
    while (found < tasks && item[found] < row->items) {
        found++;
    }
    return found;
}

// Whether a branching row counts tasks, not patterns: then its dual is part of each item's.
static inline bool duet_pool_counts_tasks(const duet_pool_row *row)
{
    return row->count.pair[0] == SIZE_MAX && row->count.tasks == 0;
}

// The patterns as items (pool/items.c).
duet_code duet_pool_create_items(duet_pool *pool, duet_error *error);
void duet_pool_free_items(duet_pool *pool);
size_t duet_pool_item_bytes(const duet_patterns *patterns);
// How many items have at least a time.
uint32_t duet_pool_items(const duet_pool *pool, int64_t time);
// Notes which items a state bars, for duet_pool_allows().
void duet_pool_bar_items(duet_pool *pool, const duet_residual *state);
// The items' duals from those of the classes and of the branching rows; or the items' prices, with
// those of the open bounds. Rows that count patterns go to `pattern_row`.
duet_code duet_pool_set_item_duals(duet_pool *pool, duet_error *error);
duet_code duet_pool_set_item_prices(duet_pool *pool, const duet_prices *prices, duet_error *error);

// duet_pool_fits() in the state of the last duet_pool_bar_items(), for passes over many patterns.
static inline bool duet_pool_allows(const duet_pool *pool, uint32_t pattern,
                                    const duet_residual *state)
{
    for (size_t i = pool->task[pattern]; i < pool->task[pattern + 1]; i++) {
        if (pool->item_barred[pool->item[i]]) {
            return false;
        }
    }
    return !pool->limited || duet_pool_fits(pool, pattern, state);
}

// The dual of a pattern: those of its tasks and of the branching rows that count it.
static inline double duet_pool_pattern_dual(const duet_pool *pool, uint32_t pattern)
{
    double dual = 0;
    for (size_t i = pool->task[pattern]; i < pool->task[pattern + 1]; i++) {
        dual += pool->item_dual[pool->item[i]];
    }
    for (size_t e = 0; e < pool->pattern_rows; e++) {
        const duet_pool_pattern_row *extra = &pool->pattern_row[e];
        dual += extra->dual * (double)duet_pool_coefficient(pool, &pool->row[extra->row], pattern);
    }
    return dual;
}

// The price of a pattern. No sum overflows: prices are below 2^31 each, or times, of which a
// pattern has no more than the capacity.
static inline int64_t duet_pool_pattern_price(const duet_pool *pool, uint32_t pattern)
{
    int64_t price = 0;
    for (size_t i = pool->task[pattern]; i < pool->task[pattern + 1]; i++) {
        price += pool->item_price[pool->item[i]];
    }
    for (size_t e = 0; e < pool->pattern_rows; e++) {
        const duet_pool_pattern_row *extra = &pool->pattern_row[e];
        price += extra->price * duet_pool_coefficient(pool, &pool->row[extra->row], pattern);
    }
    return price;
}

// The master program (pool/master.c): built without columns of patterns.
duet_code duet_pool_build_master(duet_pool *pool, duet_error *error);
// Built afresh, with the columns that its solution takes, where it has grown large.
duet_code duet_pool_renew_master(duet_pool *pool, duet_error *error);
// A column for a pattern that has none yet.
duet_code duet_pool_add_column(duet_pool *pool, uint32_t pattern, duet_error *error);
// A row and a short column for a branching row.
duet_code duet_pool_add_row(duet_pool *pool, duet_pool_row *row, duet_error *error);
// The objective and the bounds for a state, whose patterns are present.
void duet_pool_set_objective(duet_pool *pool, const duet_residual *state);
void duet_pool_set_bounds(duet_pool *pool, const duet_residual *state);
// The cost of what falls short: at first, or higher where the solution still falls short and no
// cost so far was certain to be enough. Returns whether it was raised.
void duet_pool_reset_short_cost(duet_pool *pool);
bool duet_pool_raise_short_cost(duet_pool *pool, const duet_residual *state);
// The duals of the classes and of the branching rows, and those of the items; *processor: of a
// processor.
duet_code duet_pool_read_duals(duet_pool *pool, double *processor, duet_error *error);
// How much the solution of a state with a schedule saves at least: the work of all tasks that the
// divisible type may get, less what it has room for.
double duet_pool_required_saving(const duet_pool *pool, const duet_residual *state);

// Columns by reduced cost (pool/candidates.c): the best candidates of a pass over all live
// patterns. Returns the most that a pattern gains.
double duet_pool_find_candidates(duet_pool *pool, double processor);
// Orders the candidates of the last pass by other duals. Returns whether one of them still gains.
bool duet_pool_review_candidates(duet_pool *pool, double processor);
// Columns for the best candidates that have little in common.
duet_code duet_pool_add_candidates(duet_pool *pool, duet_error *error);

// Integer prices from the duals, and whether they refute the state (pool/prices.c).
duet_code duet_pool_round_duals(duet_pool *pool, const duet_residual *state,
                                const duet_pool_duals *duals, duet_prices *prices, bool *refuted,
                                duet_error *error);

#endif
