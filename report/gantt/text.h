// SPDX-License-Identifier: Apache-2.0
// Text in a picture.
#ifndef DUET_REPORT_GANTT_TEXT_H
#define DUET_REPORT_GANTT_TEXT_H

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

#include "report/palette.h"

// Where the given x is within the text.
typedef enum duet_gantt_align {
    DUET_ALIGN_LEFT,
    DUET_ALIGN_CENTRE,
    DUET_ALIGN_RIGHT
} duet_gantt_align;

void duet_gantt_font(cairo_t *cr, double size, bool bold);
void duet_gantt_ink(cairo_t *cr, duet_colour colour);
// Width of a text in the current font.
double duet_gantt_text_width(cairo_t *cr, const char *text);
// Shows valid UTF-8 with its base line at y, in the current font and colour.
void duet_gantt_text(cairo_t *cr, double x, double y, duet_gantt_align align, const char *text);
// Cuts `text` (in place) until it is at most `width` wide, with an ellipsis for what went.
void duet_gantt_fit(cairo_t *cr, char *text, size_t size, double width);

#endif
