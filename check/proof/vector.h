// SPDX-License-Identifier: Apache-2.0
// Price vectors of a proof: a price per class and type, and per type a limit that no processor's
// tasks exceed. What a set of tasks must fetch against what the processors can: see need and cap.
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
    int64_t *count;                         // prices of the open counts, the first one's first
    size_t counts;                          // how many
    bool listed[DUET_PROOF_TYPES]; // the limit is one of listed patterns: to be held against them
} duet_proof_vector;

// What is left of a class: `count` tasks, of which `low` to `high` go to CPUs, the others to GPUs.
typedef struct duet_proof_left {
    int64_t count;
    int64_t low;
    int64_t high;
} duet_proof_left;

// The state at the root.
static inline duet_proof_left duet_proof_root(const duet_proof_model *model, size_t class)
{
    int64_t count = model->count[class];
    return (duet_proof_left){.count = count,
                             .low = model->time[DUET_PROOF_GPU][class] > 0 ? 0 : count,
                             .high = model->time[DUET_PROOF_CPU][class] > 0 ? count : 0};
}

// What a number of tasks of a class fetches with `cpus` of them on CPUs. No overflow: counts and
// prices of `prices` give less than 2^94, weighted times less than 2^93.
static inline duet_int128 duet_proof_fetch(const duet_proof_vector *vector, size_t class,
                                           int64_t cpus, int64_t gpus)
{
    return vector->factor[0] * ((duet_int128)vector->price[0][class] * cpus) +
           vector->factor[1] * ((duet_int128)vector->price[1][class] * gpus);
}

// The least that what is left of a class can fetch.
static inline duet_int128 duet_proof_term(const duet_proof_vector *vector, size_t class,
                                          const duet_proof_left *left)
{
    duet_int128 low = duet_proof_fetch(vector, class, left->low, left->count - left->low);
    if (left->low == left->high) {
        return low;
    }
    duet_int128 high = duet_proof_fetch(vector, class, left->high, left->count - left->high);
    return low < high ? low : high;
}

// The most that so many processors of each type can fetch; below 2^126.
static inline duet_int128 duet_proof_cap(const duet_proof_vector *vector, const int64_t *processors)
{
    return (duet_int128)vector->factor[0] * vector->limit[0] * processors[0] +
           (duet_int128)vector->factor[1] * vector->limit[1] * processors[1];
}

// The least that all that is left can fetch.
duet_int128 duet_proof_need(const duet_proof_vector *vector, const duet_proof_model *model,
                            const duet_proof_left *left);

// The vector `area wC wG`. DUET_E_INPUT unless 0 <= weights < 2^31, not both 0.
duet_code duet_proof_vector_area(duet_proof_vector *vector, const duet_proof_model *model,
                                 const int64_t *weights, duet_error *error);

// The vector of explicit prices, (CPU, GPU) per class: checks its validity, but for limits that are
// to hold for listed patterns only (`listed`, of each type; NULL: none). `context` (may be NULL)
// can stop that: DUET_E_LIMIT or DUET_E_CANCELLED. Errors also: DUET_E_INPUT, DUET_E_MEMORY. Free
// it whatever comes back.
duet_code duet_proof_vector_prices(duet_proof_vector *vector, const duet_proof_model *model,
                                   const duet_price_mode *modes, const bool *listed,
                                   const int64_t *limits, const int64_t *prices,
                                   const duet_context *context, duet_error *error);
// Gives a vector of explicit prices those of so many counts. DUET_E_INPUT unless they are below
// 2^31; DUET_E_MEMORY.
duet_code duet_proof_vector_count(duet_proof_vector *vector, const int64_t *prices, size_t counts,
                                  duet_error *error);
void duet_proof_vector_free(duet_proof_vector *vector);

// Adds `count` copies of a task of a price and a time to least[0 .. columns-1], where least[p] is
// the least time that fetches a price of at least p (DUET_PROOF_NEVER: none does). The result stays
// exact below `capacity`; what takes more becomes DUET_PROOF_NEVER.
#define DUET_PROOF_NEVER (INT64_C(1) << 62)
void duet_proof_add_tasks(int64_t *least, int64_t columns, int64_t price, int64_t time,
                          int64_t count, int64_t capacity);

#endif
