// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/exact_state.h"

int64_t duet_exact_target(const duet_exact *s)
{
    return duet_context_target(s->context, s->bound.value);
}

bool duet_exact_is_closed(const duet_exact *s)
{
    return s->best->makespan <= duet_exact_target(s);
}

bool duet_exact_is_open(const duet_exact *s)
{
    return !duet_exact_is_closed(s) && !duet_context_stop(s->context);
}

void duet_exact_take_log(duet_exact *s)
{
    duet_log proof = s->proof;
    s->proof = s->log;
    s->log = proof;
}

void duet_exact_free(duet_exact *s)
{
    duet_solution_free(s->trial);
    duet_solution_free(s->annealed);
    duet_annealer_free(s->annealer);
    duet_volume_free(s->volume);
    duet_bound_release(&s->bound);
    duet_certificate_release(&s->certificate);
    duet_column_store_free(&s->columns);
    duet_log_free(&s->log);
    duet_log_free(&s->proof);
}
