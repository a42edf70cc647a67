// SPDX-License-Identifier: Apache-2.0
// Pseudocosts of starts; see pseudocosts.h.
#include "solvers/graph/refute/pseudocosts.h"

#include "core/system/memory.h"

duet_code duet_pseudocosts_create(duet_pseudocosts *pseudocosts, int64_t tasks, duet_error *error)
{
    pseudocosts->task = duet_alloc_raw((size_t)tasks, sizeof *pseudocosts->task, error);
    for (int64_t j = 0; pseudocosts->task != NULL && j < tasks; j++) {
        pseudocosts->task[j] = (duet_pseudocost){DUET_PSEUDOCOST_UNIT, DUET_PSEUDOCOST_UNIT};
    }
    for (size_t i = 0; i < DUET_PSEUDOCOST_DEPTHS; i++) {
        pseudocosts->mean[i] = DUET_PSEUDOCOST_UNIT;
    }
    return pseudocosts->task == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_pseudocosts_free(duet_pseudocosts *pseudocosts)
{
    duet_free(pseudocosts->task);
    pseudocosts->task = NULL;
}

void duet_pseudocosts_learn(duet_pseudocosts *pseudocosts, const duet_windows *windows,
                            const duet_task_statement *what, int64_t narrowed)
{
    if (what->kind == DUET_CLAIM_ON || what->kind == DUET_CLAIM_OFF) {
        return;
    }
    int64_t gain = windows->narrowed - narrowed;
    int64_t left = (int64_t)DUET_PSEUDOCOST_UNIT * DUET_NARROWED / (DUET_NARROWED + gain);
    left = windows->refuted ? 0 : left;
    size_t depth =
        windows->depth < DUET_PSEUDOCOST_DEPTHS ? windows->depth : DUET_PSEUDOCOST_DEPTHS - 1;
    int64_t *mean = &pseudocosts->mean[depth];
    *mean += (left - *mean) / DUET_PSEUDOCOST_MEMORY;
    int64_t scaled = *mean > 0 ? left * DUET_PSEUDOCOST_UNIT / *mean : DUET_PSEUDOCOST_UNIT;
    bool early = what->kind == DUET_CLAIM_START_BY || what->kind == DUET_CLAIM_END_BY;
    int64_t *known =
        early ? &pseudocosts->task[what->task].early : &pseudocosts->task[what->task].late;
    *known += (scaled - *known) / DUET_PSEUDOCOST_MEMORY;
}
