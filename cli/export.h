// SPDX-License-Identifier: Apache-2.0
// duet compare --export: the assignment program for other solvers.
#ifndef DUET_CLI_EXPORT_H
#define DUET_CLI_EXPORT_H

#include "console/args.h"

// Writes the program of the instance in `file` to `target` ("-": standard output) in the format of
// that name ("lp", "mps"). Returns the exit code.
int duet_cli_export(const duet_cli_args *args, const char *format, const char *file,
                    const char *target);

#endif
