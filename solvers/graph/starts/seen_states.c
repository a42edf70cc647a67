// SPDX-License-Identifier: Apache-2.0
#include "solvers/graph/starts/seen_states.h"

#include <string.h>

#include "core/system/memory.h"

// Rows of the table, a power of two; entries of all vectors; vectors that are compared, of a key.
enum { ROWS = 1 << 16, MOST_ENTRIES = 1 << 23, MOST_COMPARED = 256 };

typedef struct state {
    uint64_t key;
    size_t at;     // its vector
    uint32_t next; // of the row; 0: none
} state;

struct duet_seen_states {
    uint32_t *row; // the latest of each row, counted from 1
    state *list;
    size_t count;
    size_t capacity;
    int64_t *entry;
    size_t used;
    size_t room;
    size_t longest;
    bool full;
};

duet_code duet_seen_states_create(size_t longest, duet_seen_states **out, duet_error *error)
{
    duet_seen_states *s = duet_alloc(1, sizeof *s, error);
    *out = s;
    if (s == NULL) {
        return DUET_E_MEMORY;
    }
    s->longest = longest;
    s->row = duet_alloc(ROWS, sizeof *s->row, error);
    duet_code code = duet_reserve(&s->entry, longest, &s->room, sizeof *s->entry, error);
    return s->row == NULL || code != DUET_OK ? DUET_E_MEMORY : DUET_OK;
}

void duet_seen_states_free(duet_seen_states *seen)
{
    if (seen != NULL) {
        duet_free(seen->row);
        duet_free(seen->list);
        duet_free(seen->entry);
        duet_free(seen);
    }
}

int64_t *duet_seen_states_next(duet_seen_states *seen)
{
    return seen->entry + seen->used;
}

static bool is_nowhere_above(const int64_t *a, const int64_t *b, size_t count)
{
    size_t i = 0;
    while (i < count && a[i] <= b[i]) {
        i++;
    }
    return i == count;
}

// Room for this vector's place in the list, and for the next vector behind it.
static bool has_room(duet_seen_states *s, size_t count)
{
    if (s->full || s->used + count + s->longest > MOST_ENTRIES) {
        s->full = true;
        return false;
    }
    duet_code code = duet_grow(&s->list, s->count, &s->capacity, sizeof *s->list, NULL);
    if (code == DUET_OK) {
        code =
            duet_reserve(&s->entry, s->used + count + s->longest, &s->room, sizeof *s->entry, NULL);
    }
    s->full = code != DUET_OK;
    return !s->full;
}

bool duet_seen_states_visit(duet_seen_states *seen, uint64_t key, size_t count)
{
    static const uint64_t spread = UINT64_C(0x9e3779b97f4a7c15);
    enum { shift = 64 - 16 };
    const int64_t *vector = duet_seen_states_next(seen);
    uint32_t *row = &seen->row[(key * spread) >> shift];
    int compared = 0;
    for (uint32_t at = *row; at != 0 && compared < MOST_COMPARED; at = seen->list[at - 1].next) {
        if (seen->list[at - 1].key == key) {
            compared++;
            if (is_nowhere_above(seen->entry + seen->list[at - 1].at, vector, count)) {
                return true;
            }
        }
    }
    if (has_room(seen, count)) {
        seen->list[seen->count++] = (state){.key = key, .at = seen->used, .next = *row};
        *row = (uint32_t)seen->count;
        seen->used += count;
    }
    return false;
}
