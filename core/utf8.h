// SPDX-License-Identifier: Apache-2.0
// UTF-8 as RFC 3629 has it: shortest form, no surrogates, nothing beyond U+10FFFF.
#ifndef DUET_CORE_UTF8_H
#define DUET_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

// Bytes of the sequence that begins with `lead` (1 .. 4), or 0 where none begins so.
size_t duet_utf8_length(unsigned char lead);
// Whether the `length` bytes form one valid sequence; `length` is duet_utf8_length() of the first.
bool duet_utf8_sequence(const unsigned char *bytes, size_t length);
// Bytes of the valid sequence that `bytes` begins with, of which `left` may be read; 0 where there
// is none. Nothing behind a NUL is read.
size_t duet_utf8_step(const unsigned char *bytes, size_t left);
// Whether all of `text` is valid.
bool duet_utf8_valid(const char *text, size_t length);
// Writes the sequence of `point` (<= 0x10FFFF) into `bytes` of at least 4; returns its length.
size_t duet_utf8_encode(unsigned long point, char *bytes);

#endif
