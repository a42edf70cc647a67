// SPDX-License-Identifier: Apache-2.0
// The tuning constants of algorithm exact, each with what it was measured on. They change how long
// a search takes and what it leaves open, never what a proof says. "Not measured apart" means that
// a constant was chosen with the code around it.
#ifndef DUET_SOLVERS_EXACT_TUNING_H
#define DUET_SOLVERS_EXACT_TUNING_H

#include <stdint.h>

// What is searched at all. Schedules name each task, and every guess looks at all kinds.
enum {
    DUET_EXACT_MOST_TASKS = 10000000,
    DUET_EXACT_MOST_KINDS = 1000000,
    DUET_EXACT_SCHEDULES = 4, // that there must be memory for
};

// The start.
enum {
    DUET_EXACT_FIRST_EFFORT = 500,    // of levelling a first schedule
    DUET_EXACT_FIRST_TRIES = 6,       // random cores for each guess
    DUET_EXACT_FIRST_GROWTH = 4,      // of the step between such guesses
    DUET_EXACT_CACHE = 8,             // guesses whose prices are kept for the next effort
    DUET_EXACT_PROOF_BYTES = 1 << 30, // a longer proof is given up
    DUET_EXACT_PROOF_NODES = 100000,  // to decide the guess below a simple bound once more,
    DUET_EXACT_PROOF_PATTERNS = 100000,
    DUET_EXACT_PROOF_ALLOCATIONS = 100,
};
#define DUET_EXACT_PROOF_NANOSECONDS INT64_C(3000000000) // and so long at least

// The effort of the first round, and how much more each round may spend.
enum {
    DUET_ROUND_NODES = 5000,
    DUET_ROUND_PATTERNS = 5000,
    DUET_ROUND_ALLOCATIONS = 20,
    DUET_ROUND_PACK = 20,
    DUET_ROUND_DIVES = 1,
    DUET_ROUND_GUESSES = 20,
    DUET_ROUND_FAST_GROWTH = 4, // of nodes and allocations
    DUET_ROUND_GROWTH = 2,      // of packing, dives and guesses
    DUET_ROUND_PATTERN_GROWTH = 3,
    DUET_ROUND_MOST = 1 << 30,          // from which an effort grows no more
    DUET_ROUND_MOST_PATTERNS = 1000000, // the same of patterns
    DUET_ROUND_NODES_A_TREE_NODE = 100,
};

// The first round's trees.
enum {
    DUET_ROUND_FIRST_TREE = 90,   // nodes
    DUET_ROUND_FIRST_GUESSES = 1, // that are searched for schedules before
    DUET_ROUND_FIRST_OPEN = 2,    // guesses that a tree may leave open
    DUET_ROUND_TREE_PATTERNS = 3, // times as many in a cover beside trees: it takes no time there
};

// Steps between guesses, as bits of a shift or as shares.
enum {
    DUET_ROUND_FIRST_STEP = 20,  // of the bound: long guesses are gone through in millionths
    DUET_ROUND_NARROW = 13,      // of the bound: a gap that is nearly closed
    DUET_ROUND_TREE_STEP = 1,    // of the gap: a tree's first step
    DUET_ROUND_IMPROVE_STEP = 6, // of the gap: the first step of a search for schedules
    DUET_ROUND_LAST = 100000,    // a tree is asked for the last 10^-5 of the makespan last
};

// One guess.
enum {
    DUET_DECIDE_AREA_TASKS = 6,         // per processor: beyond it a type is divisible
    DUET_DECIDE_FEW_CLASSES = 16,       // with which it may have
    DUET_DECIDE_FEW_AREA_TASKS = 20000, // per processor: thousands of tasks of four kinds
    DUET_DECIDE_POOLED_TASKS = 40, // per processor: beyond it a type's patterns are not enumerated
    DUET_DECIDE_MOST_ALLOCATED = 4000,    // classes: beyond it allocations are not enumerated
    DUET_DECIDE_MOST_PRICED = 3000,       // classes: beyond it no linear program is solved
    DUET_DECIDE_ALLOCATION_NODES = 20000, // beyond it few allocations get all the effort
    DUET_DECIDE_PROGRAM_ROUNDS = 1000,    // of column generation
    DUET_DECIDE_LEAF_NODES = 2000,        // of a cover search in the tree
    DUET_DECIDE_POOL = 500000,            // patterns of a pool
};
#define DUET_DECIDE_EASY_TREE 3000.0 // processors x classes: a larger tree gets fewer nodes

