// SPDX-License-Identifier: Apache-2.0
// Counted work, and the longest chain of it.
//
// Method:    whoever does what takes long counts it, in nanoseconds that it would take on one
//            processor, about: counts of steps, never a clock. Work adds up within a thread; where
//            parts are shared among threads (core/system/tasks.h), their works add up to the work
//            and the largest of their spans is added to the span. So both are the same for any
//            number of threads where what the parts do is.
// Reference: work and span: Blumofe, Leiserson, "Scheduling multithreaded computations by work
//            stealing", Journal of the ACM 46(5), 1999.
#ifndef DUET_CORE_SYSTEM_COUNTED_H
#define DUET_CORE_SYSTEM_COUNTED_H

#include <stdint.h>

typedef struct duet_counted {
    int64_t done; // all of it
    int64_t span; // on the longest chain of what had to wait for each other
} duet_counted;

// Counts what this thread has done.
void duet_count_work(int64_t nanoseconds);
// What this thread has counted since it began, or since the last duet_counted_enter().
duet_counted duet_counted_here(void);
// Counts from `work` on; returns what was counted before.
duet_counted duet_counted_enter(duet_counted work);
// Adds what was done elsewhere while this thread waited.
void duet_counted_join(duet_counted elsewhere);
// What was counted since.
duet_counted duet_counted_since(duet_counted before);

#endif
