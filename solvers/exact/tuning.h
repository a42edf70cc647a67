// SPDX-License-Identifier: Apache-2.0
// The tuning constants of algorithm exact, but for the numeric tolerances beside the code that uses
// them and what is of lp/configuration alone. They change how long a search takes and what it
// leaves open, never what a proof says.
//
// All of them together are measured by `duet bench exact` (docs/benchmarks.md, "exact"): set main
// (504 instances of random families), hard (unif4-100 and corr-100 on 20 CPUs and 4 GPUs), tiles
// (kernels of factorisations), medium and real (measured task lists). A comment names what a
// constant was chosen for or timed on beyond that, as far as the history tells, or says "not
// measured apart".
#ifndef DUET_SOLVERS_EXACT_TUNING_H
#define DUET_SOLVERS_EXACT_TUNING_H

#include <stdint.h>

// What is searched at all: schedules name each task, and every guess looks at all kinds. From the
// memory that five schedules take and the time of one look; tried on ten million equal tasks.
enum {
    DUET_EXACT_MOST_TASKS = 10000000,
    DUET_EXACT_MOST_KINDS = 1000000,
    DUET_EXACT_SCHEDULES = 5, // that there must be memory for
};

// The start, and the proof at the end. Not measured apart.
enum {
    DUET_EXACT_FIRST_EFFORT = 500, // of levelling a first schedule
    DUET_EXACT_FIRST_FILL = 30,    // milliseconds of filling it. For families mixed
    DUET_EXACT_FIRST_TRIES = 6,    // random cores for each guess
    DUET_EXACT_FIRST_GROWTH = 4,   // of the step between such guesses
    // Moves of annealing at first: 50 million take a second.
    DUET_EXACT_MOVES = 10000, // moves for each task
    DUET_EXACT_MOST_MOVES = 5000000,
    DUET_EXACT_ANNEALED_TASKS = 1000, // annealing of so few came to its end. For families mixed
    // Filling an allocation of the bound, in milliseconds: for families mixed.
    DUET_FILL_FIRST = 250,
    DUET_FILL_GROWTH = 4,
    DUET_FILL_MOST = 1 << 22, // hours
    // Levelling the best schedule: chosen for fine ticks of data unfamiliar, and of families mixed.
    DUET_LEVEL_PAIRS = 100,           // of a type, in vain
    DUET_LEVEL_COARSE = 1 << 16,      // ticks: a bound below it needs no finer partitions
    DUET_LEVEL_NEAR = 12,             // bits: a smaller share of the bound is a small gap
    DUET_LEVEL_MOST_TASKS = 100000,   // for more than levelling the processors of each type
    DUET_LEVEL_EFFORT = 24,           // of fine repartitions, at first
    DUET_LEVEL_CORE = 4,              // of it, for a random core of the knapsack
    DUET_LEVEL_MOST_EFFORT = 1 << 22, // hours
    DUET_LEVEL_FITTING = 4,           // part of it, for the schedule of one that fits
    DUET_LEVEL_GROWTH = 4,            // where the schedule stayed as it was
    DUET_EXACT_LINES_BYTES = 1 << 24, // bytes: the longest proof that a solution holds
    DUET_EXACT_PROOF_BYTES = 1 << 30, // a longer proof is given up
    DUET_EXACT_PROOF_NODES = 100000,  // to decide the guess below a simple bound once more
    DUET_EXACT_PROOF_PATTERNS = 100000,
    DUET_EXACT_PROOF_ALLOCATIONS = 100,
};
#define DUET_EXACT_PROOF_NANOSECONDS INT64_C(3000000000) // for that, at least

