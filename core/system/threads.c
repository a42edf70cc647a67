// SPDX-License-Identifier: Apache-2.0
#include "core/system/threads.h"

#include <time.h>

void duet_threads_pause(void)
{
    static const struct timespec some = {.tv_nsec = 50000};
    nanosleep(&some, NULL);
}

#ifdef DUET_WITH_OPENMP

#include <pthread.h>
#include <stdlib.h>

#include "core/system/memory.h"

// What the runtime allocates for a team of threads, many times over.
enum { TEAM_BYTES = 1 << 20 };

// Threads must be alive at once to be counted: each waits at the gate for the end of the count.
static void *pass(void *opaque)
{
    pthread_mutex_t *gate = opaque;
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

static int count_started(pthread_t *threads, int wanted)
{
    pthread_mutex_t gate;
    int started = 0;
    if (pthread_mutex_init(&gate, NULL) != 0) {
        return 0;
    }
    pthread_mutex_lock(&gate);
    while (started < wanted && pthread_create(&threads[started], NULL, pass, &gate) == 0) {
        started++;
    }
    void *volatile team = malloc(TEAM_BYTES); // what nobody uses a compiler may leave out
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_mutex_destroy(&gate);
    started = team == NULL ? 0 : started;
    free(team);
    return started;
}

int duet_threads_startable(int wanted)
{
    if (wanted <= 1) {
        return 1;
    }
    pthread_t *threads = duet_alloc((size_t)wanted - 1, sizeof *threads, NULL);
    if (threads == NULL) {
        return 1;
    }
    int started = count_started(threads, wanted - 1);
    duet_free(threads);
    return 1 + started;
}

typedef struct call {
    void (*run)(void *);
    void *of;
} call;

static void *run(void *opaque)
{
    const call *c = opaque;
    c->run(c->of);
    return NULL;
}

bool duet_threads_both(void (*there)(void *), void (*here)(void *), void *of)
{
    pthread_t thread;
    call c = {there, of};
    if (pthread_create(&thread, NULL, run, &c) != 0) {
        return false;
    }
    here(of);
    pthread_join(thread, NULL);
    return true;
}

#else

int duet_threads_startable(int wanted)
{
    (void)wanted;
    return 1;
}

bool duet_threads_both(void (*there)(void *), void (*here)(void *), void *of)
{
    (void)there;
    (void)here;
    (void)of;
    return false;
}

#endif
