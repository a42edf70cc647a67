// SPDX-License-Identifier: Apache-2.0
#include "console/plugin.h"

#include <stdio.h>
#include <string.h>

#include "console/rule_process.h"
#include "core/names.h"
#include "core/system/loader.h"
#include "core/system/path.h"
#include "core/system/try.h"

static duet_registry *registry;                 // of this process; it stays until its end
static const char *file[DUET_CLI_MOST_PLUGGED]; // of each of its algorithms

const duet_registry *duet_cli_plugins(void)
{
    return registry;
}

size_t duet_cli_algorithm_count(void)
{
    return duet_algorithm_count() + duet_registry_count(registry);
}

const duet_entry *duet_cli_algorithm_entry(size_t index)
{
    size_t own = duet_algorithm_count();
    return index < own ? duet_algorithm_entry(index) : duet_registry_entry(registry, index - own);
}

const duet_entry *duet_cli_find_algorithm(const char *name)
{
    for (size_t i = 0; i < duet_cli_algorithm_count(); i++) {
        if (strcmp(duet_cli_algorithm_entry(i)->name, name) == 0) {
            return duet_cli_algorithm_entry(i);
        }
    }
    return NULL;
}

const char *duet_cli_plugin_of(const char *name)
{
    for (size_t i = 0; i < duet_registry_count(registry); i++) {
        if (strcmp(duet_registry_entry(registry, i)->name, name) == 0) {
            return duet_rule_process_file(file[i]);
        }
    }
    return NULL;
}

duet_code duet_cli_unknown_algorithm(const char *name, const char *expected, duet_error *error)
{
    char hint[DUET_NEAREST_HINT];
    duet_nearest nearest = duet_nearest_to(name);
    for (size_t i = 0; i < duet_cli_algorithm_count(); i++) {
        duet_nearest_offer(&nearest, duet_cli_algorithm_entry(i)->name);
    }
    return duet_error_set(error, DUET_E_USAGE,
                          "-a: unknown algorithm '%.60s'%s; expected %s separated by commas alone, "
                          "'duet list algorithms' lists them",
                          name, duet_nearest_hint(&nearest, hint), expected);
}

// A name without a folder is a file here, not one of the system's libraries.
static duet_code load_shared(const char *path, duet_error *error)
{
    char here[4096];
    int length = snprintf(here, sizeof here, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    if (length < 0 || (size_t)length >= sizeof here) {
        return duet_error_set(error, DUET_E_USAGE, "--plugin: a path that is too long");
    }
    duet_loader_fault fault;
    void *library = duet_loader_open(here, &fault);
    if (library == NULL) {
        bool linked = strstr(fault.text, "libduet.so") != NULL;
        return duet_error_set_at(error, fault.memory ? DUET_E_MEMORY : DUET_E_INPUT, path, 0, 0,
                                 "it cannot be loaded: %s%s", fault.text,
                                 linked ? "; a plug-in needs no -lduet, as the command has the "
                                          "library: expected it linked without"
                                        : "");
    }
    duet_plugin_function *entry = NULL;
    if (!duet_loader_find(library, DUET_PLUGIN_ENTRY, &entry)) {
        return duet_error_set_at(error, DUET_E_INPUT, path, 0, 0,
                                 "no plug-in: expected it to export the function %s "
                                 "(duet/custom.h)",
                                 DUET_PLUGIN_ENTRY);
    }
    duet_error own = DUET_ERROR_INIT;
    duet_code code = entry(registry, &own);
    return code == DUET_OK
               ? DUET_OK
               : duet_error_set_at(error, code, path, 0, 0, "%s",
                                   own.message[0] == '\0' ? "the plug-in failed" : own.message);
}

// Loads one. DUET_E_INPUT (it cannot be opened, or is no plug-in), DUET_E_LIMIT, DUET_E_MEMORY, and
// what the plug-in itself says.
static duet_code load(const char *path, duet_error *error)
{
    DUET_TRY(registry == NULL ? duet_registry_create(&registry, error) : DUET_OK);
    size_t before = duet_registry_count(registry);
    bool rules = duet_path_ends(path, ".py") || duet_rule_process_is_socket(path);
    DUET_TRY(rules ? duet_rule_process_load(path, registry, error) : load_shared(path, error));
    size_t count = duet_registry_count(registry);
    if (count > DUET_CLI_MOST_PLUGGED) {
        return duet_error_set_at(error, DUET_E_LIMIT, path, 0, 0,
                                 "%zu algorithms of plug-ins: expected at most %d", count,
                                 (int)DUET_CLI_MOST_PLUGGED);
    }
    for (size_t i = before; i < count; i++) {
        file[i] = path;
    }
    return count > before ? DUET_OK
                          : duet_error_set_at(error, DUET_E_INPUT, path, 0, 0,
                                              "the plug-in has no algorithm: expected at least "
                                              "one");
}

static bool take_plugin(void *input, const char *text)
{
    duet_cli_args *args = input;
    return load(text, &args->error) == DUET_OK;
}

const duet_cli_option duet_cli_plugin_options[] = {
    {"plugin", 0, "FILE.so|py", DUET_CLI_OWN(take_plugin),
     .text = "algorithms of one's own beside the others: a shared object (duet/custom.h), or rules "
             "in Python (duet.rule); may be given several times"},
    {0}};
