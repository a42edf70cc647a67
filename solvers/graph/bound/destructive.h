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
// current stage resumes.
void duet_destructive_update(duet_destructive *bound);
// Whether the stage has not resumed yet.
bool duet_destructive_is_updating(const duet_destructive *bound);
// The bound when propagation last began to run again.
int64_t duet_destructive_updated_at(const duet_destructive *bound);
// Tries one guess out of turn, to its end, unless another one is under way. DUET_E_MEMORY.
duet_code duet_destructive_try(duet_destructive *bound, int64_t guess, duet_error *error);

// No schedule is shorter.
int64_t duet_destructive_lower(const duet_destructive *bound);
// Work so far, in the unit of duet_destructive_work().
int64_t duet_destructive_spent(const duet_destructive *bound);

// How far it goes.
typedef enum duet_bound_stage {
    DUET_STAGE_PROPAGATION,  // windows, ancestors, energy
    DUET_STAGE_PROGRAM,      // and the linear program at the root
    DUET_STAGE_TIME_INDEXED, // and time-indexed prices
    DUET_STAGE_SHAVING,      // and shaving
    DUET_STAGE_BRANCHING     // and branching, as long as it may
} duet_bound_stage;

// Tries to prove more, up to `upper`, the makespan of the best schedule known. Ends after about
// `work` operations (some nanoseconds each), if the context stops or with the stage `last`. Call it
// again and again, with what has become of `upper`: what was begun goes on. The same for the same
// calls, whatever the machine, unless the context stops. DUET_E_MEMORY; what was proven before
// stays.
duet_code duet_destructive_work(duet_destructive *bound, int64_t upper, int64_t work,
                                duet_bound_stage last, duet_error *error);

// Whether there is nothing left to do up to the stage `last`.
bool duet_destructive_done(const duet_destructive *bound, int64_t upper, duet_bound_stage last);

// Whether it has come to branching.
bool duet_destructive_branches(const duet_destructive *bound);

// Where and when a task runs in a schedule that the search met.
typedef struct duet_met_task {
    int32_t type;
    int64_t start;
} duet_met_task;

// A schedule that the search met, per task; NULL: none. Its makespan is at most `*guess`.
// Processors of a type are to be given out in the order of the starts. Valid as long as `bound`,
// until the next one is met.
const duet_met_task *duet_destructive_schedule(const duet_destructive *bound, int64_t *guess);

// Whether the bound was raised, so that there is a proof of it here.
bool duet_destructive_proven(const duet_destructive *bound);
// The lines of that proof without the headers, what was given, and the end.
const duet_proof_writer *duet_destructive_lines(const duet_destructive *bound);
// Bytes of that proof.
size_t duet_destructive_length(const duet_destructive *bound);
// The bound with the proof as its certificate. The caller releases it. DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_destructive_certify(const duet_destructive *bound, const char *name, duet_bound *out,
                                   duet_error *error);
// Writes the same proof to an open file and puts it in place.
duet_code duet_destructive_write_proof(const duet_destructive *bound, duet_output *output,
                                       duet_error *error);

#endif
