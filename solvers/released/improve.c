// SPDX-License-Identifier: Apache-2.0
// A shorter schedule where there are releases or busy processors: by exchanges of independent
// tasks, by orders of a task graph's.
#include "core/system/try.h"
#include "solvers/released/model.h"
#include "solvers/released/released.h"

enum { USUAL_ROUNDS = 20 };

duet_code duet_released_improve(const duet_instance *instance, const duet_context *context,
                                int64_t rounds, int64_t pass, duet_solution *solution,
                                duet_error *error)
{
    int64_t before = solution->makespan;
    int64_t target = duet_context_target(context, solution->lower_bound);
    if (instance->moldable != NULL || before <= target) {
        return DUET_OK;
    }
    rounds = rounds == 0 && context->deadline_ns == INT64_MAX ? USUAL_ROUNDS : rounds;
    const duet_released_effort effort = {rounds, pass, target};
    duet_released_model model;
    duet_code code = duet_released_model_create(instance, &model, error);
    DUET_THEN(code, instance->graph == NULL
                        ? duet_released_exchange(&model, context, &effort, solution, error)
                        : duet_released_order(&model, context, &effort, solution, error));
    if (solution->makespan < before) {
        solution->found_by[0] = '\0'; // by the algorithm that runs
    }
    duet_released_model_free(&model);
    return code;
}
