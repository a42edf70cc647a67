// SPDX-License-Identifier: Apache-2.0
// Inside of the cover search (solvers/exact/cover/cover.h): what its parts share. Calls run one
// way: search.c, steps.c, choice.c, patterns.c, trail.c.
#ifndef DUET_SOLVERS_EXACT_COVER_COVER_STATE_H
#define DUET_SOLVERS_EXACT_COVER_COVER_STATE_H

#include "solvers/exact/search.h"
#include "solvers/exact/tuning.h"

// What a change of one class overwrote.
typedef struct duet_cover_undo {
    size_t class;
    int64_t left, low, high;
} duet_cover_undo;

// A place on the way down to return to.
typedef struct duet_cover_mark {
    size_t trailed;
    duet_int128 slack, time_slack[2];
    duet_loads_mark loads;
    int64_t processors[2];
} duet_cover_mark;

// Patterns that are left at a node, by type: a part of `live` each.
typedef struct duet_cover_left {
    size_t begin[2];
    size_t end[2];
} duet_cover_left;

// What a step of the search is about. Steps are kept on the heap: the search is as deep as there
// are processors, and the stack of the caller's thread may be small.
typedef enum duet_cover_kind {
    DUET_COVER_NODE,   // a residual problem: a leaf, or one step below it
    DUET_COVER_BRANCH, // either no processor of the type gets the class, or some does
    DUET_COVER_CLASS   // the patterns with the class, each on a processor in turn
} duet_cover_kind;

typedef struct duet_cover_step {
    duet_cover_kind kind;
    int begun;             // children so far
    duet_verdict verdict;  // of them
    size_t class;          // of a branch or a class
    duet_cover_left left;  // of the node; before it begins, of its parent
    duet_cover_mark place; // where the children begin

    // Of DUET_COVER_CLASS.
    size_t type;
    size_t next;   // the next pattern: an index of `live`
    int64_t slack; // when it began

    // Of DUET_COVER_BRANCH: the class before.
    int64_t tasks, high;

    // Of DUET_COVER_NODE, when it began.
    size_t lives, forced;
} duet_cover_step;

typedef struct duet_cover {
    // Inputs.
    duet_search *search;
    const duet_classes *classes; // of the search
    duet_residual *state;        // of the search
    duet_prices *prices;
    duet_prices *time[2]; // time itself as the price of a type
    bool pooled[2];       // types that have patterns
    bool alone;           // the other type's tasks do not matter

    // Limits.
    int64_t node_limit;
    size_t memory;      // bytes for patterns and `live` that are left
    int64_t until[2];   // per type: processors left at which patterns are enumerated anew
    size_t depth;       // of the node, this search's caller included
    uint64_t unchecked; // work since the limits were checked
    bool partial;       // patterns are missing: nothing can be refuted
    bool stopped;

    // The patterns.
    duet_patterns patterns[2];
    uint64_t taken[2][DUET_PATTERNS_MOST_WORDS]; // complement of what is available
    uint32_t *live;                              // those left, of all nodes on the way down
    size_t lives, live_room;
    int32_t *ways[2]; // per class, at the node that counts them: its patterns

    // The way down.
    duet_int128 slack;         // of the prices
    duet_int128 time_slack[2]; // of time as the price
    duet_cover_step *step;
    size_t steps;
    duet_cover_undo *trail;
    size_t trailed;
    size_t *forced; // classes whose proof follows; SIZE_MAX: it is written
    size_t forced_count;
} duet_cover;

// The trail (trail.c): gives a class other numbers, a processor a pattern, and takes all that back.
duet_code duet_cover_change(duet_cover *s, size_t class, int64_t left, int64_t low, int64_t high,
                            duet_error *error);
duet_code duet_cover_apply(duet_cover *s, size_t type, size_t index, duet_error *error);
duet_cover_mark duet_cover_here(const duet_cover *s);
void duet_cover_return(duet_cover *s, const duet_cover_mark *place);
// Marks in the masks how many tasks of a class are available.
void duet_cover_set_available(duet_cover *s, size_t class);

// The patterns (patterns.c): enumerates those of the root, unless !*complete, which are too many.
duet_code duet_cover_enumerate(duet_cover *s, duet_cover_left *root, bool *complete,
                               duet_error *error);
// Leaves those of a node: of available tasks, and with a reduced cost within the slack.
duet_code duet_cover_filter(duet_cover *s, duet_cover_step *node, duet_error *error);
void duet_cover_count_ways(duet_cover *s, const duet_cover_left *left);
// The slack as the reduced cost that a pattern may have.
int64_t duet_cover_most_reduced_cost(const duet_cover *s);

// The choice (choice.c): the class with the fewest ways to be covered, and how many; SIZE_MAX: no
// class needs a pattern.
size_t duet_cover_choose_class(const duet_cover *s, int64_t *fewest);
// Gives classes that no pattern has to the other type.
duet_code duet_cover_force(duet_cover *s, duet_error *error);

// The steps (steps.c). A step that ends leaves its verdict to the one above it.
duet_code duet_cover_push_node(duet_cover *s, const duet_cover_left *left, duet_error *error);
// What is below a node that covers a class: a step for it, or two after a branch.
duet_code duet_cover_push_class(duet_cover *s, const duet_cover_left *left, size_t class,
                                duet_error *error);
void duet_cover_pop(duet_cover *s, duet_verdict with, duet_verdict *verdict);
duet_code duet_cover_step_class(duet_cover *s, duet_verdict *verdict, duet_error *error);
duet_code duet_cover_step_branch(duet_cover *s, duet_verdict *verdict, duet_error *error);

#endif
