// SPDX-License-Identifier: Apache-2.0
#include "cli/losses.h"

#include <stdio.h>
#include <string.h>

#include "console/platform.h"
#include "console/print.h"
#include "core/instance/instance.h"
#include "core/system/path.h"
#include "core/system/shell_word.h"

void duet_cli_note_ending(const char *path, const char *format)
{
    const char *dot = path == NULL ? NULL : strrchr(path, '.');
    if (format != NULL || dot == NULL || strchr(dot, '/') != NULL ||
        duet_path_ends(path, ".json .csv .dot .gv")) {
        return;
    }
    duet_cli_print(
        stderr,
        "duet: note: %s: no format has the ending '%s', so this is JSON; --format says which "
        "is written\n",
        path, dot);
}

void duet_cli_note_losses(const char *path, const char *format, const duet_instance *instance)
{
    bool csv =
        format != NULL ? strcmp(format, "csv") == 0 : path != NULL && duet_path_ends(path, ".csv");
    const char *unit = duet_instance_time_unit(instance);
    bool platform = duet_instance_has_platform(instance);
    if (!csv || (!platform && unit[0] == '\0')) {
        return;
    }
    fputs("duet: note: a CSV file holds no platform and no unit: give them with", stderr);
    char word[DUET_SHELL_WORD];
    if (platform) {
        duet_cli_print(stderr, " --platform %s", duet_cli_counts(instance, word));
    }
    if (unit[0] != '\0') {
        duet_cli_print(stderr, "%s--unit %s", platform ? " and " : " ",
                       duet_shell_word(unit, "U", word, sizeof word));
    }
    fputs(" where it is read\n", stderr);
}
