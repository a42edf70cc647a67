// SPDX-License-Identifier: Apache-2.0
// The commands. Each takes its own part of the command line (argv[0] is its name) and returns the
// exit code.
#ifndef DUET_CLI_COMMANDS_H
#define DUET_CLI_COMMANDS_H

int duet_cli_solve(int argc, char **argv);
int duet_cli_bound(int argc, char **argv);
int duet_cli_verify(int argc, char **argv);
int duet_cli_generate(int argc, char **argv);
int duet_cli_compare(int argc, char **argv);
int duet_cli_measure(int argc, char **argv);
int duet_cli_report(int argc, char **argv);
int duet_cli_list(int argc, char **argv);

typedef struct duet_cli_command {
    const char *name; // NULL at the end of a table
    const char *summary;
    int (*run)(int argc, char **argv);
} duet_cli_command;

// All of them, in the order in which help and manual tell of them.
extern const duet_cli_command duet_cli_commands[];

// The command of that name; NULL where there is none.
const duet_cli_command *duet_cli_find_command(const duet_cli_command *table, const char *name);

#endif
