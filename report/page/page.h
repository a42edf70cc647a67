// SPDX-License-Identifier: Apache-2.0
// A report as one page of HTML that loads no other file.
#ifndef DUET_REPORT_PAGE_PAGE_H
#define DUET_REPORT_PAGE_PAGE_H

#include <stdio.h>

#include <duet/instance.h>
#include <duet/solution.h>

#include "report/page/results.h"

// A schedule to show. All borrowed.
typedef struct duet_page_schedule {
    const char *name;
    const duet_instance *instance;
    const duet_solution *solution;
    const char *fault;            // what the checker says against it; NULL where nothing
    const duet_solution *bounded; // of the same problem, whose lower bound is shown; NULL: its own
} duet_page_schedule;

typedef struct duet_page {
    const char *title;
    const duet_results *results; // settled; NULL where there are none
    size_t schedules;
    const duet_page_schedule *schedule;
} duet_page;

// Most aborted runs a schedule may have: each is a box of its own.
enum { DUET_HTML_ABORTED = 200000 };

// Writes the page. The same data gives the same bytes. Whether they all arrived is for the caller
// to see, as of any stream. DUET_E_USAGE as duet_intervals_collect(), DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_page_write(FILE *stream, const duet_page *page, duet_error *error);

// One schedule as a JSON object.
duet_code duet_html_schedule(FILE *stream, const duet_page_schedule *schedule, duet_error *error);

#endif
