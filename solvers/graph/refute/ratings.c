// SPDX-License-Identifier: Apache-2.0
#include "solvers/graph/refute/ratings.h"

#include "core/system/memory.h"

enum { MEMORY = 16, MEAN_MEMORY = 32 }; // cases that a rating and a mean remember, about

duet_code duet_ratings_create(duet_ratings *ratings, int64_t tasks, duet_error *error)
{
    ratings->task = duet_alloc_raw((size_t)tasks, sizeof *ratings->task, error);
    for (int64_t j = 0; ratings->task != NULL && j < tasks; j++) {
        ratings->task[j] = (duet_task_rating){DUET_RATING, DUET_RATING};
    }
    for (size_t i = 0; i < DUET_RATED_DEPTHS; i++) {
        ratings->mean[i] = DUET_RATING;
    }
    return ratings->task == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_ratings_free(duet_ratings *ratings)
{
    duet_free(ratings->task);
    ratings->task = NULL;
}

void duet_ratings_learn(duet_ratings *ratings, const duet_windows *windows,
                        const duet_task_statement *what, int64_t narrowed)
{
    if (what->kind == DUET_CLAIM_ON || what->kind == DUET_CLAIM_OFF) {
        return;
    }
    int64_t gain = windows->narrowed - narrowed;
    int64_t left = (int64_t)DUET_RATING * DUET_NARROWED / (DUET_NARROWED + gain);
    left = windows->refuted ? 0 : left;
    size_t depth = windows->depth < DUET_RATED_DEPTHS ? windows->depth : DUET_RATED_DEPTHS - 1;
    int64_t *mean = &ratings->mean[depth];
    *mean += (left - *mean) / MEAN_MEMORY;
    int64_t scaled = *mean > 0 ? left * DUET_RATING / *mean : DUET_RATING;
    bool early = what->kind == DUET_CLAIM_START_BY || what->kind == DUET_CLAIM_END_BY;
    int64_t *rating = early ? &ratings->task[what->task].early : &ratings->task[what->task].late;
    *rating += (scaled - *rating) / MEMORY;
}
