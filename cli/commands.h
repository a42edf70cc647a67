// SPDX-License-Identifier: Apache-2.0
// The commands. Each takes its own part of the command line (argv[0] is its name) and returns the
// exit code.
#ifndef DUET_CLI_COMMANDS_H
#define DUET_CLI_COMMANDS_H

#include <stdbool.h>

#include <duet/duet.h>

#include "console/args.h"
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

// topics.c
// Prints what the readers make of a field that is called so; false: they know no such word.
bool duet_cli_print_topic(const char *word);

// export.c
// Writes the program of the instance in `file` to `target` ("-": standard output) in the format of
// that name ("lp", "mps"). Returns the exit code.
int duet_cli_export(const duet_cli_args *args, const char *format, const char *file,
                    const char *target);

// losses.c
// A path whose ending names no format gets JSON, and a note; NULL as a path is standard output, as
// a format that which the ending says.
void duet_cli_note_ending(const char *path, const char *format);
// What CSV and DOT have no place for and the instance has, such as a claim or watts, which JSON
// alone holds; with `platform` also that a table holds no platform and no unit.
void duet_cli_note_losses(const char *path, const char *format, const duet_instance *instance,
                          bool platform);

#endif
