// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/edge_costs.h"

#include <stdio.h>
#include <strings.h>

#include "core/number/minmax.h"

duet_code duet_read_cost_text(const char *text, size_t length, duet_place place,
                              duet_read_time *cost, duet_negative_cost *negative, duet_error *error)
{
    duet_decimal_tail tail;
    duet_decimal value;
    if (duet_decimal_read(text, length, &value, &tail) != DUET_DECIMAL_NEGATIVE) {
        return duet_read_time_text(text, length, place, cost, error);
    }
    *cost = (duet_read_time){.forbidden = false};
    if (negative->text[0] == '\0') {
        enum { shown = 40 };
        snprintf(negative->text, sizeof negative->text, "%.*s%s", (int)duet_min(length, shown),
                 text, length > shown ? "..." : "");
        negative->line = place.line;
        negative->column = place.column;
    }
    return DUET_OK;
}

duet_code duet_refuse_negative_cost(const duet_negative_cost *negative, const char *file,
                                    const char *from, const char *to, duet_error *error)
{
    return duet_error_set_at(
        error, DUET_E_INPUT, file, negative->line, negative->column,
        "a cost of %s on the edge from '%.60s' to '%.60s'; expected a number of "
        "at least 0",
        negative->text, from, to);
}

void duet_note_unread_cost(duet_unread_cost *unread, const char *name, int line)
{
    static const char *const names[] = {
        "bytes", "comm",     "comm_cost", "communication", "communication_cost",
        "delay", "duration", "lag",       "latency",       "size",
        "time",  "transfer", "volume",    "weight"};
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        known = known || strcasecmp(name, names[i]) == 0;
    }
    if (known && unread->name[0] == '\0') {
        snprintf(unread->name, sizeof unread->name, "%s", name);
        unread->line = line;
    }
}

duet_code duet_add_unread_cost_notice(const duet_unread_cost *unread, duet_builder *builder,
                                      duet_error *error)
{
    char notice[200];
    if (unread->name[0] == '\0') {
        return DUET_OK;
    }
    snprintf(notice, sizeof notice,
             "\"%s\" of an edge in line %d is not read: what it costs is called \"cost\", "
             "\"costs\" or \"data\"",
             unread->name, unread->line);
    return duet_builder_add_notice(builder, notice, error);
}
