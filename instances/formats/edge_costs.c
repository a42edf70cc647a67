// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/edge_costs.h"

#include <stdio.h>

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
