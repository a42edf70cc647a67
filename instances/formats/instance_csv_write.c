// SPDX-License-Identifier: Apache-2.0
// Instances as CSV, written so that the reader takes every column and every task for what it is.
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "instances/formats/formats.h"

static void write_field(FILE *stream, const char *text)
{
    size_t length = strlen(text);
    bool plain = length > 0 && strpbrk(text, ",;\"\r\n\t") == NULL && text[0] != ' ' &&
                 text[0] != '#' && text[length - 1] != ' ';
    for (const char *c = text; plain && *c != '\0'; c++) {
        plain = (unsigned char)*c >= 0x20 && *c != 0x7f;
    }
    if (plain) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *c = text; *c != '\0'; c++) {
        fputs(*c == '"' ? "\"" : "", stream);
        fputc(*c, stream);
    }
    fputc('"', stream);
}

// A type called like a column with a meaning of its own would pass for it. The first such column is
// the one with the meaning, so it is then written too.
static bool has_type(const duet_instance *instance, const char *name)
{
    bool found = false;
    for (size_t t = 0; t < instance->types; t++) {
        found = found || strcasecmp(instance->type_names[t], name) == 0;
    }
    return found;
}

void duet_write_instance_csv(FILE *stream, const duet_instance *instance)
{
    bool counts = has_type(instance, "count") || duet_tasks(instance) != (int64_t)instance->kinds;
    bool after = has_type(instance, "after");
    char buffer[32];
    fprintf(stream, "id%s%s", counts ? ",count" : "", after ? ",after" : "");
    for (size_t t = 0; t < instance->types; t++) {
        fputc(',', stream);
        write_field(stream, instance->type_names[t]);
    }
    fputc('\n', stream);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        write_field(stream, duet_instance_kind_id(instance, kind));
        if (counts) {
            fprintf(stream, ",%" PRId64, duet_count(instance, kind));
        }
        fputs(after ? "," : "", stream);
        for (size_t t = 0; t < instance->types; t++) {
            int64_t time = duet_time(instance, kind, t);
            fputc(',', stream);
            fputs(time == DUET_FORBIDDEN ? "" : duet_instance_format_time(instance, time, buffer),
                  stream);
        }
        fputc('\n', stream);
    }
}
