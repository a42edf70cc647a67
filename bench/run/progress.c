// SPDX-License-Identifier: Apache-2.0
#include "bench/run/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "console/print.h"
#include "core/system/context.h"

enum { BAR = 24, LINE = 80, MINUTE = 60, HOUR = 3600 };
static const int64_t delay_ns = 500000000; // nothing is shown for what ends soon
static const int64_t period_ns = 100000000;

void duet_progress_line(const char *text)
{
    duet_cli_print(stderr, "\r%s\033[K", text);
    fflush(stderr);
}

void duet_sweep_progress_start(duet_sweep_progress *progress, size_t total, size_t before,
                               bool quiet)
{
    int64_t now = duet_clock_ns();
    *progress = (duet_sweep_progress){.wanted = !quiet && isatty(STDERR_FILENO),
                                      .total = total,
                                      .before = before,
                                      .began_ns = now,
                                      .last_ns = now};
}

// "0:07", "12:30", "3:00:00".
static void format_time(double seconds, char *buffer, size_t size)
{
    int64_t left = seconds < 1e9 ? (int64_t)(seconds + 0.5) : INT64_C(1000000000);
    if (left >= HOUR) {
        snprintf(buffer, size, "%" PRId64 ":%02d:%02d", left / HOUR, (int)(left % HOUR / MINUTE),
                 (int)(left % MINUTE));
    } else {
        snprintf(buffer, size, "%" PRId64 ":%02d", left / MINUTE, (int)(left % MINUTE));
    }
}

char *duet_sweep_progress_line(const duet_sweep_progress *progress, size_t done, double seconds,
                               char *buffer)
{
    char bar[BAR + 1];
    char left[32] = "?";
    double part = progress->total > 0 ? (double)done / (double)progress->total : 1;
    double rate = seconds > 0 ? (double)(done - progress->before) / seconds : 0;
    int filled = (int)(part * BAR);
    memset(bar, ' ', BAR);
    memset(bar, '#', (size_t)filled);
    bar[BAR] = '\0';
    if (rate > 0) {
        format_time((double)(progress->total - done) / rate, left, sizeof left);
    }
    snprintf(buffer, LINE, "[%s] %zu/%zu  %.*f/s  %s left", bar, done, progress->total,
             rate < 10 ? 2 : 0, rate, left);
    return buffer;
}

void duet_sweep_progress_show(duet_sweep_progress *progress, size_t done)
{
    if (!progress->wanted) {
        return;
    }
    int64_t now = duet_clock_ns();
    if (now - progress->began_ns < delay_ns || now - progress->last_ns < period_ns) {
        return;
    }
    char line[LINE];
    progress->last_ns = now;
    progress->shown = true;
    duet_progress_line(
        duet_sweep_progress_line(progress, done, (double)(now - progress->began_ns) * 1e-9, line));
}

void duet_sweep_progress_clear(duet_sweep_progress *progress)
{
    if (progress->shown) {
        duet_progress_line("");
        progress->shown = false;
    }
}
