// SPDX-License-Identifier: Apache-2.0
// Times that the command line gives, for an instance: --deadline 600, 1h20m or 2026-11-27T17:00.
#ifndef DUET_CONSOLE_GIVEN_TIME_H
#define DUET_CONSOLE_GIVEN_TIME_H

#include <stdbool.h>

#include <duet/error.h>
#include <duet/instance.h>

enum { DUET_CLI_GIVEN = 40 };

// A time in ticks, rounded down, and as JSON writes the number itself.
typedef struct duet_cli_given_time {
    int64_t ticks;
    char text[DUET_CLI_GIVEN];
} duet_cli_given_time;

// Takes the value of --start. `input` are the arguments of a command.
bool duet_cli_take_start(void *input, const char *text);

// Reads what `option` gives: a number of at least 0 with any number of digits, in the unit of the
// instance, a length with units, or a day and a time, where that of the start is known.
// DUET_E_USAGE.
duet_code duet_cli_read_given_time(const char *option, const char *text,
                                   const duet_instance *instance, duet_cli_given_time *given,
                                   duet_error *error);

enum { DUET_CLI_GIVEN_TEXT = DUET_CLI_GIVEN + 40 };
// "7.5 h": the number with the unit of the instance, if that has one, into `buffer` of at least
// DUET_CLI_GIVEN_TEXT bytes; returns it.
char *duet_cli_given_text(const duet_cli_given_time *given, const duet_instance *instance,
                          char *buffer);

#endif
