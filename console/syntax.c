// SPDX-License-Identifier: Apache-2.0
// The rows of a command's options, for all that reads or shows them.
#include "console/options.h"

#include <stdio.h>

#include "core/system/assert.h"

const duet_cli_option *duet_cli_option_at(const duet_cli_syntax *syntax, size_t index)
{
    for (size_t t = 0; syntax->tables[t] != NULL; t++) {
        for (const duet_cli_option *o = syntax->tables[t]; o->name != NULL; o++) {
            if (index-- == 0) {
                return o;
            }
        }
    }
    return NULL;
}

char *duet_cli_option_help(const duet_cli_option *option, char buffer[DUET_CLI_HELP])
{
    const char *preset = option->preset == NULL ? "" : option->preset;
    const char *fallback = option->fallback == NULL ? "" : option->fallback;
    int length = snprintf(buffer, DUET_CLI_HELP, "%s", option->text);
    if (preset[0] != '\0' || fallback[0] != '\0') {
        length = snprintf(buffer, DUET_CLI_HELP, "%s (default: %s%s%s)", option->text, preset,
                          preset[0] != '\0' && fallback[0] != '\0' ? "; " : "", fallback);
    }
    DUET_ASSERT(length < DUET_CLI_HELP);
    (void)length;
    return buffer;
}
