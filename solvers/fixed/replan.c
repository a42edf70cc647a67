// SPDX-License-Identifier: Apache-2.0
// A plan that is under way: what is given of it, and how it goes on by itself.
#include <duet/replan.h>

#include <stdio.h>

#include "core/instance/given.h"
#include "core/solution/finer.h"
#include "core/system/try.h"
#include "solvers/fixed/fixed.h"

// The plan as it was, in ticks of the result; tasks that it lacks have no place.
static duet_code old_plan(const duet_instance *to, const duet_replan_desc *desc,
                          duet_solution **out, duet_error *error)
{
    bool sets = to->moldable != NULL; // which keep their ticks
    int64_t divisor = sets ? duet_finer_scale(desc->finer) : 1;
    DUET_TRY(duet_solution_create(duet_tasks(to), out, error));
    DUET_TRY(sets ? duet_solution_hold_sets(*out, error) : DUET_OK);
    for (size_t i = 0; i < desc->plans; i++) {
        const duet_fix *entry = &desc->plan[i];
        if (entry->ranges == 0) {
            continue;
        }
        int64_t start =
            entry->start == DUET_FORBIDDEN ? 0 : duet_given_ticks(entry->start, divisor);
        if (sets) {
            const duet_processor_set set = {entry->range, entry->ranges};
            DUET_TRY(duet_solution_place_set(*out, entry->task, start, set, error));
        } else {
            (*out)->placement[entry->task] =
                (duet_placement){start, entry->range[0].first, entry->range[0].type};
        }
    }
    return DUET_OK;
}

static duet_code carry_plan(const duet_instance *to, const duet_solution *plan, duet_solution **out,
                            duet_error *error)
{
    duet_rest rest;
    duet_fixed_model model = {.span = NULL};
    duet_carry carry = {.kept = NULL};
    bool found = false;
    duet_code code = duet_rest_create(to, &rest, error);
    DUET_THEN(code, duet_fixed_model_create(to, &rest, &model, error));
    carry.m = &model;
    DUET_THEN(code, duet_carry_create(&model, &carry, error));
    DUET_THEN(code, duet_solution_create_blank(duet_tasks(to), out, error));
    for (int way = DUET_CARRY_PLACES; way <= DUET_CARRY_TYPES && code == DUET_OK && !found; way++) {
        code = duet_fixed_carry_on(&carry, plan, (duet_carry_way)way, *out, &found, error);
    }
    if (code == DUET_OK && found) {
        duet_solution_finish(*out, to);
        snprintf((*out)->algorithm, sizeof(*out)->algorithm, "start-from");
    } else {
        duet_solution_free(*out);
        *out = NULL;
    }
    duet_carry_free(&carry);
    duet_fixed_model_free(&model);
    duet_rest_free(&rest);
    return code;
}

duet_code duet_replan(const duet_instance *instance, const duet_replan_desc *desc,
                      duet_instance **out, duet_solution **continued, duet_error *error)
{
    duet_solution *plan = NULL;
    if (continued != NULL) {
        *continued = NULL;
    }
    DUET_TRY(duet_instance_give(instance, desc, out, error));
    if (continued == NULL || desc->plans == 0) {
        return DUET_OK;
    }
    duet_code code = old_plan(*out, desc, &plan, error);
    DUET_THEN(code, carry_plan(*out, plan, continued, error));
    duet_solution_free(plan);
    if (code != DUET_OK) {
        duet_instance_free(*out);
        *out = NULL;
    }
    return code;
}
