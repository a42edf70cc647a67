// SPDX-License-Identifier: Apache-2.0
#include "console/command.h"

#include <stddef.h>
#include <string.h>

const duet_cli_command *duet_cli_find_command(const duet_cli_command *table, const char *name)
{
    for (const duet_cli_command *c = table; c->name != NULL; c++) {
        if (strcmp(c->name, name) == 0) {
            return c;
        }
    }
    return NULL;
}
