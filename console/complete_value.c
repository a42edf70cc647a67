// SPDX-License-Identifier: Apache-2.0
// The values that an option may have: names from the registry, choices, files.
#include "console/complete.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "console/print.h"

enum { WORD_SIZE = 4096 };

void duet_complete_offer(const char *typed, const char *head, const char *word, const char *text)
{
    char whole[WORD_SIZE];
    int length = snprintf(whole, sizeof whole, "%s%s", head, word);
    if (length < (int)sizeof whole && strncmp(whole, typed, strlen(typed)) == 0) {
        bool said = text != NULL && text[0] != '\0';
        duet_cli_print(stdout, said ? "%s\t%s\n" : "%s\n", whole, text);
    }
}

void duet_complete_files(void)
{
    puts(":files");
}

void duet_complete_choices(const char *typed, const char *head, const char *choices)
{
    for (const char *at = choices; *at != '\0' && *at != ']';) {
        char word[64];
        size_t length = strcspn(at, "|]");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        duet_complete_offer(typed, head, word, "");
        at += length + (at[length] == '|');
    }
}

// Whether `name` is one of the words of a list separated by commas, up to its last comma.
static bool in_list(const char *list, const char *name)
{
    for (const char *comma = strchr(list, ','); comma != NULL; comma = strchr(list, ',')) {
        if ((size_t)(comma - list) == strlen(name) && strncmp(list, name, strlen(name)) == 0) {
            return true;
        }
        list = comma + 1;
    }
    return false;
}

void duet_complete_names(const char *typed, const char *head, const char *value,
                         const duet_cli_registry *registry)
{
    for (size_t i = 0; i < registry->count(); i++) {
        const duet_entry *entry = registry->entry(i);
        if (!in_list(value, entry->name)) {
            duet_complete_offer(typed, head, entry->name, entry->summary);
        }
    }
}

// What of `typed` stands before its last `length` characters.
static const char *head_of(char *buffer, const char *typed, size_t length)
{
    snprintf(buffer, WORD_SIZE, "%.*s", (int)(strlen(typed) - length), typed);
    return buffer;
}

// The entry that the words before name, as an argument or as the value of -a; NULL: none.
static const duet_entry *find_owner(const duet_cli_registry *registry, int count, char **words)
{
    const duet_entry *found = NULL;
    for (int i = 0; i < count; i++) {
        const char *name = words[i];
        const char *equals = strchr(name, '=');
        if (strncmp(name, "--", 2) == 0 && equals != NULL) {
            name = equals + 1;
        } else if (strncmp(name, "-a", 2) == 0) {
            name += 2;
        }
        const duet_entry *entry = duet_cli_find_entry(registry, name);
        found = entry == NULL ? found : entry;
    }
    return found;
}

static void offer_keys(const char *typed, const char *head, const duet_option_spec *table)
{
    for (const duet_option_spec *o = table; o != NULL && o->name != NULL; o++) {
        char key[64];
        snprintf(key, sizeof key, "%s=", o->name);
        duet_complete_offer(typed, head, key, o->text);
    }
}

// The values of the option that `value`, "key=...", is about. True: it is in this table.
static bool offer_setting(const char *typed, const char *value, const duet_option_spec *table)
{
    char head[WORD_SIZE];
    size_t key = strcspn(value, "=");
    for (const duet_option_spec *o = table; o != NULL && o->name != NULL; o++) {
        if (strlen(o->name) != key || strncmp(o->name, value, key) != 0) {
            continue;
        }
        head_of(head, typed, strlen(value + key + 1));
        if (o->type == DUET_OPTION_CHOICE || o->type == DUET_OPTION_BOOLEAN) {
            bool choice = o->type == DUET_OPTION_CHOICE;
            duet_complete_choices(typed, head, choice ? o->choices : "true|false");
        } else if (o->type == DUET_OPTION_TEXT) {
            duet_complete_files();
        }
        return true;
    }
    return false;
}

static void offer_table(const char *typed, const char *value, const duet_option_spec *table)
{
    char head[WORD_SIZE];
    if (strchr(value, '=') == NULL) {
        offer_keys(typed, head_of(head, typed, strlen(value)), table);
    } else {
        offer_setting(typed, value, table);
    }
}

// -O: keys and values of the algorithm or family that the line names.
static void offer_settings(const char *name, int count, char **words, const char *typed,
                           const char *value)
{
    bool family = strcmp(name, "generate") == 0;
    const duet_cli_registry *registry = duet_cli_find_registry(family ? "families" : "algorithms");
    const duet_entry *owner = find_owner(registry, count, words);
    if (owner == NULL && strcmp(name, "solve") == 0) {
        owner = duet_cli_find_entry(registry, "auto");
    }
    for (size_t i = 0; owner == NULL && i < registry->count(); i++) {
        offer_table(typed, value, registry->entry(i)->options);
    }
    offer_table(typed, value, owner == NULL ? NULL : owner->options);
    offer_table(typed, value, duet_cli_common_options(registry));
}

static void offer_names(const char *typed, const char *head, const char *value,
                        const char *const *names)
{
    for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
        if (!in_list(value, names[i])) {
            duet_complete_offer(typed, head, names[i], "");
        }
    }
}

void duet_complete_value(const duet_cli_option *option, const char *name, int count, char **words,
                         const char *typed, const char *value)
{
    char head[WORD_SIZE];
    const char *comma = strrchr(value, ',');
    head_of(head, typed, strlen(comma == NULL ? value : comma + 1));
    if (option->registry != NULL) {
        duet_complete_names(typed, head, value, duet_cli_find_registry(option->registry));
    }
    offer_names(typed, head, value, option->value.names);
    if (strcmp(option->name, "option") == 0) {
        if (strcmp(name, "generate") != 0 && strncmp(name, "bench ", strlen("bench ")) != 0) {
            offer_table(typed, value, duet_reading_options());
        }
        if (option != duet_cli_setting_options) {
            offer_settings(name, count, words, typed, value);
        }
    } else if (option->value.type == DUET_CLI_TYPE_PATH ||
               strncmp(option->argument, "FILE", 4) == 0) {
        duet_complete_files();
    }
}
