// SPDX-License-Identifier: Apache-2.0
// Several arrays in one block of memory. A struct of many arrays lists them: they are asked for
// once and freed once, and either all of them are there or none is.
//
//     const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(s->head, tasks),
//                                        DUET_ARENA_ARRAY(s->tail, tasks)};
//     code = duet_arena_create(&s->arena, arrays, 2, error);
#ifndef DUET_CORE_SYSTEM_ARENA_H
#define DUET_CORE_SYSTEM_ARENA_H

#include <stddef.h>

#include <duet/error.h>

typedef struct duet_arena {
    void *block; // NULL: it holds nothing.
} duet_arena;

// An array that an arena is to hold.
typedef struct duet_arena_array {
    void *pointer; // The address of the pointer that is set.
    size_t count;  // Elements.
    size_t size;   // Bytes of each.
} duet_arena_array;

#define DUET_ARENA_ARRAY(array, length)                                                            \
    {                                                                                              \
        &(array), (length), sizeof *(array)                                                        \
    }

// Allocates all arrays, zeroed, each aligned for any type, and sets their pointers. The pointer of
// an array without elements is valid, too. DUET_E_MEMORY, also if the sum of the sizes overflows:
// then the arena is empty and no pointer is set. Free it whatever comes back.
duet_code duet_arena_create(duet_arena *arena, const duet_arena_array *arrays, size_t count,
                            duet_error *error);
// Frees all arrays of an arena, or of one that is {NULL}.
void duet_arena_free(duet_arena *arena);

#endif
