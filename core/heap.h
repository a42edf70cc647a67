// SPDX-License-Identifier: Apache-2.0
// Binary heaps in arrays, the only ones in Duet.
//
//     static bool earlier(const void *none, event a, event b) { return a.time < b.time; }
//     DUET_HEAP(events, event, void, earlier)
//
// defines functions on an array of `event` whose entry at index 0, the top, is one that no other
// is earlier than. `above(context, a, b)` says whether `a` belongs above `b`: it is a strict weak
// order. The context is passed through to it, for orders that look up what they compare; NULL where
// there is nothing to look up. The array and the number of entries are the caller's. Every function
// moves a hole instead of exchanging entries, and is compiled anew for its type and order, so that
// comparisons are inlined.
//
// Where `above` leaves ties, the layout of the array still depends on the calls alone: an entry
// rises only past those it belongs above, and sinks only past those that belong above it, to the
// left where both children are alike.
//
// Cost:      O(log n) per call, O(n) for NAME_heapify().
// Reference: Williams, "Algorithm 232: Heapsort", Communications of the ACM 7(6), 1964; Floyd,
//            "Algorithm 245: Treesort 3", Communications of the ACM 7(12), 1964, for heapify.
#ifndef DUET_CORE_HEAP_H
#define DUET_CORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "core/system/assert.h"

// No program uses all of the functions of every heap.
#define DUET_HEAP_FUNCTION __attribute__((unused)) static inline

// Defines, for entries of type `entry`:
//   void  NAME_sift_down(context, heap, count, at)  the entry at `at` may belong further down
//   void  NAME_heapify(context, heap, count)        any array becomes a heap
//   void  NAME_push(context, heap, &count, added)   the array has room for one entry more
//   entry NAME_pop(context, heap, &count)           takes the top; the heap is not empty
//   void  NAME_replace_top(context, heap, count, entry)  the same as pop and push, but faster
// NOLINTBEGIN(bugprone-macro-parentheses): `entry` is a type
#define DUET_HEAP(name, entry, context_type, above)                                                \
    DUET_HEAP_FUNCTION void name##_sift_down(const context_type *context, entry *heap,             \
                                             size_t count, size_t at)                              \
    {                                                                                              \
        DUET_ASSERT(at < count);                                                                   \
        entry moved = heap[at];                                                                    \
        for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {                       \
            if (child + 1 < count && above(context, heap[child + 1], heap[child])) {               \
                child++;                                                                           \
            }                                                                                      \
            if (!above(context, heap[child], moved)) {                                             \
                break;                                                                             \
            }                                                                                      \
            heap[at] = heap[child];                                                                \
            at = child;                                                                            \
        }                                                                                          \
        heap[at] = moved;                                                                          \
    }                                                                                              \
                                                                                                   \
    DUET_HEAP_FUNCTION void name##_heapify(const context_type *context, entry *heap, size_t count) \
    {                                                                                              \
        for (size_t at = count / 2; at-- > 0;) {                                                   \
            name##_sift_down(context, heap, count, at);                                            \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    DUET_HEAP_FUNCTION void name##_push(const context_type *context, entry *heap, size_t *count,   \
                                        entry added)                                               \
    {                                                                                              \
        size_t at = (*count)++;                                                                    \
        for (; at > 0 && above(context, added, heap[(at - 1) / 2]); at = (at - 1) / 2) {           \
            heap[at] = heap[(at - 1) / 2];                                                         \
        }                                                                                          \
        heap[at] = added;                                                                          \
    }                                                                                              \
                                                                                                   \
    DUET_HEAP_FUNCTION void name##_replace_top(const context_type *context, entry *heap,           \
                                               size_t count, entry replacement)                    \
    {                                                                                              \
        heap[0] = replacement;                                                                     \
        name##_sift_down(context, heap, count, 0);                                                 \
    }                                                                                              \
                                                                                                   \
    DUET_HEAP_FUNCTION entry name##_pop(const context_type *context, entry *heap, size_t *count)   \
    {                                                                                              \
        DUET_ASSERT(*count > 0);                                                                   \
        entry top = heap[0];                                                                       \
        if (--*count > 0) {                                                                        \
            name##_replace_top(context, heap, *count, heap[*count]);                               \
        }                                                                                          \
        return top;                                                                                \
    }
// NOLINTEND(bugprone-macro-parentheses)

#endif
