// SPDX-License-Identifier: Apache-2.0
// The collapsed table: the constraints see large and medium tasks only through c = 2 mu + mu' and
// g = 2 kappa + kappa', so (c, g, N) is state enough. One step per task, whole layers.
//
// Cost: n (2m+1)(2k+1)(3kn+1) cells; two layers of 4 bytes a cell where the work is below 2^30, of
// 8 elsewhere; a bit per cell and task for the allocation, or fewer with checkpoints (layers.c).

#include "core/system/memory.h"
#include "core/system/try.h"
#include "dp/table/steps.h"

static duet_code make_steps(const duet_table_problem *problem, duet_steps *steps, duet_error *error)
{
    if ((uint64_t)problem->tasks > SIZE_MAX / sizeof(duet_step) / 4) {
        return duet_table_refuse("collapsed", UINT64_MAX, 0, error);
    }
    DUET_TRY(duet_steps_create((size_t)problem->tasks, steps, error));
    steps->c_cap = problem->c_cap;
    steps->g_cap = problem->g_cap;
    steps->cap = problem->cap;
    steps->total = problem->total;
    size_t at = 0;
    for (size_t i = 0; i < problem->kinds; i++) {
        const duet_table_item *item = &problem->items[i];
        duet_step step = {item->value, item->weight, item->c, item->g, item->on_v, item->on_r};
        for (int64_t copy = 0; copy < item->count; copy++) {
            steps->step[at++] = step;
        }
    }
    duet_steps_full(steps);
    return DUET_OK;
}

duet_code duet_collapsed_measure(const duet_table_problem *problem, bool allocation_wanted,
                                 duet_table_size *size, duet_error *error)
{
    duet_steps steps = {.count = 0};
    DUET_TRY(make_steps(problem, &steps, error));
    duet_steps_measure(&steps, allocation_wanted, size);
    duet_steps_free(&steps);
    return DUET_OK;
}

static void take(const duet_table_problem *problem, const bool *on_r, int64_t *by_kind,
                 duet_table_answer *answer)
{
    size_t at = 0;
    for (size_t i = 0; i < problem->kinds; i++) {
        for (int64_t copy = 0; copy < problem->items[i].count; copy++) {
            by_kind[i] += on_r[at++];
        }
    }
    duet_table_allocate(problem, by_kind, answer);
}

static duet_code decide(const duet_table_problem *problem, const duet_steps *steps,
                        const duet_context *context, bool *on_r, duet_table_answer *answer,
                        duet_error *error)
{
    duet_steps_result result;
    DUET_TRY(duet_steps_solve(steps, "collapsed", context, on_r, &result, error));
    answer->cells = result.cells;
    answer->bytes = (size_t)result.bytes;
    answer->stopped = result.stopped;
    answer->has_work = result.feasible && !result.stopped;
    answer->work = answer->has_work ? result.work : 0;
    answer->yes = answer->has_work && result.work <= problem->limit;
    if (!answer->yes || on_r == NULL) {
        return DUET_OK;
    }
    int64_t *by_kind = duet_alloc(problem->kinds, sizeof *by_kind, error);
    DUET_NEED(by_kind);
    take(problem, on_r, by_kind, answer);
    duet_free(by_kind);
    return DUET_OK;
}

// The steps themselves, before there is any table: many tasks are refused without a look at them.
static duet_code check_steps(const duet_table_problem *problem, const duet_context *context,
                             duet_error *error)
{
    static const uint64_t per_task = sizeof(duet_step) + sizeof(duet_box) + sizeof(bool);
    duet_uint128 bytes = (duet_uint128)problem->tasks * per_task;
    uint64_t wanted = bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
    uint64_t memory = duet_table_memory(context, wanted);
    return wanted <= memory ? DUET_OK : duet_table_refuse("collapsed", wanted, memory, error);
}

duet_code duet_collapsed_decide(const duet_table_problem *problem, const duet_context *context,
                                duet_table_answer *answer, duet_error *error)
{
    duet_steps steps = {.count = 0};
    DUET_TRY(check_steps(problem, context, error));
    DUET_TRY(make_steps(problem, &steps, error));
    bool *on_r = NULL;
    duet_code code = DUET_OK;
    if (answer->on_gpu != NULL) {
        on_r = duet_alloc(steps.count, sizeof *on_r, error);
        code = on_r == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    DUET_THEN(code, decide(problem, &steps, context, on_r, answer, error));
    duet_free(on_r);
    duet_steps_free(&steps);
    return code;
}
