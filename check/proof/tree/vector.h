// SPDX-License-Identifier: Apache-2.0
// Price vectors of a proof. A vector prices the tasks: one dual price per class and type. It limits
// the processors: per type, the prices of the tasks that one processor runs are at most the limit.
//
// A vector refutes a state by the price inequality. The *demand* of a state is the least sum of
// prices that its tasks can have. Its *supply* is the sum of the limits of its processors. In a
// schedule the demand is at most the supply; the *slack* is supply - demand.
#ifndef DUET_CHECK_PROOF_TREE_VECTOR_H
#define DUET_CHECK_PROOF_TREE_VECTOR_H

#include "check/proof/tree/model.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"

#define DUET_PROOF_MAX_PRICE ((INT64_C(1) << 31) - 1)
// Refused as absurd: a limit of a `set` beyond DUET_PROOF_MAX_SET, or classes * limit beyond this.
#define DUET_PROOF_MAX_SET_WORK (INT64_C(1) << 36)

// The price of a task of class c on type T is factor[T] * price[T][c], the limit of a processor
// factor[T] * limit[T]. An area vector has weights as factors and times as prices.
typedef struct duet_proof_vector {
    int types;
    int64_t *factor; // per type, as the next three; in one block with them
    int64_t *limit;
    const int64_t **price; // per class; 0 where the class is unusable on the type
    bool *listed;          // the limit holds for listed patterns: to be held against them
    bool here;             // some limit holds for what a state may have, and below it
    int64_t *owned;        // where the prices are its own; NULL: the model's times
    int64_t *row_price;    // prices of the open branching rows, the first row's first
    size_t rows;           // how many
} duet_proof_vector;

// How many tasks of a class may go to a type.
typedef struct duet_proof_range {
    int64_t low;
    int64_t high;
} duet_proof_range;

// What a state still has to place of a class: `count` tasks, of which on[t].low to on[t].high go to
// type t. These are the numbers that are reached when all types keep to theirs. Where the tasks
// cannot be placed at all, low is above high.
typedef struct duet_proof_residual {
    int64_t count;
    duet_proof_range on[]; // per type
} duet_proof_residual;

// Those of all classes, a row for each.
typedef struct duet_proof_residuals {
    int types;
    size_t bytes; // of a row
    void *row;
} duet_proof_residuals;

static inline duet_proof_residual *duet_proof_left(const duet_proof_residuals *all, size_t class)
{
    return (duet_proof_residual *)(void *)((char *)all->row + class * all->bytes);
}

// The rows of all tasks of a model, as they are at the root. DUET_E_MEMORY. Free them whatever
// comes back.
duet_code duet_proof_residuals_init(duet_proof_residuals *all, const duet_proof_model *model,
                                    duet_error *error);
void duet_proof_residuals_free(duet_proof_residuals *all);

// After the count of a class, or the range of a type, has become less: narrows the ranges of the
// others to what is still reached, and that of the type itself where there are more than two.
void duet_proof_narrow(duet_proof_residual *left, int types, int type);

// The least price of the tasks of a class, at these prices of one on each type: first as many on
// each type as must go there, then the others where they are cheapest.
duet_int128 duet_proof_least_price(const duet_proof_residual *left, int types,
                                   const duet_int128 *price);

// The same of two types, at a CPU or a GPU: the lesser price of the two extreme allocations.
static inline duet_int128 duet_proof_least_of_two(const duet_proof_residual *left, duet_int128 cpu,
                                                  duet_int128 gpu)
{
    const duet_proof_range *cpus = &left->on[DUET_PROOF_CPU];
    duet_int128 low = cpu * cpus->low + gpu * (left->count - cpus->low);
    if (cpus->low == cpus->high) {
        return low;
    }
    duet_int128 high = cpu * cpus->high + gpu * (left->count - cpus->high);
    return duet_min(low, high);
}

// The price of a task of a class on a type; below 2^93.
static inline duet_int128 duet_proof_price_of(const duet_proof_vector *vector, int type,
                                              size_t class)
{
    return (duet_int128)vector->factor[type] * vector->price[type][class];
}

// The demand of a class on any number of types, and the same, quickly on two. No overflow: tasks
// times their usable times are at most 2^62 in sum.
duet_int128 duet_proof_demand_of_types(const duet_proof_vector *vector, size_t class,
                                       const duet_proof_residual *left);
static inline duet_int128 duet_proof_class_demand(const duet_proof_vector *vector, size_t class,
                                                  const duet_proof_residual *left)
{
    return vector->types == 2 ? duet_proof_least_of_two(left, duet_proof_price_of(vector, 0, class),
                                                        duet_proof_price_of(vector, 1, class))
                              : duet_proof_demand_of_types(vector, class, left);
}

// The demand of all classes.
duet_int128 duet_proof_demand(const duet_proof_vector *vector, const duet_proof_model *model,
                              const duet_proof_residuals *left);

