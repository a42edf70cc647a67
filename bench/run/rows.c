// SPDX-License-Identifier: Apache-2.0
// The rows that studies run: the library's, and those of plug-ins (console/plugin.h).
#include "bench/run/args.h"

#include <string.h>

#include "console/plugin.h"
#include "solvers/custom.h"
#include "solvers/registry.h"

const duet_algorithm *duet_bench_find_algorithm(const char *name)
{
    static duet_algorithm row[DUET_CLI_MOST_PLUGGED];
    static size_t count;
    const duet_algorithm *found = duet_find_algorithm(name);
    for (; count < duet_registry_count(duet_cli_plugins()); count++) {
        row[count] = duet_custom_row(duet_registry_at(duet_cli_plugins(), count));
    }
    for (size_t i = 0; i < count && found == NULL; i++) {
        found = strcmp(row[i].entry.name, name) == 0 ? &row[i] : NULL;
    }
    return found;
}
