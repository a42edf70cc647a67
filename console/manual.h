// SPDX-License-Identifier: Apache-2.0
// Pages of the manual, made of the tables that the command itself reads.
#ifndef DUET_CONSOLE_MANUAL_H
#define DUET_CONSOLE_MANUAL_H

#include <stdio.h>

#include "console/options.h"
#include "console/registry_text.h"

// `duet help --man [PAGE]`: argv[0] is "--man". Prints the source of a page, or the names of all.
// Returns the exit code.
int duet_cli_manual(int argc, char **argv);

// The page of one command, from its tables.
void duet_cli_manual_command(FILE *stream, const duet_cli_syntax *syntax, const char *summary);

// The page of a registry, in section 7.
void duet_cli_manual_registry(FILE *stream, const duet_cli_registry *registry);

// EXIT STATUS, the same for all.
void duet_cli_manual_exits(FILE *stream);

// roff.c
// Begins a page: its name, section, and the line that NAME says of it.
void duet_roff_begin(FILE *stream, const char *name, int section, const char *summary);
// .SH with this heading.
void duet_roff_section(FILE *stream, const char *heading);
// The first paragraph of a section; lines are filled. Then one more.
void duet_roff_line(FILE *stream, const char *text);
void duet_roff_paragraph(FILE *stream, const char *text);
// Text within a line or a run of lines, with all that roff would take for its own escaped.
void duet_roff_text(FILE *stream, const char *text);
// A word of the command line in bold or italics.
void duet_roff_bold(FILE *stream, const char *text);
void duet_roff_italic(FILE *stream, const char *text);
// SEE ALSO: pages as "name(section)", separated by spaces.
void duet_roff_see_also(FILE *stream, const char *pages);

#endif
