// SPDX-License-Identifier: Apache-2.0
// The knapsack behind the 4/3 dual approximation (Bleuse et al. 2015, section 3), in three forms.
//
// For a guess lambda, a time t is impossible if t > lambda, large if 3t > 2 lambda, medium if
// 3t > lambda, else small. One type's work is counted on a grid ("rounded", the GPUs in the paper),
// the other type's work is minimised over all allocations of the tasks with
//     2 #large + #medium <= 2 * processors                         on each type,
//     sum over the rounded type of its tasks' units <= capacity,
// where a unit is lambda / (3 n grid), a task has floor(time / unit) units and the capacity is
// 3 n grid * processors; or, with grid 0, where a unit is one tick: the work itself. The answer is
// NO, a proof that no schedule of makespan <= lambda exists, where no allocation meets that or the
// least work exceeds lambda * processors of the other type.
//
// All forms give the same yes or no to every guess. Two types; every task allowed somewhere.
#ifndef DUET_DP_TABLE_TABLE_H
#define DUET_DP_TABLE_TABLE_H

#include "core/instance/acceleration.h"
#include "core/instance/instance.h"
#include "core/solution/certificate.h"
#include "core/system/context.h"

typedef enum duet_table_form {
    DUET_TABLE_PUBLISHED, // the paper's six indices; 64-bit cells
    DUET_TABLE_COLLAPSED, // (c, g, N): 2 #large + #medium of both types and the units
    DUET_TABLE_ADAPTIVE   // as little table as the guess needs, mostly none
} duet_table_form;

typedef struct duet_table_guess {
    const duet_instance *instance;
    int64_t lambda; // >= 0
    size_t rounded; // DUET_GPU or DUET_CPU: whose work is counted in units
    int64_t grid; // 0: exact work; s >= 1: units of lambda / (3 n s), or lambda / (n s) if relaxed
    bool relaxed; // the 2-dual form: no large and medium, only the work (section 5.2)
} duet_table_guess;

// What ended the question.
typedef enum duet_settled_by {
    DUET_SETTLED_MISFIT,   // NO: a task fits nowhere within lambda
    DUET_SETTLED_LP,       // NO: the linear relaxation
    DUET_SETTLED_ROUNDING, // YES: the relaxation's few fractional tasks rounded
    DUET_SETTLED_LIST,     // a list of the states that reduced costs leave
    DUET_SETTLED_TABLE     // a table
} duet_settled_by;

typedef struct duet_table_answer {
    bool yes;
    bool stopped;  // the context stopped before the answer: `yes` says nothing
    bool has_work; // published and collapsed: where any allocation is feasible; adaptive: where a
                   // table gave a YES
    int64_t work;  // the least work of the type that is not rounded
    // Tasks on the GPUs, by kind. The caller's, one entry per kind, or NULL where no allocation is
    // wanted; filled on YES.
    int64_t *on_gpu;
    // Of lambda + 1, on NO: multipliers where the relaxation settled it, else DUET_PROOF_TABLE.
    duet_certificate certificate;
    duet_settled_by settled_by;
    uint64_t cells; // table cells (or list states) that were computed
    size_t bytes;   // of tables
} duet_table_answer;

// Answers a guess. `answer` is all zero but for on_gpu. Values only (less memory, faster) where
// on_gpu is NULL. context: threads (that can be started: duet_threads_startable(), asked once for
// many guesses, since asking disturbs a runtime whose threads wait), memory_limit, deadline and
// cancellation; the result does not depend on the number of threads. Errors: DUET_E_LIMIT (the
// table does not fit into the memory limit even with checkpoints; nothing was allocated),
// DUET_E_MEMORY.
duet_code duet_table_decide(duet_table_form form, const duet_table_guess *guess,
                            const duet_context *context, duet_table_answer *answer,
                            duet_error *error);

typedef struct duet_table_size {
    uint64_t cells;    // computed for one guess without recomputation; UINT64_MAX: beyond it
    uint64_t bytes;    // with everything in memory at once
    uint64_t least;    // with the most checkpoints
    size_t cell_bytes; // 4 or 8
} duet_table_size;

// The size of a form's table, before anything is allocated. For the adaptive form the most it could
// need: that of the collapsed form.
duet_code duet_table_measure(duet_table_form form, const duet_table_guess *guess,
                             bool allocation_wanted, duet_table_size *size, duet_error *error);

#endif
