// SPDX-License-Identifier: Apache-2.0
// What the first line of a file says of how its records are written.
#ifndef DUET_INSTANCES_FORMATS_CSV_DIALECT_H
#define DUET_INSTANCES_FORMATS_CSV_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

#include "instances/formats/csv/csv.h"

// The separator of the fields in the header line that `text` begins with, the most frequent of ',',
// ';', tab and '|' outside of quotes (a comma where they are even), or what follows a first field
// called id. 0: the line is no header: it has none of them, begins as a line of typed-task text
// does, or holds what no text has. `*line` is its length unless the answer is 0.
char duet_csv_sniff(const char *text, size_t length, size_t *line);

// Whether a text is a table of one column: a name, and a number on the next line.
bool duet_csv_is_column(const char *text, size_t length);
// The separator of a table by the line that comes next; a spreadsheet's line "sep=;" is taken.
void duet_csv_find_separator(duet_csv *csv);

#endif
