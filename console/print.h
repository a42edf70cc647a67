// SPDX-License-Identifier: Apache-2.0
// Text for people, on standard output, standard error or in a file. Whatever comes from a file, a
// name or the command line goes through here: no name can move the cursor, begin a line of its own
// or turn the direction of what stands beside it.
#ifndef DUET_CONSOLE_PRINT_H
#define DUET_CONSOLE_PRINT_H

#include <stddef.h>
#include <stdio.h>

#include <duet/export.h>

// As fprintf(), but the texts of %s and the characters of %c are shown by duet_utf8_show()
// (core/system/utf8.h), where a line break is \n. Their width counts characters, not bytes; a
// precision is the most bytes and never parts a character. The format itself is written as it is.
// Understood are d, i, u, x, c, s, e, f and g with flags, width, precision and the lengths l, ll
// and z.
void duet_cli_print(FILE *stream, const char *format, ...) DUET_PRINTF(2, 3);
// Text of the program itself that may hold line breaks, as it is: nothing that was read.
void duet_cli_put_own(FILE *stream, const char *text);
// The characters that a text is shown with: its columns on the screen, near enough.
size_t duet_cli_width(const char *text);

#endif