// The enumeration of allocations.
enum {
    DUET_ALLOCATIONS_SOME = 3,         // of too many, those that packing alone tries
    DUET_ALLOCATIONS_FEW_CLASSES = 16, // so few make few patterns: levelling does not help there
    DUET_ALLOCATIONS_NODES = 3000,     // of a cover search, at least
    DUET_ALLOCATIONS_LEAVING = 3000, // tasks that may leave their cheaper type: the walk is as long
};

// Cover.
enum {
    DUET_PATTERNS_MOST_WORDS = 16,      // of a mask, as in enumerate.c
    DUET_COVER_ENUMERATION_NODES = 100, // an enumeration takes about as long as so many nodes,
    DUET_COVER_PATTERNS_A_NODE = 64,    // and one more for so many patterns
    DUET_COVER_MORE_PATTERNS = 4,   // times the limit, of which the best of each class are taken
    DUET_COVER_RENEWAL_SHARE = 4,   // patterns are enumerated anew for 1/4 of the nodes left,
    DUET_COVER_RENEWAL_NODES = 600, // at least so many,
    DUET_COVER_RENEWAL_LEFT = 2,    // once 2/3
    DUET_COVER_RENEWAL_OF = 3,      // of the processors are left
    // Between two checks of the clock, in classes and patterns that nodes go over: under a
    // millisecond.
    DUET_COVER_WORK_BETWEEN_CHECKS = 1 << 16,
    // Of nodes within nodes, some hundred bytes of heap each; what lies deeper stays open. Each
    // processor and each branch is one, so that a thousand processors are no trouble.
    DUET_COVER_MOST_DEPTH = 3000,
    DUET_COVER_MEMORY_SHARE = 4, // patterns get 1/4 of the memory
};

// Branch and price.
enum {
    DUET_TREE_POOLED = 6,            // so many nodes with a pool count as one node,
    DUET_TREE_DECIDED = 30,          // so many once all types are decided
    DUET_TREE_PROGRAM_ROUNDS = 1000, // of column generation
    DUET_TREE_OPEN_ALLOCATIONS = 10, // after so many of them it is given up
    DUET_TREE_MEMORY_SHARE = 8,   // the nodes on the way down get 1/8 of the memory, a pool as much
    DUET_TREE_FEW_UNDECIDED = 16, // classes: so few are decided first
    DUET_TREE_DIVES = 2,          // over all patterns, for a new allocation
    DUET_TREE_DIVE_EVERY = 30,    // nodes of a levelled pool
};
#define DUET_TREE_POOL_WIDTH 1.0  // slack in limits: beyond it no pool is tried
#define DUET_TREE_POOL_SHRINK 2.0 // times less than where it was too wide
#define DUET_TREE_POOL_HOPE 0.75  // of that width: precise prices may make a pool
#define DUET_TREE_DIVIDED 1e-5    // a share that is so far from whole is divided
#define DUET_TREE_WHOLE 1e-9      // a share so little below a whole number is whole

// Branching rows over all patterns.
enum { DUET_ROW_CHOICES = 4 };   // that are tried
#define DUET_ROW_DIVIDED 0.05    // a sum that is so far from whole is branched on
#define DUET_ROW_WIDE_GAP 0.05   // of the capacity: a wider gap below a time is no better
#define DUET_ROW_LEAST_LIFT 1e-9 // what a child must lose

// Dives over all patterns.
enum {
    DUET_DIVE_TAIL = 5,              // processors that are searched
    DUET_DIVE_TAIL_NODES = 2000,     // of that search
    DUET_DIVE_TAIL_PATTERNS = 20000, // of that search
    DUET_DIVE_STEP_ROUNDS = 12,      // of column generation at one depth
};
#define DUET_DIVE_WHOLE 0.8       // a pattern that is taken so often is taken wholly,
#define DUET_DIVE_BOLD_WHOLE 0.95 // by a bold dive

// Repacking the best schedule's allocation.
enum {
    DUET_REPACK_PATTERNS = 200000,
    DUET_REPACK_DIVES = 8,        // for a guess
    DUET_REPACK_FAILURES = 3,     // guesses without a schedule
    DUET_REPACK_SMALL = 17,       // bits: a gap of that share is not worth a try,
    DUET_REPACK_FEW_GUESSES = 16, // nor one of so few guesses, which the tree asks for one by one
    DUET_REPACK_TAIL_PATTERNS = 5000,
    DUET_REPACK_MEMORY_SHARE = 8, // of the memory for the patterns
    DUET_REPACK_PACK_EFFORT = 20, // of the type without a pool
};

#endif
