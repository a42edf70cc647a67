// SPDX-License-Identifier: Apache-2.0
// Vectors that were seen; see seen_states.h.
// Method:    a hash table of lists by key. The vectors stand one after another in one array.
// Guarantee: what is full forgets nothing, and remembers nothing new.
// Cost:      O(length) for each of up to 256 vectors that are compared.
// Memory:    64 MiB of numbers, and 24 bytes a vector.
#include "solvers/graph/starts/seen_states.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/graph/starts/tuning.h"

typedef struct state {
    uint64_t key;
    size_t at;     // Where its vector begins.
    uint32_t next; // The next one of the row; 0: none.
} state;

struct duet_seen_states {
    uint32_t *row; // The latest vector of each row, counted from 1; 0: none.
    state *list;   // The vectors, in the order in which they were seen.
    size_t count;
    int64_t *entry; // The numbers of all vectors.
    size_t used;
    size_t longest; // A vector has at most this many numbers.
    bool full;      // Nothing more is remembered.
};

duet_code duet_seen_states_create(size_t longest, duet_seen_states **out, duet_error *error)
{
    duet_seen_states *s = duet_alloc(1, sizeof *s, error);
    *out = s;
    DUET_NEED(s);
    s->longest = longest;
    s->row = duet_alloc((size_t)1 << DUET_SEEN_ROWS_BITS, sizeof *s->row, error);
    duet_code code = duet_vec_reserve(s->entry, longest, error);
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
    if (s->full || s->used + count + s->longest > DUET_SEEN_ENTRIES) {
        s->full = true;
        return false;
    }
    duet_code code = duet_vec_grow(s->list, s->count, NULL);
    DUET_THEN(code, duet_vec_reserve(s->entry, s->used + count + s->longest, NULL));
    s->full = code != DUET_OK;
    return !s->full;
}

bool duet_seen_states_visit(duet_seen_states *seen, uint64_t key, size_t count)
{
    static const uint64_t spread = UINT64_C(0x9e3779b97f4a7c15);
    enum { shift = 64 - DUET_SEEN_ROWS_BITS };
    const int64_t *vector = duet_seen_states_next(seen);
    uint32_t *row = &seen->row[(key * spread) >> shift];
    int compared = 0;
    for (uint32_t at = *row; at != 0 && compared < DUET_SEEN_COMPARED;
         at = seen->list[at - 1].next) {
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
