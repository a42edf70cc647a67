// SPDX-License-Identifier: Apache-2.0
// The registry's tables and their rows in words.
#include "console/registry_text.h"
#include "console/plugin.h"
#include "core/options.h"

#include <stdio.h>
#include <string.h>

const duet_cli_registry duet_cli_registries[DUET_CLI_REGISTRIES] = {
    {"algorithms", "the algorithms that make schedules", duet_cli_algorithm_count,
     duet_cli_algorithm_entry, "guarantee", duet_common_options, true},
    {"bounds", "lower bounds on the makespan", duet_bound_count, duet_bound_entry, NULL, NULL,
     true},
    {"families", "families of instances that can be made", duet_family_count, duet_family_entry,
     "ratio", NULL, false},
    {"formats", "the files that are read and written", duet_format_count, duet_format_entry, NULL,
     duet_reading_options, false},
};

const duet_cli_registry *duet_cli_find_registry(const char *name)
{
    for (size_t i = 0; i < DUET_CLI_REGISTRIES; i++) {
        if (strcmp(duet_cli_registries[i].name, name) == 0) {
            return &duet_cli_registries[i];
        }
    }
    return NULL;
}

const duet_entry *duet_cli_find_entry(const duet_cli_registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->count(); i++) {
        if (strcmp(registry->entry(i)->name, name) == 0) {
            return registry->entry(i);
        }
    }
    return NULL;
}

void duet_cli_offer_entries(const duet_cli_registry *registry, duet_nearest *nearest)
{
    for (size_t i = 0; i < registry->count(); i++) {
        duet_nearest_offer(nearest, registry->entry(i)->name);
    }
}

const duet_option_spec *duet_cli_common_options(const duet_cli_registry *registry)
{
    return registry->common == NULL ? NULL : registry->common();
}

const char *duet_cli_needs(unsigned needs)
{
    return (needs & DUET_NEEDS_GLPK) != 0 ? "a build with GLPK" : "";
}

const duet_cli_feature duet_cli_features[DUET_CLI_FEATURES] = {
    {DUET_FEATURE_PRECEDENCE, "precedence", "precedence"},
    {DUET_FEATURE_COMMUNICATION, "communication", "communication"},
    {DUET_FEATURE_MOLDABLE, "moldable", "moldable tasks"},
    {DUET_FEATURE_ANY_TYPES, "any-types", "any number of processor types"},
    {DUET_FEATURE_MIXED_SETS, "mixed-sets", "mixed sets"},
    {DUET_FEATURE_RIGID, "rigid", "rigid tasks"},
    {DUET_FEATURE_RELEASES, "releases", "releases"},
    {DUET_FEATURE_BUSY, "busy", "busy processors"},
};

char *duet_cli_handles(const duet_entry *entry, char *buffer)
{
    const size_t size = DUET_CLI_HANDLES_TEXT;
    unsigned handles = entry->handles;
    bool moldable = (entry->needs & DUET_NEEDS_MOLDABLE) != 0;
    size_t used =
        (size_t)snprintf(buffer, size, "%s%s", moldable ? "moldable tasks" : "independent tasks",
                         (handles & DUET_FEATURE_ANY_TYPES) == 0 ? ", two processor types" : "");
    for (size_t i = 0; i < DUET_CLI_FEATURES; i++) {
        unsigned bit = duet_cli_features[i].bit;
        if ((handles & bit) == 0 || (moldable && bit == DUET_FEATURE_MOLDABLE)) {
            continue;
        }
        bool two =
            bit == DUET_FEATURE_ANY_TYPES && (entry->needs & DUET_NEEDS_TWO_TYPES_WITH_EDGES) != 0;
        bool alone =
            bit == DUET_FEATURE_MOLDABLE && (entry->needs & DUET_NEEDS_NO_MOLDABLE_EDGES) != 0;
        used += (size_t)snprintf(buffer + used, size - used, ", %s%s", duet_cli_features[i].text,
                                 two     ? " (two with precedence)"
                                 : alone ? " (without precedence)"
                                         : "");
    }
    return buffer;
}

const char *duet_cli_option_type(duet_option_type type)
{
    static const char *const names[] = {"integer", "decimal", "boolean", "choice", "text", "share"};
    return (size_t)type < sizeof names / sizeof names[0] ? names[type] : "unknown";
}

// Decimals are declared in thousandths, shares in billionths.
char *duet_cli_option_limit(const duet_option_spec *spec, int64_t limit, char *buffer, size_t size)
{
    if (spec->type == DUET_OPTION_DECIMAL || spec->type == DUET_OPTION_SHARE) {
        int places = spec->type == DUET_OPTION_DECIMAL ? 3 : 9;
        unsigned long long one = spec->type == DUET_OPTION_DECIMAL ? 1000 : DUET_BILLION;
        bool negative = limit < 0;
        unsigned long long size_of = negative ? 0 - (uint64_t)limit : (uint64_t)limit;
        int used = snprintf(buffer, size, "%s%llu.%0*llu", negative ? "-" : "", size_of / one,
                            places, size_of % one);
        while (used > 0 && buffer[used - 1] == '0') {
            buffer[--used] = '\0';
        }
        if (used > 0 && buffer[used - 1] == '.') {
            buffer[used - 1] = '\0';
        }
    } else {
        snprintf(buffer, size, "%lld", (long long)limit);
    }
    return buffer;
}

bool duet_cli_option_has_range(const duet_option_spec *spec)
{
    return spec->type == DUET_OPTION_INTEGER || spec->type == DUET_OPTION_DECIMAL ||
           spec->type == DUET_OPTION_SHARE;
}

char *duet_cli_option_domain(const duet_option_spec *spec, char *buffer, size_t size)
{
    char low[64];
    char high[64];
    const char *unit = spec->unit == NULL ? "" : spec->unit;
    const char *space = unit[0] == '\0' ? "" : " ";
    if (duet_cli_option_has_range(spec)) {
        snprintf(buffer, size, "%s..%s%s%s",
                 duet_cli_option_limit(spec, spec->minimum, low, sizeof low),
                 duet_cli_option_limit(spec, spec->maximum, high, sizeof high), space, unit);
    } else {
        const char *words = spec->type == DUET_OPTION_CHOICE    ? spec->choices
                            : spec->type == DUET_OPTION_BOOLEAN ? "true|false"
                                                                : "TEXT";
        snprintf(buffer, size, "%s%s%s", words, space, unit);
    }
    return buffer;
}

const char *duet_cli_option_default(const duet_option_spec *spec)
{
    return spec->fallback == NULL || spec->fallback[0] == '\0' ? "none" : spec->fallback;
}
