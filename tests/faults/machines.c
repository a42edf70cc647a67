// SPDX-License-Identifier: Apache-2.0
// Machines with a bus, runs of StarPU's, and plans on such machines.
#include "tests/faults/stage.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <setjmp.h>

#include <cmocka.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/solution/run.h"

duet_code stage_read_bus(const stage *on, duet_error *error)
{
    duet_bus *bus = NULL;
    duet_code code = duet_bus_read(on->path, on->instance, &bus, error);
    duet_bus_free(bus);
    return code;
}

// What comes of it is a schedule.
static duet_code settle(const stage *on, duet_solution *carried, duet_error *error)
{
    duet_solution *settled = NULL;
    duet_code code = duet_bus_settle(on->instance, carried, &settled, error);
    return code == DUET_OK ? stage_check_answer(on, code, settled) : code;
}

duet_code stage_carry_out(const stage *on, duet_error *error)
{
    duet_bus *bus = NULL;
    duet_code code = duet_bus_read(on->path, on->instance, &bus, error);
    for (int keep = DUET_BUS_PLACES; code == DUET_OK && keep <= DUET_BUS_NODES; keep++) {
        duet_solution *carried = NULL;
        duet_bus_run run;
        code = duet_bus_carry_out(bus, on->instance, on->solution, (duet_bus_keep)keep, &carried,
                                  &run, error);
        DUET_THEN(code, settle(on, carried, error));
        duet_solution_free(carried);
    }
    duet_bus_free(bus);
    return code;
}

duet_code stage_read_run(const stage *on, duet_error *error)
{
    duet_ran ran = {.count = 0};
    duet_solution *order = NULL;
    duet_code code = duet_read_run(on->path, NULL, on->instance, &ran, error);
    DUET_THEN(code, duet_run_order(on->instance, &ran, &order, error));
    duet_free(ran.task);
    return code == DUET_OK ? stage_check_answer(on, code, order) : code;
}
