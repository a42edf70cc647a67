// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/waits.h"

#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_waits_create(const duet_graph *graph, duet_waits *waits, duet_error *error)
{
    *waits = (duet_waits){.graph = graph,
                          .left = duet_alloc_raw((size_t)graph->tasks, sizeof *waits->left, error)};
    DUET_NEED(waits->left);
    for (int64_t j = 0; j < graph->tasks; j++) {
        waits->left[j] = (int32_t)(graph->enter_at[j + 1] - graph->enter_at[j]);
    }
    return DUET_OK;
}

void duet_waits_free(duet_waits *waits)
{
    duet_free(waits->left);
    waits->left = NULL;
}
