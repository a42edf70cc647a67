// SPDX-License-Identifier: Apache-2.0
// Parts of a search that threads take as OpenMP tasks. What a part does must depend on no other
// one: then the result is the same for any number of threads.
#ifndef DUET_CORE_SYSTEM_TASKS_H
#define DUET_CORE_SYSTEM_TASKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// Calls `lead(of)` on this thread. Up to `threads` in all, as many as can be had, take the parts of
// duet_tasks_share() inside it.
void duet_tasks_lead(int threads, void (*lead)(void *), void *of);

// Calls `part(of, i)` for all i below `parts`, the first on this thread and the others on any of
// those that duet_tasks_lead() has here, and waits for all. A part may share its work again. All
// take their memory from where this thread does.
void duet_tasks_share(size_t parts, void (*part)(void *of, size_t i), void *of);

enum { DUET_TASKS_UNTIL = 16 }; // parts of a series, at most

// Parts of which one may make all later ones superfluous.
typedef struct duet_succession {
    atomic_size_t end; // the first part that has; SIZE_MAX: none has so far
} duet_succession;

// The same for at most DUET_TASKS_UNTIL parts, as if they came one after the other until one of
// them returns true. Later ones are not begun by then, or in vain: nothing of them may be used, and
// their work is not counted. Returns the part that ended the series; SIZE_MAX: none did.
size_t duet_tasks_until(duet_succession *series, size_t parts, bool (*part)(void *of, size_t i),
                        void *of);
// Whether part i may go on: no part before it has ended the series so far.
static inline bool duet_succession_goes_on(const duet_succession *series, size_t i)
{
    return atomic_load_explicit(&series->end, memory_order_relaxed) >= i;
}

#endif
