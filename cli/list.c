// SPDX-License-Identifier: Apache-2.0
// duet list: algorithms, bounds, families and formats, as the registry declares them.
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "console/exit_code.h"
#include "console/json.h"
#include "console/options.h"
#include "console/plugin.h"
#include "console/print.h"
#include "console/registry_text.h"
#include "console/table.h"

typedef struct list_args {
    duet_cli_args shared;
    bool verbose;
} list_args;

static const duet_cli_option options[] = {
    {"verbose", 'v', NULL, DUET_CLI_FLAG(list_args, verbose),
     .text = "show options, what is handled and needed, and references"},
    {0}};
static const duet_cli_syntax syntax = {
    "list",
    "[algorithms|bounds|families|formats] [NAME]",
    2,
    "Lists what there is: all of it, or one part.\v"
    "Examples:\n"
    "  duet list\n"
    "  duet list algorithms -v\n"
    "  duet list algorithms heft\n"
    "  duet list algorithms --plugin rules.so\n"
    "  duet list families --json\n",
    {options, duet_cli_plugin_options, duet_cli_output_options, NULL}};

static void json_choices(duet_cli_json *json, const char *choices)
{
    duet_cli_json_open(json, "choices", '[');
    for (const char *at = choices; *at != '\0';) {
        char word[64];
        size_t length = strcspn(at, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        duet_cli_json_string(json, NULL, word);
        at += length + (at[length] == '|');
    }
    duet_cli_json_close(json, ']');
}

static void json_option(duet_cli_json *json, const duet_option_spec *spec)
{
    char text[64];
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_string(json, "name", spec->name);
    duet_cli_json_string(json, "type", duet_cli_option_type(spec->type));
    duet_cli_json_string(json, "default", spec->fallback);
    if (duet_cli_option_has_range(spec)) {
        duet_cli_json_open(json, "range", '[');
        duet_cli_json_number(json, NULL,
                             duet_cli_option_limit(spec, spec->minimum, text, sizeof text));
        duet_cli_json_number(json, NULL,
                             duet_cli_option_limit(spec, spec->maximum, text, sizeof text));
        duet_cli_json_close(json, ']');
    }
    if (spec->type == DUET_OPTION_CHOICE) {
        json_choices(json, spec->choices);
    }
    duet_cli_json_string(json, "unit", spec->unit == NULL ? "" : spec->unit);
    duet_cli_json_string(json, "text", spec->text);
    duet_cli_json_close(json, '}');
}

// The options of a table, within an array.
static void json_options(duet_cli_json *json, const duet_option_spec *table)
{
    for (const duet_option_spec *o = table; o != NULL && o->name != NULL; o++) {
        json_option(json, o);
    }
}

// What asks something of the platform or of the build.
static void json_requires(duet_cli_json *json, const duet_entry *entry, bool handles)
{
    duet_cli_json_open(json, "requires", '[');
    if (handles && (entry->handles & DUET_FEATURE_ANY_TYPES) == 0) {
        duet_cli_json_string(json, NULL, "two-types");
    }
    if ((entry->needs & DUET_NEEDS_GLPK) != 0) {
        duet_cli_json_string(json, NULL, "glpk");
    }
    if ((entry->needs & DUET_NEEDS_MOLDABLE) != 0) {
        duet_cli_json_string(json, NULL, "moldable");
    }
    if ((entry->needs & DUET_NEEDS_TWO_TYPES_WITH_EDGES) != 0) {
        duet_cli_json_string(json, NULL, "two-types-with-edges");
    }
    if ((entry->needs & DUET_NEEDS_NO_MOLDABLE_EDGES) != 0) {
        duet_cli_json_string(json, NULL, "no-moldable-edges");
    }
    duet_cli_json_close(json, ']');
}

static void json_handles(duet_cli_json *json, const duet_entry *entry)
{
    duet_cli_json_open(json, "handles", '[');
    for (size_t i = 0; i < DUET_CLI_FEATURES; i++) {
        if ((entry->handles & duet_cli_features[i].bit) != 0) {
            duet_cli_json_string(json, NULL, duet_cli_features[i].name);
        }
    }
    duet_cli_json_close(json, ']');
}

static void json_entry(duet_cli_json *json, const duet_cli_registry *list, const duet_entry *entry)
{
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_string(json, "name", entry->name);
    duet_cli_json_string(json, "summary", entry->summary);
    duet_cli_json_string(json, "guarantee", entry->guarantee);
    duet_cli_json_string(json, "reference", entry->reference == NULL ? "" : entry->reference);
    json_requires(json, entry, list->handles);
    if (list->handles) {
        json_handles(json, entry);
    }
    duet_cli_json_open(json, "options", '[');
    json_options(json, entry->options);
    json_options(json, duet_cli_common_options(list));
    duet_cli_json_close(json, ']');
    duet_cli_json_close(json, '}');
}

static void json_registry(duet_cli_json *json, const char *key, const duet_cli_registry *list)
{
    duet_cli_json_open(json, key, '[');
    for (size_t i = 0; i < list->count(); i++) {
        json_entry(json, list, list->entry(i));
    }
    duet_cli_json_close(json, ']');
}

static void print_option(const duet_option_spec *spec)
{
    char domain[DUET_CLI_OPTION_TEXT];
    duet_cli_print(stdout, "      -O %s=%s (default: %s)\n          %s\n", spec->name,
                   duet_cli_option_domain(spec, domain, sizeof domain),
                   duet_cli_option_default(spec), spec->text);
}

static void print_options(const duet_option_spec *table)
{
    for (const duet_option_spec *o = table; o != NULL && o->name != NULL; o++) {
        print_option(o);
    }
}

// All of a list, or of the one of that name.
static void print_verbose(const duet_cli_registry *list, const char *name)
{
    for (size_t i = 0; i < list->count(); i++) {
        const duet_entry *entry = list->entry(i);
        if (name != NULL && strcmp(entry->name, name) != 0) {
            continue;
        }
        duet_cli_print(stdout, "  %s\n      %s\n", entry->name, entry->summary);
        if (entry->guarantee != NULL) {
            duet_cli_print(stdout, "      %s: %s\n", list->guarantee, entry->guarantee);
        }
        if (list->handles) {
            char text[DUET_CLI_HANDLES_TEXT];
            duet_cli_print(stdout, "      handles: %s\n", duet_cli_handles(entry, text));
        }
        if (duet_cli_needs(entry->needs)[0] != '\0') {
            duet_cli_print(stdout, "      needs: %s\n", duet_cli_needs(entry->needs));
        }
        if (entry->reference != NULL && entry->reference[0] != '\0') {
            duet_cli_print(stdout, "      reference: %s\n", entry->reference);
        }
        print_options(entry->options);
    }
    if (name == NULL && duet_cli_common_options(list) != NULL) {
        printf("  every one of them, beside its own options\n");
        print_options(duet_cli_common_options(list));
    }
}

static void print_table(const duet_cli_registry *list)
{
    duet_cli_table table;
    // What an algorithm guarantees, what a worst-case family reaches.
    bool guarantees = list->guarantee != NULL;
    duet_cli_table_init(&table, guarantees ? "lll" : "ll");
    for (size_t i = 0; i < list->count(); i++) {
        const duet_entry *entry = list->entry(i);
        duet_cli_table_add(&table, entry->name);
        duet_cli_table_add(&table, entry->summary);
        if (guarantees) {
            duet_cli_table_add(&table, entry->guarantee == NULL ? "-" : entry->guarantee);
        }
    }
    duet_cli_table_print(&table, 2, stdout);
    duet_cli_table_free(&table);
}

static int print_lists(const list_args *args, const duet_cli_registry *only)
{
    duet_cli_json json = {stdout, 0, true};
    if (args->shared.json && only != NULL) {
        json_registry(&json, NULL, only);
        return DUET_CLI_OK;
    }
    if (args->shared.json) {
        duet_cli_json_open(&json, NULL, '{');
    }
    for (size_t i = 0; i < DUET_CLI_REGISTRIES; i++) {
        const duet_cli_registry *list = &duet_cli_registries[i];
        if (args->shared.json) {
            json_registry(&json, list->name, list);
        } else if (only == NULL || only == list) {
            duet_cli_print(stdout, only == NULL && i > 0 ? "\n%s:\n" : "%s:\n", list->name);
            if (args->verbose) {
                print_verbose(list, NULL);
            } else {
                print_table(list);
            }
        }
    }
    if (args->shared.json) {
        duet_cli_json_close(&json, '}');
    }
    return DUET_CLI_OK;
}

static void refuse_list(list_args *args, const char *name)
{
    char hint[DUET_NEAREST_HINT];
    duet_nearest nearest = duet_nearest_to(name);
    for (size_t i = 0; i < DUET_CLI_REGISTRIES; i++) {
        duet_nearest_offer(&nearest, duet_cli_registries[i].name);
    }
    duet_cli_usage(&args->shared,
                   "unknown list '%s'%s: expected algorithms, bounds, families or formats", name,
                   duet_nearest_hint(&nearest, hint));
}

// The one of that name alone.
static int print_one(list_args *args, const duet_cli_registry *list, const char *name)
{
    duet_cli_json json = {stdout, 0, true};
    for (size_t i = 0; i < list->count(); i++) {
        if (strcmp(list->entry(i)->name, name) != 0) {
            continue;
        }
        if (args->shared.json) {
            json_entry(&json, list, list->entry(i));
        } else {
            print_verbose(list, name);
        }
        return DUET_CLI_OK;
    }
    char hint[DUET_NEAREST_HINT];
    duet_nearest nearest = duet_nearest_to(name);
    duet_cli_offer_entries(list, &nearest);
    duet_cli_usage(&args->shared, "'%s'%s is none of the %s: 'duet list %s' lists them", name,
                   duet_nearest_hint(&nearest, hint), list->name, list->name);
    return duet_cli_fail(&args->shared.error);
}

int duet_cli_list(int argc, char **argv)
{
    list_args args = {0};
    int code = DUET_CLI_OK;
    if (!duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        return code;
    }
    const duet_cli_registry *only =
        args.shared.file_count > 0 ? duet_cli_find_registry(args.shared.files[0]) : NULL;
    if (args.shared.file_count > 0 && only == NULL) {
        refuse_list(&args, args.shared.files[0]);
        code = duet_cli_fail(&args.shared.error);
    } else if (args.shared.file_count > 1) {
        code = print_one(&args, only, args.shared.files[1]);
    } else {
        code = print_lists(&args, only);
    }
    duet_cli_args_free(&args.shared);
    return code;
}
