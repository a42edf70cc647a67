// SPDX-License-Identifier: Apache-2.0
// The end of commands that have no answer in part: where -t is over they end at once, with exit
// code 5.
#ifndef DUET_CONSOLE_DEADLINE_H
#define DUET_CONSOLE_DEADLINE_H

#include "console/args.h"

// From now on the process ends `more` seconds after -t, which counts from when the command line was
// read. Files are written whole or not at all: one that is being written then is not there. Nothing
// happens without -t.
void duet_cli_end_after(const duet_cli_args *args, double more);

#endif
