// SPDX-License-Identifier: Apache-2.0
// Arrays that grow. Such an array is a pointer, NULL at first, and a count beside it: how many
// elements have room is known to the block of memory, so that no struct has a capacity. All sizes
// are checked, and duet_free() takes the array back.
//
//     duet_code code = duet_vec_push(list->task, list->count, error, task);
//
// On failure, which is DUET_E_MEMORY, array and count are as they were.
#ifndef DUET_CORE_SYSTEM_VEC_H
#define DUET_CORE_SYSTEM_VEC_H

#include <stddef.h>

#include <duet/error.h>

// Appends a value and counts it. `count` is named twice.
#define duet_vec_push(array, count, error, ...)                                                    \
    (duet_vec_grow(array, count, error) == DUET_OK ? ((array)[(count)++] = (__VA_ARGS__), DUET_OK) \
                                                   : DUET_E_MEMORY)

// Makes room for one element more than `count`, by half as many as there is room for.
#define duet_vec_grow(array, count, error)                                                         \
    duet_vec_grow_bytes(&(array), (size_t)(count), sizeof *(array), error)

// Makes room for `count` elements in all, in the same steps.
#define duet_vec_reserve(array, count, error)                                                      \
    duet_vec_reserve_bytes(&(array), (size_t)(count), sizeof *(array), error)

// How many elements have room.
#define duet_vec_room(array) (duet_vec_bytes(array) / sizeof *(array))

// The functions behind these. `array` is the address of a pointer to elements of `size` bytes.
duet_code duet_vec_grow_bytes(void *array, size_t count, size_t size, duet_error *error);
duet_code duet_vec_reserve_bytes(void *array, size_t count, size_t size, duet_error *error);
// Bytes of an array that have room; NULL has none.
size_t duet_vec_bytes(const void *array);

#endif
