// SPDX-License-Identifier: Apache-2.0
// Algorithms of plug-ins (--plugin): rows beside the library's for as long as the process runs. The
// library itself has no such state: it is handed their registry with each call.
#ifndef DUET_CONSOLE_PLUGIN_H
#define DUET_CONSOLE_PLUGIN_H

#include <duet/custom.h>

#include "console/options.h"

enum { DUET_CLI_MOST_PLUGGED = 64 }; // algorithms of all plug-ins

// --plugin FILE, which may be given several times. FILE.so is a shared object (DUET_PLUGIN_ENTRY);
// FILE.py is a file of Python whose rules (duet.rule) run in a process of their own.
extern const duet_cli_option duet_cli_plugin_options[];

// The algorithms of all that were loaded; NULL: there are none.
const duet_registry *duet_cli_plugins(void);

// The library's algorithms, then those of plug-ins.
size_t duet_cli_algorithm_count(void);
const duet_entry *duet_cli_algorithm_entry(size_t index);
// NULL where there is no algorithm of that name.
const duet_entry *duet_cli_find_algorithm(const char *name);
// The file of the plug-in that has an algorithm of that name, as it was given; NULL where none has;
// "" where it is a rule of a program in Python, which no file has.
const char *duet_cli_plugin_of(const char *name);
// Refuses that name of a list of -a, of which `expected` says what may stand there.
duet_code duet_cli_unknown_algorithm(const char *name, const char *expected, duet_error *error);

#endif
