// SPDX-License-Identifier: Apache-2.0
// Inside of a list of patterns (solvers/exact/pool/pool.h): what its parts share.
#ifndef DUET_SOLVERS_EXACT_POOL_STATE_H
#define DUET_SOLVERS_EXACT_POOL_STATE_H

#include "lp/lp.h"
#include "solvers/exact/pool/pool.h"

enum { DUET_POOL_CANDIDATES = 2048 }; // of which some rounds take columns

// A pattern that the duals would like in the program.
typedef struct duet_pool_candidate {
    double gain;
    uint32_t pattern;
} duet_pool_candidate;

// What the last program says, in processors of the other type.
typedef struct duet_pool_duals {
    double processor; // a processor of the list's type
    double most;      // that a pattern gains beyond it
} duet_pool_duals;

// What the program has a row for.
typedef struct duet_pool_row {
    duet_branching_count count;
    uint32_t items; // those below are of tasks at least as long as counted
    size_t row;
    size_t column; // of what falls short
    double dual;
} duet_pool_row;

// A bound of a property.
typedef struct duet_pool_bound {
    size_t property;
    bool at_least;
    int64_t bound;
} duet_pool_bound;

// A pattern's column.
typedef struct duet_pool_column {
    uint32_t pattern;
    size_t column;
    double work; // that its tasks would be on the other type
} duet_pool_column;

// What a pattern is worth beside its items, for each that it counts.
typedef struct duet_pool_extra {
    size_t property;
    double dual;
    int64_t price;
} duet_pool_extra;

struct duet_pool {
    const duet_classes *classes;
    size_t type;
    duet_patterns patterns;
    duet_lp *lp;
    size_t processor_row;
    size_t *row;   // of a class; SIZE_MAX: no pattern has it
    double *work;  // of a task of a class on the other type, in processors; 0: not there
    double *price; // of a task of a class on the list's type
    bool *listed;  // a pattern that is left has the class
    duet_pool_column *column;
    size_t columns, column_room;
    size_t most_columns; // beyond it the program starts afresh
    size_t renewals;     // how often it did
    // All tasks' types are decided, and the other type has room: what is saved is processors of the
    // list's type, each of which is then the unit of prices.
    bool fitting;
    double short_cost;  // of a task that no pattern has, and of a count that falls short
    double first_cost;  // what that begins with: a high cost makes for prices that are far apart
    double enough_cost; // and is certain to be enough
    // The classes that patterns have are items, the longest first. Passes over many patterns go by
    // them: they read little memory.
    size_t *item_class;
    uint32_t *item_most; // tasks in one pattern
    size_t items;
    uint16_t *item;         // of each task of each pattern, the longest first
    size_t *task;           // where a pattern's begin in `item`; one more at the end
    double *item_dual;      // by the duals
    int64_t *item_price;    // by prices in integers
    bool *item_closed;      // no pattern that fits has it
    bool limited;           // nor so many tasks of some class as patterns have
    duet_pool_extra *extra; // beside the items' prices or worths
    size_t extras, extra_room;
    duet_pool_row *property;
    size_t properties, property_room;
    duet_pool_bound *open;
    size_t opened, open_room;
    size_t hidden;  // more of them, which a dive leaves out of account
    uint32_t *pick; // the patterns of the nodes on the way down, node after node
    size_t picks, pick_room;
    size_t *from; // where each of them begins
    size_t levels, level_room;
    duet_pool_candidate best[DUET_POOL_CANDIDATES];
    size_t candidates;
    bool *taken;       // per class: a new column has it
    bool *has_column;  // per pattern
    uint32_t *present; // per pattern: the last relaxation in which it was left
    uint32_t now;      // the relaxation
    uint32_t *live;    // the patterns that are left in it
    size_t lives;
};

static inline bool duet_pool_same(const duet_branching_count *a, const duet_branching_count *b)
{
    return a->tasks == b->tasks && a->time == b->time && a->pair[0] == b->pair[0] &&
           a->pair[1] == b->pair[1];
}

static inline size_t duet_pool_begin(const duet_pool *pool)
{
    return pool->levels == 0 ? 0 : pool->from[pool->levels - 1];
}

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

