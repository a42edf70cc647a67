// SPDX-License-Identifier: Apache-2.0
// The end of commands that have no answer in part: where -t is over they end at once, with exit
// code 5.
#include "console/args.h"

#include <math.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "console/exit_code.h"
#include "core/number/minmax.h"

static void on_alarm(int signal_number)
{
    static const char message[] =
        "duet: the time limit came before the command had ended: give it more time (-t)\n";
    (void)signal_number;
    // What cannot be written to standard error cannot be said at all.
    ssize_t unused = write(STDERR_FILENO, message, sizeof message - 1);
    (void)unused;
    _exit(duet_cli_exit_code(DUET_E_LIMIT));
}

void duet_cli_end_after(const duet_cli_args *args, double more)
{
    static const double most = 1e8; // seconds that a timer takes, some three years
    static const double least = 1e-6;
    if (args->seconds <= 0 || args->seconds > most) {
        return;
    }
    double left = duet_cli_params_left(args).time_limit + more;
    left = duet_max(left, least);
    double whole = floor(left);
    struct sigaction action = {.sa_handler = on_alarm};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    const struct itimerval timer = {
        .it_value = {(time_t)whole, (suseconds_t)((left - whole) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}
