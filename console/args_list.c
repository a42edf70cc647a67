// SPDX-License-Identifier: Apache-2.0
#include "console/args_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Copies the item before the next comma; false at the end of the list or where it does not fit.
static bool next_item(const char **at, char *item, size_t size)
{
    size_t length = strcspn(*at, ",");
    if (length == 0 || length >= size) {
        return false;
    }
    memcpy(item, *at, length);
    item[length] = '\0';
    *at += length;
    return true;
}

bool duet_cli_take_numbers(duet_cli_args *args, const char *option, const char *text,
                           uint64_t minimum, uint64_t maximum, int64_t *list, size_t *count)
{
    char item[32];
    *count = 0;
    for (const char *at = text; *count < DUET_CLI_MAX_LIST && next_item(&at, item, sizeof item);
         at++) {
        uint64_t number = 0;
        if (!duet_cli_whole(args, option, item, minimum, maximum, &number)) {
            return false;
        }
        list[(*count)++] = (int64_t)number;
        if (*at == '\0') {
            return true;
        }
    }
    return duet_cli_usage(args,
                          "%s: expected at most %d whole numbers separated by commas, got '%s'",
                          option, DUET_CLI_MAX_LIST, text);
}

enum { NAMES = 256 };

// "A, B, C" into `names`, as far as it has room; returns it.
static const char *join(const char *const *known, size_t count, char names[NAMES])
{
    names[0] = '\0';
    for (size_t i = 0, used = 0; i < count && used < NAMES; i++) {
        used += (size_t)snprintf(names + used, NAMES - used, i == 0 ? "%s" : ", %s", known[i]);
    }
    return names;
}

bool duet_cli_take_words(duet_cli_args *args, const char *option, const char *text,
                         const char *const *known, size_t known_count, size_t *list, size_t *count)
{
    char item[64];
    *count = 0;
    for (const char *at = text; *count < DUET_CLI_MAX_LIST && next_item(&at, item, sizeof item);
         at++) {
        size_t found = 0;
        while (found < known_count && strcmp(known[found], item) != 0) {
            found++;
        }
        if (found == known_count) {
            break;
        }
        list[(*count)++] = found;
        if (*at == '\0') {
            return true;
        }
    }
    char names[NAMES];
    return duet_cli_usage(args, "%s: expected a list such as A,B of %s; got '%s'", option,
                          join(known, known_count, names), text);
}

bool duet_cli_take_names(duet_cli_args *args, const char *option, const char *text,
                         const char *const *known, size_t known_count, const char **list,
                         size_t *count)
{
    size_t words[DUET_CLI_MAX_LIST];
    if (!duet_cli_take_words(args, option, text, known, known_count, words, count)) {
        return false;
    }
    for (size_t i = 0; i < *count; i++) {
        list[i] = known[words[i]];
    }
    return true;
}

bool duet_cli_take_name(duet_cli_args *args, const char *option, const char *text,
                        const char *const *known, size_t known_count, const char **name)
{
    char names[NAMES];
    for (size_t i = 0; i < known_count; i++) {
        if (strcmp(known[i], text) == 0) {
            *name = known[i];
            return true;
        }
    }
    return duet_cli_usage(args, "%s: expected one of %s; got '%s'", option,
                          join(known, known_count, names), text);
}

bool duet_cli_take_platforms(duet_cli_args *args, const char *option, const char *text, int64_t *m,
                             int64_t *k, size_t *count)
{
    const char *at = text;
    for (*count = 0; *count < DUET_CLI_MAX_LIST; at++) {
        char *end = NULL;
        // strtol() would take spaces and signs too.
        if (strspn(at, "0123456789:,") != strlen(at) || *at == ':' || *at == ',') {
            break;
        }
        m[*count] = strtol(at, &end, 10);
        if (end == at || *end != ':' || end[1] < '0' || end[1] > '9') {
            break;
        }
        k[*count] = strtol(end + 1, &end, 10);
        if (m[*count] < 1 || m[*count] > 100000 || k[*count] > 100000) {
            break;
        }
        (*count)++;
        at = end;
        if (*at == '\0') {
            return true;
        }
        if (*at != ',') {
            break;
        }
    }
    return duet_cli_usage(
        args,
        "%s: expected at most %d pairs M:K of 1 to 100000 CPUs and 0 to 100000 GPUs "
        "such as 20:4,64:8, got '%s'",
        option, DUET_CLI_MAX_LIST, text);
}
