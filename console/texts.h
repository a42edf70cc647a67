// SPDX-License-Identifier: Apache-2.0
// Times, platforms and gaps in words, for people.
#ifndef DUET_CONSOLE_TEXTS_H
#define DUET_CONSOLE_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include <duet/instance.h>

// "15.6 ms", as core/instance/time_text.h has it, into `buffer` of at least DUET_CLI_TEXT bytes;
// returns it.
enum { DUET_CLI_TEXT = 160 };
char *duet_cli_time(const duet_instance *instance, int64_t ticks, char *buffer);
// The same of ticks with `finer` decimal places more than those of the instance.
char *duet_cli_finer_time(const duet_instance *instance, int finer, int64_t ticks, char *buffer);
// "220 tasks in 4 kinds", of a task graph with " with 495 edges" behind it, into `buffer` of at
// least DUET_CLI_TEXT bytes; returns it.
char *duet_cli_size(const duet_instance *instance, char *buffer);
// "20 cpu + 4 gpu", or "30 processors of 30 types" where naming them would fill the screen, into
// `buffer`, cut to `size`; returns it.
char *duet_cli_platform(const duet_instance *instance, char *buffer, size_t size);
// How far `value` is above `bound` in percent; negative where that is unknown (no bound).
double duet_cli_gap(int64_t value, int64_t bound);
// To hundredths, upwards: a gap must not be understated.
double duet_cli_round_up(double percent);
// The same for people: "4.99 %", "0 %", "unknown".
char *duet_cli_gap_text(int64_t value, int64_t bound, char *buffer);

// ratio.c
// The value of a ratio's text, such as "(1+sqrt(5))/2"; negative where it cannot be read.
double duet_cli_ratio_value(const char *text);

#endif
