// SPDX-License-Identifier: Apache-2.0
// Source of manual pages.
#include "console/manual.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <duet/version.h>

// What is no plain character of a text, and how roff spells it.
static const char *escape(char c)
{
    switch (c) {
    case '\\':
        return "\\e";
    case '-':
        return "\\-";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    case '\'':
        return "\\(aq";
    case '`':
        return "\\(ga";
    default:
        return NULL;
    }
}

void duet_roff_text(FILE *stream, const char *text)
{
    bool fresh = true; // at the beginning of a line a dot would be a request
    for (const char *c = text; *c != '\0'; c++) {
        const char *escaped = escape(*c);
        if (fresh && *c == '.') {
            fputs("\\&", stream);
        }
        if (escaped != NULL) {
            fputs(escaped, stream);
        } else {
            fputc(*c, stream);
        }
        fresh = *c == '\n';
    }
}

void duet_roff_bold(FILE *stream, const char *text)
{
    fputs("\\fB", stream);
    duet_roff_text(stream, text);
    fputs("\\fR", stream);
}

void duet_roff_italic(FILE *stream, const char *text)
{
    fputs("\\fI", stream);
    duet_roff_text(stream, text);
    fputs("\\fR", stream);
}

void duet_roff_section(FILE *stream, const char *heading)
{
    fprintf(stream, ".SH %s\n", heading);
}

void duet_roff_line(FILE *stream, const char *text)
{
    duet_roff_text(stream, text);
    fputc('\n', stream);
}

void duet_roff_paragraph(FILE *stream, const char *text)
{
    fputs(".PP\n", stream);
    duet_roff_line(stream, text);
}

// The day of the release, or that of SOURCE_DATE_EPOCH, by which packagers make builds repeatable.
static void print_date(FILE *stream)
{
    char text[32] = DUET_VERSION_DATE;
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    intmax_t seconds =
        epoch != NULL && isdigit((unsigned char)*epoch) ? strtoimax(epoch, &end, 10) : 0;
    time_t when = (time_t)seconds;
    struct tm day;
    if (end != NULL && *end == '\0' && gmtime_r(&when, &day) != NULL) {
        strftime(text, sizeof text, "%Y-%m-%d", &day);
    }
    fputs(text, stream);
}

void duet_roff_begin(FILE *stream, const char *name, int section, const char *summary)
{
    fputs(".TH ", stream);
    for (const char *c = name; *c != '\0'; c++) {
        fputc(toupper((unsigned char)*c), stream);
    }
    fprintf(stream, " %d ", section);
    print_date(stream);
    fprintf(stream, " \"Duet %s\" \"Duet manual\"\n.SH NAME\n", duet_version());
    duet_roff_text(stream, name);
    fputs(" \\- ", stream);
    duet_roff_text(stream, summary);
    fputc('\n', stream);
}

void duet_roff_see_also(FILE *stream, const char *pages)
{
    duet_roff_section(stream, "SEE ALSO");
    for (const char *at = pages; *at != '\0';) {
        int name = (int)strcspn(at, "(");
        int whole = (int)strcspn(at, " ");
        bool last = at[whole] == '\0';
        fprintf(stream, ".BR %.*s %.*s%s\n", name, at, whole - name, at + name, last ? "" : ",");
        at += whole + !last;
    }
}
