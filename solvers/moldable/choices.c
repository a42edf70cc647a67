// SPDX-License-Identifier: Apache-2.0
#include "solvers/moldable/choices.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"

duet_code duet_moldable_choices_create(size_t tasks, duet_moldable_choices *choices,
                                       duet_error *error)
{
    choices->choice = duet_alloc_raw(tasks, sizeof *choices->choice, error);
    choices->order = duet_alloc_raw(tasks, sizeof *choices->order, error);
    return choices->choice == NULL || choices->order == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_moldable_choices_free(duet_moldable_choices *choices)
{
    duet_free(choices->choice);
    duet_free(choices->order);
}

void duet_moldable_choices_copy(duet_moldable_choices *to, const duet_moldable_choices *from,
                                int32_t tasks)
{
    memcpy(to->choice, from->choice, (size_t)tasks * sizeof *to->choice);
    memcpy(to->order, from->order, (size_t)tasks * sizeof *to->order);
}

int64_t duet_draw_near_size(duet_random *random, int64_t size, int64_t sizes)
{
    int64_t reach = 1 + size / 4;
    int64_t low = size > reach ? size - reach : 1;
    int64_t high = duet_min(size + reach, sizes);
    return duet_random_between(random, low, high);
}
