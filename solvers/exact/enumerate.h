// SPDX-License-Identifier: Apache-2.0
// Enumeration of patterns: the loads of one processor that a schedule within a guess may contain,
// within a reduced-cost bound. docs/formats.md has the definitions that solver and checker share.
//
// Method:    depth first over the classes, the longest first. A table of the best prices of the
//            classes that follow, by time left, cuts off what cannot reach the price that is
//            wanted.
// Guarantee: complete, unless the status says otherwise.
// Cost:      the table takes 4,096 steps for each task that may be in a pattern; the search is
//            bounded by a number of steps for each pattern that may be had.
// Memory:    O(tasks of all patterns), and the table.
// Reference: as solvers/exact/pool/pool.h.
#ifndef DUET_SOLVERS_EXACT_ENUMERATE_H
#define DUET_SOLVERS_EXACT_ENUMERATE_H

#include "core/solution/prices.h"
#include "core/system/context.h"

// Some tasks of a class in a pattern.
typedef struct duet_pattern_part {
    uint32_t class;
    uint32_t tasks;
} duet_pattern_part;

// How an enumeration ended.
typedef enum duet_patterns_status {
    DUET_PATTERNS_COMPLETE,
    DUET_PATTERNS_SHRUNK, // the patterns within a smaller slack
    DUET_PATTERNS_TOO_MANY
} duet_patterns_status;

// The patterns of one type, by decreasing price, then by larger numbers of tasks in the order of
// the classes. Plain ones are in no order, and have neither masks nor reduced costs.
typedef struct duet_patterns {
    size_t type;
    duet_patterns_status status;
    size_t count;
    size_t words;   // of a mask
    uint64_t *mask; // count x words; class c has bits first_bit[c] .. first_bit[c+1]-1, of which
                    // a pattern with a tasks of it has the first a
    int64_t *reduced_cost; // limit minus price
    size_t *begin;         // count + 1 entries into `part`
    duet_pattern_part *part;
    size_t *first_bit; // classes + 1
    size_t bytes;      // of all of it, about
} duet_patterns;

// Which patterns are wanted, and how.
typedef struct duet_patterns_request {
    size_t type;
    int64_t slack;     // the highest reduced cost; below 0 there is no pattern
    size_t most;       // patterns
    size_t most_bytes; // that they take
    bool may_shrink;   // where they are too many: those within a smaller slack
    bool plain;        // in any order, without masks and reduced costs
} duet_patterns_request;

// Enumerates every pattern of the residual problem whose reduced cost is within the slack. Where
// they are too many, a request that may shrink gets those within half the slack, or half of that,
// and so on; any other gets none, as where the tables are too large. Free with duet_patterns_free()
// whatever the status.
duet_code duet_patterns_enumerate(const duet_classes *classes, const duet_residual *state,
                                  const duet_prices *prices, const duet_patterns_request *request,
                                  const duet_context *context, duet_patterns *patterns,
                                  duet_error *error);
void duet_patterns_free(duet_patterns *patterns);

#endif
