// SPDX-License-Identifier: Apache-2.0
// The colours that kinds have in pictures, for callers.
#include <duet/report.h>

#include "core/system/try.h"
#include "report/gantt/classes.h"
#include "report/palette.h"

duet_code duet_colour_kinds(const duet_instance *instance, const duet_solution *solution,
                            duet_colour_taker *take, void *user, duet_error *error)
{
    duet_intervals intervals;
    duet_gantt_classes classes = {.of_kind = NULL};
    DUET_TRY(duet_intervals_collect(instance, solution, &intervals, error));
    duet_code code = duet_gantt_classes_create(instance, &intervals, &classes, error);
    for (size_t kind = 0; code == DUET_OK && kind < duet_instance_kinds(instance); kind++) {
        const duet_gantt_class *own = &classes.list[classes.of_kind[kind]];
        char colour[8];
        take(user, kind, classes.heading, own->label, duet_colour_hex(own->colour, colour));
    }
    duet_gantt_classes_free(&classes);
    duet_intervals_free(&intervals);
    return code;
}
