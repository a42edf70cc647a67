// SPDX-License-Identifier: Apache-2.0
// The state of algorithm exact on platforms of other than two types, beside duet_exact, which has
// the best schedule and the bound. Calls between these files run one way, down this list:
//
//   types.c       the rounds: which search comes when
//   bound.c       the bound by itself
//   prove.c       the proof of a bound that no search gave
//   allocations.c all allocations of the tasks to the types within a guess
//   vector_proof.c  the proof that none of them has a schedule
//   tree.c        branch and price on the numbers of tasks of a class on each type
//   branching.c   what that branches on
//   hands.c       states beside this one
//   by_type.c     the schedule of an allocation, type by type
//   one_type.c    what it gives to one type
//   dive.c        dives into the configuration relaxation
//   climb.c       the bound by the configuration relaxation
//   small.c       all schedules of few tasks
//   allocation.c  schedules for an allocation of the tasks to the types
//   types_state.c this state
//   divisible.c   which types divide their tasks in the relaxation
//   sets.c        what is known of the sets of tasks that a type was given
#ifndef DUET_SOLVERS_EXACT_TYPES_TYPES_STATE_H
#define DUET_SOLVERS_EXACT_TYPES_TYPES_STATE_H

#include "lp/configuration/generation.h"
#include "solvers/exact/exact_state.h"
#include "solvers/exact/loads.h"
#include "solvers/exact/parts.h"
#include "solvers/exact/search.h"
#include "solvers/exact/types/sets.h"

// What branching on a count of the relaxation has changed.
typedef struct duet_types_gain {
    double sum; // of what a task changed its factor
    int64_t branches;
} duet_types_gain;

typedef struct duet_types_gains {
    duet_types_gain fewer, more;
} duet_types_gains;

typedef struct duet_types {
    duet_exact *exact;

    // The guess that the classes are of: one below the best schedule when they were made.
    bool ready; // there are classes
    duet_classes classes;
    duet_residual root;  // every task, anywhere it fits
    duet_residual state; // what a search narrows
    bool *divisible;     // per type: tasks are divided on it in the relaxation
    size_t leading;      // the type with the fewest tasks for each processor, more than one
    int64_t *weight;     // per type: those of the area bound

    // The configuration relaxation; NULL: there is none.
    duet_generation *program;
    duet_prices prices;
    duet_types_gains *gain; // per count of it
    duet_lp_position basis; // of everything anywhere, where searches begin

    // The schedule that a search builds, and what is known of the types' parts.
    duet_loads loads;
    duet_types_sets sets;
    duet_proof_writer alone; // the proof of a search on one type

    // The least guess that the relaxation did not refute.
    int64_t unrefuted;

    struct duet_types_hands *hands; // beside this state, from their first use on
} duet_types;

// Classes for the guess below the best schedule, and the relaxation where it is wanted and small
// enough. Errors: those of duet_generation_create() but DUET_E_UNSUPPORTED, which leaves it out.
duet_code duet_types_prepare(duet_types *s, duet_error *error);
// What of it is the same for every search on these classes, before anything is known of them.
duet_code duet_types_create_state(duet_types *s, int64_t guess, duet_error *error);
// Everything but its hands (solvers/exact/types/hands.h), which go first.
void duet_types_free(duet_types *s);

// Whether some type has several processors.
bool duet_types_has_several(const duet_types *s);

// Takes a bound that prices prove: no schedule is within `proven`. Where the certificate would not
// hold, the bound stays as it is.
duet_code duet_types_claim(duet_types *s, int64_t proven, duet_error *error);
// A search that levels the tasks of a type without patterns (duet_pack_level()).
duet_search duet_types_leveling(duet_types *s);
// Takes a bound that a search proved. `logged`: s->exact->log is the proof.
void duet_types_claim_searched(duet_types *s, int64_t proven, bool logged);
// s->exact->log is the proof of the bound.
void duet_types_take_proof(duet_types *s);
// Begins the proof that no schedule is within a guess, in s->exact->log.
duet_log *duet_types_start_log(duet_types *s, int64_t guess);

// Begins to search for a schedule within a guess: s->state is every task on any type on which it
// fits into the guess alone, and the relaxation is near its basis, with no pattern taken. False:
// some task does not fit anywhere, which `log` (NULL: none) says.
bool duet_types_begin(duet_types *s, int64_t guess, duet_log *log);
// Reduced-cost fixing: narrows s->state by s->prices, which leave that slack (>= 0) there. False:
// nothing is left. What is cut off goes to `log` (NULL: none) by `shown`, the prices as the log has
// them.
bool duet_types_fix(duet_types *s, duet_int128 slack, duet_log *log, duet_prices *shown);
// The same for a class on one type, at prices of one task on each.
bool duet_types_cut(duet_types *s, size_t class, size_t type, const duet_int128 *price,
                    duet_int128 slack, duet_log *log, duet_prices *shown);

#endif
