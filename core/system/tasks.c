// SPDX-License-Identifier: Apache-2.0
#include "core/system/tasks.h"

#ifdef DUET_WITH_OPENMP

#include <omp.h>

#include "core/system/allocator.h"
#include "core/system/threads.h"

void duet_tasks_lead(int threads, void (*lead)(void *), void *of)
{
#pragma omp parallel num_threads(duet_threads_startable(threads))
    {
#pragma omp master
        lead(of);
    } // where the others take parts
}

void duet_tasks_share(size_t parts, void (*part)(void *of, size_t i), void *of)
{
    const duet_source source = duet_source_current();
    if (omp_get_num_threads() == 1) {
        for (size_t i = 0; i < parts; i++) {
            part(of, i);
        }
        return;
    }
#pragma omp taskgroup
    {
        for (size_t i = 1; i < parts; i++) {
#pragma omp task default(none) firstprivate(i, part, of, source)
            {
                const duet_source own = duet_source_enter(source);
                part(of, i);
                duet_source_enter(own);
            }
        }
        if (parts > 0) {
            part(of, 0);
        }
    }
}

#else

void duet_tasks_lead(int threads, void (*lead)(void *), void *of)
{
    (void)threads;
    lead(of);
}

void duet_tasks_share(size_t parts, void (*part)(void *of, size_t i), void *of)
{
    for (size_t i = 0; i < parts; i++) {
        part(of, i);
    }
}

#endif
