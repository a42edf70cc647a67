// SPDX-License-Identifier: Apache-2.0
#include "core/system/shell_word.h"

#include <stdio.h>
#include <string.h>

#include "core/system/utf8.h"

static const char special[] = " \t()[]{}<>$`\\;&|*?!#~^'\"";

bool duet_shell_is_special(const char *text)
{
    return text[0] == '\0' || strpbrk(text, special) != NULL;
}

const char *duet_shell_word(const char *text, const char *otherwise, char *buffer, size_t size)
{
    const char *quote = duet_shell_is_special(text) ? "'" : "";
    size_t used = (size_t)snprintf(buffer, size, "%s", quote);
    for (const char *at = text; *at != '\0' && used < size; at++) {
        const char one[2] = {*at, '\0'};
        int more = snprintf(buffer + used, size - used, "%s", *at == '\'' ? "'\\''" : one);
        used += (size_t)more;
    }
    if (text[0] == '\0' || used + strlen(quote) >= size || !duet_utf8_is_plain(text)) {
        snprintf(buffer, size, "%s", otherwise);
        return buffer;
    }
    snprintf(buffer + used, size - used, "%s", quote);
    return buffer;
}

const char *duet_shell_path(const char *path, char buffer[DUET_SHELL_WORD])
{
    return duet_shell_word(path, "FILE", buffer, DUET_SHELL_WORD);
}

bool duet_list_is_special(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && (strpbrk(name, "=,\"") != NULL || strchr(" \t", name[0]) != NULL ||
                          strchr(" \t", name[length - 1]) != NULL);
}

const char *duet_listed_name(const char *name, char *buffer, size_t size)
{
    const char *quote = duet_list_is_special(name) ? "\"" : "";
    size_t used = (size_t)snprintf(buffer, size, "%s", quote);
    for (const char *at = name; *at != '\0' && used < size; at++) {
        const char one[2] = {*at, '\0'};
        used += (size_t)snprintf(buffer + used, size - used, "%s", *at == '"' ? "\"\"" : one);
    }
    if (used < size) {
        snprintf(buffer + used, size - used, "%s", quote);
    }
    return buffer;
}
