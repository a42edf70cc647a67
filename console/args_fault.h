// SPDX-License-Identifier: Apache-2.0
// Says what getopt did not like.
#ifndef DUET_CONSOLE_ARGS_FAULT_H
#define DUET_CONSOLE_ARGS_FAULT_H

#include <argp.h>

#include <duet/error.h>

// Records in `error` which element of the command line is at fault. `good` is getopt's position
// after the last good argument, `next` where it stopped.
void duet_cli_describe_fault(const struct argp *argp, int argc, char **argv, int good, int next,
                             duet_error *error);

#endif
