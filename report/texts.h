// SPDX-License-Identifier: Apache-2.0
// Texts that pictures and pages share.
#ifndef DUET_REPORT_TEXTS_H
#define DUET_REPORT_TEXTS_H

#include <stddef.h>
#include <stdint.h>

// clean_text.c
// Copies at most `length` bytes of `text` (up to its NUL) into `out` as valid UTF-8 without what
// duet_utf8_is_control() names: the rest becomes '?'. Cut between characters where `size` is too
// small, with "..." for the rest.
void duet_clean_text(const char *text, size_t length, char *out, size_t size);
// The same, one character at a time: what *text begins with, or "?", in `room`. *text goes on.
enum { DUET_CLEAN_CHARACTER = 5 };
const char *duet_clean_character(const char **text, char room[DUET_CLEAN_CHARACTER]);
// Where the last whole character of UTF-8 that ends at or before `at` ends.
size_t duet_text_boundary(const char *text, size_t at);

// gap_text.c
// How far the makespan may be above the optimum, in percent, never rounded to less than it is; by
// exact arithmetic. 0 < bound <= makespan. Cut to `size`.
void duet_gap_text(int64_t makespan, int64_t bound, char *text, size_t size);

#endif
