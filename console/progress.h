// SPDX-License-Identifier: Apache-2.0
// One line on the terminal that says how far a search is.
#ifndef DUET_CONSOLE_PROGRESS_H
#define DUET_CONSOLE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <duet/instance.h>
#include <duet/solve.h>

typedef struct duet_cli_progress {
    const duet_instance *instance;
    const char *prefix; // what runs, such as a file's name; "" for nothing
    bool wanted;        // standard error is a terminal and --quiet was not given
    bool shown;         // a line is on the screen
    int64_t began_ms;
    int64_t last_ms;
} duet_cli_progress;

void duet_cli_progress_init(duet_cli_progress *progress, const duet_instance *instance,
                            const char *prefix, bool quiet);
// Lets `params` report to `progress`.
void duet_cli_progress_attach(duet_cli_progress *progress, duet_params *params);
// Takes the line off the screen.
void duet_cli_progress_clear(duet_cli_progress *progress);

#endif
