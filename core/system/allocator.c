// SPDX-License-Identifier: Apache-2.0
#include "core/system/allocator.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"

// Stands before every block: who takes it back, what, and where it counts. A multiple of the
// strictest alignment, so that what follows is aligned as the memory that it lies in.
typedef struct origin {
    alignas(max_align_t) const duet_allocator *allocator;
    duet_meter *meter;
    void *whole;
    size_t bytes; // all of it
} origin;

// State of a thread, not of the process: there is nothing to lock and nothing that others see.
static _Thread_local duet_source current;

// The block that begins `offset` bytes into the memory `whole`.
static void *open_block(void *whole, size_t offset, duet_source source, size_t bytes)
{
    char *block = (char *)whole + offset;
    *((origin *)block - 1) = (origin){source.allocator, source.meter, whole, bytes};
    return block;
}

// Here and below the caller's own struct is read, as long as its struct_size says: only what the
// first release had may be read without a look at that.
static void *get(const duet_allocator *from, size_t bytes)
{
    return from == NULL ? malloc(bytes) : from->allocate(from->user, bytes);
}

// A block of any content that counts nowhere.
static void *block_uncounted(size_t bytes)
{
    duet_source source = {.allocator = current.allocator};
    void *whole = get(source.allocator, sizeof(origin) + bytes);
    return whole == NULL ? NULL : open_block(whole, sizeof(origin), source, sizeof(origin) + bytes);
}

// --- what a call holds ---

struct duet_meter {
    size_t limit; // 0: by what is read
    atomic_size_t read;
    atomic_size_t held; // bytes, and one while the call has not ended
    duet_meter *outer;
};

duet_meter *duet_meter_create(size_t limit, duet_meter *outer)
{
    duet_meter *meter = block_uncounted(sizeof *meter);
    if (meter == NULL) {
        return NULL;
    }
    meter->limit = limit;
    atomic_init(&meter->read, 0);
    atomic_init(&meter->held, 1);
    meter->outer = outer;
    if (outer != NULL) {
        atomic_fetch_add_explicit(&outer->held, 1, memory_order_relaxed);
    }
    return meter;
}

// Takes `bytes` off one meter, which ends where nothing is left: its last block was its last use.
static void drop(duet_meter *meter, size_t bytes)
{
    while (meter != NULL &&
           atomic_fetch_sub_explicit(&meter->held, bytes, memory_order_acq_rel) == bytes) {
        duet_meter *outer = meter->outer;
        duet_block_release(meter);
        meter = outer;
        bytes = 1;
    }
}

void duet_meter_close(duet_meter *meter)
{
    drop(meter, 1);
}

size_t duet_meter_limit(const duet_meter *meter)
{
    if (meter->limit > 0) {
        return meter->limit;
    }
    size_t read = atomic_load_explicit(&meter->read, memory_order_relaxed);
    size_t most = SIZE_MAX / DUET_MEMORY_PER_BYTE;
    size_t allowed = duet_min(read, most) * DUET_MEMORY_PER_BYTE;
    return duet_max(allowed, DUET_MEMORY_DEFAULT);
}

static size_t left_of(const duet_meter *meter)
{
    size_t limit = duet_meter_limit(meter);
    size_t held = atomic_load_explicit(&meter->held, memory_order_relaxed);
    return held < limit ? limit - held : 0;
}

size_t duet_meter_left(const duet_meter *meter)
{
    size_t left = SIZE_MAX;
    for (; meter != NULL; meter = meter->outer) {
        size_t here = left_of(meter);
        left = duet_min(here, left);
    }
    return left;
}

void duet_meter_give(duet_meter *meter, size_t bytes)
{
    // The outer one first: it lives at least as long as this one does.
    if (meter != NULL) {
        duet_meter_give(meter->outer, bytes);
        drop(meter, bytes);
    }
}

bool duet_meter_take(duet_meter *meter, size_t bytes)
{
    if (meter == NULL) {
        return true;
    }
    size_t limit = duet_meter_limit(meter);
    if (bytes > limit) {
        return false;
    }
    size_t held = atomic_fetch_add_explicit(&meter->held, bytes, memory_order_relaxed);
    bool fits = held <= limit - bytes && duet_meter_take(meter->outer, bytes);
    if (!fits) {
        drop(meter, bytes);
    }
    return fits;
}

void duet_meter_read(duet_meter *meter, size_t bytes)
{
    for (; meter != NULL; meter = meter->outer) {
        atomic_fetch_add_explicit(&meter->read, bytes, memory_order_relaxed);
    }
}

