// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/anneal.h"

// The annealer, made when it is first asked for. Without the memory for it the search goes on.
static void begin(duet_types *s)
{
    if (s->annealer != NULL || s->no_annealer) {
        return;
    }
    duet_context context = *s->exact->context;
    context.seed = duet_random_next(&s->exact->random);
    s->no_annealer =
        duet_annealer_create(s->exact->instance, &context, &s->annealer, NULL) != DUET_OK;
}

static duet_code anneal(duet_types *s, int64_t target, int64_t moves, duet_solution *schedule,
                        duet_error *error)
{
    duet_annealed done;
    begin(s);
    if (s->annealer == NULL) {
        return DUET_OK;
    }
    if (duet_solution_placements(schedule) == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "exact: out of memory for a schedule");
    }
    return duet_annealer_run(s->annealer, s->exact->context, target, moves, schedule, &done, error);
}

duet_code duet_types_anneal(duet_types *s, int64_t moves, duet_error *error)
{
    duet_exact *e = s->exact;
    duet_code code =
        duet_exact_is_open(e) ? anneal(s, duet_exact_target(e), moves, e->best, error) : DUET_OK;
    e->best->makespan = duet_solution_measure(e->best, e->instance);
    return code;
}

duet_code duet_types_anneal_trial(duet_types *s, int64_t target, int64_t moves, duet_error *error)
{
    duet_exact *e = s->exact;
    duet_code code = anneal(s, target, moves, e->trial, error);
    e->trial->makespan = duet_solution_measure(e->trial, e->instance);
    if (code == DUET_OK && e->trial->makespan < e->best->makespan) {
        duet_solution_swap_schedules(e->best, e->trial);
    }
    return code;
}
