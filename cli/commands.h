// SPDX-License-Identifier: Apache-2.0
// The commands. Each takes its own part of the command line (argv[0] is its name) and returns the
// exit code.
#ifndef DUET_CLI_COMMANDS_H
#define DUET_CLI_COMMANDS_H

#include "console/command.h"

int duet_cli_solve(int argc, char **argv);
int duet_cli_size_command(int argc, char **argv);
int duet_cli_bound(int argc, char **argv);
int duet_cli_show(int argc, char **argv);
int duet_cli_verify(int argc, char **argv);
int duet_cli_generate(int argc, char **argv);
int duet_cli_convert(int argc, char **argv);
int duet_cli_compare(int argc, char **argv);
int duet_cli_simulate(int argc, char **argv);
int duet_cli_measure(int argc, char **argv);
int duet_cli_report(int argc, char **argv);
int duet_cli_list(int argc, char **argv);

// All of them, in the order in which help and manual tell of them.
extern const duet_cli_command duet_cli_commands[];

#endif
