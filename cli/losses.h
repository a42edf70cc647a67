// SPDX-License-Identifier: Apache-2.0
// What convert and generate say of a file that is written in another format than asked for, or that
// has no place for all there is.
#ifndef DUET_CLI_LOSSES_H
#define DUET_CLI_LOSSES_H

#include <stdbool.h>

#include <duet/duet.h>

// A path whose ending names no format gets JSON, and a note; NULL as a path is standard output, as
// a format that which the ending says.
void duet_cli_note_ending(const char *path, const char *format);
// What CSV and DOT have no place for and the instance has, such as a claim or watts, which JSON
// alone holds; with `platform` also that a table holds no platform and no unit.
void duet_cli_note_losses(const char *path, const char *format, const duet_instance *instance,
                          bool platform);

#endif
