// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/bound.h"

#include "solvers/exact/types/climb.h"

// Guesses from the bound to twice as much, below which the bound mostly ends: as if there were a
// schedule of that length.
// *possible becomes true where there is a linear program.
static duet_code raise_once(duet_exact *e, bool *possible, duet_error *error)
{
    duet_types s = {.exact = e};
    duet_code code = duet_types_prepare(&s, error);
    if (code == DUET_OK && s.program != NULL) {
        *possible = true;
        code = duet_types_climb(&s, error);
    }
    duet_types_free(&s);
    return code;
}

duet_code duet_types_raise(const duet_instance *instance, const duet_context *context,
                           duet_bound *bound, bool *possible, duet_error *error)
{
    *possible = false;
    duet_exact e = {
        .instance = instance, .context = context, .bound = *bound, .doing = "configuration"};
    duet_code code = duet_solution_create_blank(0, &e.best, error);
    bool risen = bound->value > 0;
    while (code == DUET_OK && risen && !duet_context_stop(context)) {
        int64_t before = e.bound.value;
        e.best->makespan = before < DUET_MAX_WORK / 2 ? 2 * before : DUET_MAX_WORK;
        risen = false;
        if (e.best->makespan > before) {
            code = raise_once(&e, possible, error);
            risen = e.bound.value >= e.best->makespan;
        }
    }
    *bound = e.bound;
    e.bound = (duet_bound){.value = 0};
    duet_solution_free(e.best);
    duet_exact_free(&e);
    return code;
}
