// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM end a search early and keep its result.
#include "cli/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

// A signal handler has no argument of its own: this pointer is the only way to it.
static _Atomic(duet_cancel *) cancel_on_signal;

static void set_action(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void on_signal(int signal_number)
{
    (void)signal_number;
    duet_cancel *cancel = atomic_load(&cancel_on_signal);
    if (cancel != NULL) {
        duet_cancel_request(cancel);
    }
    set_action(SIG_DFL);
}

void duet_cli_signals_catch(duet_cancel *cancel)
{
    atomic_store(&cancel_on_signal, cancel);
    set_action(on_signal);
}

void duet_cli_signals_release(void)
{
    set_action(SIG_DFL);
    atomic_store(&cancel_on_signal, NULL);
}
