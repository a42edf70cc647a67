// SPDX-License-Identifier: Apache-2.0
// Blocks of memory that know where they came from. For core/system/memory.h; others use that.
#ifndef DUET_CORE_SYSTEM_ALLOCATOR_H
#define DUET_CORE_SYSTEM_ALLOCATOR_H

#include <stddef.h>

#include <duet/allocator.h>

#include "core/system/meter.h"

enum { DUET_CACHE_LINE = 64 };

// `bytes` >= 1, all zero; NULL where there are none.
void *duet_block_zeroed(size_t bytes);
// `bytes` >= 1 of any content, beginning with a cache line. It cannot be resized.
void *duet_block_aligned(size_t bytes);
// As realloc(); `block` may be NULL.
void *duet_block_resize(void *block, size_t bytes);
// NULL is allowed.
void duet_block_release(void *block);
// The bytes that were asked for, of a block that is not aligned; 0 of NULL.
size_t duet_block_bytes(const void *block);

// Where a thread's memory comes from, NULL: the C library, and where it counts, NULL: nowhere. A
// thread that works for another one takes over its source first, and puts its own back at the end.
typedef struct duet_source {
    const duet_allocator *allocator;
    duet_meter *meter;
} duet_source;

duet_source duet_source_current(void);
// Returns the one before.
duet_source duet_source_enter(duet_source source);

#endif
