// SPDX-License-Identifier: Apache-2.0
// Allocation with checked sizes from the allocator of the calling thread, and what the machine has
// free. All memory of the library and of the command comes from here, and goes back here.
#ifndef DUET_CORE_MEMORY_H
#define DUET_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

// count * size bytes, zeroed. NULL with DUET_E_MEMORY recorded when it cannot be had or the product
// overflows. A request of 0 bytes gives a valid pointer.
void *duet_alloc(size_t count, size_t size, duet_error *error);

// The same, of any content.
void *duet_alloc_raw(size_t count, size_t size, duet_error *error);

// `bytes` of any content, beginning with a cache line. Not for duet_resize().
void *duet_alloc_lines(size_t bytes, duet_error *error);

// As realloc(): `block`, NULL or one of these, at count * size bytes; at least one. NULL with
// DUET_E_MEMORY recorded and the block as it was where that cannot be had.
void *duet_resize(void *block, size_t count, size_t size, duet_error *error);

// Takes back what came from any of these. NULL is allowed.
void duet_free(void *block);

// Grows `*array` (count elements of `size` bytes, room for *capacity) so that one more fits.
// On failure the array is unchanged.
duet_code duet_grow(void *array, size_t count, size_t *capacity, size_t size, duet_error *error);

// The same for `count` elements in all.
duet_code duet_reserve(void *array, size_t count, size_t *capacity, size_t size, duet_error *error);

// A copy of a string, or NULL with DUET_E_MEMORY recorded.
char *duet_copy_string(const char *text, duet_error *error);

// Bytes of memory the system says are available now, at most what `ulimit -v` leaves; SIZE_MAX
// where it does not say.
size_t duet_memory_available(void);

// A limit in bytes: `limit`, or half of what is free where it is 0.
size_t duet_memory_limit(size_t limit);

// Whether OpenBLAS will get the workspace of a thread: it asks for it again and again until it
// does.
bool duet_memory_for_blas(void);

// DUET_E_LIMIT unless count * size fits in `limit` bytes (0: half of what is free now). `what`
// names the thing for the message.
duet_code duet_memory_check(uint64_t count, size_t size, size_t limit, const char *what,
                            duet_error *error);

#endif