// The effort of the first round, and what each round may spend more. Not measured apart.
enum {
    DUET_ROUND_NODES = 5000,
    DUET_ROUND_PATTERNS = 5000,
    DUET_ROUND_ALLOCATIONS = 20,
    DUET_ROUND_PACK = 20,
    DUET_ROUND_MOVES = 10000000, // of annealing
    // Moves beside linear programs, for each of them and each kind of tasks: an eighth of their
    // time at first, measured with 400 and 1000 kinds. Fewer than the least wait for more programs.
    DUET_ROUND_PACE = 128,
    DUET_ROUND_MOST_PACE = 512,
    DUET_ROUND_LEAST_PACE = 32,
    DUET_ROUND_LEAST_MOVES = 1000000,
    DUET_ROUND_VOLUME = 400, // iterations of the volume method
    DUET_ROUND_GUESSES = 20,
    DUET_ROUND_FAST_GROWTH = 4, // of nodes and allocations
    DUET_ROUND_GROWTH = 2,      // of packing and guesses
    DUET_ROUND_PATTERN_GROWTH = 3,
    DUET_ROUND_MOST = 1 << 30,          // from there on an effort grows no more
    DUET_ROUND_MOST_PATTERNS = 1000000, // the same of patterns
    DUET_ROUND_NODES_A_TREE_NODE = 30,  // a tree's nodes, from those of a cover search
};

// The first round's trees: chosen for sets hard and medium, which mostly end there.
enum {
    DUET_ROUND_FIRST_TREE = 90,  // nodes: raised when a node came to take half the time
    DUET_ROUND_FEW_CLASSES = 40, // trees of at most 40 classes come first if those are alike
    DUET_ROUND_ALIKE = 4,        // classes are alike from 4 tasks each on. For families mixed
    DUET_ROUND_EARLY_TREE = 30,  // the same, before anything else: for weak bounds, data unfamiliar
    DUET_ROUND_FIRST_GUESSES = 1, // searched for schedules before: a good one spares trees
    DUET_ROUND_FIRST_OPEN = 2,    // guesses that trees may leave open, in a row
    DUET_ROUND_TREE_PATTERNS = 3, // times as many in a cover search beside trees: no time there
};

// Steps between guesses, as bits of a shift or as shares: chosen for set hard, not measured apart;
// the millionths for times of 10^9 ticks and more.
enum {
    DUET_ROUND_FIRST_STEP = 20, // of the bound: large guesses are gone through in millionths
    DUET_ROUND_WIDE = 9,        // of the bound: a gap that shows a weak bound. For data unfamiliar
    DUET_ROUND_LIFTED = 11,     // the same, where the relaxation may lift a weak bound
    DUET_ROUND_NARROW = 13,     // of the bound: a gap that is nearly closed
    DUET_ROUND_FEW_TICKS =
        20, // of the bound: a gap that annealing does not close. For families mixed
    DUET_ROUND_TREE_STEP = 1,    // of the gap: a tree's first step
    DUET_ROUND_IMPROVE_STEP = 6, // of the gap: the first step of a search for schedules
    DUET_ROUND_LAST = 100000,    // a tree is asked for the last 10^-5 of the makespan last
};

// One guess.
enum {
    DUET_DECIDE_AREA_TASKS = 6, // per processor: beyond it a type is divisible. Not measured apart
    // The fine relaxation: so few long tasks per processor, or somewhat more and a small table, or
    // one that the core of the knapsack spares.
    DUET_DECIDE_LONG_TASKS = 8,
    DUET_DECIDE_FINE_TASKS = 40,
    DUET_DECIDE_FINE_CELLS = 1 << 30,
    // Few classes make few patterns: chosen for set tiles, of four kinds and thousands of tasks.
    DUET_DECIDE_FEW_CLASSES = 16,
    DUET_DECIDE_FEW_AREA_TASKS = 20000, // per processor
    DUET_DECIDE_POOLED_TASKS =
        40, // per processor: beyond it a cover has no patterns. Not measured apart
    DUET_DECIDE_MOST_ALLOCATED = 4000, // classes: beyond it allocations are not enumerated. Not
                                       // measured apart
    DUET_DECIDE_MOST_PRICED = 3000,    // classes: beyond it no linear program is solved. Not
                                       // measured apart
    DUET_DECIDE_ALLOCATION_NODES =
        20000, // beyond it few allocations get all the effort. Not measured apart
    DUET_DECIDE_PROGRAM_ROUNDS = 1000, // of column generation: a guard
    DUET_DECIDE_LEAF_NODES = 2000,     // of a cover search in the tree. Not measured apart
    DUET_DECIDE_POOL = 500000,         // patterns of a pool: for set hard
};
// Processors x classes: a larger tree gets fewer nodes, since its programs take longer. Not
// measured apart.
#define DUET_DECIDE_EASY_TREE 3000.0

