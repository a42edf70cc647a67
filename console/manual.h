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

#endif
