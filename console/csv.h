// SPDX-License-Identifier: Apache-2.0
// Fields of CSV files (RFC 4180).
#ifndef DUET_CONSOLE_CSV_H
#define DUET_CONSOLE_CSV_H

#include <stdio.h>

// Writes a field: quoted where it must be.
void duet_cli_csv_field(const char *text, FILE *stream);

#endif
