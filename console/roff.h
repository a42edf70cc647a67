// SPDX-License-Identifier: Apache-2.0
// Source of manual pages, in the man(7) macros that groff and mandoc know.
#ifndef DUET_CONSOLE_ROFF_H
#define DUET_CONSOLE_ROFF_H

#include <stdio.h>

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
