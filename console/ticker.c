// SPDX-License-Identifier: Apache-2.0
#include "console/ticker.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "console/print.h"
#include "core/number/minmax.h"

enum { DELAY_MS = 500, PERIOD_MS = 100, MS_PER_S = 1000 };
static const long ns_per_ms = 1000000;
static const long ns_per_s = 1000000000;

static struct timespec later(struct timespec from, long ms)
{
    long ns = from.tv_nsec + ms % MS_PER_S * ns_per_ms;
    from.tv_sec += ms / MS_PER_S + ns / ns_per_s;
    from.tv_nsec = ns % ns_per_s;
    return from;
}

static void *tick(void *opaque)
{
    duet_cli_ticker *ticker = opaque;
    struct timespec began;
    clock_gettime(CLOCK_REALTIME, &began);
    long elapsed = DELAY_MS;
    bool shown = false;
    pthread_mutex_lock(&ticker->mutex);
    while (!ticker->stop) {
        struct timespec until = later(began, elapsed);
        if (pthread_cond_timedwait(&ticker->wake, &ticker->mutex, &until) != 0 && !ticker->stop) {
            int percent = atomic_load_explicit(&ticker->percent, memory_order_relaxed);
            char done[16] = "";
            if (percent > 0) {
                snprintf(done, sizeof done, "%d %%, ", duet_min(percent, 100));
            }
            duet_cli_print(stderr, "\r%.60s ... %s%.1f s\033[K", ticker->what, done,
                           (double)elapsed / MS_PER_S);
            fflush(stderr);
            shown = true;
            elapsed += PERIOD_MS;
        }
    }
    pthread_mutex_unlock(&ticker->mutex);
    if (shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    return NULL;
}

void duet_cli_ticker_start(duet_cli_ticker *ticker, const char *what, bool quiet)
{
    *ticker = (duet_cli_ticker){.what = what};
    atomic_init(&ticker->percent, 0);
    if (quiet || !isatty(STDERR_FILENO)) {
        return;
    }
    pthread_mutex_init(&ticker->mutex, NULL);
    pthread_cond_init(&ticker->wake, NULL);
    // Signals are for the main thread.
    sigset_t all;
    sigset_t old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    ticker->running = pthread_create(&ticker->thread, NULL, tick, ticker) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void duet_cli_ticker_percent(duet_cli_ticker *ticker, int percent)
{
    atomic_store_explicit(&ticker->percent, percent, memory_order_relaxed);
}

void duet_cli_ticker_stop(duet_cli_ticker *ticker)
{
    if (!ticker->running) {
        return;
    }
    pthread_mutex_lock(&ticker->mutex);
    ticker->stop = true;
    pthread_cond_signal(&ticker->wake);
    pthread_mutex_unlock(&ticker->mutex);
    pthread_join(ticker->thread, NULL);
    pthread_mutex_destroy(&ticker->mutex);
    pthread_cond_destroy(&ticker->wake);
    ticker->running = false;
}
