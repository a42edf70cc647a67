// SPDX-License-Identifier: Apache-2.0
// A line on the terminal for what can last without reporting itself: reading, writing, checking.
#ifndef DUET_CONSOLE_TICKER_H
#define DUET_CONSOLE_TICKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct duet_cli_ticker {
    const char *what; // for example "reading big.json"
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    atomic_int percent; // that is done; 0: not known
    bool running;
    bool stop;
} duet_cli_ticker;

// Shows "WHAT ... 1.2 s", or "WHAT ... 40 %, 1.2 s", from half a second on, where standard error is
// a terminal and not `quiet`. `what` must outlive it.
void duet_cli_ticker_start(duet_cli_ticker *ticker, const char *what, bool quiet);
// Says how much is done. From the thread that started it.
void duet_cli_ticker_percent(duet_cli_ticker *ticker, int percent);
// Takes the line off the screen. Harmless where nothing was started.
void duet_cli_ticker_stop(duet_cli_ticker *ticker);

#endif
