// SPDX-License-Identifier: Apache-2.0
// Blocks of memory that know where they came from. For core/memory.h; others use that.
#ifndef DUET_CORE_ALLOCATOR_H
#define DUET_CORE_ALLOCATOR_H

#include <stddef.h>

#include <duet/allocator.h>

enum { DUET_CACHE_LINE = 64 };

// `bytes` >= 1, all zero; NULL where there are none.
void *duet_block_zeroed(size_t bytes);
// `bytes` >= 1 of any content, beginning with a cache line. It cannot be resized.
void *duet_block_aligned(size_t bytes);
// As realloc(); `block` may be NULL.
void *duet_block_resize(void *block, size_t bytes);
// NULL is allowed.
void duet_block_release(void *block);

// The allocator of the calling thread, NULL: the C library's. A thread that works for another one
// takes over its allocator first, and puts its own back at the end.
const duet_allocator *duet_allocator_current(void);
// Returns the one before.
const duet_allocator *duet_allocator_enter(const duet_allocator *allocator);

#endif
