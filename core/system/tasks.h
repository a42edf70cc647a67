// SPDX-License-Identifier: Apache-2.0
// Parts of a search that threads take as OpenMP tasks. What a part does must depend on no other
// one: then the result is the same for any number of threads.
#ifndef DUET_CORE_SYSTEM_TASKS_H
#define DUET_CORE_SYSTEM_TASKS_H

#include <stddef.h>

// Calls `lead(of)` on this thread. Up to `threads` in all, as many as can be had, take the parts of
// duet_tasks_share() inside it.
void duet_tasks_lead(int threads, void (*lead)(void *), void *of);

// Calls `part(of, i)` for all i below `parts`, the first on this thread and the others on any of
// those that duet_tasks_lead() has here, and waits for all. A part may share its work again. All
// take their memory from where this thread does.
void duet_tasks_share(size_t parts, void (*part)(void *of, size_t i), void *of);

#endif
