// SPDX-License-Identifier: Apache-2.0
// A list of columns: NAME=COLUMN or NAME, with commas between; a name that holds ',' or '='
// stands in double quotes, two of which stand for one.
#include "instances/formats/csv/picks.h"

#include <stdbool.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/fields.h"

static duet_code refuse(const char *text, duet_error *error)
{
    return duet_error_set(error, DUET_E_USAGE,
                          "columns \"%.200s\": expected NAME=COLUMN or NAME, separated by commas, "
                          "such as cpu=time_cpu,gpu=time_gpu, each NAME once",
                          text);
}

// Takes a name from *at on, decoded in place and ended by NUL. Returns what stood behind it.
static char take_name(char **at, const char **name)
{
    char *to = *at;
    const char *from = *at;
    bool quoted = *from == '"';
    *name = to;
    from += quoted;
    while (*from != '\0' && (quoted || (*from != ',' && *from != '='))) {
        if (quoted && *from == '"' && *++from != '"') {
            break;
        }
        *to++ = *from++;
    }
    char after = *from;
    *at = (char *)from + (after != '\0');
    *to = '\0';
    return after;
}

// What a field is that is picked by its own name: an order, a release or a deadline where the name
// says so, else itself. A name of ids may be that of a type.
static const char *meant_by(const char *name)
{
    switch (duet_field_meaning(name)) {
    case DUET_MEANS_AFTER:
        return "after";
    case DUET_MEANS_BEFORE:
        return "successors";
    case DUET_MEANS_RELEASE:
        return "release";
    case DUET_MEANS_DEADLINE:
        return "deadline";
    default:
        return name;
    }
}

static bool is_given(const duet_csv_picks *picks, const char *name)
{
    bool given = false;
    for (size_t i = 0; i < picks->count; i++) {
        given = given || strcmp(picks->pick[i].name, name) == 0;
    }
    return given;
}

duet_code duet_csv_picks_parse(const char *text, duet_csv_picks *picks, duet_error *error)
{
    *picks = (duet_csv_picks){.text = duet_copy_string(text, error)};
    DUET_NEED(picks->text);
    char *at = picks->text;
    char after = ',';
    while (after == ',') {
        duet_csv_pick pick;
        after = take_name(&at, &pick.name);
        pick.column = pick.name;
        if (after == '=') {
            after = take_name(&at, &pick.column);
        } else {
            pick.name = meant_by(pick.column);
        }
        bool good = pick.name[0] != '\0' && pick.column[0] != '\0' && !is_given(picks, pick.name);
        if (!good || picks->count == DUET_CSV_MOST_PICKS || (after != ',' && after != '\0')) {
            return refuse(text, error);
        }
        picks->pick[picks->count++] = pick;
    }
    return DUET_OK;
}

void duet_csv_picks_free(duet_csv_picks *picks)
{
    duet_free(picks->text);
    picks->text = NULL;
}
