// SPDX-License-Identifier: Apache-2.0
// Exit codes of the command, and the one line that says what went wrong.
#ifndef DUET_CONSOLE_EXIT_CODE_H
#define DUET_CONSOLE_EXIT_CODE_H

#include <duet/error.h>

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

#endif