// How many tasks of a set a pattern has.
static inline int64_t duet_pool_count_tasks(const duet_pool *pool, const duet_pool_row *p,
                                            uint32_t pattern)
{
    const duet_patterns *all = &pool->patterns;
    int64_t found = 0;
    for (size_t i = all->begin[pattern]; i < all->begin[pattern + 1]; i++) {
        const duet_pattern_part *part = &all->part[i];
        found +=
            part->class == p->count.pair[0] || part->class == p->count.pair[1] ? part->tasks : 0;
    }
    return found;
}

// What a pattern counts.
static inline int64_t duet_pool_counted(const duet_pool *pool, const duet_pool_row *p,
                                        uint32_t pattern)
{
    const uint16_t *item = pool->item + pool->task[pattern];
    int64_t tasks = (int64_t)(pool->task[pattern + 1] - pool->task[pattern]);
    if (p->count.pair[0] != SIZE_MAX) {
        return duet_pool_count_tasks(pool, p, pattern) >= p->count.tasks;
    }
    if (p->count.tasks > 0) {
        return p->count.tasks <= tasks && item[p->count.tasks - 1] < p->items;
    }
    int64_t found = 0;
    while (found < tasks && item[found] < p->items) {
        found++;
    }
    return found;
}

// Whether a property only counts tasks: then it is a price of each.
static inline bool duet_pool_is_sum(const duet_pool_row *p)
{
    return p->count.pair[0] == SIZE_MAX && p->count.tasks == 0;
}

// The items of a list's patterns (pool/items.c).
duet_code duet_pool_create_items(duet_pool *pool, duet_error *error);
void duet_pool_free_items(duet_pool *pool);
size_t duet_pool_item_bytes(const duet_patterns *patterns);
// How many items have at least a time.
uint32_t duet_pool_items(const duet_pool *pool, int64_t time);
// Notes which items are closed in a state.
void duet_pool_close_items(duet_pool *pool, const duet_residual *state);
// Reads the duals' prices, and what is beside them; or those in integers, the open counts'
// included.
duet_code duet_pool_read_duals(duet_pool *pool, duet_error *error);
duet_code duet_pool_read_prices(duet_pool *pool, const duet_prices *prices, duet_error *error);

// duet_pool_fits() in the state of the last duet_pool_close_items(); both are for long passes.
static inline bool duet_pool_is_open(const duet_pool *pool, uint32_t pattern,
                                     const duet_residual *state)
{
    for (size_t i = pool->task[pattern]; i < pool->task[pattern + 1]; i++) {
        if (pool->item_closed[pool->item[i]]) {
            return false;
        }
    }
    return !pool->limited || duet_pool_fits(pool, pattern, state);
}

// What a pattern is worth by the duals.
static inline double duet_pool_dual(const duet_pool *pool, uint32_t pattern)
{
    double price = 0;
    for (size_t i = pool->task[pattern]; i < pool->task[pattern + 1]; i++) {
        price += pool->item_dual[pool->item[i]];
    }
    for (size_t e = 0; e < pool->extras; e++) {
        const duet_pool_extra *extra = &pool->extra[e];
        price += extra->dual *
                 (double)duet_pool_counted(pool, &pool->property[extra->property], pattern);
    }
    return price;
}

// The same by prices in integers: below 2^31 each, or times, of which a pattern has no more than
// the capacity: no sum overflows.
static inline int64_t duet_pool_price(const duet_pool *pool, uint32_t pattern)
{
    int64_t price = 0;
    for (size_t i = pool->task[pattern]; i < pool->task[pattern + 1]; i++) {
        price += pool->item_price[pool->item[i]];
    }
    for (size_t e = 0; e < pool->extras; e++) {
        const duet_pool_extra *extra = &pool->extra[e];
        price += extra->price * duet_pool_counted(pool, &pool->property[extra->property], pattern);
    }
    return price;
}

// Parts of the program: a row for each class that a pattern has; a row for a property.
duet_code duet_pool_add_rows(duet_pool *pool, duet_error *error);
duet_code duet_pool_add_property(duet_pool *pool, duet_pool_row *p, duet_error *error);
// A column for a pattern that has none yet.
duet_code duet_pool_add_column(duet_pool *pool, uint32_t pattern, duet_error *error);
// What the tasks would take of the other type were all there that may be, less what it has: a
// solution has to save so much.
double duet_pool_wanted(const duet_pool *pool, const duet_residual *state);
// Prices in integers from the duals, and whether they refute the state.
duet_code duet_pool_conclude(duet_pool *pool, const duet_residual *state,
                             const duet_pool_duals *read, duet_prices *prices, bool *refuted,
                             duet_error *error);

#endif
