// SPDX-License-Identifier: Apache-2.0
// Writing the proof of a search, in the format of docs/formats.md: a tree in preorder, prices where
// they are first used. As of any proof under way, the caller asks once, at the end, whether it is
// lost.
#ifndef DUET_SOLVERS_EXACT_LOG_H
#define DUET_SOLVERS_EXACT_LOG_H

#include "core/system/output.h"
#include "solvers/exact/enumerate.h"
#include "solvers/proof_text.h"

// Lines about some tasks alone, which count their prices themselves.
typedef struct duet_log_alone_lines {
    size_t begin, end;
} duet_log_alone_lines;

typedef struct duet_log {
    duet_proof_writer out;
    duet_log_alone_lines *alone;
    size_t alones;
    int64_t vectors;            // declared so far
    const duet_prices **owner;  // of each vector
    size_t types;               // that its lines speak of: 1 where a second one has no processors
    size_t classes;             // how many
    int64_t guess;              // that it refutes
    char within[40];            // of the headers: the guess of the classes, where that is longer
    const duet_classes *of;     // the classes; valid while lines are put
    const duet_residual *state; // where limits are those of what a node may have; NULL: of all
} duet_log;

// A place to return to when what was written since is not needed.
typedef struct duet_log_mark {
    size_t length;
    int64_t vectors;
} duet_log_mark;

void duet_log_start(duet_log *log, const duet_classes *classes, size_t limit);
// The same about a guess of at most that of the classes.
void duet_log_start_within(duet_log *log, const duet_classes *classes, int64_t guess, size_t limit);
// An empty one about the same as another one.
void duet_log_start_like(duet_log *log, const duet_log *other);
void duet_log_free(duet_log *log);
duet_log_mark duet_log_here(const duet_log *log);
void duet_log_rewind(duet_log *log, duet_log_mark mark);

// It becomes no proof. `log` may be NULL, here and below.
void duet_log_lose(duet_log *log);
// One node each. Prices are declared at their first use.
void duet_log_nowhere(duet_log *log, size_t class);
void duet_log_price(duet_log *log, duet_prices *prices);
void duet_log_knapsack(duet_log *log, duet_prices *area);
// At most `most` tasks of a class on the CPUs of two types, then more; or on a type of any number.
// Of two types that can only be the CPUs.
void duet_log_branch(duet_log *log, size_t class, int64_t most);
// `more_first`: the child with more comes first.
void duet_log_branch_type(duet_log *log, size_t type, size_t class, int64_t most, bool more_first);
// A pattern pool of `patterns` patterns. One child.
void duet_log_list(duet_log *log, duet_prices *prices, size_t type, size_t patterns);
// A branching row: at most `most`, or more. At 0 `tasks` it counts the tasks of a set of classes on
// the type, else the processors with at least `tasks` of those. `has[c]`: class c is in the set.
typedef struct duet_log_counted {
    size_t type;
    int64_t tasks, most;
    const bool *has;
    bool more_first; // the child with more comes first
} duet_log_counted;
void duet_log_count(duet_log *log, const duet_log_counted *count);
void duet_log_cover(duet_log *log, duet_prices *prices, size_t type, size_t class, size_t patterns);

// What a type must run in the state under way is no question within `guess`, as the nodes in
// `text` show, which are about these tasks alone.
void duet_log_alone(duet_log *log, size_t type, int64_t guess, const char *text, size_t length);
// Lines of another log about the same guess, which go over in order.
typedef struct duet_log_transfer {
    const duet_log *from;
    size_t length;   // of what has gone over
    int64_t *number; // of the prices in it, as they are numbered here
    size_t numbered;
    size_t alones;
} duet_log_transfer;

// Puts at the end what there is up to a length. It is lost where the other one is.
void duet_log_take(duet_log *log, duet_log_transfer *transfer, size_t length);
// Declares prices ahead of their first use: limits of a node hold below where they stand.
void duet_log_declare(duet_log *log, duet_prices *prices);

// What a proof says before its tree.
typedef struct duet_log_claim {
    int64_t bound;
    const char *types; // the line on types that are one, with its end; NULL: none are
} duet_log_claim;

// The whole proof as a text, which the caller frees.
duet_code duet_log_text(const duet_log *log, const duet_log_claim *claim, char **text,
                        size_t *length, duet_error *error);
// Writes it to an open file and puts that in place.
duet_code duet_log_write(const duet_log *log, duet_output *output, const duet_log_claim *claim,
                         duet_error *error);

#endif