// Filling processors takes the milliseconds it is given, levelling mostly far fewer: the part of
// its effort that filling gets. For families mixed.
enum { DUET_PACK_FILL_SHARE = 8 };

// The enumeration of allocations. Not measured apart.
enum {
    DUET_ALLOCATIONS_SOME = 3,         // of too many, those that packing alone tries
    DUET_ALLOCATIONS_FEW_CLASSES = 16, // so few make few patterns: levelling does not help there
    DUET_ALLOCATIONS_NODES = 20000,    // of a cover search, at least
    DUET_ALLOCATIONS_WAYS = 8,         // down, for each that may be found: most are dead ends
    DUET_ALLOCATIONS_LEAVING = 3000,   // tasks that may leave their cheaper type: a walk's steps
};

// Cover. Not measured apart, but for the times that the comments name.
enum {
    DUET_COVER_ENUMERATION_NODES = 100, // an enumeration takes about as long as 100 nodes
    DUET_COVER_PATTERNS_A_NODE = 64,    // patterns that an enumeration finds in the time of one
                                        // node more
    DUET_COVER_MORE_PATTERNS = 4,       // times the limit, of which each class's best are taken
    DUET_COVER_RENEWAL_SHARE = 4,       // patterns are enumerated anew for 1/4 of the nodes left
    DUET_COVER_RENEWAL_NODES = 600,     // for at least 600 nodes
    DUET_COVER_RENEWAL_LEFT = 2,        // once fewer than 2/3
    DUET_COVER_RENEWAL_OF = 3,          // of the processors are left
    // Between two checks of the clock, in classes and patterns that nodes go over: under a
    // millisecond.
    DUET_COVER_WORK_BETWEEN_CHECKS = 1 << 16,
    // Of nodes within nodes, some hundred bytes of heap each; what lies deeper stays open. Each
    // processor and each branch is one, so that a thousand processors are no trouble.
    DUET_COVER_MOST_DEPTH = 3000,
    DUET_COVER_MEMORY_SHARE = 4, // patterns get 1/4 of the memory
};

// Branch and price: chosen for set hard. DUET_TREE_POOLED and DUET_TREE_DECIDED are times of nodes;
// the rest was not measured apart.
enum {
    DUET_TREE_POOLED = 6,            // nodes with a pool that take the time of one without
    DUET_TREE_DECIDED = 30,          // the same once all types are decided
    DUET_TREE_PROGRAM_ROUNDS = 1000, // of column generation: a guard
    DUET_TREE_OPEN_ALLOCATIONS = 10, // open allocations after which a tree is given up. Not
                                     // measured apart
    DUET_TREE_MEMORY_SHARE = 8,      // the nodes on the way down get 1/8 of the memory, a pool too
    DUET_TREE_FEW_UNDECIDED = 16,    // classes: so few are decided before patterns are branched on
    DUET_TREE_DIVES = 2,             // over all patterns, for a new allocation
    // Counted work before a tree is divided, and between two exchanges.
    DUET_TREE_ALONE = 200000000,
    DUET_TREE_QUANTUM = 20000000,
    // Nodes of a levelled pool for each dive: every second dive finds what the tree did not find in
    // a hundred nodes.
    DUET_TREE_DIVE_EVERY = 30,
};
#define DUET_TREE_POOL_WIDTH 1.0  // slack in limits: beyond it no pool is tried
#define DUET_TREE_POOL_SHRINK 2.0 // times less than where it was too wide, for another try
#define DUET_TREE_POOL_HOPE 0.75  // of that width: precise prices are worth their time
#define DUET_TREE_DIVIDED 1e-5    // a share that is so far from whole is divided
#define DUET_TREE_WHOLE 1e-9      // a share so little below a whole number is whole

// Branching rows over all patterns: chosen for set hard, not measured apart. Fewer are tried than
// at first.
enum { DUET_ROW_CHOICES = 4 };   // that are tried
#define DUET_ROW_DIVIDED 0.05    // a sum that is so far from whole is branched on
#define DUET_ROW_WIDE_GAP 0.05   // of the capacity: a wider gap below a time is no better
#define DUET_ROW_LEAST_LIFT 1e-9 // what a child must lose

