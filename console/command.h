// SPDX-License-Identifier: Apache-2.0
// A table of commands: of `duet` itself, or of `duet bench`.
#ifndef DUET_CONSOLE_COMMAND_H
#define DUET_CONSOLE_COMMAND_H

// A command takes its own part of the command line (argv[0] is its name) and returns the exit code.
typedef struct duet_cli_command {
    const char *name; // NULL at the end of a table
    const char *summary;
    int (*run)(int argc, char **argv);
} duet_cli_command;

// The command of that name; NULL: no command has it.
const duet_cli_command *duet_cli_find_command(const duet_cli_command *table, const char *name);

#endif
