// SPDX-License-Identifier: Apache-2.0
// What the commands share: exit codes and messages, the shared parts of the command line, loading
// an instance, and texts for people.
#ifndef DUET_CONSOLE_COMMON_H
#define DUET_CONSOLE_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/duet.h>

#include "console/args.h"

// Exit codes of the command beside those that follow from a duet_code.
enum { DUET_CLI_OK = 0, DUET_CLI_FAULT = 1 };

// What the exit codes mean.
typedef struct duet_cli_exit {
    int code;
    const char *meaning; // NULL at the end
} duet_cli_exit;
extern const duet_cli_exit duet_cli_exits[];

// The exit code that stands for a library error.
int duet_cli_exit_code(duet_code code);

// Prints the one line "duet: FILE:LINE:COLUMN: message" and returns the exit code.
int duet_cli_fail(const duet_error *error);

// DUET_E_USAGE where the processor counts are still unknown.
duet_code duet_cli_require_platform(const char *path, const duet_instance *instance,
                                    duet_error *error);
// Reads an instance, applies the platform, and passes the reader's notice on to standard error.
duet_code duet_cli_load(const duet_cli_args *args, const char *path, duet_instance **out,
                        duet_error *error);

// DUET_E_USAGE unless `path` ends in one of `endings` (".svg .png").
duet_code duet_cli_check_ending(const char *option, const char *path, const char *endings,
                                duet_error *error);
// DUET_E_OUTPUT where `path` can be seen not to be writable as a file: a folder, or in none.
duet_code duet_cli_check_target(const char *path, duet_error *error);
// Whether both are names of one regular file.
bool duet_cli_same_file(const char *a, const char *b);
// The file that an algorithm's options say to write (-O proof=FILE); NULL where they name none.
const char *duet_cli_option_file(const char *algorithm, const duet_options *options);

// "15.6 ms" into `buffer` of at least DUET_CLI_TEXT bytes; returns it.
enum { DUET_CLI_TEXT = 160 };
char *duet_cli_time(const duet_instance *instance, int64_t ticks, char *buffer);
// "20 cpu + 4 gpu" into `buffer`, cut to `size`; returns it.
char *duet_cli_platform(const duet_instance *instance, char *buffer, size_t size);
// How far `value` is above `bound` in percent; negative where that is unknown (no bound).
double duet_cli_gap(int64_t value, int64_t bound);
// To hundredths, upwards: a gap is a promise.
double duet_cli_round_up(double percent);
// The same for people: "4.99 %", "0 %", "unknown".
char *duet_cli_gap_text(int64_t value, int64_t bound, char *buffer);
// The value of a ratio's text, such as "(1+sqrt(5))/2"; negative where it cannot be read.
double duet_cli_ratio_value(const char *text);

#endif
