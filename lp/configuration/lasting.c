// SPDX-License-Identifier: Apache-2.0
// What is asked of a configuration relaxation that lasts.
#include "lp/configuration/generation.h"

#include "lp/configuration/configuration_state.h"

enum {
    MAX_PAIRS = 1 << 18, // of a type and a class
    MAX_CLASSES = 3000   // rows of the program
};

bool duet_generation_possible(const duet_classes *classes)
{
    return classes->count > 0 && classes->count <= MAX_CLASSES &&
           classes->types * classes->count <= MAX_PAIRS && classes->nowhere == SIZE_MAX;
}

duet_code duet_generation_note(const duet_generation *generation, duet_lp_position *out,
                               duet_error *error)
{
    duet_lp_position_free(out);
    *out = (duet_lp_position){.rows = 0};
    return duet_lp_get_status(generation->lp) == DUET_LP_OPTIMAL
               ? duet_lp_note_position(generation->lp, out, error)
               : DUET_OK;
}

void duet_generation_resume(duet_generation *generation, const duet_lp_position *position,
                            bool narrowed)
{
    generation->widened = generation->widened || !narrowed;
    if (position->row != NULL) {
        duet_lp_take_position(generation->lp, position);
        generation->widened = !narrowed;
    }
}

double duet_generation_tasks(const duet_generation *generation, size_t type, size_t class)
{
    return generation->tasks[pair_of(generation, type, class)];
}

void duet_generation_take(duet_generation *generation, size_t index)
{
    generation->pattern[index].taken++;
}

void duet_generation_take_back(duet_generation *generation, size_t index)
{
    generation->pattern[index].taken--;
}

void duet_generation_price_sets(duet_generation *generation, bool sets)
{
    generation->scope = sets ? DUET_SCOPE_SETS : DUET_SCOPE_TASKS;
}

void duet_generation_take_none(duet_generation *generation)
{
    for (size_t i = 0; i < generation->patterns; i++) {
        generation->pattern[i].taken = 0;
    }
}
