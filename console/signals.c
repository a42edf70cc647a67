// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, SIGTERM and SIGHUP end a search early and keep its result, but SIGHUP is left alone under
// nohup. A later one ends the process at once; one right after the first does not: `timeout` and
// shells signal a child and then its group.
#include "console/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// A signal handler has no argument of its own: this pointer is the only way to it.
static _Atomic(duet_cancel *) cancel_on_signal;

// When the first signal came, in nanoseconds; 0 before it.
static _Atomic(int64_t) first_ns;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); // async-signal-safe
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void set_action(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }
}

static void on_signal(int signal_number)
{
    static const int64_t same_ns = 500000000;
    int64_t first = atomic_load(&first_ns);
    if (first != 0) {
        if (now_ns() - first > same_ns) {
            set_action(SIG_DFL);
            raise(signal_number);
        }
        return;
    }
    atomic_store(&first_ns, now_ns());
    duet_cancel *cancel = atomic_load(&cancel_on_signal);
    if (cancel != NULL) {
        duet_cancel_request(cancel);
    }
}

// SIGHUP as the process was started with, before any shared library's constructor runs. Libraries
// of Open MPI 5 take it for themselves when they are loaded, and nohup would not help.
static struct sigaction hangup_at_start;
static bool knows_hangup_at_start;

static void remember_hangup(void)
{
    knows_hangup_at_start = sigaction(SIGHUP, NULL, &hangup_at_start) == 0;
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(void) = remember_hangup;

void duet_cli_signals_begin(void)
{
    if (knows_hangup_at_start) {
        sigaction(SIGHUP, &hangup_at_start, NULL);
    }
}

void duet_cli_signals_catch(duet_cancel *cancel)
{
    atomic_store(&cancel_on_signal, cancel);
    atomic_store(&first_ns, 0);
    set_action(on_signal);
}

void duet_cli_signals_release(void)
{
    set_action(SIG_DFL);
    atomic_store(&cancel_on_signal, NULL);
}
