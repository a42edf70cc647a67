// SPDX-License-Identifier: Apache-2.0
// One line on the terminal that says how far a sweep is.
#ifndef DUET_BENCH_RUN_PROGRESS_H
#define DUET_BENCH_RUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct duet_sweep_progress {
    bool wanted; // standard error is a terminal, and nobody asked for quiet
    bool shown;
    size_t total;
    size_t before; // done before this process began
    int64_t began_ns;
    int64_t last_ns;
} duet_sweep_progress;

// Replaces the last line of standard error; "": takes it off the screen.
void duet_progress_line(const char *text);

void duet_sweep_progress_start(duet_sweep_progress *progress, size_t total, size_t before,
                               bool quiet);
// Shows the line, at most ten times a second.
void duet_sweep_progress_show(duet_sweep_progress *progress, size_t done);
// Takes it off the screen.
void duet_sweep_progress_clear(duet_sweep_progress *progress);

// The line itself, without moving the cursor, after `seconds` of work; for at least 80 bytes.
char *duet_sweep_progress_line(const duet_sweep_progress *progress, size_t done, double seconds,
                               char *buffer);

#endif
