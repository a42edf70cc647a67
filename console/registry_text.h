// SPDX-License-Identifier: Apache-2.0
// The registry's tables and their rows in words, for the list, the manual and the completion.
#ifndef DUET_CONSOLE_REGISTRY_TEXT_H
#define DUET_CONSOLE_REGISTRY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/duet.h>

#include "core/names.h"

typedef struct duet_cli_registry {
    const char *name;    // "algorithms"
    const char *summary; // what they are
    size_t (*count)(void);
    const duet_entry *(*entry)(size_t index);
    const char *guarantee;                   // what an entry's guarantee is; NULL: they have none
    const duet_option_spec *(*common)(void); // options of all of them beside their own; NULL: none
    bool handles;                            // whether an entry says which features it handles
} duet_cli_registry;

enum { DUET_CLI_REGISTRIES = 4 };
extern const duet_cli_registry duet_cli_registries[DUET_CLI_REGISTRIES];
// The registry of that name; NULL: no registry has it.
const duet_cli_registry *duet_cli_find_registry(const char *name);
// The entry of that name; NULL: the registry has no such entry.
const duet_entry *duet_cli_find_entry(const duet_cli_registry *registry, const char *name);
// Offers the names of its entries as what was meant.
void duet_cli_offer_entries(const duet_cli_registry *registry, duet_nearest *nearest);
// The options that all entries take beside their own; NULL: none.
const duet_option_spec *duet_cli_common_options(const duet_cli_registry *registry);

// What an entry's `needs` asks of the build, "" for nothing.
const char *duet_cli_needs(unsigned needs);

// A feature that an entry may handle.
typedef struct duet_cli_feature {
    unsigned bit;     // of duet_feature
    const char *name; // "any-types", for programs
    const char *text; // "any number of processor types", for people
} duet_cli_feature;

enum { DUET_CLI_FEATURES = 8, DUET_CLI_HANDLES_TEXT = 300 };
extern const duet_cli_feature duet_cli_features[DUET_CLI_FEATURES];
// What an entry handles, for people, in `buffer` of DUET_CLI_HANDLES_TEXT bytes; returns `buffer`.
char *duet_cli_handles(const duet_entry *entry, char *buffer);

const char *duet_cli_option_type(duet_option_type type);
// Whether minimum and maximum count.
bool duet_cli_option_has_range(const duet_option_spec *spec);
// A limit as a user would write it; returns `buffer`.
char *duet_cli_option_limit(const duet_option_spec *spec, int64_t limit, char *buffer, size_t size);

enum { DUET_CLI_OPTION_TEXT = 160 };
// The values that it takes, with their unit: "0..10 steps", "a|b", "TEXT"; returns `buffer`.
char *duet_cli_option_domain(const duet_option_spec *spec, char *buffer, size_t size);
// The default, "none" where it is empty.
const char *duet_cli_option_default(const duet_option_spec *spec);

// bounds.c
// Whether a bound says something of the instance that others do not say sooner: those of graphs
// need edges, those of moldable tasks such tasks.
bool duet_bound_applies(const duet_entry *entry, const duet_instance *instance);

#endif
