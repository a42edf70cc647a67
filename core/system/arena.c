// SPDX-License-Identifier: Apache-2.0
// Several arrays in one block of memory; see arena.h.
#include "core/system/arena.h"

#include <stdint.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"

enum { ALIGNMENT = _Alignof(max_align_t) };

// Adds the bytes of an array, up to the next one. SIZE_MAX if that overflows.
static size_t add_bytes(size_t sum, const duet_arena_array *array)
{
    size_t most = SIZE_MAX - ALIGNMENT;
    if (sum > most || (array->size > 0 && array->count > (most - sum) / array->size)) {
        return SIZE_MAX;
    }
    sum += array->count * array->size;
    return (sum + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

duet_code duet_arena_create(duet_arena *arena, const duet_arena_array *arrays, size_t count,
                            duet_error *error)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        bytes = add_bytes(bytes, &arrays[i]);
    }
    arena->block = duet_alloc(bytes, bytes == SIZE_MAX ? 2 : 1, error); // twice that overflows
    DUET_NEED(arena->block);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        void *array = (char *)arena->block + at;
        memcpy(arrays[i].pointer, &array, sizeof array);
        at = add_bytes(at, &arrays[i]);
    }
    return DUET_OK;
}

void duet_arena_free(duet_arena *arena)
{
    duet_free(arena->block);
    arena->block = NULL;
}
