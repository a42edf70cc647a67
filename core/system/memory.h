// SPDX-License-Identifier: Apache-2.0
// Allocation with checked sizes from the allocator of the calling thread, and what the machine has
// free. All memory of the library and of the command comes from here, and goes back here.
#ifndef DUET_CORE_SYSTEM_MEMORY_H
#define DUET_CORE_SYSTEM_MEMORY_H

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

// A copy of a string, or NULL with DUET_E_MEMORY recorded.
char *duet_copy_string(const char *text, duet_error *error);

// --- limits --------------------------------------------------------------------------------------

// What a call may hold where no limit is given: the first number of bytes, or the second for each
// byte that it reads, whichever is more.
#define DUET_MEMORY_DEFAULT ((size_t)1 << 30)
#define DUET_MEMORY_PER_BYTE ((size_t)1000)

// What ends the message of a limit that was passed.
#define DUET_MEMORY_RAISE "; a higher limit of memory allows it (--memory, memory_limit)"

// From duet_memory_begin() to duet_memory_end() what the thread allocates, and threads that take
// over its source, counts against a limit: beyond it allocations fail as where there is no memory.
// What is still held at the end goes on counting there alone.
typedef struct duet_memory_scope {
    struct duet_meter *meter; // NULL: none of its own
    struct duet_meter *outer;
} duet_memory_scope;

// Sets a limit of `limit` bytes, within the one that holds. 0: that one, or the default without
// one. DUET_E_MEMORY: then there is nothing to end.
duet_code duet_memory_begin(duet_memory_scope *scope, size_t limit, duet_error *error);
void duet_memory_end(duet_memory_scope *scope);
// Says that `bytes` bytes of input were read: they raise a limit that is the default.
void duet_memory_read(size_t bytes);
// What the limit leaves; SIZE_MAX without a limit.
size_t duet_memory_left(void);

// Bytes of memory the system says are available now, at most what `ulimit -v` leaves; SIZE_MAX
// where it does not say.
size_t duet_memory_available(void);

// A limit in bytes: `limit`, or half of what is free where it is 0; at most what
// duet_memory_left() says.
size_t duet_memory_limit(size_t limit);
// The same in sixteenths of the limit, or what is left where that is less than one, so that what
// other threads hold at the time hardly ever changes what a search does.
size_t duet_memory_steady(size_t limit);

// Whether OpenBLAS will get the workspace of a thread: it asks for it again and again until it
// does.
bool duet_memory_for_blas(void);

// DUET_E_LIMIT unless count * size fits in `limit` bytes (0: half of what is free now) and in what
// duet_memory_left() says. `what` names the thing for the message.
duet_code duet_memory_check(uint64_t count, size_t size, size_t limit, const char *what,
                            duet_error *error);

#endif
