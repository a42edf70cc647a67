// SPDX-License-Identifier: Apache-2.0
// The shared parts of the command line, as argp parsers that every command's own parser includes.
#ifndef DUET_CONSOLE_ARGS_H
#define DUET_CONSOLE_ARGS_H

#include <argp.h>

#include "console/common.h"

// Every command's argp input begins with a duet_cli_args. Its parser calls duet_cli_args_enter()
// first, whatever the key.
extern const struct argp duet_cli_platform_argp; // -m -k
extern const struct argp duet_cli_limits_argp;   // -t -j --memory -q
extern const struct argp duet_cli_values_argp;   // --seed -O
extern const struct argp duet_cli_output_argp;   // --json --help
extern const struct argp duet_cli_help_argp;     // --help

// Keys of long options without a letter begin here; those below 300 are the shared ones.
enum { DUET_CLI_FIRST_KEY = 300 };

// What a command may be asked instead of being run, as argv[1]: its page of the manual, its summary
// being argv[2]; or completions of the last of argv[2..].
#define DUET_CLI_MAN_PAGE "--man-page"
#define DUET_CLI_COMPLETE "--complete"

// Parses argv[1..] into `input` (which begins with a duet_cli_args). `name` is the command's. True:
// go on. False: stop with *code, the help or a message is printed.
bool duet_cli_parse(const struct argp *argp, const char *name, int argc, char **argv, void *input,
                    int *code);

// Hands the input on to the shared parsers and remembers how far the command line was good.
void duet_cli_args_enter(int key, struct argp_state *state);

// The help filter of every command: leaves out argp's note on arguments.
char *duet_cli_help_text(int key, const char *text, void *input);

// Records a fault of the command line; returns the error for argp.
error_t duet_cli_usage(duet_cli_args *args, const char *format, ...) DUET_PRINTF(2, 3);

// Takes the next file into files[*count] where that has room for `most`.
error_t duet_cli_take_file(duet_cli_args *args, const char *file, const char **files, size_t *count,
                           size_t most);

// Strict numbers: the whole text, digits only, in range. On failure a usage error is recorded.
bool duet_cli_whole(duet_cli_args *args, const char *option, const char *text, uint64_t minimum,
                    uint64_t maximum, uint64_t *value);

#endif
