// SPDX-License-Identifier: Apache-2.0
// UTF-8 as RFC 3629 has it: shortest form, no surrogates, nothing beyond U+10FFFF.
#include "core/utf8.h"

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

size_t duet_utf8_step(const unsigned char *bytes, size_t left)
{
    size_t length = left == 0 ? 0 : duet_utf8_length(bytes[0]);
    return length <= left && length > 0 && duet_utf8_sequence(bytes, length) ? length : 0;
}

bool duet_utf8_valid(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t at = 0; at < length;) {
        size_t step = duet_utf8_step(bytes + at, length - at);
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