// Dives over all patterns. Not measured apart; the rounds of a step are fewer than at first.
enum {
    DUET_DIVE_TAIL = 5,              // processors that are searched
    DUET_DIVE_TAIL_NODES = 2000,     // of that search
    DUET_DIVE_TAIL_PATTERNS = 20000, // of that search
    DUET_DIVE_STEP_ROUNDS = 12,      // of column generation at one depth
};
#define DUET_DIVE_WHOLE 0.8       // a pattern that is taken so often is taken wholly,
#define DUET_DIVE_BOLD_WHOLE 0.95 // so often by a bold dive

// Repacking the best schedule's allocation: chosen for set hard, not measured apart.
enum {
    DUET_REPACK_PATTERNS = 200000,
    DUET_REPACK_DIVES = 8,            // for a guess
    DUET_REPACK_FAILURES = 3,         // guesses without a schedule
    DUET_REPACK_SMALL = 17,           // bits: a gap of a smaller share is left to the trees
    DUET_REPACK_FEW_GUESSES = 16,     // a gap of fewer guesses is left to the trees, which ask for
                                      // them one by one
    DUET_REPACK_TAIL_PATTERNS = 5000, // of a cover search at a dive's end
    DUET_REPACK_MEMORY_SHARE = 8,     // patterns get 1/8 of the memory
    DUET_REPACK_PACK_EFFORT = 20,     // of the type without a pool. Not measured apart
};

// The relaxation over a pool: chosen for set hard, not measured apart.
enum {
    DUET_POOL_MOST_COLUMNS = 1500,  // of a master program, before it is renewed
    DUET_POOL_MOST_ROWS = 100,      // branching rows without a bound, before it is renewed
    DUET_POOL_CANDIDATES = 2048,    // patterns of one pass, of which some rounds take columns
    DUET_POOL_MOST_PASSES = 400,    // over the patterns at one node
    DUET_POOL_SAME_ROUNDS = 8,      // that make do with the candidates of one pass
    DUET_POOL_MOST_ADDED = 20,      // columns in a round
    DUET_POOL_MOST_CONSIDERED = 64, // candidates for them
    DUET_POOL_NANOSECONDS = 8,      // that one pattern of a pass takes, as counted work
};
#define DUET_POOL_LEAST_GAIN 1e-9 // of a column, in the unit of the duals

// Strong branching over a pool: chosen for set hard, not measured apart. Trials are shorter than at
// first.
enum {
    DUET_POOL_CHOICES = 8,      // rows that are tried
    DUET_POOL_PAIRS = 4,        // the same, once all types are decided
    DUET_POOL_TRIAL_STEPS = 30, // of the dual simplex method
    DUET_POOL_PAIR_STEPS = 10,  // the same for a pair
    DUET_POOL_COUNTED = 6,      // tasks that a pattern is counted for having, at most
};
#define DUET_POOL_DIVIDED 0.05  // a count that is so far from whole is branched on
#define DUET_POOL_WIDE_GAP 0.05 // of the capacity: a wider gap below a time is no better

// Dives over a pool: chosen for set hard, not measured apart.
enum {
    DUET_POOL_TAIL_FITS = 150,   // patterns that fit: so few are left to the cover search
    DUET_POOL_TAIL_LEAST = 4,    // processors: so few are too, whatever fits
    DUET_POOL_TAIL_NODES = 3000, // of that search
    DUET_POOL_MOST_BANNED = 4,   // ways back from dead ends
};
#define DUET_POOL_WHOLE 0.95 // a pattern that is taken so often is taken wholly

// Enumerating patterns. Not measured apart, but for the times that the comments name.
enum {
    DUET_PATTERNS_BUCKETS = 4096,        // of time, in the table of best prices
    DUET_PATTERNS_MOST_WORDS = 16,       // of a mask
    DUET_PATTERNS_STEPS = 200000,        // of an enumeration
    DUET_PATTERNS_STEPS_EACH = 30,       // more for each pattern that may be had
    DUET_PATTERNS_CHECK_EVERY = 1 << 12, // steps between checks of the clock: microseconds
};

#endif
