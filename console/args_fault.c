// SPDX-License-Identifier: Apache-2.0
// Says what getopt did not like: an unknown option, a missing value, or one too many.
#include "console/args_fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct finding {
    const struct argp_option *option; // the last that matches
    int matches;                      // how many do
    bool exact;
} finding;

// Looks for a long option by its name or the beginning of it, in a parser and its children.
static void find_long(const struct argp *argp, const char *name, size_t length, finding *found)
{
    for (const struct argp_option *o = argp->options; o != NULL && o->key != 0; o++) {
        if (o->name != NULL && strncmp(o->name, name, length) == 0 && !found->exact) {
            found->option = o;
            found->matches++;
            found->exact = strlen(o->name) == length;
        }
    }
    for (const struct argp_child *c = argp->children; c != NULL && c->argp != NULL; c++) {
        find_long(c->argp, name, length, found);
    }
}

static const struct argp_option *find_short(const struct argp *argp, int letter)
{
    for (const struct argp_option *o = argp->options; o != NULL && o->key != 0; o++) {
        if (o->key == letter) {
            return o;
        }
    }
    for (const struct argp_child *c = argp->children; c != NULL && c->argp != NULL; c++) {
        const struct argp_option *option = find_short(c->argp, letter);
        if (option != NULL) {
            return option;
        }
    }
    return NULL;
}

static void describe_long(const struct argp *argp, const char *text, duet_error *error)
{
    size_t length = strcspn(text + 2, "=");
    int shown = (int)length + 2;
    finding found = {NULL, 0, false};
    find_long(argp, text + 2, length, &found);
    if (found.matches == 0) {
        duet_error_set(error, DUET_E_USAGE, "%.*s: unknown option; --help lists those there are",
                       shown, text);
    } else if (found.matches > 1 && !found.exact) {
        duet_error_set(error, DUET_E_USAGE, "%.*s: several options begin so; --help lists them",
                       shown, text);
    } else if (found.option->arg == NULL) {
        duet_error_set(error, DUET_E_USAGE, "--%s: expected no value, got '%s'", found.option->name,
                       text + shown + (text[shown] == '='));
    } else {
        duet_error_set(error, DUET_E_USAGE, "--%s: expected a value %s after it",
                       found.option->name, found.option->arg);
    }
}

static void describe_short(const struct argp *argp, const char *text, duet_error *error)
{
    for (const char *c = text + 1; *c != '\0'; c++) {
        const struct argp_option *option = find_short(argp, (unsigned char)*c);
        if (option == NULL) {
            duet_error_set(error, DUET_E_USAGE, "-%c: unknown option; --help lists those there are",
                           *c);
            return;
        }
        if (option->arg != NULL) {
            duet_error_set(error, DUET_E_USAGE, "-%c: expected a value %s after it", *c,
                           option->arg);
            return;
        }
    }
}

void duet_cli_describe_fault(const struct argp *argp, int argc, char **argv, int good, int next,
                             duet_error *error)
{
    // Within a cluster of letters getopt has not moved on yet.
    int at = next > good ? next - 1 : next;
    const char *text = at < argc && at > 0 ? argv[at] : "";
    if (strncmp(text, "--", 2) == 0) {
        describe_long(argp, text, error);
    } else if (text[0] == '-') {
        describe_short(argp, text, error);
    }
    duet_error_set(error, DUET_E_USAGE, "cannot understand '%s'; --help shows the usage", text);
}
