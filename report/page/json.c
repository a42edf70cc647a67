// SPDX-License-Identifier: Apache-2.0
// JSON that is safe inside a script element of a page, whatever names it holds.
#include "report/page/parts.h"

#include <math.h>
#include <string.h>

#include "report/texts.h"

static void put_string(FILE *stream, const char *clean)
{
    fputc('"', stream);
    for (const char *c = clean; *c != '\0'; c++) {
        if (strchr("\"\\<>&", *c) != NULL) {
            fprintf(stream, "\\u%04x", (unsigned)*c);
        } else {
            fputc(*c, stream);
        }
    }
    fputc('"', stream);
}

void duet_html_name(FILE *stream, const char *text)
{
    char clean[DUET_HTML_NAME];
    duet_clean_text(text, SIZE_MAX, clean, sizeof clean);
    put_string(stream, clean);
}

void duet_html_sentence(FILE *stream, const char *text)
{
    char clean[DUET_HTML_SENTENCE];
    duet_clean_text(text, SIZE_MAX, clean, sizeof clean);
    put_string(stream, clean);
}

void duet_html_text(FILE *stream, const char *text)
{
    char clean[DUET_HTML_NAME];
    duet_clean_text(text, SIZE_MAX, clean, sizeof clean);
    for (const char *c = clean; *c != '\0'; c++) {
        if (strchr("\"'<>&", *c) != NULL) {
            fprintf(stream, "&#%d;", *c);
        } else {
            fputc(*c, stream);
        }
    }
}

void duet_html_number(FILE *stream, double value)
{
    if (isfinite(value)) {
        fprintf(stream, "%.9g", value);
    } else {
        fputs("null", stream);
    }
}
