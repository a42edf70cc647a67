// SPDX-License-Identifier: Apache-2.0
// Fills the page's template, which CMake made part of the library.
#include "report/page/page.h"

#include <string.h>

#include "report/page/parts.h"

static duet_code put_data(FILE *stream, const duet_page *page, duet_error *error)
{
    duet_code code = DUET_OK;
    fputs("{\"title\":", stream);
    duet_html_name(stream, page->title);
    fputs(",\n", stream);
    if (page->results != NULL) {
        code = duet_html_tables(stream, page->results, error);
    }
    fputs("\"solutions\":[", stream);
    for (size_t i = 0; i < page->schedules && code == DUET_OK; i++) {
        fputs(i == 0 ? "\n" : ",\n", stream);
        code = duet_html_schedule(stream, &page->schedule[i], error);
    }
    fputs("]}\n", stream);
    return code;
}

typedef enum place { PLACE_TITLE, PLACE_STYLE, PLACE_SCRIPT, PLACE_DATA, PLACES } place;

static duet_code put_place(FILE *stream, const duet_page *page, place which, duet_error *error)
{
    switch (which) {
    case PLACE_TITLE:
        duet_html_text(stream, page->title);
        return DUET_OK;
    case PLACE_STYLE:
        fwrite(duet_html_style, 1, duet_html_style_size, stream);
        return DUET_OK;
    case PLACE_SCRIPT:
        fwrite(duet_html_script, 1, duet_html_script_size, stream);
        return DUET_OK;
    default:
        return put_data(stream, page, error);
    }
}

duet_code duet_page_write(FILE *stream, const duet_page *page, duet_error *error)
{
    static const char *const places[PLACES] = {"{{TITLE}}", "{{STYLE}}", "{{SCRIPT}}", "{{DATA}}"};
    const char *at = (const char *)duet_html_page;
    const char *end = at + duet_html_page_size;
    duet_code code = DUET_OK;
    while (at < end && code == DUET_OK) {
        size_t which = 0;
        while (which < PLACES && strncmp(at, places[which], strlen(places[which])) != 0) {
            which++;
        }
        if (which == PLACES) {
            fputc(*at++, stream);
        } else {
            code = put_place(stream, page, (place)which, error);
            at += strlen(places[which]);
        }
    }
    return code;
}
