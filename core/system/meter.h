// SPDX-License-Identifier: Apache-2.0
// Counts the memory of a call against a limit (allocator.c). For core/system/allocator.c and
// core/system/memory.c; others use duet_memory_begin().
#ifndef DUET_CORE_SYSTEM_METER_H
#define DUET_CORE_SYSTEM_METER_H

#include <stdbool.h>
#include <stddef.h>

// What a call holds. It lives as long as the call or any of its blocks, whichever ends last.
typedef struct duet_meter duet_meter;

// A meter within another one (NULL: none), which counts the same again. A limit of 0 is the
// default: DUET_MEMORY_DEFAULT or DUET_MEMORY_PER_BYTE times what is read, whichever is more. NULL
// where there is no memory for it.
duet_meter *duet_meter_create(size_t limit, duet_meter *outer);
// The end of the call.
void duet_meter_close(duet_meter *meter);

// Counts a block. False, and nothing counted: it would pass the limit.
bool duet_meter_take(duet_meter *meter, size_t bytes);
void duet_meter_give(duet_meter *meter, size_t bytes);

// Bytes of input that were read: they raise a limit that is the default.
void duet_meter_read(duet_meter *meter, size_t bytes);
size_t duet_meter_limit(const duet_meter *meter);
// What its limit leaves, and those of the meters around it.
size_t duet_meter_left(const duet_meter *meter);

#endif
