// SPDX-License-Identifier: Apache-2.0
// The one place that asks whether an algorithm or a bound handles what an instance has, and that
// refuses it where it does not.
#ifndef DUET_SOLVERS_FEATURES_H
#define DUET_SOLVERS_FEATURES_H

#include "core/algorithm.h"

// What an instance asks of an algorithm.
typedef struct duet_demand {
    unsigned features; // OR of duet_feature
    size_t types;      // processor types, for the message
    bool of_records;   // costs are of StarPU's records, which can be read without
} duet_demand;

// The rows among which those that would do are looked for.
typedef struct duet_rows {
    const char *what;                            // "algorithm" or "bound", for the message
    const duet_entry *(*entry_at)(size_t index); // NULL past the end
    const duet_registry *customs;                // custom algorithms; NULL: none
} duet_rows;

duet_demand duet_demand_of(const duet_instance *instance);
bool duet_handles(const duet_entry *entry, duet_demand demand);

// DUET_OK where the row handles the demand and this build has what the row needs. Else
// DUET_E_UNSUPPORTED: the message names the row, what it does not handle, and the rows that do;
// NULL: it names none.
duet_code duet_require_handled(const duet_entry *entry, duet_demand demand, const duet_rows *rows,
                               duet_error *error);

// Joins the names of a table's rows by ", ", as far as `size` bytes go. Returns `buffer`.
char *duet_join_names(const duet_entry *entry_at(size_t), char *buffer, size_t size);

#endif