// The supply of the given numbers of processors of each type. The supply of one type is below
// 2^125. From 2^120 on it does not count by how much, since a demand is below 2^100: so the sum
// stays below 2^127.
static inline duet_int128 duet_proof_supply(const duet_proof_vector *vector,
                                            const int64_t *processors)
{
    static const duet_int128 enough = (duet_int128)1 << 120;
    duet_int128 supply = 0;
    for (int t = 0; t < vector->types; t++) {
        duet_int128 part = (duet_int128)vector->factor[t] * vector->limit[t] * processors[t];
        supply += duet_min(part, enough);
    }
    return supply;
}

// The vector `area w0 w1 ...`. DUET_E_INPUT unless 0 <= weights < 2^31, not all 0; DUET_E_MEMORY.
// Free it whatever comes back.
duet_code duet_proof_vector_area(duet_proof_vector *vector, const duet_proof_model *model,
                                 const int64_t *weights, duet_error *error);

// What a `prices` vector says. Its members are borrowed.
typedef struct duet_proof_prices {
    const duet_price_mode *modes; // per type: how its limit is shown to hold
    const bool *listed;           // per type: it is to hold for listed patterns only; NULL: none
    const int64_t *limits;        // per type
    const int64_t *prices;        // a row of one per type for each class
    const int64_t **most;         // per type, NULL or, where its limit holds for the sets of a
                                  // state: how many tasks of each class these have; NULL: none does
} duet_proof_prices;

// The vector of explicit prices. Checks that its limits hold, but for those of listed patterns.
// `watch` can stop that: DUET_E_LIMIT or DUET_E_CANCELLED. Errors also:
// DUET_E_INPUT, DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_proof_vector_prices(duet_proof_vector *vector, const duet_proof_model *model,
                                   const duet_proof_prices *given, duet_watch *watch,
                                   duet_error *error);
// Gives a vector of explicit prices the prices of its first `rows` branching rows. DUET_E_INPUT
// unless they are below 2^31; DUET_E_MEMORY.
duet_code duet_proof_vector_rows(duet_proof_vector *vector, const int64_t *prices, size_t rows,
                                 duet_error *error);
void duet_proof_vector_free(duet_proof_vector *vector);

// The knapsack of one type by price: least[p] is the least time in which tasks have a price of at
// least p, DUET_PROOF_NEVER where none do. Adds `count` copies of a task to least[0 .. columns-1].
// The result stays exact up to `capacity`; what takes more becomes DUET_PROOF_NEVER.
#define DUET_PROOF_NEVER (INT64_C(1) << 62)
duet_code duet_proof_add_tasks(int64_t *least, int64_t columns, int64_t price, int64_t time,
                               int64_t count, int64_t capacity, duet_watch *watch,
                               duet_error *error);

// The least time of tasks priced above a limit, by such a table; DUET_PROOF_NEVER if that is beyond
// the capacity. O(classes x limit). Errors: DUET_E_MEMORY, or what `watch` says.
duet_code duet_proof_dense_knapsack(const duet_proof_model *model, int type, const int64_t *price,
                                    int64_t limit, duet_watch *watch, int64_t *time,
                                    duet_error *error);

// nested.c
// DUET_OK: there are none. Errors: DUET_E_INPUT, some are; DUET_E_MEMORY, DUET_E_LIMIT, or what
// `watch` says. O(tasks times loads).
duet_code duet_proof_nested_knapsack(const duet_proof_model *model, int type, const int64_t *price,
                                     int64_t limit, duet_watch *watch, duet_error *error);

// core_knapsack.c
#define DUET_PROOF_MAX_SET (INT64_C(1) << 26)

// What is asked of the sets of one type.
typedef struct duet_proof_core_question {
    int type;
    const int64_t *price; // per class, 0 to 2^31 - 1; 0 where the class is unusable
    int64_t limit;        // 0 to DUET_PROOF_MAX_SET
    size_t most;          // states that are kept at once
} duet_proof_core_question;

typedef enum duet_proof_core_verdict {
    DUET_PROOF_CORE_OPEN,  // more states than allowed
    DUET_PROOF_CORE_HOLDS, // no set that fits is priced above the limit
    DUET_PROOF_CORE_BROKEN // some set is
} duet_proof_core_verdict;

typedef struct duet_proof_core_answer {
    duet_proof_core_verdict verdict;
    int64_t time; // BROKEN: of such a set
} duet_proof_core_answer;

// `watch` can stop it: DUET_E_LIMIT or DUET_E_CANCELLED. Errors also:
// DUET_E_MEMORY.
duet_code duet_proof_core_knapsack(const duet_proof_model *model,
                                   const duet_proof_core_question *question, duet_watch *watch,
                                   duet_proof_core_answer *answer, duet_error *error);

#endif
