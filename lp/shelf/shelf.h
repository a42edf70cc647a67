// SPDX-License-Identifier: Apache-2.0
// The shelf relaxation: at a guess lambda, divisible tasks with at most one long task (longer than
// lambda/2) per processor. Solved exactly in integers, without a linear programming solver, over
// kinds. The bound `shelf` and the algorithm shelf-3-2 are made of it.
//
// At lambda a kind that exceeds it on one type is fixed to the other. The others fall into classes
//     A short on both, B long on CPU only, C long on both, D long on GPU only,
// and the relaxation is, with x the share on the CPUs and fixed kinds counted in,
//     minimise sum p x     subject to   sum over B, C of x       <= m
//                                       sum over C, D of (1 - x) <= k
//                                       sum q (1 - x)            <= k lambda,   0 <= x <= 1.
// Infeasible, or above m lambda: no schedule of makespan lambda exists.
#ifndef DUET_LP_SHELF_SHELF_H
#define DUET_LP_SHELF_SHELF_H

#include "core/algorithm.h"
#include "core/instance/acceleration.h"

duet_code duet_shelf_bound(const duet_instance *instance, const duet_context *context,
                           duet_bound *bound, duet_error *error);
// Raises a bound, such as the area bound, to the shelf bound where that is better.
duet_code duet_shelf_raise(const duet_instance *instance, const duet_acceleration_order *order,
                           const duet_context *context, duet_bound *bound, duet_error *error);

typedef enum duet_shelf_class {
    DUET_SHELF_A,
    DUET_SHELF_B,
    DUET_SHELF_C,
    DUET_SHELF_D
} duet_shelf_class;

// A task that the solution divides. Its x is the fraction if it moves to the CPU, else 1 -
// fraction; the whole shares have it on the type it moves from.
typedef struct duet_shelf_part {
    size_t kind;
    duet_shelf_class class;
    bool to_cpu;
} duet_shelf_part;

// What the relaxation says of a guess.
typedef struct duet_shelf_answer {
    bool yes;
    duet_certificate certificate; // on NO: of lambda + 1
    // On YES the optimal solution: whole tasks as written by duet_shelf_shares(), and up to two
    // tasks of which a fraction moves, one of the patterns A, B, C, D, BB, CC, DD, BC, CD (in that
    // order of classes). Of two, one moves each way.
    size_t parts; // 0 where all shares are whole
    duet_shelf_part part[2];
    duet_fraction fraction; // 0 < fraction < 1
    // The optimal value without the kinds that are fixed: value_num / value_den.
    duet_int128 value_num, value_den;
    int evaluations; // of multipliers
} duet_shelf_answer;

typedef struct duet_shelf duet_shelf;

// Prepares an instance of two types. O(kinds) with an acceleration order of it (which may be freed
// afterwards).
duet_code duet_shelf_create(const duet_instance *instance, const duet_acceleration_order *order,
                            duet_shelf **out, duet_error *error);
void duet_shelf_free(duet_shelf *shelf); // NULL is allowed

// Solves the relaxation at lambda >= 0. Expected O(kinds) for each multiplier tried, plus sorting
// at most m + k candidates; few multipliers from the last one.
void duet_shelf_solve(duet_shelf *shelf, int64_t lambda, duet_shelf_answer *answer);
// The same answer, but on YES without its solution: ends at any one that fits.
void duet_shelf_decide(duet_shelf *shelf, int64_t lambda, duet_shelf_answer *answer);
// After YES: the tasks of each kind on each type (kinds x 2), those that are divided where they
// come from.
void duet_shelf_shares(const duet_shelf *shelf, int64_t *share);

// The smallest lambda with YES, found from a bound below it; `lower` becomes the bound it proves,
// and `answer` is the answer at that lambda, the last one solved. Stops early with the context:
// answer->yes is then false, and `lower` what is proven so far.
void duet_shelf_search(duet_shelf *shelf, const duet_context *context, duet_bound *lower,
                       duet_shelf_answer *answer);

#endif
