// SPDX-License-Identifier: Apache-2.0
// One line on the terminal that says how far a search is.
#include "console/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "console/print.h"
#include "console/texts.h"
#include "core/system/utf8.h"

// Nothing is shown for what ends soon, and then at most ten lines a second.
enum { DELAY_MS = 500, PERIOD_MS = 100, LINE_WIDTH = 79 };

static int64_t now_ms(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void duet_cli_progress_init(duet_cli_progress *progress, const duet_instance *instance,
                            const char *prefix, bool quiet)
{
    int64_t now = now_ms();
    *progress =
        (duet_cli_progress){instance, prefix, !quiet && isatty(STDERR_FILENO), false, now, now};
}

static void show(void *user, const duet_progress *report)
{
    duet_cli_progress *progress = user;
    int64_t now = now_ms();
    if (now - progress->began_ms < DELAY_MS ||
        (progress->shown && now - progress->last_ms < PERIOD_MS)) {
        return;
    }
    progress->last_ms = now;
    progress->shown = true;
    char bound[DUET_CLI_TEXT];
    char best[DUET_CLI_TEXT] = "none yet";
    char gap[DUET_CLI_TEXT] = "unknown";
    duet_cli_time(progress->instance, report->lower_bound, bound);
    if (report->best != DUET_FORBIDDEN) {
        duet_cli_time(progress->instance, report->best, best);
        duet_cli_gap_text(report->best, report->lower_bound, gap);
    }
    char line[1024];
    snprintf(line, sizeof line, "%s%s%s: bound %s, best %s, gap %s, %.1f s", progress->prefix,
             progress->prefix[0] == '\0' ? "" : " ", report->phase == NULL ? "" : report->phase,
             bound, best, gap, (double)(now - progress->began_ms) / 1000.0);
    char shown[LINE_WIDTH + 1];
    duet_cli_print(stderr, "\r%s\033[K", duet_utf8_show_text(line, shown, sizeof shown));
    fflush(stderr);
}

void duet_cli_progress_attach(duet_cli_progress *progress, duet_params *params)
{
    if (progress->wanted) {
        params->progress = show;
        params->user = progress;
    }
}

void duet_cli_progress_clear(duet_cli_progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->shown = false;
    }
}
