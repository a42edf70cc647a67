// SPDX-License-Identifier: Apache-2.0
#include "core/seen.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { FIRST_SIZE = 1024 };

void duet_seen_free(duet_seen *seen)
{
    duet_free(seen->number);
    duet_free(seen->begin);
    duet_free(seen->table);
    *seen = (duet_seen){.most = seen->most};
}

static uint64_t hash_of(const int64_t *number, size_t length)
{
    uint64_t hash = 1469598103934665603U;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (uint64_t)number[i]) * 1099511628211U;
        hash ^= hash >> 29;
    }
    return hash;
}

static duet_code grow_table(duet_seen *seen, duet_error *error)
{
    size_t size = seen->table_size == 0 ? FIRST_SIZE : 2 * seen->table_size;
    size_t *table = duet_alloc(size, sizeof *table, error);
    DUET_NEED(table);
    for (size_t i = 0; i < seen->states; i++) {
        size_t at = seen->begin[i];
        size_t slot = hash_of(&seen->number[at + 1], (size_t)seen->number[at]) & (size - 1);
        while (table[slot] != 0) {
            slot = (slot + 1) & (size - 1);
        }
        table[slot] = i + 1;
    }
    duet_free(seen->table);
    seen->table = table;
    seen->table_size = size;
    return DUET_OK;
}

duet_code duet_seen_number(duet_seen *seen, const int64_t *number, size_t length, size_t *which,
                           duet_error *error)
{
    DUET_TRY(2 * (seen->states + 1) > seen->table_size ? grow_table(seen, error) : DUET_OK);
    size_t slot = hash_of(number, length) & (seen->table_size - 1);
    for (; seen->table[slot] != 0; slot = (slot + 1) & (seen->table_size - 1)) {
        *which = seen->table[slot] - 1;
        size_t at = seen->begin[*which];
        if ((size_t)seen->number[at] == length &&
            memcmp(&seen->number[at + 1], number, length * sizeof *number) == 0) {
            return DUET_OK;
        }
    }
    *which = SIZE_MAX;
    if (seen->numbers + length + 1 > seen->most) {
        return DUET_OK;
    }
    DUET_TRY(duet_vec_reserve(seen->number, seen->numbers + length + 1, error));
    DUET_TRY(duet_vec_push(seen->begin, seen->states, error, seen->numbers));
    *which = seen->states - 1;
    seen->table[slot] = seen->states;
    seen->number[seen->numbers] = (int64_t)length;
    memcpy(&seen->number[seen->numbers + 1], number, length * sizeof *number);
    seen->numbers += length + 1;
    return DUET_OK;
}

duet_code duet_seen_add(duet_seen *seen, const int64_t *number, size_t length, bool *before,
                        duet_error *error)
{
    size_t known = seen->states;
    size_t which = SIZE_MAX;
    duet_code code = duet_seen_number(seen, number, length, &which, error);
    *before = code == DUET_OK && which < known;
    return code;
}
