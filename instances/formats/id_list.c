// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/id_list.h"

#include <stdbool.h>
#include <string.h>

// Whether it is a list of texts in quotes, as programs print it: their semicolons separate nothing.
static bool is_printed(const char *text, size_t length)
{
    static const char brackets[] = "[({";
    static const char closing[] = "])}";
    const char *kind = strchr(brackets, text[0]);
    const char *inside = text + 1 + strspn(text + 1, " ");
    return kind != NULL && text[length - 1] == closing[kind - brackets] &&
           (*inside == '\'' || *inside == '"');
}

const char *duet_id_list_next(const char **at, size_t *length)
{
    static const char blanks[] = " \t\r\n";
    *at += strspn(*at, "; \t\r\n");
    if (**at == '\0') {
        return NULL;
    }
    const char *id = *at;
    *length = strlen(id);
    while (strchr(blanks, id[*length - 1]) != NULL) {
        --*length;
    }
    if (!is_printed(id, *length)) {
        *length = strcspn(id, ";");
    }
    *at = id + *length;
    while (strchr(blanks, id[*length - 1]) != NULL) {
        --*length;
    }
    return id;
}

size_t duet_id_list_count(const char *at)
{
    size_t count = 0;
    for (size_t length; duet_id_list_next(&at, &length) != NULL;) {
        count++;
    }
    return count;
}
