// SPDX-License-Identifier: Apache-2.0
// JSON that is safe inside a script element of a page, whatever names it holds.
#ifndef DUET_REPORT_PAGE_JSON_H
#define DUET_REPORT_PAGE_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

#endif
