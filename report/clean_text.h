// SPDX-License-Identifier: Apache-2.0
// Names from files as text that pictures and pages can show.
#ifndef DUET_REPORT_CLEAN_TEXT_H
#define DUET_REPORT_CLEAN_TEXT_H

#include <stddef.h>

// Copies at most `length` bytes of `text` (up to its NUL) into `out` as valid UTF-8 without what
// duet_utf8_is_control() names: the rest becomes '?'. Cut between characters where `size` is too
// small, with "..." for the rest.
void duet_clean_text(const char *text, size_t length, char *out, size_t size);
// The same, one character at a time: what *text begins with, or "?", in `room`. *text goes on.
enum { DUET_CLEAN_CHARACTER = 5 };
const char *duet_clean_character(const char **text, char room[DUET_CLEAN_CHARACTER]);
// Where the last whole character of UTF-8 that ends at or before `at` ends.
size_t duet_text_boundary(const char *text, size_t at);

#endif
