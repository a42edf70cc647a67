// SPDX-License-Identifier: Apache-2.0
// UTF-8 as RFC 3629 has it: shortest form, no surrogates, nothing beyond U+10FFFF.
#include "core/system/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t duet_utf8_length(unsigned char lead)
{
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return 2;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        return 3;
    }
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

bool duet_utf8_sequence(const unsigned char *bytes, size_t length)
{
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return false;
        }
    }
    // The second byte of some sequences has a narrower range: longer forms of shorter sequences,
    // surrogates, and what lies beyond U+10FFFF.
    switch (bytes[0]) {
    case 0xE0:
        return bytes[1] >= 0xA0;
    case 0xED:
        return bytes[1] <= 0x9F;
    case 0xF0:
        return bytes[1] >= 0x90;
    case 0xF4:
        return bytes[1] <= 0x8F;
    default:
        return true;
    }
}

// Bytes of the valid sequence that `bytes` begins with, of which `left` may be read; 0 if it begins
// with none. Nothing behind a NUL is read.
static size_t utf8_step(const unsigned char *bytes, size_t left)
{
    size_t length = left == 0 ? 0 : duet_utf8_length(bytes[0]);
    return length <= left && length > 0 && duet_utf8_sequence(bytes, length) ? length : 0;
}

bool duet_utf8_valid(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t at = 0; at < length;) {
        size_t step = utf8_step(bytes + at, length - at);
        if (step == 0) {
            return false;
        }
        at += step;
    }
    return true;
}

size_t duet_utf8_encode(unsigned long point, char *bytes)
{
    if (point < 0x80) {
        bytes[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        bytes[0] = (char)(0xC0 | (point >> 6));
        bytes[1] = (char)(0x80 | (point & 0x3F));
        return 2;
    }
    if (point < 0x10000) {
        bytes[0] = (char)(0xE0 | (point >> 12));
        bytes[1] = (char)(0x80 | ((point >> 6) & 0x3F));
        bytes[2] = (char)(0x80 | (point & 0x3F));
        return 3;
    }
    bytes[0] = (char)(0xF0 | (point >> 18));
    bytes[1] = (char)(0x80 | ((point >> 12) & 0x3F));
    bytes[2] = (char)(0x80 | ((point >> 6) & 0x3F));
    bytes[3] = (char)(0x80 | (point & 0x3F));
    return 4;
}

size_t duet_utf8_decode(const unsigned char *bytes, size_t left, unsigned long *point)
{
    size_t length = utf8_step(bytes, left);
    if (length > 0) {
        *point = length == 1 ? bytes[0] : bytes[0] & (0xFFU >> (length + 1));
    }
    for (size_t i = 1; i < length; i++) {
        *point = *point << 6 | (bytes[i] & 0x3F);
    }
    return length;
}

bool duet_utf8_is_control(unsigned long point)
{
    bool c0 = point < 0x20;
    bool del_or_c1 = point >= 0x7F && point <= 0x9F;
    bool mark = point == 0x061C || point == 0x200E || point == 0x200F;
    bool separator_or_embedding = point >= 0x2028 && point <= 0x202E;
    bool isolate = point >= 0x2066 && point <= 0x2069;
    return c0 || del_or_c1 || mark || separator_or_embedding || isolate;
}

bool duet_utf8_is_plain(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    unsigned long point = 0;
    for (size_t step = 1; *at != '\0' && step > 0; at += step) {
        step = duet_utf8_decode(at, SIZE_MAX, &point);
        step = duet_utf8_is_control(point) ? 0 : step;
    }
    return *at == '\0';
}

// The control characters that have a letter of their own.
static const char *short_escape(unsigned long point)
{
    return point == '\n' ? "\\n" : point == '\r' ? "\\r" : point == '\t' ? "\\t" : NULL;
}

size_t duet_utf8_show(const unsigned char *bytes, size_t left, char shown[DUET_SHOWN])
{
    unsigned long point = 0;
    size_t length = duet_utf8_decode(bytes, left, &point);
    if (length > 0 && !duet_utf8_is_control(point)) {
        memcpy(shown, bytes, length);
        shown[length] = '\0';
    } else if (length > 0 && short_escape(point) != NULL) {
        memcpy(shown, short_escape(point), sizeof "\\n");
    } else if (length < 2) {
        snprintf(shown, DUET_SHOWN, "\\x%02x", bytes[0]);
    } else {
        snprintf(shown, DUET_SHOWN, "\\u%04lx", point & 0xFFFF);
    }
    return length > 0 ? length : 1;
}

char *duet_utf8_show_text(const char *text, char *out, size_t size)
{
    size_t used = 0;
    while (*text != '\0') {
        char shown[DUET_SHOWN];
        text += duet_utf8_show((const unsigned char *)text, SIZE_MAX, shown);
        size_t length = strlen(shown);
        if (used + length >= size) {
            break;
        }
        memcpy(out + used, shown, length);
        used += length;
    }
    out[used] = '\0';
    return out;
}
