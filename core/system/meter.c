// SPDX-License-Identifier: Apache-2.0
#include "core/system/meter.h"

#include <stdatomic.h>
#include <stdint.h>

#include "core/number/minmax.h"
#include "core/system/allocator.h"
#include "core/system/memory.h"

struct duet_meter {
    size_t limit; // 0: by what is read
    atomic_size_t read;
    atomic_size_t held; // bytes, and one while the call has not ended
    duet_meter *outer;
};

duet_meter *duet_meter_create(size_t limit, duet_meter *outer)
{
    duet_meter *meter = duet_block_uncounted(sizeof *meter);
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
