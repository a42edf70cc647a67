// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM end a search early and keep its result.
#ifndef DUET_CONSOLE_SIGNALS_H
#define DUET_CONSOLE_SIGNALS_H

#include <duet/solve.h>

// Puts SIGHUP back to what the process was started with, whatever libraries made of it when they
// were loaded. To be called first.
void duet_cli_signals_begin(void);
// From now on SIGINT and SIGTERM request `cancel`; a second one ends the process at once.
void duet_cli_signals_catch(duet_cancel *cancel);
// Back to the default: a signal ends the process. To be called before `cancel` is freed.
void duet_cli_signals_release(void);

#endif
