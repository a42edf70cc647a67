// SPDX-License-Identifier: Apache-2.0
// The parts of a page that page.c puts together.
#ifndef DUET_REPORT_PAGE_PARTS_H
#define DUET_REPORT_PAGE_PARTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report/intervals.h"
#include "report/page/results.h"

// graph.c
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

// json.c
// Longest name, and longest sentence, that is shown, in bytes with its NUL; the rest is cut.
enum { DUET_HTML_NAME = 200, DUET_HTML_SENTENCE = 640 };

// A string that ends no element and no line of a script: '<', '>' and '&' are escaped; what
// duet_clean_text() replaces becomes '?'.
void duet_html_name(FILE *stream, const char *text);
// The same for a sentence that holds names.
void duet_html_sentence(FILE *stream, const char *text);
// The same as text of a page.
void duet_html_text(FILE *stream, const char *text);
// Nine digits; null where it is not finite.
void duet_html_number(FILE *stream, double value);

// tables.c
// Most runs that are listed one by one because something is wrong with them.
enum { DUET_HTML_LISTED = 100 };

// Members of the page's data object, each followed by a comma. `results` are settled.
duet_code duet_html_tables(FILE *stream, const duet_results *results, duet_error *error);

// template.c
extern const unsigned char duet_html_page[];
extern const size_t duet_html_page_size;
extern const unsigned char duet_html_style[];
extern const size_t duet_html_style_size;
extern const unsigned char duet_html_script[];
extern const size_t duet_html_script_size;

#endif
