// SPDX-License-Identifier: Apache-2.0
/// @file
/// Memory from the caller's own functions: an arena, a pool of large pages, a budget, a count.
///
/// An allocator is chosen per thread, not per process: two threads may use two, and a library
/// beside this one is not disturbed. A block remembers where it came from, so that an object can be
/// freed by any thread, whatever is chosen there by then. What a call hands to threads of its own
/// uses the allocator of the thread that called.
#ifndef DUET_ALLOCATOR_H
#define DUET_ALLOCATOR_H

#include <stddef.h>

#include <duet/error.h>
#include <duet/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where memory comes from. Start from `{.struct_size = sizeof(duet_allocator)}`. The functions are
/// called by several threads at once where a call runs on several (duet_params.threads), must not
/// call the library, and must not `longjmp`. Blocks are aligned for every type, as malloc() does.
typedef struct duet_allocator {
    size_t struct_size; ///< sizeof(duet_allocator), so that it can grow
    /// `bytes` >= 1, of any content; NULL where there are none: the call then fails with
    /// DUET_E_MEMORY.
    void *(*allocate)(void *user, size_t bytes);
    /// As realloc(): the block keeps what it holds, and is as it was where the answer is NULL.
    void *(*resize)(void *user, void *block, size_t bytes);
    /// Takes a block back; never NULL.
    void (*release)(void *user, void *block);
    void *user; ///< handed to the three
} duet_allocator;

/// From now on the calls that this thread makes take their memory from `allocator` (NULL: the C
/// library's, as at the start). `*previous`, which may be NULL, receives what it was before, to be
/// put back. The allocator is not copied: it must outlive everything that was made with it. Errors:
/// DUET_E_USAGE (`struct_size`, a function is missing), DUET_E_UNSUPPORTED (`struct_size`); nothing
/// changes then. O(1).
///
/// Not covered is what others keep for themselves: GLPK, OpenMP, cairo, and the C library with its
/// streams. A progress function, a custom algorithm and the functions of the allocator run in
/// threads of the library too.
DUET_API duet_code duet_use_allocator(const duet_allocator *allocator,
                                      const duet_allocator **previous, duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
