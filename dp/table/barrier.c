// SPDX-License-Identifier: Apache-2.0
#include "dp/table/barrier.h"

enum { SPINS = 300 }; // some microseconds: threads with a processor each are less apart

int duet_barrier_init(duet_barrier *barrier, int threads)
{
    atomic_init(&barrier->arrived, 0);
    atomic_init(&barrier->round, 0);
    barrier->threads = threads;
    int failed = pthread_mutex_init(&barrier->mutex, NULL);
    if (failed != 0) {
        return failed;
    }
    failed = pthread_cond_init(&barrier->next_round, NULL);
    if (failed != 0) {
        pthread_mutex_destroy(&barrier->mutex);
    }
    return failed;
}

void duet_barrier_destroy(duet_barrier *barrier)
{
    pthread_cond_destroy(&barrier->next_round);
    pthread_mutex_destroy(&barrier->mutex);
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

void duet_barrier_wait(duet_barrier *barrier)
{
    unsigned round = atomic_load_explicit(&barrier->round, memory_order_acquire);
    if (atomic_fetch_add(&barrier->arrived, 1) == barrier->threads - 1) {
        atomic_store(&barrier->arrived, 0);
        pthread_mutex_lock(&barrier->mutex);
        atomic_fetch_add(&barrier->round, 1);
        pthread_cond_broadcast(&barrier->next_round);
        pthread_mutex_unlock(&barrier->mutex);
        return;
    }
    for (int spin = 0; spin < SPINS; spin++) {
        if (atomic_load_explicit(&barrier->round, memory_order_acquire) != round) {
            return;
        }
        relax();
    }
    pthread_mutex_lock(&barrier->mutex);
    while (atomic_load(&barrier->round) == round) {
        pthread_cond_wait(&barrier->next_round, &barrier->mutex);
    }
    pthread_mutex_unlock(&barrier->mutex);
}
