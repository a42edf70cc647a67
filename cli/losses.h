// SPDX-License-Identifier: Apache-2.0
// What convert and generate say of a file that is written in another format than asked for, or that
// has no place for all there is.
#ifndef DUET_CLI_LOSSES_H
#define DUET_CLI_LOSSES_H

#include <duet/duet.h>

// A path whose ending names no format gets JSON, and a note; NULL as a path is standard output, as
// a format that which the ending says.
void duet_cli_note_ending(const char *path, const char *format);
// A table has no place for a platform and a unit.
void duet_cli_note_losses(const char *path, const char *format, const duet_instance *instance);

#endif
