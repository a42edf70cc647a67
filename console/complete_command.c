// SPDX-License-Identifier: Apache-2.0
// Which words may follow within a command: its options with their values, and its arguments.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "console/complete.h"

static void offer_options(const duet_cli_syntax *syntax, const char *typed)
{
    const duet_cli_option *o = duet_cli_option_at(syntax, 0);
    for (size_t i = 0; o != NULL; o = duet_cli_option_at(syntax, ++i)) {
        char word[80];
        char help[DUET_CLI_HELP];
        snprintf(word, sizeof word, "--%s%s", o->name, o->argument == NULL ? "" : "=");
        duet_complete_offer(typed, "", word, duet_cli_option_help(o, help));
    }
}

static bool is_name(const char *name, const char *text, size_t length)
{
    return name != NULL && strlen(name) == length && strncmp(name, text, length) == 0;
}

// The option that `word` names by its long name or its letter; NULL: none.
static const duet_cli_option *find_option(const duet_cli_syntax *syntax, const char *word)
{
    size_t length = strcspn(word, "=") - 2;
    const duet_cli_option *o = duet_cli_option_at(syntax, 0);
    for (size_t i = 0; o != NULL; o = duet_cli_option_at(syntax, ++i)) {
        bool named = word[1] == '-'
                         ? is_name(o->name, word + 2, length) || is_name(o->alias, word + 2, length)
                         : o->letter == (unsigned char)word[1];
        if (named) {
            return o;
        }
    }
    return NULL;
}

// The option whose value is expected after `word`, or within it from *value on; NULL: none.
static const duet_cli_option *find_valued(const duet_cli_syntax *syntax, const char *word,
                                          const char **value)
{
    *value = NULL;
    if (word[0] != '-' || word[1] == '\0') {
        return NULL;
    }
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        *value = equals == NULL ? NULL : equals + 1;
    } else {
        // Of several letters together the first that takes a value takes the rest.
        *value = word[2] == '\0' ? NULL : word + 2;
    }
    const duet_cli_option *found = find_option(syntax, word);
    return found != NULL && found->argument != NULL ? found : NULL;
}

// What stands where a command takes files or names.
static void offer_argument(const duet_cli_syntax *syntax, const char *word)
{
    const char *what = syntax->arguments == NULL ? "" : syntax->arguments;
    if (strcmp(what, "FAMILY") == 0) {
        duet_complete_names(word, "", word, duet_cli_find_registry("families"));
    } else if (what[0] == '[' && islower((unsigned char)what[1])) {
        duet_complete_choices(word, "", what + 1);
    } else if (what[0] != '\0') {
        duet_complete_files();
    }
}

void duet_cli_complete_command(const duet_cli_syntax *syntax, int count, char **words)
{
    const char *word = words[count - 1];
    const char *value = NULL;
    const duet_cli_option *option = find_valued(syntax, word, &value);
    if (option != NULL && value != NULL) {
        duet_complete_value(option, syntax->name, count - 1, words, word, value);
        return;
    }
    option = count > 1 ? find_valued(syntax, words[count - 2], &value) : NULL;
    if (option != NULL && value == NULL) {
        duet_complete_value(option, syntax->name, count - 1, words, word, word);
    } else if (word[0] == '-' && word[1] != '\0') {
        offer_options(syntax, word);
    } else {
        offer_argument(syntax, word);
    }
}