// --- blocks ---

// `bytes` of any content that count; NULL where there are none, or the limit is passed.
static void *get_counted(size_t bytes)
{
    if (!duet_meter_take(current.meter, bytes)) {
        return NULL;
    }
    void *whole = get(current.allocator, bytes);
    if (whole == NULL) {
        duet_meter_give(current.meter, bytes);
    }
    return whole;
}

// `bytes` >= 1 of any content; NULL where there are none.
static void *block_raw(size_t bytes)
{
    if (bytes > SIZE_MAX - sizeof(origin)) {
        return NULL;
    }
    void *whole = get_counted(sizeof(origin) + bytes);
    return whole == NULL ? NULL
                         : open_block(whole, sizeof(origin), current, sizeof(origin) + bytes);
}

void *duet_block_aligned(size_t bytes)
{
    size_t more = sizeof(origin) + DUET_CACHE_LINE;
    char *whole = bytes > SIZE_MAX - more ? NULL : get_counted(more + bytes);
    size_t beyond = ((uintptr_t)whole + sizeof(origin)) % DUET_CACHE_LINE;
    return whole == NULL ? NULL : open_block(whole, more - beyond, current, more + bytes);
}

void *duet_block_zeroed(size_t bytes)
{
    if (current.allocator != NULL || bytes > SIZE_MAX - sizeof(origin)) {
        void *block = block_raw(bytes);
        return block == NULL ? NULL : memset(block, 0, bytes);
    }
    size_t all = sizeof(origin) + bytes;
    if (!duet_meter_take(current.meter, all)) {
        return NULL;
    }
    // calloc() does not clear pages that come from the system, all zero
    void *whole = calloc(1, all);
    if (whole == NULL) {
        duet_meter_give(current.meter, all);
        return NULL;
    }
    return open_block(whole, sizeof(origin), current, all);
}

// From now on it counts where the thread counts that resizes it.
void *duet_block_resize(void *block, size_t bytes)
{
    if (block == NULL) {
        return block_raw(bytes);
    }
    if (bytes > SIZE_MAX - sizeof(origin)) {
        return NULL;
    }
    const origin old = *((const origin *)block - 1);
    duet_source source = {old.allocator, current.meter};
    size_t size = sizeof(origin) + bytes;
    bool same = old.meter == source.meter;
    size_t more = !same ? size : size > old.bytes ? size - old.bytes : 0;
    if (more > 0 && !duet_meter_take(source.meter, more)) {
        return NULL;
    }
    void *whole = old.allocator == NULL
                      ? realloc(old.whole, size)
                      : old.allocator->resize(old.allocator->user, old.whole, size);
    if (whole == NULL) {
        duet_meter_give(source.meter, more);
        return NULL;
    }
    duet_meter_give(old.meter, !same ? old.bytes : old.bytes > size ? old.bytes - size : 0);
    return open_block(whole, sizeof(origin), source, size);
}

void duet_block_release(void *block)
{
    if (block == NULL) {
        return;
    }
    const origin old = *((const origin *)block - 1);
    if (old.allocator == NULL) {
        free(old.whole);
    } else {
        old.allocator->release(old.allocator->user, old.whole);
    }
    duet_meter_give(old.meter, old.bytes);
}

size_t duet_block_bytes(const void *block)
{
    return block == NULL ? 0 : ((const origin *)block - 1)->bytes - sizeof(origin);
}

duet_source duet_source_current(void)
{
    return current;
}

duet_source duet_source_enter(duet_source source)
{
    duet_source before = current;
    current = source;
    return before;
}

duet_code duet_use_allocator(const duet_allocator *allocator, const duet_allocator **previous,
                             duet_error *error)
{
    if (allocator != NULL) {
        duet_allocator known = {.struct_size = sizeof known};
        DUET_TRY(duet_struct_take(&known, sizeof known, DUET_SIZE_UNTIL(duet_allocator, user),
                                  allocator, "duet_allocator", error));
        if (known.allocate == NULL || known.resize == NULL || known.release == NULL) {
            return duet_error_set(
                error, DUET_E_USAGE,
                "duet_allocator: expected functions allocate, resize and release");
        }
    }
    duet_source before = duet_source_enter((duet_source){allocator, current.meter});
    if (previous != NULL) {
        *previous = before.allocator;
    }
    return DUET_OK;
}
