// SPDX-License-Identifier: Apache-2.0
#include "report/clean_text.h"

#include <stdbool.h>
#include <string.h>

#include "core/utf8.h"

// Bytes of the UTF-8 character at `text`, of which `left` bytes may be read; 0 where it is invalid
// or a control character.
static size_t character(const unsigned char *text, size_t left)
{
    bool c0 = text[0] < 0x20 || text[0] == 0x7F;
    bool c1 = left > 1 && text[0] == 0xC2 && text[1] < 0xA0;
    return c0 || c1 ? 0 : duet_utf8_step(text, left);
}

size_t duet_text_boundary(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80) {
        at--;
    }
    return at;
}

void duet_clean_text(const char *text, size_t length, char *out, size_t size)
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
            used = duet_text_boundary(out, keep < used ? keep : used);
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
