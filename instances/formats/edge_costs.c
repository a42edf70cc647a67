// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/edge_costs.h"

#include <stdio.h>
#include <string.h>
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

bool duet_is_other_link(const char *name, const char *text)
{
    static const char *const ends[] = {
        "fs", "finish-to-start", "finish_to_start", "finishtostart", "finish to start", "0d",
        "0h", "false",           "directed"};
    bool lag = strcasecmp(name, "lag") == 0;
    duet_decimal value = {1, 0};
    bool number = duet_decimal_parse(text, strlen(text), &value) == DUET_DECIMAL_OK;
    bool usual = number && (!lag || value.mantissa == 0);
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !usual; i++) {
        usual = strcasecmp(text, ends[i]) == 0;
    }
    bool plan = lag || (strlen(text) == 2 && strspn(text, "FSfs") == 2) ||
                strstr(text, "start") != NULL || strstr(text, "Start") != NULL;
    return (lag || strcasecmp(name, "type") == 0) && !usual && plan;
}
