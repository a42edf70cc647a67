// SPDX-License-Identifier: Apache-2.0
// Price vectors of a proof. A vector prices the tasks: one dual price per class and type. It limits
// the processors: per type, the prices of the tasks that one processor runs are at most the limit.
//
// A vector refutes a state by the price inequality. The *demand* of a state is the least sum of
// prices that its tasks can have. Its *supply* is the sum of the limits of its processors. In a
// schedule the demand is at most the supply; the *slack* is supply - demand.
#ifndef DUET_CHECK_PROOF_VECTOR_H
#define DUET_CHECK_PROOF_VECTOR_H

#include "check/proof/model.h"
#include "core/fraction.h"

#define DUET_PROOF_MAX_PRICE ((INT64_C(1) << 31) - 1)
// Refused as absurd: a limit of a `set` beyond the first, or classes * limit beyond the second.
#define DUET_PROOF_MAX_SET (INT64_C(1) << 26)
#define DUET_PROOF_MAX_SET_WORK (INT64_C(1) << 36)

// The price of a task of class c on type T is factor[T] * price[T][c], the limit of a processor
// factor[T] * limit[T]. An area vector has weights as factors and times as prices.
typedef struct duet_proof_vector {
    int64_t factor[DUET_PROOF_TYPES];
    int64_t limit[DUET_PROOF_TYPES];
    const int64_t *price[DUET_PROOF_TYPES]; // 0 where the class is unusable on the type
    int64_t *owned;                         // where the prices are its own; NULL: the model's times
    int64_t *row_price;            // prices of the open branching rows, the first row's first
    size_t rows;                   // how many
    bool listed[DUET_PROOF_TYPES]; // the limit holds for listed patterns: to be held against them
} duet_proof_vector;

// What a state still has to place of a class: `count` tasks, of which `low` to `high` go to CPUs
// and the others to GPUs.
typedef struct duet_proof_residual {
    int64_t count;
    int64_t low;
    int64_t high;
} duet_proof_residual;

// All tasks of a class, as they are at the root.
static inline duet_proof_residual duet_proof_root(const duet_proof_model *model, size_t class)
{
    int64_t count = model->count[class];
    return (duet_proof_residual){.count = count,
                                 .low = model->time[DUET_PROOF_GPU][class] > 0 ? 0 : count,
                                 .high = model->time[DUET_PROOF_CPU][class] > 0 ? count : 0};
}

// The price of `cpus` tasks of a class on CPUs and `gpus` on GPUs. No overflow: with the prices of
// a `prices` vector it is below 2^94, with weighted times below 2^93.
static inline duet_int128 duet_proof_price_of(const duet_proof_vector *vector, size_t class,
                                              int64_t cpus, int64_t gpus)
{
    return vector->factor[0] * ((duet_int128)vector->price[0][class] * cpus) +
           vector->factor[1] * ((duet_int128)vector->price[1][class] * gpus);
}

// The demand of a class: the lesser price of its two extreme allocations.
static inline duet_int128 duet_proof_class_demand(const duet_proof_vector *vector, size_t class,
                                                  const duet_proof_residual *left)
{
    duet_int128 low = duet_proof_price_of(vector, class, left->low, left->count - left->low);
    if (left->low == left->high) {
        return low;
    }
    duet_int128 high = duet_proof_price_of(vector, class, left->high, left->count - left->high);
    return low < high ? low : high;
}

// The demand of all classes.
duet_int128 duet_proof_demand(const duet_proof_vector *vector, const duet_proof_model *model,
                              const duet_proof_residual *left);

// The supply of so many processors of each type; below 2^126.
static inline duet_int128 duet_proof_supply(const duet_proof_vector *vector,
                                            const int64_t *processors)
{
    return (duet_int128)vector->factor[0] * vector->limit[0] * processors[0] +
           (duet_int128)vector->factor[1] * vector->limit[1] * processors[1];
}

// The vector `area wC wG`. DUET_E_INPUT unless 0 <= weights < 2^31, not both 0.
duet_code duet_proof_vector_area(duet_proof_vector *vector, const duet_proof_model *model,
                                 const int64_t *weights, duet_error *error);

// What a `prices` vector says. Its members are borrowed.
typedef struct duet_proof_prices {
    const duet_price_mode *modes; // per type: how its limit is shown to hold
    const bool *listed;           // per type: it is to hold for listed patterns only; NULL: none
    const int64_t *limits;        // per type
    const int64_t *prices;        // (CPU, GPU) per class
} duet_proof_prices;

// The vector of explicit prices. Checks that its limits hold, but for those of listed patterns.
// `context` (may be NULL) can stop that: DUET_E_LIMIT or DUET_E_CANCELLED. Errors also:
// DUET_E_INPUT, DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_proof_vector_prices(duet_proof_vector *vector, const duet_proof_model *model,
                                   const duet_proof_prices *given, const duet_context *context,
                                   duet_error *error);
// Gives a vector of explicit prices those of so many branching rows. DUET_E_INPUT unless they are
// below 2^31; DUET_E_MEMORY.
duet_code duet_proof_vector_rows(duet_proof_vector *vector, const int64_t *prices, size_t rows,
                                 duet_error *error);
void duet_proof_vector_free(duet_proof_vector *vector);

// The knapsack of one type by price: least[p] is the least time in which tasks have a price of at
// least p, DUET_PROOF_NEVER where none do. Adds `count` copies of a task to least[0 .. columns-1].
// The result stays exact up to `capacity`; what takes more becomes DUET_PROOF_NEVER.
#define DUET_PROOF_NEVER (INT64_C(1) << 62)
void duet_proof_add_tasks(int64_t *least, int64_t columns, int64_t price, int64_t time,
                          int64_t count, int64_t capacity);

#endif
