// SPDX-License-Identifier: Apache-2.0
// Says what getopt did not like: an unknown option, a missing value, or one too many.
#include "console/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"

static bool begins_with(const char *name, const char *text, size_t length)
{
    return name != NULL && strncmp(name, text, length) == 0;
}

// Looks for a long option by its name or the beginning of it. Returns the last that matches, or the
// one of exactly this name; *matches counts them, but is 1 for an exact one.
static const duet_cli_option *find_long(const duet_cli_syntax *syntax, const char *name,
                                        size_t length, int *matches)
{
    const duet_cli_option *found = NULL;
    const duet_cli_option *o = duet_cli_option_at(syntax, 0);
    for (size_t i = 0; o != NULL; o = duet_cli_option_at(syntax, ++i)) {
        const char *known = begins_with(o->name, name, length) ? o->name : o->alias;
        if (begins_with(known, name, length)) {
            found = o;
            ++*matches;
            if (strlen(known) == length) {
                *matches = 1;
                break;
            }
        }
    }
    return found;
}

static const duet_cli_option *find_short(const duet_cli_syntax *syntax, int letter)
{
    const duet_cli_option *o = duet_cli_option_at(syntax, 0);
    for (size_t i = 0; o != NULL && o->letter != letter; i++) {
        o = duet_cli_option_at(syntax, i + 1);
    }
    return o;
}

// The nearest option, or where all of them are listed.
static void describe_unknown(const duet_cli_syntax *syntax, const char *text, int shown,
                             duet_error *error)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", shown - 2, text + 2);
    duet_nearest nearest = duet_nearest_to(name);
    const duet_cli_option *o = duet_cli_option_at(syntax, 0);
    for (size_t i = 0; o != NULL; o = duet_cli_option_at(syntax, ++i)) {
        if (o->name != NULL) {
            duet_nearest_offer(&nearest, o->name);
        }
    }
    if (nearest.best == NULL) {
        duet_error_set(error, DUET_E_USAGE, "%.*s: unknown option; --help lists those there are",
                       shown, text);
    } else {
        duet_error_set(error, DUET_E_USAGE, "%.*s: unknown option; did you mean --%s?", shown, text,
                       nearest.best);
    }
}

// Those that begin so, as many as a line has room for.
static void describe_several(const duet_cli_syntax *syntax, const char *text, int shown,
                             duet_error *error)
{
    char names[240] = "";
    size_t used = 0;
    const duet_cli_option *o = duet_cli_option_at(syntax, 0);
    for (size_t i = 0; o != NULL; o = duet_cli_option_at(syntax, ++i)) {
        const char *known = begins_with(o->name, text + 2, (size_t)shown - 2) ? o->name : o->alias;
        bool fits = known != NULL && strlen(known) + 5 < sizeof names - used;
        if (fits && begins_with(known, text + 2, (size_t)shown - 2)) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s--%s",
                                     used == 0 ? "" : ", ", known);
        }
    }
    duet_error_set(error, DUET_E_USAGE, "%.*s: several options begin so: %s", shown, text, names);
}

static void describe_long(const duet_cli_syntax *syntax, const char *text, duet_error *error)
{
    size_t length = strcspn(text + 2, "=");
    int shown = (int)length + 2;
    int matches = 0;
    const duet_cli_option *found = find_long(syntax, text + 2, length, &matches);
    if (found == NULL) {
        describe_unknown(syntax, text, shown, error);
    } else if (matches > 1) {
        describe_several(syntax, text, shown, error);
    } else if (found->argument == NULL) {
        duet_error_set(error, DUET_E_USAGE, "--%s: expected no value, got '%s'", found->name,
                       text + shown + (text[shown] == '='));
    } else {
        duet_error_set(error, DUET_E_USAGE, "--%s: expected a value %s after it", found->name,
                       found->argument);
    }
}

static void describe_short(const duet_cli_syntax *syntax, const char *text, duet_error *error)
{
    for (const char *c = text + 1; *c != '\0'; c++) {
        const duet_cli_option *option = find_short(syntax, (unsigned char)*c);
        if (option == NULL) {
            duet_error_set(error, DUET_E_USAGE, "-%c: unknown option; --help lists those there are",
                           *c);
            return;
        }
        if (option->argument != NULL) {
            duet_error_set(error, DUET_E_USAGE, "-%c: expected a value %s after it", *c,
                           option->argument);
            return;
        }
    }
}

void duet_cli_describe_fault(const duet_cli_syntax *syntax, int argc, char **argv, int good,
                             int next, duet_error *error)
{
    // Within a cluster of letters getopt has not moved on yet.
    int at = next > good ? next - 1 : next;
    const char *text = at < argc && at > 0 ? argv[at] : "";
    if (strncmp(text, "--", 2) == 0) {
        describe_long(syntax, text, error);
    } else if (text[0] == '-') {
        describe_short(syntax, text, error);
    }
    duet_error_set(error, DUET_E_USAGE, "cannot understand '%s'; --help shows the usage", text);
}
