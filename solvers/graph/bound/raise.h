// SPDX-License-Identifier: Apache-2.0
// Raising the lower bound of a task graph, guess by guess, until it meets the best schedule that is
// known or time ends.
#ifndef DUET_SOLVERS_GRAPH_BOUND_RAISE_H
#define DUET_SOLVERS_GRAPH_BOUND_RAISE_H

#include <duet/bound.h>

#include "core/instance/instance.h"
#include "core/system/context.h"
#include "core/system/output.h"
#include "solvers/graph/propagate/windows.h"

// One instance, the bound that is proven, and the lines that prove it.
typedef struct duet_raise duet_raise;

// `lower` is a bound that is known, with a proof that the caller has. `instance` and `context` are
// borrowed. DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_raise_create(const duet_instance *instance, const duet_context *context,
                            int64_t lower, duet_raise **out, duet_error *error);
void duet_raise_free(duet_raise *raise); // NULL is allowed

// From the next guess on so much is given of the tasks, in arrays that are borrowed. `lines`, to
// which others may be added, prove it under every guess that is tried later; NULL where it is the
// problem's own.
void duet_raise_give(duet_raise *raise, const duet_given *given, const duet_proof_writer *lines);
// More stands in these arrays: once no guess is under way propagation is tried again, and then the
// stage goes on that it is in.
void duet_raise_again(duet_raise *raise);
// Whether that is still to be done.
bool duet_raise_is_behind(const duet_raise *raise);
// The bound when that was begun last.
int64_t duet_raise_caught_up_at(const duet_raise *raise);
// Tries one guess out of turn, to its end, unless another one is under way. DUET_E_MEMORY.
duet_code duet_raise_try(duet_raise *raise, int64_t guess, duet_error *error);

// No schedule is shorter.
int64_t duet_raise_lower(const duet_raise *raise);
// Work so far, in the unit of duet_raise_work().
int64_t duet_raise_spent(const duet_raise *raise);

// How far it goes.
typedef enum duet_raise_stage {
    DUET_RAISE_PROPAGATION, // windows, ancestors, energy
    DUET_RAISE_PROGRAM,     // and the linear program at the root
    DUET_RAISE_TIMED,       // and prices over time
    DUET_RAISE_SHAVING,     // and shaving
    DUET_RAISE_BRANCHING    // and branching, as long as it may
} duet_raise_stage;

// Tries to prove more, up to `upper`, the makespan of the best schedule known, for about `work`
// operations (some nanoseconds each), until the context stops or the stage `last` ends. Call it
// again and again, with what has become of `upper`: what was begun goes on. The same for the same
// calls, whatever the machine, unless the context stops. DUET_E_MEMORY; what was proven before
// stays.
duet_code duet_raise_work(duet_raise *raise, int64_t upper, int64_t work, duet_raise_stage last,
                          duet_error *error);

// Whether there is nothing left to do up to the stage `last`.
bool duet_raise_done(const duet_raise *raise, int64_t upper, duet_raise_stage last);

// Whether it has come to branching.
bool duet_raise_branches(const duet_raise *raise);

// A schedule that the search met, with where each task runs and when it starts; NULL: none. Its
// makespan is at most `*guess`. Processors of a type are to be given out in the order of the
// starts. Valid as long as `raise`, until the next one is met.
typedef struct duet_raise_place {
    int32_t type;
    int64_t start;
} duet_raise_place;
const duet_raise_place *duet_raise_schedule(const duet_raise *raise, int64_t *guess);

// Whether the bound was raised, so that there is a proof of it here.
bool duet_raise_proven(const duet_raise *raise);
// The lines of that proof but for the headers, what was given, and the end.
const duet_proof_writer *duet_raise_lines(const duet_raise *raise);
// Bytes of that proof.
size_t duet_raise_length(const duet_raise *raise);
// The bound with the proof as its certificate. The caller releases it. DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_raise_bound(const duet_raise *raise, const char *name, duet_bound *bound,
                           duet_error *error);
// Writes the same proof to an open file and puts it in place.
duet_code duet_raise_write_proof(const duet_raise *raise, duet_output *output, duet_error *error);

#endif
