// SPDX-License-Identifier: Apache-2.0
/// @file
/// How a call may run: limits, threads, cancellation and progress.
#ifndef DUET_PARAMS_H
#define DUET_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/export.h>
#include <duet/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A set of custom algorithms (<duet/custom.h>): what duet_params.registry points to. May be read
/// by several threads at once while nobody adds to it.
typedef struct duet_registry duet_registry;

/// A request to stop, shared between threads.
typedef struct duet_cancel duet_cancel;
/// Owned by the caller (duet_cancel_free()); NULL when out of memory.
DUET_API duet_cancel *duet_cancel_create(void);
/// NULL is allowed. No call may still be using it.
DUET_API void duet_cancel_free(duet_cancel *cancel);
/// Asks every call that was given `cancel` to stop soon. Async-signal-safe, callable from any
/// thread.
DUET_API void duet_cancel_request(duet_cancel *cancel);
/// Whether anybody asked. Callable from any thread.
DUET_API bool duet_cancel_requested(const duet_cancel *cancel);

/// A word on a running search.
typedef struct duet_progress {
    const char *phase;   ///< what it is doing, for example "dualhp" or "ilp"
    int64_t lower_bound; ///< best proven bound so far, ticks
    int64_t best;        ///< best makespan so far, ticks; DUET_FORBIDDEN before the first schedule
    double seconds;      ///< since the call began
} duet_progress;

/// How to run. Start from DUET_PARAMS_INIT; every 0 or NULL means the default.
typedef struct duet_params {
    size_t struct_size;          ///< sizeof(duet_params), so that it can grow
    double time_limit;           ///< seconds; <= 0 or infinite: none; not NaN; see duet_solve()
    int threads;                 ///< <= 0: all processors of the machine; one in less than 0.1 s
    size_t memory_limit;         ///< bytes that the call may hold; 0: half of what is free
    uint64_t seed;               ///< of everything random
    const duet_options *options; ///< of the algorithm
    const duet_cancel *cancel;   ///< may be NULL
    /// Called now and then, never from two threads at once; NULL: not wanted. It must return: no
    /// exception of C++ and no longjmp() may leave it.
    void (*progress)(void *user, const duet_progress *progress);
    void *user;                    ///< handed to `progress`
    const duet_registry *registry; ///< custom algorithms beside the library's; may be NULL
    /// Ticks; 0: none. A search ends as soon as it is known whether a schedule of that makespan
    /// exists; see duet_solution_meets().
    int64_t deadline;
    /// A schedule of the instance to start from; may be NULL. Searches begin with it, and the
    /// solution is never longer. In whole ticks and without aborted runs.
    const struct duet_solution *start_from;
} duet_params;

/// Every default.
#define DUET_PARAMS_INIT                                                                           \
    {                                                                                              \
        sizeof(duet_params), 0.0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL                   \
    }

#ifdef __cplusplus
}
#endif

#endif
