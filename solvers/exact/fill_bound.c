// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/fill_bound.h"

#include "solvers/exact/guess_schedule.h"

duet_code duet_exact_fill_bound(duet_exact *s, duet_error *error)
{
    if (!s->searchable || s->instance->types != 2 || s->outlook == DUET_OUTLOOK_RAISED ||
        s->hopeless == s->bound.value || !duet_exact_is_open(s)) {
        return DUET_OK;
    }
    if (s->filled != s->bound.value) {
        s->fill_effort = DUET_FILL_FIRST;
    } else if (s->fill_effort < DUET_FILL_MOST) {
        s->fill_effort *= DUET_FILL_GROWTH;
    }
    s->filled = s->bound.value;
    const duet_allocating how = {.core = s->shape.long_lists,
                                 .hopeful = true,
                                 .level = DUET_LEVEL_EFFORT,
                                 .fill = s->fill_effort};
    duet_knapsack_answer answer;
    duet_code code = duet_exact_schedule_guess(s, s->bound.value, &how, &answer, error);
    if (code == DUET_OK && !how.core && !(answer.fits && answer.hope > 0)) {
        s->hopeless = s->filled;
    }
    return code;
}
