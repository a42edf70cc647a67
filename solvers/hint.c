// SPDX-License-Identifier: Apache-2.0
#include "solvers/hint.h"

#include <stdio.h>

#include <duet/check.h>

#include "core/instance/instance.h"
#include "core/system/try.h"
#include "solvers/cheap_bounds.h"

duet_code duet_hint_copy(const duet_solution *from, const duet_instance *instance,
                         duet_solution *to, duet_error *error)
{
    bool sets = instance->moldable != NULL;
    size_t at = 0;
    DUET_TRY(sets ? duet_solution_hold_sets(to, error) : duet_solution_hold_placements(to, error));
    for (int64_t j = 0; j < from->tasks; j++) {
        duet_placement place = duet_solution_place(from, j, &at);
        if (sets) {
            duet_processor_range one;
            DUET_TRY(duet_solution_place_set(to, j, place.start, duet_solution_set(from, j, &one),
                                             error));
        } else {
            to->placement[j] = place;
        }
    }
    return DUET_OK;
}

duet_code duet_hint_create(const duet_instance *instance, const duet_context *context,
                           const duet_solution *given, duet_solution **out, duet_error *error)
{
    duet_error fault = DUET_ERROR_INIT;
    *out = NULL;
    if (given->tasks != duet_tasks(instance) || given->finer != 0 || given->aborted_count > 0) {
        return duet_error_set(error, DUET_E_INPUT,
                              "the schedule to start from: expected one of this instance, in whole "
                              "ticks and without aborted runs");
    }
    duet_solution *hint = NULL;
    duet_code code = duet_solution_create_blank(given->tasks, &hint, error);
    DUET_THEN(code, duet_hint_copy(given, instance, hint, error));
    if (code == DUET_OK) {
        duet_solution_finish(hint, instance);
        code = duet_check_solution(instance, hint, NULL, NULL, &fault);
        if (code != DUET_OK) {
            duet_error_set(error, code, "the schedule to start from: %s", fault.message);
        }
    }
    DUET_THEN(code, duet_offer_cheap_bounds(instance, context, hint, error));
    if (code == DUET_OK) {
        snprintf(hint->algorithm, sizeof hint->algorithm, "start-from");
        duet_solution_finish(hint, instance);
        *out = hint;
    } else {
        duet_solution_free(hint);
    }
    return code;
}

duet_code duet_hint_keep(const duet_solution *hint, const duet_instance *instance,
                         duet_solution *solution, duet_error *error)
{
    const duet_bound bound = {
        .name = hint->bound_name, .value = hint->lower_bound, .certificate = hint->certificate};
    if (hint->makespan >= solution->makespan) {
        return DUET_OK;
    }
    DUET_TRY(duet_hint_copy(hint, instance, solution, error));
    solution->aborted_count = 0;
    snprintf(solution->found_by, sizeof solution->found_by, "start-from");
    if (hint->bound_name[0] != '\0') {
        duet_solution_offer_bound(solution, &bound);
    }
    duet_solution_finish(solution, instance);
    return DUET_OK;
}
