// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/guess_schedule.h"

#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/pack.h"

// The schedule of an allocation of the classes to the types, levelled.
static duet_code schedule_allocation(duet_exact *s, const duet_classes *classes,
                                     const int64_t *on_cpu, const duet_allocating *how,
                                     duet_error *error)
{
    duet_residual state;
    duet_loads loads = {.loads = 0};
    duet_search search = {.classes = classes,
                          .state = &state,
                          .context = s->context,
                          .random = &s->random,
                          .limits = {.pack_effort = how->level, .fill_effort = how->fill},
                          .loads = &loads,
                          .verdict = DUET_OPEN};
    duet_code code = duet_residual_create(classes, &state, error);
    for (size_t c = 0; c < classes->count && code == DUET_OK; c++) {
        duet_residual_set_pair(&state, c, state.left[c], on_cpu[c], on_cpu[c]);
    }
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        code = duet_pack_level(&search, t, s->bound.value, error);
    }
    DUET_THEN(code, duet_incumbent_offer(s, classes, &loads, error));
    duet_loads_free(&loads);
    duet_residual_free(&state);
    return code;
}

duet_code duet_exact_schedule_guess(duet_exact *s, int64_t guess, const duet_allocating *how,
                                    duet_knapsack_answer *answer, duet_error *error)
{
    duet_classes classes;
    int64_t weight[2];
    *answer = (duet_knapsack_answer){.fits = false};
    if (!s->searchable) {
        return DUET_OK;
    }
    DUET_TRY(duet_classes_create(s->instance, guess, &classes, error));
    int64_t *on_cpu = duet_alloc(classes.count, sizeof *on_cpu, error);
    duet_code code = on_cpu == NULL ? DUET_E_MEMORY : duet_classes_weights(&classes, weight, error);
    DUET_THEN(code,
              how->core
                  ? duet_knapsack_core(&classes, weight, &s->random, on_cpu, answer, error)
                  : duet_knapsack_decide(&classes, weight, s->context, on_cpu, answer, error));
    if (code == DUET_OK && answer->fits && (!how->hopeful || answer->hope > 0)) {
        code = schedule_allocation(s, &classes, on_cpu, how, error);
    }
    duet_free(on_cpu);
    duet_classes_free(&classes);
    return code;
}
