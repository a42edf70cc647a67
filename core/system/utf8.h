// SPDX-License-Identifier: Apache-2.0
// UTF-8 as RFC 3629 has it: shortest form, no surrogates, nothing beyond U+10FFFF. And what people
// and terminals are shown of names that come from elsewhere.
#ifndef DUET_CORE_SYSTEM_UTF8_H
#define DUET_CORE_SYSTEM_UTF8_H

#include <stdbool.h>
#include <stddef.h>

// Bytes of the sequence that begins with `lead` (1 .. 4), or 0 where none begins so.
size_t duet_utf8_length(unsigned char lead);
// Whether the `length` bytes form one valid sequence; `length` is duet_utf8_length() of the first.
bool duet_utf8_sequence(const unsigned char *bytes, size_t length);
// Whether all of `text` is valid.
bool duet_utf8_valid(const char *text, size_t length);
// Writes the sequence of `point` (<= 0x10FFFF) into `bytes` of at least 4; returns its length.
size_t duet_utf8_encode(unsigned long point, char *bytes);
// Bytes of the valid sequence that `bytes` begins with, of which `left` may be read; 0 if it begins
// with none. The code point goes into *point where there is one.
size_t duet_utf8_decode(const unsigned char *bytes, size_t left, unsigned long *point);

// Whether showing this character does something else than to show it: control characters (C0, DEL,
// C1), which terminals obey; line and paragraph separators; marks, embeddings, overrides and
// isolates that change the direction of text.
bool duet_utf8_is_control(unsigned long point);
// Whether a text is valid UTF-8 without such characters.
bool duet_utf8_is_plain(const char *text);
// What is shown of the character that `bytes` begins with, of which `left` (> 0) bytes may be read:
// itself, or an escape (\n, \x1b, \u202e; \xff for a byte that is no UTF-8), ended by NUL. Returns
// the bytes that were read.
enum { DUET_SHOWN = 8 };
size_t duet_utf8_show(const unsigned char *bytes, size_t left, char shown[DUET_SHOWN]);
// A whole text so, in `out`; where `size` is too small, cut behind a character. Returns `out`.
char *duet_utf8_show_text(const char *text, char *out, size_t size);

#endif
