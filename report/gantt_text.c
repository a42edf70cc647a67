// SPDX-License-Identifier: Apache-2.0
// Text in a picture.
#include "report/gantt_text.h"

#include <string.h>

// Bytes of the UTF-8 character at `text`, of which `left` bytes may be read; 0 where it is invalid
// or a control character.
static size_t character(const unsigned char *text, size_t left)
{
    unsigned char c = text[0];
    if (c < 0x80) {
        return c >= 0x20 && c != 0x7F;
    }
    size_t size = c >= 0xC2 && c <= 0xDF   ? 2
                  : (c & 0xF0) == 0xE0     ? 3
                  : c >= 0xF0 && c <= 0xF4 ? 4
                                           : 0;
    if (size == 0 || size > left) {
        return 0;
    }
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    // Overlong forms, surrogates, values past U+10FFFF, C1 controls.
    if ((c == 0xE0 && text[1] < 0xA0) || (c == 0xED && text[1] > 0x9F) ||
        (c == 0xF0 && text[1] < 0x90) || (c == 0xF4 && text[1] > 0x8F) ||
        (c == 0xC2 && text[1] < 0xA0)) {
        return 0;
    }
    return size;
}

// Where the last whole character that ends at or before `at` ends.
static size_t boundary(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80) {
        at--;
    }
    return at;
}

void duet_gantt_clean(const char *text, size_t length, char *out, size_t size)
{
    static const char dots[] = "...";
    size_t total = 0;
    while (total < length && text[total] != '\0') {
        total++;
    }
    size_t used = 0;
    for (size_t at = 0; at < total;) {
        size_t step = character((const unsigned char *)text + at, total - at);
        size_t bytes = step > 0 ? step : 1;
        if (used + bytes + 1 > size) {
            size_t keep = size > sizeof dots ? size - sizeof dots : 0;
            used = boundary(out, keep < used ? keep : used);
            memcpy(out + used, dots, size > sizeof dots ? sizeof dots : 0);
            out[size > sizeof dots ? used + sizeof dots - 1 : used] = '\0';
            return;
        }
        if (step > 0) {
            memcpy(out + used, text + at, step);
        } else {
            out[used] = '?';
        }
        used += bytes;
        at += bytes;
        out[used] = '\0';
    }
    out[used] = '\0';
}

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
        length = length > 0 ? boundary(text, length - 1) : 0;
        memcpy(text + length, ellipsis, sizeof ellipsis);
    } while (length > 0 && duet_gantt_text_width(cr, text) > width);
}
