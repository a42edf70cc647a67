// SPDX-License-Identifier: Apache-2.0
// Names from files as text that pictures and pages can show.
#include "report/texts.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/utf8.h"

// Bytes of the character at `text`, of which `left` bytes may be read. *good: it can be shown.
static size_t character(const unsigned char *text, size_t left, bool *good)
{
    unsigned long point = 0;
    size_t length = duet_utf8_decode(text, left, &point);
    *good = length > 0 && !duet_utf8_is_control(point);
    return length > 0 ? length : 1;
}

const char *duet_clean_character(const char **text, char room[DUET_CLEAN_CHARACTER])
{
    bool good = false;
    size_t step = character((const unsigned char *)*text, SIZE_MAX, &good);
    memcpy(room, good ? *text : "?", good ? step : 1);
    room[good ? step : 1] = '\0';
    *text += step;
    return room;
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
        bool good = false;
        size_t step = character((const unsigned char *)text + at, total - at, &good);
        size_t bytes = good ? step : 1;
        if (used + bytes + 1 > size) {
            size_t keep = size > sizeof dots ? size - sizeof dots : 0;
            used = duet_text_boundary(out, duet_min(keep, used));
            memcpy(out + used, dots, size > sizeof dots ? sizeof dots : 0);
            out[size > sizeof dots ? used + sizeof dots - 1 : used] = '\0';
            return;
        }
        if (good) {
            memcpy(out + used, text + at, step);
        } else {
            out[used] = '?';
        }
        used += bytes;
        at += step;
        out[used] = '\0';
    }
    out[used] = '\0';
}
