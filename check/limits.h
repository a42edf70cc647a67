// SPDX-License-Identifier: Apache-2.0
// What bounds a check: its watch, which every loop spends from, and its memory.
#ifndef DUET_CHECK_LIMITS_H
#define DUET_CHECK_LIMITS_H

#include <stddef.h>

#include <duet/error.h>

#include "core/system/watch.h"

// The context of a check of something that was given in `input` bytes, with its default memory.
// `params` may be NULL: no limit of time. Errors as duet_context_init().
duet_code duet_check_begin(duet_context *context, const duet_params *params, size_t input,
                           duet_error *error);

// Where a context has no limit of memory: gives it one for a check of something that was given in
// `input` bytes: 1 GiB or 1,000 times these bytes, whichever is more, of which what is beyond 1 GiB
// is at most half of what is free.
void duet_check_default_memory(duet_context *context, size_t input);

// DUET_E_CANCELLED or DUET_E_LIMIT, as a stopped watch says; DUET_OK of one that is not.
duet_code duet_check_stopped(const duet_watch *watch, duet_error *error);

// Spends units of work: the same.
static inline duet_code duet_check_spend(duet_watch *watch, int64_t units, duet_error *error)
{
    return duet_watch_spend(watch, units) ? duet_check_stopped(watch, error) : DUET_OK;
}

// As qsort(), and stable, by merging; `watch` may stop it. O(count log count), room for the array
// once more. DUET_E_MEMORY, DUET_E_LIMIT, DUET_E_CANCELLED: the array is in some order.
duet_code duet_check_sort(void *array, size_t count, size_t size,
                          int (*compare)(const void *, const void *), duet_watch *watch,
                          duet_error *error);

#endif
