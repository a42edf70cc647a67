// SPDX-License-Identifier: Apache-2.0
// Inside of certificates and bounds, for the library's own modules. There they are values: whoever
// copies one takes references to what it shares, or lets the other one go without releasing it.
#ifndef DUET_CORE_SOLUTION_CERTIFICATE_H
#define DUET_CORE_SOLUTION_CERTIFICATE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <duet/bound.h>

// Prices per class of equal tasks and type, with a limit per type. Immutable, with counted
// references, as are the next two.
typedef struct duet_price_list {
    atomic_size_t references; // the first member of all that is shared
    size_t types;
    size_t classes;
    int64_t *limit;        // per type
    duet_price_mode *mode; // per type
    int64_t price[];       // a row of one per type for each class; then the limits and modes
} duet_price_list;

// A flow along the edges of a task graph; each list by rising index.
typedef struct duet_flow {
    atomic_size_t references;
    duet_flow_lists list;
    duet_flow_term term[]; // of all of them
} duet_flow;

// The text of a proof.
typedef struct duet_proof_lines {
    atomic_size_t references;
    size_t length;
    char text[]; // with a NUL behind it
} duet_proof_lines;

// The members are those of duet_certificate_desc.
struct duet_certificate {
    duet_proof proof;
    int64_t lambda;
    int64_t task;
    size_t types; // number of weights; a knapsack has two and may leave it 0
    int64_t weight[DUET_MAX_TYPES];
    int64_t count_weight[DUET_MAX_TYPES];
    int64_t count_weight_high[DUET_MAX_TYPES];
    int parts;
    size_t rounded;
    int64_t grid;
    int64_t head;
    int64_t tail;
    int64_t from;
    const duet_price_list *prices;
    const duet_flow *flow;
    const duet_proof_lines *lines;
};

struct duet_bound {
    const char *name; // a static string
    int64_t value;
    char exact[96];
    duet_certificate certificate;
};

// Each of these makes a copy, of which `*out` holds one reference, the caller's. DUET_E_LIMIT,
// DUET_E_MEMORY; of prices DUET_E_USAGE where there is no such number of types.
duet_code duet_price_list_create(size_t types, size_t classes, const duet_price_mode *modes,
                                 const int64_t *limits, const int64_t *prices,
                                 const duet_price_list **out, duet_error *error);
duet_code duet_flow_create(const duet_flow_lists *list, const duet_flow **out, duet_error *error);
duet_code duet_proof_lines_create(const char *text, size_t length, const duet_proof_lines **out,
                                  duet_error *error);

// Takes one more reference to what a certificate shares, and gives one back, which frees what was
// the last one's.
void duet_certificate_retain(const duet_certificate *certificate);
void duet_certificate_release(const duet_certificate *certificate);
// Releases the certificate of a bound and leaves none. NULL is allowed.
void duet_bound_release(duet_bound *bound);

// duet_certificate_create() of a value, to be released. `desc` has its full size.
duet_code duet_certificate_init(const duet_certificate_desc *desc, duet_certificate *out,
                                duet_error *error);

// Whether duet_verify_deep() alone can confirm such a proof.
bool duet_proof_is_deep(duet_proof proof);

#endif
