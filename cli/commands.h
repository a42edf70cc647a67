// SPDX-License-Identifier: Apache-2.0
// The commands. Each takes its own part of the command line (argv[0] is its name) and returns the
// exit code.
#ifndef DUET_CLI_COMMANDS_H
#define DUET_CLI_COMMANDS_H

#include <stdbool.h>

#include <duet/duet.h>

#include "console/args.h"
#include "console/command.h"
#include "console/json.h"

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

// best_bound.c
// Whether an algorithm or a bound that fails so is left out without spoiling the rest.
bool duet_cli_may_skip(duet_code code);
// Computes every bound, each for one second at most (`given` may say less), and hands those that
// are there to `take`, which copies what it wants. Where `deadline_ns` has passed on the clock of
// duet_clock_ns(), those that are left are left out. Errors: those of a bound that may not be left
// out.
duet_code duet_cli_best_bound(const duet_instance *instance, const duet_params *given,
                              int64_t deadline_ns,
                              void (*take)(void *user, const duet_bound *bound), void *user,
                              duet_error *error);

// deadline.c
// Reads --deadline, where it is given, in the unit of the instance. DUET_E_USAGE.
duet_code duet_cli_take_deadline(duet_cli_args *args, const duet_instance *instance,
                                 duet_error *error);
// Has the solution's file say it.
void duet_cli_keep_deadline(const duet_cli_args *args, const duet_instance *instance,
                            duet_solution *solution);
// The line of a schedule's block.
void duet_cli_print_deadline(const duet_cli_args *args, const duet_instance *instance,
                             const duet_solution *solution);
// How many tasks end after deadlines of their own, and the latest of them; nothing where tasks have
// none.
void duet_cli_print_late(const duet_instance *instance, const duet_solution *solution);
// The same as the member "late" of an object.
void duet_cli_json_late(const duet_instance *instance, const duet_solution *solution,
                        duet_cli_json *json);
// What --price says can be read. DUET_E_USAGE.
duet_code duet_cli_check_price(const duet_cli_args *args, const duet_instance *instance,
                               duet_error *error);
// The line of a schedule's block, and the members "price" and "run_price"; nothing without --price.
void duet_cli_print_price(const duet_cli_args *args, const duet_instance *instance,
                          const duet_solution *solution);
void duet_cli_json_price(const duet_cli_args *args, const duet_instance *instance,
                         const duet_solution *solution, duet_cli_json *json);
// The exit code: 0 where no deadline is given, too.
int duet_cli_deadline_code(const duet_cli_args *args, const duet_solution *solution);

#endif
