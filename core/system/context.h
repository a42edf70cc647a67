// SPDX-License-Identifier: Apache-2.0
// What a running algorithm is given besides the instance: deadline, cancellation, threads, memory,
// seed, options, and where to report progress.
#ifndef DUET_CORE_SYSTEM_CONTEXT_H
#define DUET_CORE_SYSTEM_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/custom.h>
#include <duet/solution.h>

#include "core/system/memory.h"
#include "core/system/tasks.h"

// Where the schedule comes from that an algorithm may start from.
typedef enum duet_known_from {
    DUET_KNOWN_GIVEN,    // A caller gave it, or a rule made it.
    DUET_KNOWN_ANNEALED, // It was annealed for as long as that seemed worth.
} duet_known_from;

typedef struct duet_context {
    int64_t start_ns;    // monotonic clock when the call began
    int64_t deadline_ns; // INT64_MAX: none
    int threads;         // >= 1
    size_t memory_limit; // bytes; 0: half of what is free, see duet_memory_check()
    uint64_t seed;
    const duet_options *options;   // may be NULL; already checked against the algorithm's table
    const duet_cancel *cancel;     // may be NULL
    const duet_cancel *halt;       // the same, among the threads of one algorithm; may be NULL
    const duet_succession *series; // in which it runs as part `seat`; may be NULL
    size_t seat;
    void (*progress)(void *user, const duet_progress *progress);
    void *user;
    const duet_registry *registry; // of custom algorithms; may be NULL
    const duet_custom *custom;     // the one that runs; NULL: one of the library's
    int64_t gap;                   // a search may end at this gap, in billionths of its bound
    int64_t due;                   // a search may end once it knows whether this makespan can be
                                   // met; 0: none
    // Set: real times differ from planned ones; rows that are `online` run on it
    // (core/instance/reality.h).
    struct duet_reality *reality;
    // Set: a complete schedule with a bound, which the algorithm may start from instead of its own.
    const duet_solution *known;
    duet_known_from known_from;
    const duet_solution *start_from; // the caller's, as it is given; may be NULL
} duet_context;

// Fills a context from caller parameters (NULL: defaults). DUET_E_USAGE (their size, a time limit
// that is no number), DUET_E_UNSUPPORTED (members of a later version): it then holds the defaults.
duet_code duet_context_init(duet_context *context, const duet_params *params, duet_error *error);

// Begins the limit of memory of `params`, which duet_memory_end() ends; 0 is none here. Bad
// parameters are for duet_context_init() to refuse. DUET_E_MEMORY: there is nothing to end.
duet_code duet_context_limit_memory(duet_memory_scope *scope, const duet_params *params,
                                    duet_error *error);

// Nanoseconds of the monotonic clock.
int64_t duet_clock_ns(void);
double duet_context_seconds(const duet_context *context);
// Whether the deadline has passed, a cancellation was requested or the series has ended: stop soon.
// Cheap enough to call every few microseconds of work.
bool duet_context_stop(const duet_context *context);
// DUET_E_CANCELLED or DUET_E_LIMIT, whichever stopped the context, recorded in `error`.
duet_code duet_context_stop_error(const duet_context *context, duet_error *error);
// Seconds left until the deadline; a large number without a deadline.
double duet_context_seconds_left(const duet_context *context);
// The context with one of `parts` equal parts of the time that is left.
duet_context duet_context_part(const duet_context *context, int parts);
// The longest makespan that ends a search whose bound is `bound`: the bound itself, and the gap
// that is asked for on top, rounded down; or the makespan that is due. A bound above that one ends
// the search whatever the makespan is: the answer is DUET_MAX_WORK.
int64_t duet_context_target(const duet_context *context, int64_t bound);
void duet_context_report(const duet_context *context, const char *phase, int64_t lower_bound,
                         int64_t best);

#endif
