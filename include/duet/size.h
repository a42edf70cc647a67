// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sizing: the smallest platforms on which all tasks can end by a deadline.
#ifndef DUET_SIZE_H
#define DUET_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/params.h>
#include <duet/solution.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The most platforms that a sizing looks at.
#define DUET_MAX_PLATFORMS 100000

/// What is asked. Start from `{.struct_size = sizeof(duet_size_desc)}`.
typedef struct duet_size_desc {
    size_t struct_size;    ///< sizeof(duet_size_desc), so that it can grow
    int64_t deadline;      ///< ticks, 0 or more
    const int64_t *least;  ///< the least number of processors of each type
    const int64_t *most;   ///< the most of each type; at most ::DUET_MAX_PLATFORMS platforms in all
    const int64_t *price;  ///< of a processor of each type, in any unit, 0 or more; NULL: none
    const char *algorithm; ///< as of duet_solve(); NULL: "auto"
    const duet_params *params; ///< may be NULL; its time limit is for all platforms together
} duet_size_desc;

/// What is known of a platform.
typedef struct duet_sized {
    int64_t counts[DUET_MAX_TYPES]; ///< processors of each type
    int64_t price;                  ///< of all its processors; 0 without prices
    duet_feasibility feasible;      ///< whether all can end by the deadline
    int64_t makespan;    ///< of a schedule on it or on a part of it; DUET_FORBIDDEN: none is known
    int64_t lower_bound; ///< on every schedule; DUET_FORBIDDEN: there is none; 0: nothing is known
    bool solved;         ///< it was solved itself; of the others that follows from those that were
    bool smallest;       ///< it is one of the answer
} duet_sized;

/// The answer to a sizing.
typedef struct duet_sizing duet_sizing;

/// Finds the smallest platforms of a range that make a deadline: those of which no other one that
/// does has at most as many processors of every type; with prices, the cheapest of these. Another
/// processor never makes a schedule longer: one schedule settles all larger platforms, and one
/// lower bound all smaller ones. The platforms of a line (one count varies) are bisected; what
/// stays open gets more time, as long as it could change the answer. Every schedule and every bound
/// is checked.
///
/// The instance's counts change while the call runs, and are put back: no other call may use it
/// meanwhile. On success `*out` is the caller's (duet_sizing_free()). Where the time ends or the
/// call is cancelled, what is known so far is the answer. Errors: DUET_E_USAGE (no such range, a
/// negative deadline or price, prices beyond 2^62), those of duet_solve() but DUET_E_INFEASIBLE and
/// DUET_E_LIMIT, which are answers.
DUET_API duet_code duet_size(duet_instance *instance, const duet_size_desc *desc, duet_sizing **out,
                             duet_error *error);
/// NULL is allowed.
DUET_API void duet_sizing_free(duet_sizing *sizing);

/// DUET_YES: the answer is complete and has a platform. DUET_NO: no platform of the range makes it,
/// proven. DUET_UNDECIDED: some platform is not decided that could change the answer.
DUET_API duet_feasibility duet_sizing_answer(const duet_sizing *sizing);
/// The platforms of the range; the counts of the last type change first.
DUET_API size_t duet_sizing_platforms(const duet_sizing *sizing);
/// What is known of one of them. O(types).
DUET_API duet_sized duet_sizing_platform(const duet_sizing *sizing, size_t index);
/// The schedule and the bound of a platform that was solved and is at the border: one of the
/// smallest, or one that does not make it while every larger one does or is open. NULL of the
/// others. It belongs to the sizing, and is about the instance with the platform's counts.
DUET_API const duet_solution *duet_sizing_solution(const duet_sizing *sizing, size_t index);

#ifdef __cplusplus
}
#endif

#endif
