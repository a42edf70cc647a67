// SPDX-License-Identifier: Apache-2.0
// Raising the lower bound of a task graph, guess by guess, until it meets the best schedule that is
// known or time ends.
#ifndef DUET_SOLVERS_GRAPH_BOUND_DESTRUCTIVE_H
#define DUET_SOLVERS_GRAPH_BOUND_DESTRUCTIVE_H

#include <duet/bound.h>

#include "core/instance/instance.h"
#include "core/system/context.h"
#include "core/system/output.h"
#include "solvers/graph/propagate/windows.h"

// One instance, the bound that is proven, and the lines that prove it.
typedef struct duet_destructive duet_destructive;

// `lower` is a bound that is known, with a proof that the caller has. `instance` and `context` are
// borrowed. DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_destructive_create(const duet_instance *instance, const duet_context *context,
                                  int64_t lower, duet_destructive **out, duet_error *error);
void duet_destructive_free(duet_destructive *bound); // NULL is allowed

// From the next guess on so much is given of the tasks, in arrays that are borrowed. `lines`, to
// which others may be added, prove it under every guess that is tried later; NULL where it is the
// problem's own.
void duet_destructive_give(duet_destructive *bound, const duet_given *given,
                           const duet_proof_writer *lines);
// More stands in these arrays: once no guess is under way propagation is tried again, and then the
// stage goes on that it is in.
void duet_destructive_update(duet_destructive *bound);
// Whether that is still to be done.
bool duet_destructive_is_updating(const duet_destructive *bound);
// The bound when that was begun last.
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
    DUET_STAGE_TIME_INDEXED, // and prices over time
    DUET_STAGE_SHAVING,      // and shaving
    DUET_STAGE_BRANCHING     // and branching, as long as it may
} duet_bound_stage;

// Tries to prove more, up to `upper`, the makespan of the best schedule known, for about `work`
// operations (some nanoseconds each), until the context stops or the stage `last` ends. Call it
// again and again, with what has become of `upper`: what was begun goes on. The same for the same
// calls, whatever the machine, unless the context stops. DUET_E_MEMORY; what was proven before
// stays.
duet_code duet_destructive_work(duet_destructive *bound, int64_t upper, int64_t work,
                                duet_bound_stage last, duet_error *error);

// Whether there is nothing left to do up to the stage `last`.
bool duet_destructive_done(const duet_destructive *bound, int64_t upper, duet_bound_stage last);

// Whether it has come to branching.
bool duet_destructive_branches(const duet_destructive *bound);

// A schedule that the search met, with where each task runs and when it starts; NULL: none. Its
// makespan is at most `*guess`. Processors of a type are to be given out in the order of the
// starts. Valid as long as `raise`, until the next one is met.
typedef struct duet_met_task {
    int32_t type;
    int64_t start;
} duet_met_task;
const duet_met_task *duet_destructive_schedule(const duet_destructive *bound, int64_t *guess);

// Whether the bound was raised, so that there is a proof of it here.
bool duet_destructive_proven(const duet_destructive *bound);
// The lines of that proof but for the headers, what was given, and the end.
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
