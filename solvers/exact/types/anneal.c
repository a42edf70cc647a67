// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/anneal.h"

// The annealer, made when it is first asked for. Without the memory for it the search goes on.
static duet_code begin(duet_types *s, duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    if (s->annealer != NULL || s->no_annealer) {
        return DUET_OK;
    }
    duet_context context = *s->exact->context;
    context.seed = duet_random_next(&s->exact->random);
    duet_code code = duet_annealer_create(s->exact->instance, &context, &s->annealer, &why);
    s->no_annealer = code == DUET_E_LIMIT;
    if (code != DUET_OK && code != DUET_E_LIMIT && error != NULL) {
        *error = why;
    }
    return code == DUET_E_LIMIT ? DUET_OK : code;
}

static duet_code anneal(duet_types *s, int64_t target, int64_t moves, duet_solution *schedule,
                        duet_error *error)
{
    duet_annealed done;
    duet_code code = begin(s, error);
    if (code != DUET_OK || s->annealer == NULL) {
        return code;
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
        duet_exact_is_open(e) ? anneal(s, e->bound.value, moves, e->best, error) : DUET_OK;
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
