// SPDX-License-Identifier: Apache-2.0
// Says what getopt did not like.
#ifndef DUET_CONSOLE_OPTION_FAULT_H
#define DUET_CONSOLE_OPTION_FAULT_H

#include "console/options.h"

// Records in `error` which element of the command line is at fault. `good` is getopt's position
// after the last good argument, `next` where it stopped.
void duet_cli_describe_fault(const duet_cli_syntax *syntax, int argc, char **argv, int good,
                             int next, duet_error *error);

#endif
