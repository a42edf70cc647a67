// SPDX-License-Identifier: Apache-2.0
// Text in a picture.
#include "report/gantt/text.h"

#include <string.h>

#include "report/clean_text.h"

void duet_gantt_font(cairo_t *cr, double size, bool bold)
{
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
}

void duet_gantt_ink(cairo_t *cr, duet_colour colour)
{
    cairo_set_source_rgb(cr, colour.r, colour.g, colour.b);
}

double duet_gantt_text_width(cairo_t *cr, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}

void duet_gantt_text(cairo_t *cr, double x, double y, duet_gantt_align align, const char *text)
{
    if (align != DUET_ALIGN_LEFT) {
        double width = duet_gantt_text_width(cr, text);
        x -= align == DUET_ALIGN_RIGHT ? width : width / 2;
    }
    cairo_move_to(cr, x, y);
    cairo_show_text(cr, text);
}

void duet_gantt_fit(cairo_t *cr, char *text, size_t size, double width)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    size_t length = strlen(text);
    if (duet_gantt_text_width(cr, text) <= width) {
        return;
    }
    if (length + sizeof ellipsis > size) {
        length = size - sizeof ellipsis;
    }
    do {
        length = length > 0 ? duet_text_boundary(text, length - 1) : 0;
        memcpy(text + length, ellipsis, sizeof ellipsis);
    } while (length > 0 && duet_gantt_text_width(cr, text) > width);
}
