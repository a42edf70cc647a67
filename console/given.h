// SPDX-License-Identifier: Apache-2.0
// What the command line gives of an instance beforehand: a plan that is under way, parts that stay,
// processors that are lost.
#ifndef DUET_CONSOLE_GIVEN_H
#define DUET_CONSOLE_GIVEN_H

#include <duet/replan.h>

#include "console/args.h"

// Whether the command line says more of the instance than its file: --now, --fix or --without.
bool duet_cli_gives(const duet_cli_args *args);
// Puts the instance in which all that is given into the place of `*instance`. `*plan` (NULL: not
// wanted) receives --start-from, continued; NULL without that option. Without --now a --start-from
// is nothing that is given; `hints`: it may stand there all the same. DUET_E_USAGE, and those of
// duet_read_fixes() and duet_replan().
duet_code duet_cli_give(const duet_cli_args *args, bool hints, duet_instance **instance,
                        duet_solution **plan, duet_error *error);

// A note that a plan of --start-from has an end, which is not used without --now. `why`: the end
// that is no sum of start and time.
void duet_cli_note_end(const duet_cli_args *args, const char *why);

#endif
