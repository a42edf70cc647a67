// SPDX-License-Identifier: Apache-2.0
#include "core/allocator.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/struct_size.h"

// Stands before every block: who takes it back, and what. As large as the strictest alignment, so
// that what follows is aligned as the memory that it lies in.
typedef struct origin {
    alignas(max_align_t) const duet_allocator *allocator;
    void *whole;
} origin;

// State of a thread, not of the process: there is nothing to lock and nothing that others see.
static _Thread_local const duet_allocator *current;

// The block that begins `offset` bytes into the memory `whole`.
static void *open_block(void *whole, size_t offset, const duet_allocator *allocator)
{
    if (whole == NULL) {
        return NULL;
    }
    char *block = (char *)whole + offset;
    origin *before = (origin *)block - 1;
    before->allocator = allocator;
    before->whole = whole;
    return block;
}

// Here and below the caller's own struct is read, as long as its struct_size says: only what the
// first release had may be read without a look at that.
static void *get(size_t bytes)
{
    return current == NULL ? malloc(bytes) : current->allocate(current->user, bytes);
}

// `bytes` >= 1 of any content; NULL where there are none.
static void *block_raw(size_t bytes)
{
    if (bytes > SIZE_MAX - sizeof(origin)) {
        return NULL;
    }
    return open_block(get(sizeof(origin) + bytes), sizeof(origin), current);
}

void *duet_block_aligned(size_t bytes)
{
    size_t more = sizeof(origin) + DUET_CACHE_LINE;
    char *whole = bytes > SIZE_MAX - more ? NULL : get(more + bytes);
    size_t beyond = ((uintptr_t)whole + sizeof(origin)) % DUET_CACHE_LINE;
    return open_block(whole, more - beyond, current);
}

void *duet_block_zeroed(size_t bytes)
{
    if (bytes > SIZE_MAX - sizeof(origin)) {
        return NULL;
    }
    if (current == NULL) { // calloc() does not clear pages that come from the system, all zero
        return open_block(calloc(1, sizeof(origin) + bytes), sizeof(origin), NULL);
    }
    void *block = block_raw(bytes);
    return block == NULL ? NULL : memset(block, 0, bytes);
}

void *duet_block_resize(void *block, size_t bytes)
{
    if (block == NULL) {
        return block_raw(bytes);
    }
    if (bytes > SIZE_MAX - sizeof(origin)) {
        return NULL;
    }
    const origin *old = (origin *)block - 1;
    const duet_allocator *from = old->allocator;
    size_t size = sizeof(origin) + bytes;
    void *whole =
        from == NULL ? realloc(old->whole, size) : from->resize(from->user, old->whole, size);
    return open_block(whole, sizeof(origin), from);
}

void duet_block_release(void *block)
{
    if (block == NULL) {
        return;
    }
    const origin *old = (origin *)block - 1;
    if (old->allocator == NULL) {
        free(old->whole);
    } else {
        old->allocator->release(old->allocator->user, old->whole);
    }
}

const duet_allocator *duet_allocator_current(void)
{
    return current;
}

const duet_allocator *duet_allocator_enter(const duet_allocator *allocator)
{
    const duet_allocator *before = current;
    current = allocator;
    return before;
}

duet_code duet_use_allocator(const duet_allocator *allocator, const duet_allocator **previous,
                             duet_error *error)
{
    if (allocator != NULL) {
        duet_allocator known = {.struct_size = sizeof known};
        duet_code code =
            duet_struct_take(&known, sizeof known, DUET_SIZE_UNTIL(duet_allocator, user), allocator,
                             "duet_allocator", error);
        if (code != DUET_OK) {
            return code;
        }
        if (known.allocate == NULL || known.resize == NULL || known.release == NULL) {
            return duet_error_set(
                error, DUET_E_USAGE,
                "duet_allocator: expected functions allocate, resize and release");
        }
    }
    const duet_allocator *before = duet_allocator_enter(allocator);
    if (previous != NULL) {
        *previous = before;
    }
    return DUET_OK;
}
