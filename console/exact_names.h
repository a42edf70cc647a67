// SPDX-License-Identifier: Apache-2.0
// Names in formats that have them exactly, CSV and DOT. A terminal is shown them with escapes
// (duet_output_quoted()), and one note at the end says so, in case somebody copies them from there.
#ifndef DUET_CONSOLE_EXACT_NAMES_H
#define DUET_CONSOLE_EXACT_NAMES_H

#include <stdbool.h>
#include <stdio.h>

#include <duet/duet.h>

// Remembers whether `text`, which was written to `stream`, was shown with escapes.
void duet_cli_saw_name(FILE *stream, const char *text);
// Remembers that something was.
void duet_cli_saw_escape(void);
// The same for all names of an instance that was written to standard output in `format` ("json",
// "csv", "dot"; NULL is json).
void duet_cli_saw_instance(const char *format, const duet_instance *instance);
// Whether notes are wanted; they are, until this is called.
void duet_cli_want_names_note(bool wanted);
// Says on standard error that names were shown with escapes, if any was.
void duet_cli_note_names(void);

#endif
