// SPDX-License-Identifier: Apache-2.0
// `duet COMMAND --tuning NAME=VALUE`, in a debug build: a constant of a tuning.h for this run
// alone.
#ifndef DUET_CONSOLE_TUNING_H
#define DUET_CONSOLE_TUNING_H

#include <stdbool.h>

/** Sets every constant that the arguments name, and takes these arguments out of `argv`. Prints
 * what is wrong and returns false for a name that is unknown, for a value that the constant cannot
 * have, and in a build whose constants are none that can be set. */
bool duet_cli_tune(int *argc, char **argv);

#endif
