// SPDX-License-Identifier: Apache-2.0
#include "core/system/tasks.h"

#include <stdatomic.h>
#include <stdint.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"

// Parts that are shared, and what they have counted. Several threads add to it.
typedef struct sharing {
    void (*part)(void *of, size_t i);
    void *of;
    _Atomic int64_t done; // the sum of their works
    _Atomic int64_t span; // the longest of their spans
} sharing;

// Does a part, and returns what it counted, which counts nowhere else yet.
static duet_counted do_part(const sharing *s, size_t i)
{
    duet_counted before = duet_counted_enter((duet_counted){0, 0});
    s->part(s->of, i);
    return duet_counted_enter(before);
}

static void take_part(sharing *s, size_t i)
{
    duet_counted own = do_part(s, i);
    atomic_fetch_add_explicit(&s->done, own.done, memory_order_relaxed);
    int64_t span = atomic_load_explicit(&s->span, memory_order_relaxed);
    while (own.span > span && !atomic_compare_exchange_weak(&s->span, &span, own.span)) {
    }
}

// Adds what all parts have counted to what this thread has.
static void join(const sharing *s)
{
    duet_counted_join((duet_counted){.done = s->done, .span = s->span});
}

static void share_in_turn(sharing *s, size_t parts)
{
    for (size_t i = 0; i < parts; i++) {
        take_part(s, i);
    }
}

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

static void share_among_threads(sharing *s, size_t parts)
{
    const duet_source source = duet_source_current();
#pragma omp taskgroup
    {
        for (size_t i = 1; i < parts; i++) {
#pragma omp task default(none) firstprivate(i, s, source)
            {
                const duet_source own = duet_source_enter(source);
                take_part(s, i);
                duet_source_enter(own);
            }
        }
        if (parts > 0) {
            take_part(s, 0);
        }
    }
}

void duet_tasks_share(size_t parts, void (*part)(void *of, size_t i), void *of)
{
    sharing s = {.part = part, .of = of};
    if (omp_get_num_threads() == 1) {
        share_in_turn(&s, parts);
    } else {
        share_among_threads(&s, parts);
    }
    join(&s);
}

#else

void duet_tasks_lead(int threads, void (*lead)(void *), void *of)
{
    (void)threads;
    lead(of);
}

void duet_tasks_share(size_t parts, void (*part)(void *of, size_t i), void *of)
{
    sharing s = {.part = part, .of = of};
    share_in_turn(&s, parts);
    join(&s);
}

#endif

static void end_series(duet_succession *series, size_t i)
{
    size_t end = atomic_load_explicit(&series->end, memory_order_relaxed);
    while (i < end && !atomic_compare_exchange_weak(&series->end, &end, i)) {
    }
}

// A series under way, and what each of its parts has counted.
typedef struct until {
    duet_succession *series;
    bool (*part)(void *of, size_t i);
    void *of;
    duet_counted counted[DUET_TASKS_UNTIL];
} until;

static void do_next(void *of, size_t i)
{
    until *u = of;
    if (!duet_succession_goes_on(u->series, i)) {
        return;
    }
    duet_counted before = duet_counted_enter((duet_counted){0, 0});
    if (u->part(u->of, i)) {
        end_series(u->series, i);
    }
    u->counted[i] = duet_counted_enter(before);
}

size_t duet_tasks_until(duet_succession *series, size_t parts, bool (*part)(void *of, size_t i),
                        void *of)
{
    DUET_ASSERT(parts <= DUET_TASKS_UNTIL);
    until u = {.series = series, .part = part, .of = of};
    atomic_init(&series->end, SIZE_MAX);
    duet_tasks_share(parts, do_next, &u);
    size_t end = atomic_load_explicit(&series->end, memory_order_relaxed);
    duet_counted all = {0, 0};
    for (size_t i = 0; i < parts && i <= end; i++) {
        all.done += u.counted[i].done;
        all.span = duet_max(u.counted[i].span, all.span);
    }
    duet_counted_join(all);
    return end;
}
