// SPDX-License-Identifier: Apache-2.0
// What a page needs of its runs, as JSON.
#ifndef DUET_REPORT_PAGE_TABLES_H
#define DUET_REPORT_PAGE_TABLES_H

#include <stdio.h>

#include "report/page/results.h"

// Most runs that are listed one by one because something is wrong with them.
enum { DUET_HTML_LISTED = 100 };

// Members of the page's data object, each followed by a comma. `results` are settled.
duet_code duet_html_tables(FILE *stream, const duet_results *results, duet_error *error);

#endif
