// SPDX-License-Identifier: Apache-2.0
// Which words may follow within a command: its options with their values, and its arguments.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "console/complete.h"
#include "console/complete_value.h"

// A parser and its children, walked through until `visit` says enough.
typedef bool option_visit(const struct argp_option *option, void *user);

static bool each_option(const struct argp *argp, option_visit *visit, void *user)
{
    for (const struct argp_option *o = argp->options; o != NULL && o->key != 0; o++) {
        if (visit(o, user)) {
            return true;
        }
    }
    for (const struct argp_child *c = argp->children; c != NULL && c->argp != NULL; c++) {
        if (each_option(c->argp, visit, user)) {
            return true;
        }
    }
    return false;
}

static bool offer_option(const struct argp_option *option, void *user)
{
    char word[80];
    if ((option->flags & (OPTION_ALIAS | OPTION_HIDDEN)) != 0) {
        return false;
    }
    snprintf(word, sizeof word, "--%s%s", option->name, option->arg == NULL ? "" : "=");
    duet_complete_offer(user, "", word, option->doc);
    return false;
}

// An option looked for by its name or its letter.
typedef struct wanted {
    const char *name; // NULL: by letter
    size_t length;
    int letter;
    const struct argp_option *found;
} wanted;

static bool is_wanted(const struct argp_option *option, void *user)
{
    wanted *w = user;
    bool same = w->name == NULL ? option->key == w->letter
                                : option->name != NULL && strlen(option->name) == w->length &&
                                      strncmp(option->name, w->name, w->length) == 0;
    w->found = same ? option : NULL;
    return same;
}

// The option whose value is expected after `word`, or within it from *value on; NULL: none.
static const struct argp_option *find_valued(const struct argp *argp, const char *word,
                                             const char **value)
{
    wanted w = {NULL, 0, 0, NULL};
    *value = NULL;
    if (strncmp(word, "--", 2) == 0) {
        w.name = word + 2;
        w.length = strcspn(w.name, "=");
        *value = w.name[w.length] == '=' ? w.name + w.length + 1 : NULL;
    } else if (word[0] == '-' && word[1] != '\0') {
        // Of several letters together the first that takes a value takes the rest.
        w.letter = (unsigned char)word[1];
        *value = word[2] == '\0' ? NULL : word + 2;
    } else {
        return NULL;
    }
    each_option(argp, is_wanted, &w);
    return w.found != NULL && w.found->arg != NULL ? w.found : NULL;
}

// What stands where a command takes files or names.
static void offer_argument(const struct argp *argp, const char *word)
{
    const char *what = argp->args_doc == NULL ? "" : argp->args_doc;
    if (strcmp(what, "FAMILY") == 0) {
        duet_complete_names(word, "", word, duet_cli_find_registry("families"));
    } else if (what[0] == '[' && islower((unsigned char)what[1])) {
        duet_complete_choices(word, "", what + 1);
    } else if (what[0] != '\0') {
        duet_complete_files();
    }
}

void duet_cli_complete_command(const struct argp *argp, const char *name, int count, char **words)
{
    const char *word = words[count - 1];
    const char *value = NULL;
    const struct argp_option *option = find_valued(argp, word, &value);
    if (option != NULL && value != NULL) {
        duet_complete_value(option, name, count - 1, words, word, value);
        return;
    }
    option = count > 1 ? find_valued(argp, words[count - 2], &value) : NULL;
    if (option != NULL && value == NULL) {
        duet_complete_value(option, name, count - 1, words, word, word);
    } else if (word[0] == '-' && word[1] != '\0') {
        each_option(argp, offer_option, (void *)word);
    } else {
        offer_argument(argp, word);
    }
}
