// SPDX-License-Identifier: Apache-2.0
// What a page has to know of a task graph: its edges, why tasks start when they do, and the
// critical path.
#ifndef DUET_REPORT_PAGE_GRAPH_H
#define DUET_REPORT_PAGE_GRAPH_H

#include <stdio.h>

#include "report/intervals.h"

enum { DUET_HTML_EDGES = 100000 }; // more of them are left out

// Writes "graph": {"edges": [from, to, ...], "why": [per task the edge that decides, or one of the
// codes below], "path": [tasks in order of time]}; null where there are no edges, or too many.
// `intervals` are those of the solution, sorted.
duet_code duet_html_graph(FILE *stream, const duet_instance *instance,
                          const duet_solution *solution, const duet_intervals *intervals,
                          duet_error *error);

// Codes of "why" where no edge decides. The number of the task before on the processor is taken
// from the last one.
enum { DUET_HTML_PAUSE = -1, DUET_HTML_START = -2, DUET_HTML_PROCESSOR = -3 };

#endif
