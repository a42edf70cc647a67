// SPDX-License-Identifier: Apache-2.0
// A barrier for threads that meet very often. It spins for about as long as threads that all have a
// processor are apart, then sleeps: a thread that spins on would keep its processor from the very
// thread it waits for. (OpenMP's own barrier spins for milliseconds; with other programs on the
// processors the tables then took up to 30 times as long.)
#ifndef DUET_DP_TABLE_BARRIER_H
#define DUET_DP_TABLE_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>

typedef struct duet_barrier {
    atomic_int arrived;
    atomic_uint round;
    int threads;
    pthread_mutex_t mutex;
    pthread_cond_t next_round;
} duet_barrier;

// Returns 0, or an error number of pthread_mutex_init() or pthread_cond_init().
int duet_barrier_init(duet_barrier *barrier, int threads);
void duet_barrier_destroy(duet_barrier *barrier);
// Returns when all threads have called it as often as this one. What they wrote before is then
// visible.
void duet_barrier_wait(duet_barrier *barrier);

#endif
