// SPDX-License-Identifier: Apache-2.0
// Arrays that grow; see vec.h.
#include "core/system/vec.h"

#include <string.h>

#include "core/system/allocator.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { FIRST = 16 }; // Elements of the first block.

// `array` is the address of a pointer of any type: copied, not cast, to stay within the rules.
static void *block_of(const void *array)
{
    void *block;
    memcpy(&block, array, sizeof block);
    return block;
}

duet_code duet_vec_reserve_bytes(void *array, size_t count, size_t size, duet_error *error)
{
    void *block = block_of(array);
    size_t bytes;
    if (!__builtin_mul_overflow(count, size, &bytes) && bytes <= duet_block_bytes(block)) {
        return DUET_OK;
    }
    size_t room = duet_block_bytes(block) / size;
    while (room < count) {
        size_t next = room < FIRST ? FIRST : room + room / 2;
        room = next < room ? count : next; // It never overflows where memory is what it is.
    }
    block = duet_resize(block, room, size, error);
    DUET_NEED(block);
    memcpy(array, &block, sizeof block);
    return DUET_OK;
}

duet_code duet_vec_grow_bytes(void *array, size_t count, size_t size, duet_error *error)
{
    // The elements that are there fit into memory: their bytes, and those of one more, are a
    // number.
    return (count + 1) * size <= duet_block_bytes(block_of(array))
               ? DUET_OK
               : duet_vec_reserve_bytes(array, count + 1, size, error);
}

size_t duet_vec_bytes(const void *array)
{
    return duet_block_bytes(array);
}
