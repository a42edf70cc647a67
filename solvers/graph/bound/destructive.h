// SPDX-License-Identifier: Apache-2.0
// Destructive lower bounds of a task graph: guesses are refuted until the bound meets the best
// schedule that is known or time ends; see destructive.c.
#ifndef DUET_SOLVERS_GRAPH_BOUND_DESTRUCTIVE_H
#define DUET_SOLVERS_GRAPH_BOUND_DESTRUCTIVE_H

#include "core/instance/instance.h"
#include "core/solution/certificate.h"
#include "core/system/context.h"
#include "core/system/output.h"
#include "solvers/graph/propagate/windows.h"

// One instance, the bound that is proven, and the lines that prove it.
typedef struct duet_destructive duet_destructive;

// `lower` is a known bound, of which the caller has a proof. `instance` and `context` are borrowed.
// DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_destructive_create(const duet_instance *instance, const duet_context *context,
                                  int64_t lower, duet_destructive **out, duet_error *error);
void duet_destructive_free(duet_destructive *bound); // NULL is allowed

// Gives heads and tails of the tasks from the next guess on, in borrowed arrays. `lines`, to which
// others may be added, prove them under every guess that is tried later; NULL: they are part of the
// problem.
void duet_destructive_give(duet_destructive *bound, const duet_given *given,
                           const duet_proof_writer *lines);
// The given heads or tails have grown. After the current guess, propagation runs again; then the
// current phase resumes.
void duet_destructive_update(duet_destructive *bound);
// Returns whether an update is pending or its propagation is still running.
bool duet_destructive_is_updating(const duet_destructive *bound);
// Returns the bound at the time when the last update began.
int64_t duet_destructive_updated_at(const duet_destructive *bound);
// Tries one guess out of turn, to its end, unless another one is under way. DUET_E_MEMORY.
duet_code duet_destructive_try(duet_destructive *bound, int64_t guess, duet_error *error);

// Returns the proven lower bound: no schedule is shorter.
int64_t duet_destructive_lower(const duet_destructive *bound);
// Returns the operations so far, in the unit of duet_destructive_work().
int64_t duet_destructive_spent(const duet_destructive *bound);
// Returns those of the longest chain of what waits for each other.
int64_t duet_destructive_chained(const duet_destructive *bound);
// Has other threads told there, once in a while, what these have reached; borrowed.
void duet_destructive_tell(duet_destructive *bound, atomic_llong *told);

// The phases of a bound in their order; a call names the last one that it may run. A phase tries
// guesses with propagation and its own means alone, and is skipped if a later one is better.
typedef enum duet_bound_phase {
    DUET_PHASE_PROPAGATION,  // Propagation alone.
    DUET_PHASE_PROGRAM,      // Propagation, and the linear program at the root.
    DUET_PHASE_TIME_INDEXED, // Propagation, and the time-indexed Lagrangian at the root.
    DUET_PHASE_SHAVING,      // Propagation, and shaving at the root.
    DUET_PHASE_BRANCHING     // Branch and bound, in up to DUET_BOUND_TREES trees.
} duet_bound_phase;

// Tries to prove more, up to `upper`, the makespan of the best schedule known. Ends after about
// `work` operations of about a nanosecond, if the context stops or with the phase `last`. Call it
// repeatedly, with the present `upper`: what was begun goes on. The result is the same for the same
// calls, whatever the machine, unless the context stops. DUET_E_MEMORY; what was proven before
// stays.
duet_code duet_destructive_work(duet_destructive *bound, int64_t upper, int64_t work,
                                duet_bound_phase last, duet_error *error);

// Whether there is nothing left to do up to the phase `last`.
bool duet_destructive_done(const duet_destructive *bound, int64_t upper, duet_bound_phase last);

// Returns whether a phase of branching has begun.
bool duet_destructive_branches(const duet_destructive *bound);

// The type and the start of a task at a leaf of branching.
typedef struct duet_leaf_task {
    int32_t type;
    int64_t start;
} duet_leaf_task;

// Returns the last leaf that branching reached, per task; NULL if it reached none, or if data take
// time. It is a schedule once each task, in the order of the starts, gets an idle processor of its
// type. Sets `*guess` to the guess, which its makespan does not exceed; INT64_MAX if no leaf was
// reached. The array is borrowed from `bound`, until the next leaf is reached.
const duet_leaf_task *duet_destructive_schedule(const duet_destructive *bound, int64_t *guess);

// Whether the bound was raised, so that there is a proof of it here.
bool duet_destructive_proven(const duet_destructive *bound);
// Returns the lines of that proof without the headers, what was given, and the end.
const duet_proof_writer *duet_destructive_lines(const duet_destructive *bound);
// Returns the size in bytes of the whole proof, with headers and the lines that were given.
size_t duet_destructive_length(const duet_destructive *bound);
// The bound with the proof as its certificate. The caller releases it. DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_destructive_certify(const duet_destructive *bound, const char *name, duet_bound *out,
                                   duet_error *error);
// Writes the same proof to an open file and puts it in place. `moved`: the graph is a moved
// instance (core/instance/moved.h), and the proof is about the one that it was made of.
duet_code duet_destructive_write_proof(const duet_destructive *bound, bool moved,
                                       duet_output *output, duet_error *error);

#endif
