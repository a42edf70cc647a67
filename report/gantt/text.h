// SPDX-License-Identifier: Apache-2.0
// How wide letters are. The widths are those of DejaVu Sans, the widest of the fonts that viewers
// take for sans-serif: with any other a text takes less room than was kept for it. So the same
// schedule is laid out alike whatever draws it, and whatever fonts are there.
#ifndef DUET_REPORT_GANTT_TEXT_H
#define DUET_REPORT_GANTT_TEXT_H

#include <stddef.h>

#include "report/canvas/canvas.h"

// Width of valid UTF-8.
double duet_gantt_text_width(const duet_letters *letters, const char *text);
// Cuts `text` (in place) until it is at most `width` wide, with an ellipsis for what went.
void duet_gantt_fit(const duet_letters *letters, char *text, size_t size, double width);

#endif
