// SPDX-License-Identifier: Apache-2.0
// The state of algorithm exact, which its rounds share.
//
// Calls between the files of solvers/exact run one way, down this list:
//   exact.c            start and end: first bounds and schedules, the proof file
//   equal_types.c      types of equal times as one
//   types/             the rounds on other than two types
//   rounds.c           which guesses are asked
//   decide.c           one guess
//   repack.c           the best schedule's allocation, packed anew
//   raise.c            the bound, by the volume method
//   level.c, fill_bound.c, guess_schedule.c   schedules near the bound
//   incumbent.c        the best schedule
//   beside.c           searches beside this one
//   exact_state.c      this state
//   branch_and_price/  a tree on the types of the tasks
//   allocations.c      all allocations of the tasks to the types
//   walk.c             the walk through them
//   parts.c            a tree by several at once
//   dive.c, branching_row.c, pool/
//   cover/             exact cover by patterns
//   pack.c             one type's tasks on its processors
//   exchange.c         what exchanges of two tasks leave of the allocations
//   search.c           what the searches share
//   modes.c
//   log.c, loads.c, enumerate.c, tuning.h
#ifndef DUET_SOLVERS_EXACT_EXACT_STATE_H
#define DUET_SOLVERS_EXACT_EXACT_STATE_H

#include "core/algorithm.h"
#include "core/number/random.h"
#include "core/solution/prices.h"
#include "core/system/counted.h"
#include "heuristics/improve/annealing/annealing.h"
#include "lp/configuration/column_store.h"
#include "lp/volume/volume.h"
#include "solvers/exact/log.h"
#include "solvers/exact/tuning.h"

// How finely a relaxation treats the types.
typedef enum duet_exact_modes {
    DUET_EXACT_COARSE, // a type with many tasks per processor is divisible
    DUET_EXACT_FINE,   // patterns wherever the knapsacks can be afforded
    DUET_EXACT_MODES
} duet_exact_modes;

// What a part of the search is about to prove, or has proven.
typedef struct duet_exact_proving {
    bool wanted; // A proof was asked for.
    bool alone;  // The second type has no processors: proofs are about the first alone.
} duet_exact_proving;

// Whether improving by annealing is worth a try.
typedef enum duet_exact_annealing {
    DUET_ANNEALING_POSSIBLE,
    DUET_ANNEALING_IMPOSSIBLE // There is no memory for an annealer, or it is too large.
} duet_exact_annealing;

// How near the optimum the simple bounds, area and knapsack, are likely to be.
typedef enum duet_exact_outlook {
    DUET_OUTLOOK_NEAR,
    DUET_OUTLOOK_WEAK,  // They are far from it.
    DUET_OUTLOOK_RAISED // The volume method said more: configurations are likely enough.
} duet_exact_outlook;

// What the classes and the patterns of the instance are like.
typedef struct duet_exact_shape {
    bool few_classes;   // There are so few that trees are tried first.
    bool one_patterned; // One type alone has patterns, the other is divisible.
    bool long_lists;    // The lists of the knapsack are too long.
} duet_exact_shape;

// How the last guess was decided.
typedef struct duet_exact_decision {
    bool by_tree; // Branch and price decided it.
    bool wide;    // Branch and price had too many patterns for a pool at first.
} duet_exact_decision;

typedef struct duet_exact {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    bool searchable; // small enough
    duet_exact_proving proving;
    duet_exact_shape shape;
    const char *types_line; // of proofs: which types of the instance that was given are one
    int64_t most_rounds;    // 0: no limit
    duet_random random;

    // The best schedule (the caller's), and room for the next one.
    duet_solution *best;
    duet_solution *trial;
    duet_solution *annealed; // beside a search, from the first time on
    duet_annealer *annealer; // from its first use on
    duet_exact_annealing annealing;
    int64_t levelled;       // the makespan of the schedule that was levelled last
    int64_t level_effort;   // with this effort
    uint64_t level_seed;    // of what levelling draws
    int64_t filled;         // the bound that was filled last
    int64_t fill_effort;    // with this effort
    int64_t hopeless;       // the bound that is not worth it
    int64_t anneal_pace;    // moves for each program and each kind of tasks; 0: none so far
    int64_t annealed_until; // the programs that it has kept pace with

    // The bound: no schedule is shorter.
    duet_bound bound;
    duet_log proof;   // of the bound
    int64_t proof_of; // the bound that it proves; 0: none; -1: none of one that a search gave
    duet_exact_outlook outlook;

    // What the last guess said.
    duet_log log;                 // on REFUTED, its proof
    duet_certificate certificate; // on REFUTED, where prices alone are enough
    duet_exact_decision last;
    int64_t left_open; // the last guess that this round's searches could not decide
    const char *doing; // for the progress line

    // What guesses learn from each other.
    int64_t unrefuted[DUET_EXACT_MODES]; // the least guess that a relaxation cannot refute
    bool fine_lifts;                     // the fine one refuted what the coarse one could not
    duet_column_store columns;
    duet_volume *volume; // from its first use on

    // Counters.
    duet_counted before; // what was counted when the search began
    int64_t nodes, patterns, programs, guesses;
    int64_t moves; // of annealing
} duet_exact;

// How much one guess may cost; each level is a multiple of the one below.
typedef struct duet_exact_effort {
    int64_t nodes;       // of cover searches; 0: packing alone
    size_t patterns;     // of a cover search
    int64_t tree;        // nodes of branch and price; 0: none
    int64_t allocations; // of the enumeration
    int64_t pack;        // of packing
    int64_t anneal;      // moves of annealing
    int64_t guesses;     // of the way up from the bound
    bool relaxed;        // by the relaxation alone
} duet_exact_effort;

// The longest makespan that is good enough: the bound, or as far above it as option gap allows.
int64_t duet_exact_target(const duet_exact *s);
// Whether there is a gap, larger than the one that is asked for, and time to close it.
bool duet_exact_is_open(const duet_exact *s);
// Whether there is no such gap.
bool duet_exact_is_closed(const duet_exact *s);

// What the last guess wrote becomes the proof.
void duet_exact_take_log(duet_exact *s);
// Everything but the best schedule.
void duet_exact_free(duet_exact *s);

#endif
