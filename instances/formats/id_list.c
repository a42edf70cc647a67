// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/id_list.h"

#include <string.h>

const char *duet_id_list_next(const char **at, size_t *length)
{
    static const char blanks[] = " \t\r\n";
    *at += strspn(*at, "; \t\r\n");
    if (**at == '\0') {
        return NULL;
    }
    const char *id = *at;
    *length = strcspn(id, ";");
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
